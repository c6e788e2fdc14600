#include "solve/diagnosis.hpp"

#include <fmt/format.h>

#include "stickslip/statistics.hpp"

namespace stickslip::internal {
namespace {

/// Contacts up to which W is looked at, and rows up to which its rank is worth the time: a step of a time loop may stall too.
constexpr Index largest = 5000, largest_rank = 600;

}  // namespace

std::vector<std::string> diagnose(const ReducedProblem& problem) {
  if (problem.contacts() > largest) return {};
  const Statistics s = statistics(problem, largest_rank);
  std::vector<std::string> found;
  if (s.rank_ratio && *s.rank_ratio < 1)
    found.push_back(
        fmt::format("W has rank {:.3g} of full: impulses that hold each other are free", *s.rank_ratio));
  else if (s.density && *s.density > 1)
    found.push_back(fmt::format(
        "{:.3g} contact unknowns share a degree of freedom: impulses that hold each other are free",
        *s.density));
  if (s.asymmetry > 1e-6) found.push_back(fmt::format("W is unsymmetric, ‖W−Wᵀ‖/‖W‖ = {:.1e}", s.asymmetry));
  if (s.largest_block > 1e4 * s.smallest_block)
    found.push_back(
        fmt::format("diagonal blocks of W from {:.1e} to {:.1e}", s.smallest_block, s.largest_block));
  if (s.mu_max > 1) found.push_back(fmt::format("friction up to μ = {:.3g}", s.mu_max));
  return found;
}

std::vector<std::string> diagnose(const GlobalProblem& problem) {
  if (problem.contacts() > largest) return {};
  return diagnose(Reduction(problem).reduced());
}

}  // namespace stickslip::internal
