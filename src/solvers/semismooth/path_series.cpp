#include "solvers/semismooth/path_series.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip::internal {
namespace {

/// Terms above this are of no use, and their products would overflow.
constexpr double largest_term = 1e100;
/// Added to the diagonal of the correlations of the terms, which come close to being dependent.
constexpr double ridge = 1e-12;

}  // namespace

PathSeries::PathSeries(std::size_t components, int order)
    : order_(order),
      components_(components),
      terms_(components * std::size_t(order + 1), 1.0),
      weights_(std::size_t(order + 1)) {}

int PathSeries::prepare() {
  factored_ = 0;
  const Eigen::Map<const Eigen::MatrixXd> all(terms_.data(), order_ + 1, Eigen::Index(components_));
  int usable = 0;
  while (usable < order_ && all.row(usable + 1).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() < largest_term)
    ++usable;
  if (usable >= 2) {
    const auto later = all.middleRows(2, usable - 1);
    products_.noalias() = later * later.transpose();
  }
  return usable;
}

bool PathSeries::find_weights(double s, int order, Sum sum) {
  if (sum == Sum::taylor) {
    for (int k = 0; k <= order; ++k) weights_[std::size_t(k)] = std::pow(s, k);
    return true;
  }
  const Eigen::Index m = order - 1;
  if (m < 2) return false;
  const Eigen::VectorXd size = products_.diagonal().head(m).cwiseSqrt();
  if (factored_ != order) {  // the correlations of the terms do not depend on s
    Eigen::MatrixXd matrix =
        size.cwiseInverse().asDiagonal() * products_.topLeftCorner(m, m) * size.cwiseInverse().asDiagonal();
    matrix.diagonal().array() += ridge;
    factors_.compute(matrix);
    factored_ = order;
  }
  if (factors_.info() != Eigen::Success) return false;
  Eigen::VectorXd scale(m);
  for (Eigen::Index j = 0; j < m; ++j) scale[j] = 1 / (size[j] * std::pow(s, double(j + 2)));
  Eigen::VectorXd part = factors_.solve(scale).cwiseProduct(scale);
  part /= part.sum();
  // The term k is in every partial sum from the k-th on.
  double later = 0;
  for (Eigen::Index k = m; k >= 1; --k) {
    later += part[k - 1];
    weights_[std::size_t(k)] = later * std::pow(s, double(k));
  }
  weights_[0] = 1;
  weights_[std::size_t(order)] = 0;
  return part.allFinite();
}

bool PathSeries::positive_point(double s, int order, Sum sum, std::span<double> x) {
  if (!find_weights(s, order, sum)) return false;
  const auto evaluate = [&](std::size_t i) {
    const double* term = terms_.data() + i * std::size_t(order_ + 1);
    double value = 0;
    for (std::size_t k = 0; k <= std::size_t(order); ++k) value += weights_[k] * term[k];
    return x[i] = value;
  };
  // Where the last point failed the next one is likely to.
  if (!(evaluate(blocking_) > 0)) return false;
  for (std::size_t i = 0; i < components_; ++i)
    if (!(evaluate(i) > 0)) {
      blocking_ = i;
      return false;
    }
  return true;
}

}  // namespace stickslip::internal
