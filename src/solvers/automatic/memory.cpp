#include "stickslip/memory.hpp"

#include <charconv>
#include <cmath>

#include "linalg/contact_system/body_system.hpp"
#include "solve/memory.hpp"
#include "solve/prepared_system.hpp"
#include "solvers/automatic/automatic.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {

using namespace internal;

MemoryEstimate estimate_memory(const ReducedProblem& problem) {
  MemoryEstimate estimate;
  estimate.problem = problem_bytes(problem);
  estimate.sweeps = estimate.problem + mixing_bytes(problem);
  estimate.matrix = estimate.sweeps + estimate.problem;
  estimate.route = "matrix";
  if (problem.contacts() == 0) return estimate;
  ContactSystem system;
  ScaledProblem scaled;
  const ContactProblem contact(problem);
  scaled.prepare(contact, Scaled::on);
  system.analyse(scaled);
  estimate.factors = estimate.automatic = estimate.matrix + system.bytes();
  return estimate;
}

MemoryEstimate estimate_memory(const GlobalProblem& problem) {
  MemoryEstimate estimate;
  const BodyGraph graph(problem);
  estimate.problem = problem_bytes(problem);
  estimate.sweeps = estimate.problem + sweep_bytes(problem);
  estimate.matrix = estimate.sweeps + 2 * matrix_bytes(graph);
  double loose = 0;
  if (graph.applies() && problem.bilateral_constraints() == 0 && problem.contacts() > 0) {
    const std::vector<double> ones(std::size_t(problem.contacts()), 1.0);
    BodySystem system;
    system.analyse({.M = &problem.M(), .H = &problem.H(), .scale = ones, .Ht = graph.columns()},
                   problem.dimension());
    estimate.bodies = estimate.sweeps + system.bytes();
    if (system.gradients_pay() || system.gradients_pay_for_a_penalty())
      loose = estimate.sweeps + system.loose_bytes() + (system.gradients_pay() ? domain_bytes(problem) : 0);
  }
  const bool by_bodies = estimate.bodies > 0 && stays_without_matrix({}, problem);
  estimate.route = !by_bodies ? "matrix" : loose > 0 ? "gradients" : "bodies";
  estimate.automatic = !by_bodies ? estimate.matrix : loose > 0 ? loose : estimate.bodies;
  return estimate;
}

double parse_size(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(std::size_t(end - text.data()));
  if (unit.ends_with("iB")) unit.remove_suffix(2);
  const std::string_view units = "kMGT";
  const std::size_t power =
      unit.size() == 1 ? units.find(unit == "K" ? 'k' : unit[0]) : std::string_view::npos;
  if (error != std::errc{} || !(number > 0) || !std::isfinite(number) ||
      (!unit.empty() && power == std::string_view::npos))
    throw InputError("a size must be a number > 0 with k, M, G or T behind it, such as 4G or 500M, got '" +
                     std::string(text) + "'");
  return unit.empty() ? number : number * std::pow(1024.0, double(power + 1));
}

std::string format_size(double bytes) { return size_in_words(bytes); }

}  // namespace stickslip
