#include "linalg/scalar_lu.hpp"

#include <Eigen/SparseLU>
#include <algorithm>
#include <limits>
#include <vector>

namespace stickslip::internal {

struct ScalarLu::Parts {
  const BlockMatrix* W = nullptr;
  std::vector<std::uint8_t> active;
  std::vector<Index> place;  // of each contact among the active ones, −1: left out
  Index count = 0;
  bool analysed = false, singular = false;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::SparseMatrix<double> A;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  Eigen::VectorXd x;
};

ScalarLu::ScalarLu() : parts_(std::make_unique<Parts>()) {}
ScalarLu::~ScalarLu() = default;

void ScalarLu::analyse(const BlockMatrix& W) {
  parts_->W = &W;
  parts_->analysed = false;
}

long ScalarLu::factorise(std::span<const std::uint8_t> active, const double* left, const double* right,
                         double alpha) {
  Parts& p = *parts_;
  const BlockMatrix& W = *p.W;
  const int d = W.dimension();
  if (!p.analysed || !std::equal(active.begin(), active.end(), p.active.begin(), p.active.end())) {
    p.analysed = false;
    p.active.assign(active.begin(), active.end());
    p.place.assign(active.size(), -1);
    p.count = 0;
    for (std::size_t i = 0; i < active.size(); ++i)
      if (active[i]) p.place[i] = p.count++;
  }
  p.entries.clear();
  const auto add = [&](Index i, Index j, const double* X,
                       double shift) {  // L_i (X + shift·I), and R_i on the diagonal
    const double* L = left + std::size_t(i) * std::size_t(d * d);
    const Index row = p.place[std::size_t(i)] * d, column = p.place[std::size_t(j)] * d;
    for (int b = 0; b < d; ++b)
      for (int a = 0; a < d; ++a) {
        double value = i == j ? right[std::size_t(i) * std::size_t(d * d) + std::size_t(a + d * b)] +
                                    shift * L[a + d * b]
                              : 0;
        for (int c = 0; c < d; ++c) value += L[a + d * c] * X[c + d * b];
        p.entries.emplace_back(row + a, column + b, value);
      }
  };
  for (Index i = 0; i < W.size(); ++i) {
    if (!active[std::size_t(i)]) continue;
    add(i, i, W.diagonal(i), alpha);
    for (Index k = W.row_start()[std::size_t(i)]; k < W.row_start()[std::size_t(i) + 1]; ++k)
      if (active[std::size_t(W.column()[std::size_t(k)])]) add(i, W.column()[std::size_t(k)], W.block(k), 0);
  }
  p.A.resize(p.count * d, p.count * d);
  p.A.setFromTriplets(p.entries.begin(), p.entries.end());
  if (!p.analysed) p.lu.analyzePattern(p.A);
  p.analysed = true;
  p.lu.factorize(p.A);
  p.singular = p.lu.info() != Eigen::Success;
  return p.singular;
}

void ScalarLu::solve(std::span<double> x) const {
  Parts& p = *parts_;
  const auto d = std::size_t(p.W->dimension());
  p.x.resize(Eigen::Index(p.count) * Eigen::Index(d));
  const auto each = [&](auto&& visit) {
    for (std::size_t i = 0; i < p.place.size(); ++i)
      if (p.place[i] >= 0)
        for (std::size_t c = 0; c < d; ++c)
          visit(x[i * d + c], p.x[Eigen::Index(std::size_t(p.place[i]) * d + c)]);
  };
  each([](double outside, double& inside) { inside = outside; });
  if (p.singular)
    p.x.setConstant(std::numeric_limits<double>::quiet_NaN());
  else
    p.x = p.lu.solve(Eigen::VectorXd(p.x));
  each([](double& outside, double inside) { outside = inside; });
}

}  // namespace stickslip::internal
