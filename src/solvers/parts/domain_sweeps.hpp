// Sweeps with mixing over all contacts, and where these get stuck the contacts with the error are solved by themselves:
//
//   S = the contacts with most of Σ‖r_i − P_K(r_i − û_i)‖², and those around them
//   r_S ← the solution of their problem, the impulses of all others held (bodies/body_part.hpp)
//
// On packings mixing settles thousands of contacts in some hundred sweeps, but for one or two places where a few contacts change
// between sticking and slipping for ever. Such a place is a small problem, which second-order methods solve in milliseconds.
#pragma once

#include <functional>
#include <memory>

#include "solve/method.hpp"

namespace stickslip::internal {

struct DomainOptions {
  long window = 8;                      ///< differences that are mixed
  long patience = 300;                  ///< sweeps without halving the error before the first domain
  long patience_between = 200;          ///< the same between domains
  double share = 0.9;                   ///< of the squared error that the contacts inside have
  long seeds = 200;                     ///< of these contacts at most, or a hundredth of all
  int first_rings = 2, last_rings = 4;  ///< of bodies around them: one more each time, then from the first on
  double largest = 0.5;  ///< part of all contacts beyond which the error is spread, and a domain is not tried
  long turns = 6;        ///< domains before it gives up
};

/// What a domain is worth: little at first, since most are easy; where one was not solved, all there is.
enum class DomainEffort { brief, whole };
using DomainSolver = std::function<std::unique_ptr<Method>(DomainEffort, double)>;

/// `make_inner(effort, part)` makes the solver of a domain with that part of all contacts. Global problems with bodies, W not formed. The
/// error may rise between: the best iterate counts.
std::unique_ptr<Method> make_domain_sweeps(const DomainOptions& options, const DomainSolver& make_inner);

}  // namespace stickslip::internal
