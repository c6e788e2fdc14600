#include "dynamics/elements/elasticity.hpp"

namespace stickslip::internal {
namespace {

Matrix strain(const Matrix& F) { return 0.5 * (F.transpose() * F - Matrix::Identity()); }

}  // namespace

Lame lame(double young, double poisson) {
  return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))};
}

double strain_energy(const Matrix& F, const Lame& m) {
  const Matrix E = strain(F);
  return 0.5 * m.lambda * E.trace() * E.trace() + m.mu * E.squaredNorm();
}

Matrix second_stress(const Matrix& F, const Lame& m) {
  const Matrix E = strain(F);
  return m.lambda * E.trace() * Matrix::Identity() + 2 * m.mu * E;
}

Matrix stress(const Matrix& F, const Lame& m) { return F * second_stress(F, m); }

Matrix9 stiffness(const Matrix& F, const Lame& m) {
  // dP = dF S + F dS,  dE = sym(Fᵀ dF),  dS = λ tr(dE) I + 2 μ dE: one column for each entry of dF.
  const Matrix S = second_stress(F, m);
  Matrix9 K;
  for (int c = 0; c < 9; ++c) {
    Matrix dF = Matrix::Zero();
    dF(c % 3, c / 3) = 1;
    const Matrix product = F.transpose() * dF, dE = 0.5 * (product + product.transpose());
    const Matrix dP = dF * S + F * (m.lambda * dE.trace() * Matrix::Identity() + 2 * m.mu * dE);
    K.col(c) = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(dP.data());
  }
  return K;
}

}  // namespace stickslip::internal
