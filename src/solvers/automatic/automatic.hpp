// One solver for everything: the cheapest method first, the rate watched, the next one taken in time.
//
//   sweeps     Gauss–Seidel with the exact one-contact solver, as long as its rate promises an end soon
//   newton     small problems: Newton's method as long as it makes progress, and sweeps with mixing
//   mixing     larger ones: sweeps with mixing, as long as they may end before a factorising method
//   proximal   proximal point with semismooth Newton inside (PPA-NSN-AC): the work-horse on the rest
//   proof      the search for a certificate that no solution exists, once
//   interior   interior point with the null space of W pinned (NIPM)
//
// then proximal and interior in turn with longer leases. Every method starts from the best iterate of those
// before it, the monitor keeps the best of all. Islands are solved one by one. docs/theory/automatic.md has
// the figures behind the choices; bench/fit_auto fits the options again.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solve/options.hpp"

namespace stickslip::internal {

struct AutomaticOptions {
  long horizon = 100;  ///< sweeps that plain Gauss–Seidel may be expected to need; more: it is left
  double mixing = 2;   ///< the same for mixing, for each contact; 0: no mixing where W can be factorised
  long lease = 100;    ///< Newton steps of the first proximal phase
  double lease_per_contact = 0.3;  ///< the same for each contact, where that is more
  long growth = 4;                 ///< of a lease from round to round
  long rounds = 4;                 ///< of proximal and interior phases before it gives up
  long small = 64;  ///< contacts up to which Newton's method and mixing come before the proximal point
  long small_horizon = 20;  ///< horizon up to that many contacts
  long small_mixing = 40;   ///< the same for mixing; slower sweeps are followed by Newton's method at once
  long largest = 30000;     ///< contacts up to which W is factorised

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_automatic(const AutomaticOptions& options);

}  // namespace stickslip::internal
