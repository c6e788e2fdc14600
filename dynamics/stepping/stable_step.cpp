#include "dynamics/stepping/stable_step.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace stickslip::internal {
namespace {

/// ω² by Rayleigh's quotient after some steps of the power method, in the space of the unknowns that are not held. The steps divide by
/// lumped masses, the quotient is that of M.
double highest_square(const ElementBodyChoice& choice) {
  if (choice.basis) return choice.basis->squares().maxCoeff();
  const ElementModel& model = *choice.model;
  Random random(1);
  Eigen::VectorXd x(model.rows()), Kx, Mx(model.rows());
  for (double& value : x) value = random.normal();
  double square = 0;
  for (int k = 0; k < 30; ++k) {
    for (std::size_t i = 0; i < choice.held.size(); ++i)
      if (choice.held[i]) x[Eigen::Index(i)] = 0;
    const double norm = x.norm();
    if (!(norm > 0)) return square;
    x /= norm;
    Kx.noalias() = model.K() * x;
    model.apply_mass(x, Mx);
    square = std::max(square, x.dot(Kx) / x.dot(Mx));
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = Kx[i] / model.node_mass()[std::size_t(i / 3)];
  }
  return square;
}

/// ω² of a pseudo-rigid body, exactly: with E_i the eigenvalues of its Euler tensor, shears have V μ (1/E_i + 1/E_j), stretches those of
/// V (λ + 2 μ δ_ij)/√(E_i E_j).
double highest_square(const BodyModel& model) {
  const Vector E = Eigen::SelfAdjointEigenSolver<Matrix>(model.euler, Eigen::EigenvaluesOnly).eigenvalues();
  const Vector root = E.cwiseSqrt().cwiseInverse();
  Matrix stretch = Matrix::Constant(model.elastic.lambda);
  stretch.diagonal().array() += 2 * model.elastic.mu;
  stretch = root.asDiagonal() * stretch * root.asDiagonal();
  const double longest =
      Eigen::SelfAdjointEigenSolver<Matrix>(stretch, Eigen::EigenvaluesOnly).eigenvalues()[2];
  return model.volume * std::max(longest, model.elastic.mu * (1 / E[0] + 1 / E[1]));
}

}  // namespace

double longest_stable_step(const Bodies& bodies, std::size_t body, double theta) {
  const BodyModel& model = bodies.models[body];
  double square = 0, alpha = 0, beta = model.damping;
  if (model.has_elements()) {
    const ElementBodyChoice& choice = bodies.element(int(body)).choice();
    square = highest_square(choice);
    alpha = choice.mass_damping;
    beta = choice.stiffness_damping;
  } else if (model.deforms()) {
    square = highest_square(model);
  }
  // The root of a h² − b h − 4 = 0.
  const double a = (4 * theta - 1) * square, b = (4 * theta - 2) * (alpha + beta * square);
  return a > 0 ? (b + std::sqrt(b * b + 16 * a)) / (2 * a) : std::numeric_limits<double>::infinity();
}

}  // namespace stickslip::internal
