// The nearest problem that has a solution, for one that has none or is not solved: how much room its contacts lack.
#pragma once

#include <atomic>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "stickslip/export.hpp"
#include "stickslip/problem.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

/// What the search may spend.
struct NearestRequest {
  double tolerance = 1e-8;                                      ///< on the natural-map error; > 0
  double time_limit = std::numeric_limits<double>::infinity();  ///< wall-clock seconds in all; > 0
  const std::atomic<bool>* cancel = nullptr;                    ///< set to true from anywhere: stop
  /// What a solve of this problem ended with: it is not tried again, and a certificate tells the room at once. nullptr: unknown.
  const SolveResult* known = nullptr;
};

/// Room s ≥ 0 for the contacts: with s added to the normal part of u (of q, or of w) there is a solution.
struct NearestResult {
  bool found = false;    ///< the problem with the room was solved to the tolerance
  bool settled = false;  ///< less room was tried and is not enough, to a few per cent; or the room is zero
  std::vector<double> room;     ///< s, one number a contact, in units of u
  double size = 0;              ///< ‖s‖₂
  std::vector<Index> squeezed;  ///< contacts with a tenth of the largest room or more, largest first
  SolveResult solution;         ///< of the problem with the room
  std::string message;          ///< one line for people
};

/// Looks for little room: solves the problem with u_N + e r_N in the place of u_N for falling e, which always has a solution, and
/// whose s = e r_N tends to the room of least length ‖s‖₂ where friction plays no part; with friction it is small, not proven to be
/// the least. The room is zero where the problem itself is solved on the way. Some solves of `auto`; W is formed, unless a certificate is known: its d
/// needs the room −(q·d) d/‖d‖², and no shorter one will do. Throws InputError
/// on a bad request, or an M that is not positive definite.
STICKSLIP_EXPORT NearestResult nearest_feasible(const ReducedProblem& problem,
                                                const NearestRequest& request = {});
STICKSLIP_EXPORT NearestResult nearest_feasible(const GlobalProblem& problem,
                                                const NearestRequest& request = {});

/// The same problem with s added to the normal part of q or w. Throws InputError unless s has a number for each contact.
STICKSLIP_EXPORT ReducedProblem with_room(const ReducedProblem& problem, std::span<const double> s);
STICKSLIP_EXPORT GlobalProblem with_room(const GlobalProblem& problem, std::span<const double> s);

}  // namespace stickslip
