#include "problem/scaling.hpp"

#include <cmath>

namespace stickslip::internal {

Scaling::Scaling(const ReducedProblem& problem) : dimension_(problem.dimension()) {
  const auto d = std::size_t(dimension_);
  double sum = 0;
  for (Index i = 0; i < problem.contacts(); ++i) {
    double trace = 0, load = 0;
    for (int c = 0; c < dimension_; ++c) trace += problem.W().diagonal(i)[c * (dimension_ + 1)];
    s_.push_back(1 / std::sqrt(trace / dimension_));
    for (std::size_t c = 0; c < d; ++c)
      load += problem.q()[std::size_t(i) * d + c] * problem.q()[std::size_t(i) * d + c];
    sum += load * s_.back() * s_.back();
  }
  if (sum > 0) c_ = 1 / std::sqrt(sum / double(s_.size()));
}

SparseMatrix Scaling::matrix(const BlockMatrix& W) const {
  auto entries = W.to_sparse().triplets();
  for (Triplet& e : entries)
    e.value *= s_[std::size_t(e.row / dimension_)] * s_[std::size_t(e.column / dimension_)];
  return {W.size() * dimension_, W.size() * dimension_, entries};
}

std::vector<double> Scaling::load(std::span<const double> q) const {
  std::vector<double> scaled(q.begin(), q.end());
  for (std::size_t k = 0; k < scaled.size(); ++k) scaled[k] *= c_ * s_[k / std::size_t(dimension_)];
  return scaled;
}

void Scaling::to_scaled(std::span<const double> r, std::span<double> scaled) const {
  for (std::size_t k = 0; k < r.size(); ++k) scaled[k] = c_ * r[k] / s_[k / std::size_t(dimension_)];
}

void Scaling::to_physical(std::span<const double> scaled, std::span<double> r) const {
  for (std::size_t k = 0; k < r.size(); ++k) r[k] = s_[k / std::size_t(dimension_)] * scaled[k] / c_;
}

}  // namespace stickslip::internal
