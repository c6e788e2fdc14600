#include "linalg/dense_cholesky.hpp"

#include <Eigen/Cholesky>

namespace stickslip::internal {
namespace {

/// Columns of a panel: wide enough for the update of the rest to run as a product of matrices, narrow enough to be stopped in
/// time (at 10,000 rows an update of the rest is some 2·10¹⁰ operations).
constexpr Eigen::Index panel = 192;

}  // namespace

bool DenseCholesky::factorise(Eigen::MatrixXd A, const Stop& stop) {
  L_ = std::move(A);
  const Eigen::Index n = L_.rows();
  for (Eigen::Index k = 0; k < n; k += panel) {
    ask(stop);
    // [ A11  ·  ]   [ L11   0  ] [ L11ᵀ L21ᵀ ]
    // [ A21 A22 ] = [ L21  L22 ] [  0   L22ᵀ ],  A22 ← A22 − L21 L21ᵀ = L22 L22ᵀ
    const Eigen::Index width = std::min(panel, n - k), rest = n - k - width;
    auto A11 = L_.block(k, k, width, width);
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> pivot(A11);
    if (pivot.info() != Eigen::Success) return false;
    auto A21 = L_.block(k + width, k, rest, width);
    A11.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(A21);
    L_.block(k + width, k + width, rest, rest).selfadjointView<Eigen::Lower>().rankUpdate(A21, -1);
  }
  return true;
}

// A Ref is a pointer. NOLINTNEXTLINE(performance-unnecessary-value-param)
void DenseCholesky::solve(Eigen::Ref<Eigen::MatrixXd> X) const {
  L_.triangularView<Eigen::Lower>().solveInPlace(X);
  L_.triangularView<Eigen::Lower>().transpose().solveInPlace(X);
}

}  // namespace stickslip::internal
