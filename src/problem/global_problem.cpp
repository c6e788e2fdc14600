#include <string>

#include "base/text.hpp"
#include "problem/validate.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/problem.hpp"

namespace stickslip {

using namespace internal;

GlobalProblem::GlobalProblem(int dimension, SparseMatrix M, SparseMatrix H, std::vector<double> f,
                             std::vector<double> w, std::vector<double> mu, SparseMatrix G,
                             std::vector<double> b)
    : dimension_(dimension),
      M_(std::move(M)),
      H_(std::move(H)),
      G_(std::move(G)),
      f_(std::move(f)),
      w_(std::move(w)),
      b_(std::move(b)),
      mu_(std::move(mu)) {
  if (dimension != 2 && dimension != 3)
    throw InputError("dimension must be 2 or 3, got " + std::to_string(dimension));
  const auto shape = [](const SparseMatrix& A) {
    return std::to_string(A.rows()) + "×" + std::to_string(A.columns());
  };
  const Index n = M_.rows();
  if (M_.columns() != n) throw InputError("M must be square, got " + shape(M_));
  if (H_.rows() != n)
    throw InputError("H is " + shape(H_) + ", but M has " + std::to_string(n) + " rows; H must have as many");
  if (H_.columns() != contacts() * dimension)
    throw InputError("H is " + shape(H_) + ", expected " + std::to_string(contacts() * dimension) +
                     " columns (dimension × numbers in mu)");
  require_size("f", f_.size(), std::size_t(n), "as many as M has rows");
  require_size("w", w_.size(), std::size_t(H_.columns()), "as many as H has columns");
  if (!b_.empty() && G_.rows() != n)
    throw InputError("G is " + shape(G_) + ", but M has " + std::to_string(n) + " rows; G must have as many");
  require_size("b", b_.size(), std::size_t(G_.columns()), "as many as G has columns");
  require_finite("f", f_);
  require_finite("w", w_);
  require_finite("b", b_);
  require_friction(mu_);

  std::vector<double> diagonal(std::size_t(n), 0.0);
  for (std::size_t i = 0; i < std::size_t(n); ++i)
    for (Index k = M_.row_start()[i]; k < M_.row_start()[i + 1]; ++k)
      if (std::size_t(M_.column()[std::size_t(k)]) == i) diagonal[i] = M_.value()[std::size_t(k)];
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    if (!(diagonal[i] > 0))
      throw InputError("M(" + std::to_string(i) + ", " + std::to_string(i) + ") is " + shortest(diagonal[i]) +
                       "; the diagonal of M must be > 0");
}

}  // namespace stickslip
