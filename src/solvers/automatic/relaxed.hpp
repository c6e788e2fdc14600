// Sweeps with mixing and relaxed paths by turns: large packings without factors, in one process or on ranks.
//
//   sweeps with Anderson mixing, as long as they get on
//   the path of the convex relaxation, its systems by conjugate gradients through the contacts (bodies/spring_system), to a centred point
//   sweeps with mixing from there; then the path with the slip speeds of the best iterate, and so on
//
// Without paths: mixing and plain sweeps by turns, since mixing may stand still where sweeps get on.
//
// Sums are exact and products go through the bodies, so that the bits of a result know neither threads nor ranks nor the cut.
#pragma once

#include <memory>
#include <string_view>

#include "solve/method.hpp"
#include "solve/options.hpp"

namespace stickslip::internal {

/// Sweeps are counted, never seconds.
struct RelaxedOptions {
  long anderson = 8;  ///< differences that are mixed
  /// Sweeps that may be expected to be needed before the first path, and those that have to halve the error then; the same where a guess was given: the
  /// problem of the last step was near.
  long horizon = 100, patience = 50;
  long warm_horizon = 500, warm_patience = 200;
  long centre_patience = 300;  ///< sweeps from the end of a path that have to halve the error
  long paths = 6;              ///< at most; then sweeps alone go on
  long turn =
      100;  ///< without paths: sweeps with mixing, or plain ones, that have to halve the error; then it is the turn of the others
  double redundancy = 2;  ///< contact unknowns a degree of freedom from which there are sweeps alone

  void visit(OptionVisitor& visitor);
};

/// Why there are no paths for bodies of a problem, so that sweeps are all there is; empty: there are. `redundancy`: contact unknowns a degree of freedom.
std::string_view why_no_paths(double redundancy, bool symmetric, const RelaxedOptions& options = {});

std::unique_ptr<Method> make_relaxed(const RelaxedOptions& options);

}  // namespace stickslip::internal
