#include "dynamics/elements/element_matrices.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace stickslip::internal {
namespace {

/// λ a bᵀ + μ (b aᵀ + (a·b) I): what the gradients a and b of two displacements share.
Matrix shared_stiffness(const Vector& a, const Vector& b, const Lame& m) {
  return m.lambda * a * b.transpose() + m.mu * (b * a.transpose() + a.dot(b) * Matrix::Identity());
}

Matrix gradient_of(std::span<const Vector> x, const Gradients& g) {
  Matrix F = Matrix::Zero();
  for (std::size_t a = 0; a < x.size(); ++a) F += x[a] * g.slope[a].transpose();
  return F;
}

Matrix jacobian(std::span<const Vector> X, const Interpolation& at) {
  Matrix J = Matrix::Zero();
  for (std::size_t a = 0; a < X.size(); ++a) J += X[a] * at.slope[a].transpose();
  return J;
}

void condense_modes(std::span<const Vector> X, const Lame& material, ElementMatrix& K) {
  const Matrix J0 = jacobian(X, interpolate(ElementKind::h8, Vector::Zero()));
  const Matrix inverse = J0.inverse().transpose();
  const double det0 = J0.determinant();
  Eigen::Matrix<double, 24, 9> mixed = Eigen::Matrix<double, 24, 9>::Zero();
  Eigen::Matrix<double, 9, 9> own = Eigen::Matrix<double, 9, 9>::Zero();
  for (const QuadraturePoint& p : stiffness_points(ElementKind::h8)) {
    const Gradients g = gradients(ElementKind::h8, X, p.at);
    const double weight = p.weight * g.det;
    Vector mode[3];
    for (int k = 0; k < 3; ++k) mode[k] = (det0 / g.det) * (-2 * p.xi[k]) * inverse.col(k);
    for (int k = 0; k < 3; ++k) {
      for (int a = 0; a < 8; ++a)
        mixed.block<3, 3>(3 * a, 3 * k) +=
            weight * shared_stiffness(g.slope[std::size_t(a)], mode[k], material);
      for (int l = 0; l < 3; ++l)
        own.block<3, 3>(3 * k, 3 * l) += weight * shared_stiffness(mode[k], mode[l], material);
    }
  }
  K -= mixed * own.ldlt().solve(mixed.transpose());
}

}  // namespace

ElementMatrix element_stiffness(ElementKind kind, Modes modes, std::span<const Vector> X,
                                const Lame& material) {
  const int n = nodes_of(kind);
  ElementMatrix K = ElementMatrix::Zero(3 * n, 3 * n);
  for (const QuadraturePoint& p : stiffness_points(kind)) {
    const Gradients g = gradients(kind, X, p.at);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        K.block<3, 3>(3 * a, 3 * b) +=
            p.weight * g.det * shared_stiffness(g.slope[std::size_t(a)], g.slope[std::size_t(b)], material);
  }
  if (modes == Modes::incompatible) condense_modes(X, material, K);
  return K;
}

MassBlock element_mass(ElementKind kind, std::span<const Vector> X) {
  const int n = nodes_of(kind);
  MassBlock M = MassBlock::Zero(n, n);
  for (const QuadraturePoint& p : mass_points(kind)) {
    const double weight = p.weight * jacobian(X, p.at).determinant();
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) M(a, b) += weight * p.at.N[std::size_t(a)] * p.at.N[std::size_t(b)];
  }
  return M;
}

double element_green(ElementKind kind, std::span<const Vector> X, std::span<const Vector> x,
                     const Lame& material, ElementVector* force, ElementMatrix* tangent) {
  const int n = nodes_of(kind);
  double energy = 0;
  if (force) force->setZero(3 * n);
  if (tangent) tangent->setZero(3 * n, 3 * n);
  for (const QuadraturePoint& p : stiffness_points(kind)) {
    const Gradients g = gradients(kind, X, p.at);
    const double weight = p.weight * g.det;
    const Matrix F = gradient_of(x, g), S = second_stress(F, material);
    energy += weight * strain_energy(F, material);
    std::array<Vector, most_nodes> Fg;
    for (std::size_t a = 0; a < std::size_t(n); ++a) Fg[a] = F * g.slope[a];
    if (force) {
      const Matrix P = F * S;
      for (int a = 0; a < n; ++a) force->segment<3>(3 * a) += weight * (P * g.slope[std::size_t(a)]);
    }
    if (!tangent) continue;
    const Matrix FFt = F * F.transpose();
    for (int i = 0; i < n; ++i) {
      const auto a = std::size_t(i);
      const Vector S_a = S * g.slope[a];
      for (int j = 0; j < n; ++j) {
        const auto b = std::size_t(j);
        tangent->block<3, 3>(3 * i, 3 * j) +=
            weight * (material.lambda * Fg[a] * Fg[b].transpose() +
                      material.mu * (Fg[b] * Fg[a].transpose() + g.slope[a].dot(g.slope[b]) * FFt) +
                      S_a.dot(g.slope[b]) * Matrix::Identity());
      }
    }
  }
  return energy;
}

StressVector element_stress(ElementKind kind, std::span<const Vector> X, std::span<const Vector> x,
                            const Lame& material, bool green) {
  const Vector centre = kind == ElementKind::h8 ? Vector(Vector::Zero()) : Vector(Vector::Constant(0.25));
  const Matrix F = gradient_of(x, gradients(kind, X, interpolate(kind, centre)));
  Matrix sigma;
  if (green) {
    sigma = F * second_stress(F, material) * F.transpose() / F.determinant();
  } else {
    const Matrix strain = 0.5 * (F + F.transpose()) - Matrix::Identity();
    sigma = material.lambda * strain.trace() * Matrix::Identity() + 2 * material.mu * strain;
  }
  StressVector s;
  s << sigma(0, 0), sigma(1, 1), sigma(2, 2), sigma(0, 1), sigma(1, 2), sigma(2, 0);
  return s;
}

}  // namespace stickslip::internal
