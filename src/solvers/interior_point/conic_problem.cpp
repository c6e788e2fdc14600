#include "solvers/interior_point/conic_problem.hpp"

#include <cmath>
#include <utility>

namespace stickslip::internal {
namespace {

/// Conjugate gradients through springs that need more iterations are given up.
constexpr long most_gradients = 3000;

}  // namespace

ConicProblem::ConicProblem(ContactProblem& problem, Stopwatch* watch)
    : ConicProblem(problem, problem.prepared(Scaled::on, Frictionless::normals, watch)) {}

ConicProblem ConicProblem::on_springs(ContactProblem& problem) {
  auto parts = std::make_unique<PreparedSystem>();
  parts->problem.prepare(problem, Scaled::on, Frictionless::normals);
  ConicProblem conic(problem, *parts);
  const BodyFactors& factors = *parts->problem.bodies();
  conic.springs_ = problem.make_springs(factors.scale, factors.idle);
  conic.own_ = std::move(parts);
  return conic;
}

bool ConicProblem::factorise(const double* blocks, bool loosely) {
  if (springs_) return springs_->prepare(blocks);
  return (loosely ? system.factorise_loosely(blocks) : system.factorise({}, nullptr, blocks, 0)).ok;
}

bool ConicProblem::solve(std::span<double> x, const ContactSystem::Accuracy& accuracy) {
  if (springs_) return springs_->solve(x, {accuracy.by_gradients, accuracy.velocities}, most_gradients) >= 0;
  return std::isfinite(system.solve(x, accuracy));
}

std::vector<double> ConicProblem::scaled_shift(std::span<const double> s) const {
  std::vector<double> shift(n(), 0.0);
  for (std::size_t i = 0; i < s.size(); ++i)
    if (scaled.mu()[i] > 0) shift[i] = s[i] * scaled.velocity_factor(Index(i));
  return shift;
}

}  // namespace stickslip::internal
