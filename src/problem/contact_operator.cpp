#include "problem/contact_operator.hpp"

#include <cmath>

namespace stickslip::internal {

void MatrixOperator::magnitude(std::span<const double> r, std::span<double> s) const {
  const BlockMatrix& W = problem_.W();
  const auto d = std::size_t(W.dimension());
  for (std::size_t i = 0; i < std::size_t(W.size()); ++i) {
    double* si = &s[i * d];
    for (std::size_t a = 0; a < d; ++a) si[a] = std::abs(q()[i * d + a]);
    const auto add = [&](const double* A, const double* x) {
      for (std::size_t b = 0; b < d; ++b)
        for (std::size_t a = 0; a < d; ++a) si[a] += std::abs(A[a + d * b] * x[b]);
    };
    add(W.diagonal(Index(i)), &r[i * d]);
    for (Index k = W.row_start()[i]; k < W.row_start()[i + 1]; ++k)
      add(W.block(k), &r[std::size_t(W.column()[std::size_t(k)]) * d]);
  }
}

}  // namespace stickslip::internal
