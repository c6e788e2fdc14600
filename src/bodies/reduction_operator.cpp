#include "bodies/reduction_operator.hpp"

#include <cmath>

#include "linalg/small_energy.hpp"

namespace stickslip::internal {

ReductionOperator::ReductionOperator(const GlobalProblem& problem, const Reduction& reduction)
    : problem_(problem), reduction_(reduction) {
  const auto d = std::size_t(problem.dimension());
  const std::size_t n = problem.mu().size();
  std::vector<double> unit(n * d, 0.0), column(n * d);
  diagonal_.resize(n * d * d);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t b = 0; b < d; ++b) {
      unit[i * d + b] = 1;
      reduction.apply(unit, column);
      unit[i * d + b] = 0;
      for (std::size_t a = 0; a < d; ++a) diagonal_[i * d * d + a + d * b] = column[i * d + a];
    }
  double sum = 0;
  for (double x : q()) sum += x * x;
  q_norm_ = std::sqrt(sum);
  for (std::size_t i = 0; i < n; ++i) q_energy_ += inverse_energy(diagonal(Index(i)), int(d), &q()[i * d]);
}

const double* ReductionOperator::diagonal(Index i) const {
  const auto d = std::size_t(dimension());
  return &diagonal_[std::size_t(i) * d * d];
}

void ReductionOperator::velocity(std::span<const double> r, std::span<double> u) const {
  reduction_.apply(r, u);
  for (std::size_t k = 0; k < u.size(); ++k) u[k] += q()[k];
}

void ReductionOperator::magnitude(std::span<const double> r, std::span<double> s) const {
  std::vector<double> v, lambda;
  reduction_.velocity(r, v, lambda);
  const SparseMatrix& H = problem_.H();
  for (std::size_t k = 0; k < s.size(); ++k) s[k] = std::abs(problem_.w()[k]);
  for (std::size_t i = 0; i < v.size(); ++i)
    for (auto k = std::size_t(H.row_start()[i]); k < std::size_t(H.row_start()[i + 1]); ++k)
      s[std::size_t(H.column()[k])] += std::abs(H.value()[k] * v[i]);
}

}  // namespace stickslip::internal
