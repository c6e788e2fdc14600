#include "linalg/singular_values.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

namespace stickslip::internal {
namespace {

/// The values of B are looked at every so many steps, and stand still when neither changed by this part.
constexpr long between_looks = 20;
constexpr double still = 1e-3;

void keep_extremes(const Eigen::VectorXd& values, double relative, SingularValues& found) {
  found.largest = values.size() > 0 ? values[0] : 0;
  found.rank = 0;
  for (const double value : values)
    if (value > relative * found.largest) found.smallest = value, ++found.rank;
}

/// x − V Vᵀx, twice: once is not enough where little is left.
void make_orthogonal(const std::vector<Eigen::VectorXd>& V, Eigen::VectorXd& x) {
  for (int pass = 0; pass < 2; ++pass)
    for (const auto& v : V) x -= v.dot(x) * v;
}

}  // namespace

SingularValues dense_singular_values(const SparseMatrix& W, double relative) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(W.rows(), W.columns());
  for (const Triplet& e : W.triplets()) A(e.row, e.column) += e.value;
  SingularValues found;
  if (A.size() > 0) keep_extremes(Eigen::BDCSVD<Eigen::MatrixXd>(A).singularValues(), relative, found);
  return found;
}

SingularValues iterated_singular_values(const SparseMatrix& W, std::span<const double> b, double relative,
                                        long most) {
  SingularValues found;
  std::vector<Eigen::VectorXd> U, V;
  std::vector<double> alpha, beta;
  Eigen::VectorXd u = Eigen::Map<const Eigen::VectorXd>(b.data(), Eigen::Index(b.size())), v;
  if (!(u.norm() > 0)) return found;
  U.push_back(u.normalized());
  const auto look = [&] {
    const auto k = Eigen::Index(alpha.size());
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(k + 1, k);
    for (Eigen::Index j = 0; j < k; ++j) B(j, j) = alpha[std::size_t(j)], B(j + 1, j) = beta[std::size_t(j)];
    keep_extremes(Eigen::BDCSVD<Eigen::MatrixXd>(B).singularValues(), relative, found);
    found.rank = 0;
    found.steps = k;
  };
  double size = 0;  // of W, as far as it is known
  for (long k = 1; k <= most; ++k) {
    v = Eigen::VectorXd::Zero(W.columns());
    W.transpose_multiply_add(1, {U.back().data(), std::size_t(U.back().size())},
                             {v.data(), std::size_t(v.size())});
    make_orthogonal(V, v);
    const double a = v.norm();
    if (!(a > relative * size)) break;  // the space is exhausted
    V.push_back(v / a);
    u = Eigen::VectorXd::Zero(W.rows());
    W.multiply_add(1, {V.back().data(), std::size_t(V.back().size())}, {u.data(), std::size_t(u.size())});
    make_orthogonal(U, u);
    alpha.push_back(a);
    beta.push_back(u.norm());
    size = std::max({size, a, beta.back()});
    if (!(beta.back() > relative * size)) break;
    U.push_back(u / beta.back());
    if (k % between_looks != 0) continue;
    const SingularValues before = found;
    look();
    if (std::abs(found.largest - before.largest) <= still * found.largest &&
        std::abs(found.smallest - before.smallest) <= still * found.smallest)
      return found;
  }
  if (!alpha.empty()) look();
  return found;
}

}  // namespace stickslip::internal
