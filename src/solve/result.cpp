#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "stickslip/solver.hpp"

namespace stickslip {

using namespace internal;

std::string_view name(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::converged_reduced:
      return "converged_reduced";
    case Status::stalled:
      return "stalled";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::time_limit:
      return "time_limit";
    case Status::infeasible:
      return "infeasible";
    case Status::not_applicable:
      return "not_applicable";
    case Status::numerical_failure:
      return "numerical_failure";
    case Status::cancelled:
      return "cancelled";
  }
  return "?";
}

std::size_t SolveResult::count(ContactStatus which) const {
  return std::size_t(std::count(contacts.begin(), contacts.end(), which));
}

std::string SolveResult::report() const {
  const std::string& ran = stage.empty() ? solver_used : stage;
  std::string text = fmt::format("{} in {} iterations, {:.3g} s ({})\n", name(status), iterations,
                                 timing.total, solver == ran ? solver : solver + " = " + ran);
  if (!message.empty()) text += "  " + message + "\n";
  text += fmt::format("  error            {:.3e}   (tolerance {:.0e})\n", measures.error, tolerance);
  if (!worst_contacts.empty())
    text += fmt::format("  largest at       contact{} {}\n", worst_contacts.size() == 1 ? "" : "s",
                        fmt::join(worst_contacts, ", "));
  text += fmt::format("  contacts         {} open, {} stick, {} slip\n", count(ContactStatus::open),
                      count(ContactStatus::stick), count(ContactStatus::slip));
  text += fmt::format("  spurious energy  {:.3e}\n", measures.energy);
  text += fmt::format("  violations       impulse {:.1e}, velocity {:.1e}, complementarity {:.1e}\n",
                      measures.impulse_violation, measures.velocity_violation, measures.complementarity);
  for (const auto& reason : diagnosis) text += "  it may hurt that " + reason + "\n";
  return text;
}

}  // namespace stickslip
