// NIPM: the interior point with s as an unknown, for Coulomb's law itself.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solve/options.hpp"

namespace stickslip::internal {

struct NipmOptions {
  long paths = 385;  ///< at most, each from another start (385: every one)
  double polish_from =
      1e-5;  ///< gap m, in scaled units, from which semismooth Newton is tried; larger: earlier
  double polish_again = 1e-2;  ///< and after each further fall of m by this factor
  long polish_steps = 15;      ///< Newton steps of one try
  long burst = 200;            ///< proximal Newton steps from the best point after every third path; 0: none

  bool certificate = true;  ///< look for a proof that there is no solution; `auto` does that itself

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_nipm(const NipmOptions& options);

}  // namespace stickslip::internal
