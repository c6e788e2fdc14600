#include "solvers/interior_point/conic_problem.hpp"

namespace stickslip::internal {
namespace {

SparseMatrix without_idle_tangents(const SparseMatrix& W, const std::vector<double>& mu, int d) {
  auto entries = W.triplets();
  const auto idle = [&](Index k) { return k % d != 0 && mu[std::size_t(k / d)] == 0; };
  std::erase_if(entries, [&](const Triplet& e) { return idle(e.row) || idle(e.column); });
  return {W.rows(), W.columns(), entries};
}

/// M and H S, without the tangents of contacts with μ = 0: Hᵀ M⁻¹ H is the scaled W.
std::optional<BodyFactors> scaled_bodies(const GlobalProblem* bodies, const Scaling& scaling,
                                         const std::vector<double>& mu, int d) {
  if (!bodies || bodies->bilateral_constraints() > 0 ||
      std::size_t(bodies->H().columns()) != mu.size() * std::size_t(d))
    return {};
  std::vector<Triplet> H;
  for (Triplet e : bodies->H().triplets()) {
    const Index contact = e.column / d;
    if (e.column % d != 0 && mu[std::size_t(contact)] == 0) continue;
    e.value *= scaling.factor(contact);
    H.push_back(e);
  }
  return BodyFactors{bodies->M(), {bodies->H().rows(), bodies->H().columns(), H}};
}

}  // namespace

ConicProblem::ConicProblem(const ContactProblem& given) : ConicProblem(given.matrix(), given.global()) {}

ConicProblem::ConicProblem(const ReducedProblem& problem, const GlobalProblem* bodies)
    : physical(problem),
      dimension(problem.dimension()),
      n(std::size_t(problem.contacts())),
      scaling(problem),
      mu(problem.mu().begin(), problem.mu().end()),
      symmetric(problem.W().asymmetry() < 1e-12),
      W(without_idle_tangents(scaling.matrix(problem.W()), mu, dimension)),
      q(scaling.load(problem.q())),
      factors(W, dimension, symmetric, scaled_bodies(bodies, scaling, mu, dimension)) {
  const auto d = std::size_t(dimension);
  for (std::size_t k = 0; k < q.size(); ++k)
    if (k % d != 0 && mu[k / d] == 0) q[k] = 0;
}

void ConicProblem::velocity(std::span<const double> r, std::span<double> u) const {
  std::copy(q.begin(), q.end(), u.begin());
  W.multiply_add(1, r, u);
}

std::vector<double> ConicProblem::scaled_shift(std::span<const double> s) const {
  std::vector<double> shift(n, 0.0);
  for (std::size_t i = 0; i < s.size(); ++i)
    if (mu[i] > 0) shift[i] = s[i] * scaling.velocity_factor(Index(i));
  return shift;
}

}  // namespace stickslip::internal
