// Whether a problem has a solution at all: Slater's condition as a cone program, RR (35), and proofs that it
// has none.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/export.hpp"
#include "stickslip/problem.hpp"

namespace stickslip {

enum class Existence {
  exists,    ///< Slater's condition holds: some velocity has u inside K* at every contact
  none,      ///< no solution: the certificate proves it
  undecided  ///< neither could be shown at this precision
};
STICKSLIP_EXPORT std::string_view name(Existence answer);

struct ExistenceResult {
  Existence answer = Existence::undecided;
  /// With `exists`: the proof. u = W r + q has u_N − μ‖u_T‖ ≥ margin > 0 at every contact; r need not lie in
  /// K. Global problems: v with u = Hᵀ v + w, too.
  double margin = 0;  ///< in units of u
  std::vector<double> r, v;
  /// With `none`: d with d_N ≥ 0, d_T = 0, Wᵀd = 0 and q·d < 0, of unit length.
  std::vector<double> certificate;
  std::string message;  ///< one line for people
};

/// Never throws on a valid problem. Costs a few convex programs, each some ten factorisations of W. `stop` is asked now and then;
/// where it says true the answer is `undecided`.
STICKSLIP_EXPORT ExistenceResult existence(const ReducedProblem& problem,
                                           const std::function<bool()>& stop = {});
/// Throws InputError when M is not positive definite.
STICKSLIP_EXPORT ExistenceResult existence(const GlobalProblem& problem,
                                           const std::function<bool()>& stop = {});

}  // namespace stickslip
