#include <algorithm>
#include <string>

#include "base/text.hpp"
#include "problem/validate.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/problem.hpp"

namespace stickslip {

using namespace internal;

namespace {

void require_numbers(std::string_view object, std::span<const double> values, Index expected,
                     std::string_view why) {
  require_size(object, values.size(), std::size_t(expected), why);
  require_finite(object, values);
}

}  // namespace

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
  require_numbers("f", f_, n, "as many as M has rows");
  require_numbers("w", w_, H_.columns(), "as many as H has columns");
  if (!b_.empty() && G_.rows() != n)
    throw InputError("G is " + shape(G_) + ", but M has " + std::to_string(n) + " rows; G must have as many");
  require_numbers("b", b_, G_.columns(), "as many as G has columns");
  require_friction(mu_);
  require_mass(M_.value());
}

/// The diagonal of an M with these values must be positive.
void GlobalProblem::require_mass(std::span<const double> values) const {
  for (std::size_t i = 0; i < std::size_t(M_.rows()); ++i) {
    double diagonal = 0;
    for (auto k = std::size_t(M_.row_start()[i]); k < std::size_t(M_.row_start()[i + 1]); ++k)
      if (std::size_t(M_.column()[k]) == i) diagonal = values[k];
    if (!(diagonal > 0))
      throw InputError("M(" + std::to_string(i) + ", " + std::to_string(i) + ") is " + shortest(diagonal) +
                       "; the diagonal of M must be > 0");
  }
}

void GlobalProblem::set_f(std::span<const double> f) {
  require_numbers("f", f, M_.rows(), "as many as M has rows");
  std::copy(f.begin(), f.end(), f_.begin());
}

void GlobalProblem::set_w(std::span<const double> w) {
  require_numbers("w", w, H_.columns(), "as many as H has columns");
  std::copy(w.begin(), w.end(), w_.begin());
}

void GlobalProblem::set_mu(std::span<const double> mu) {
  require_size("mu", mu.size(), mu_.size(), "one for each contact");
  require_friction(mu);
  std::copy(mu.begin(), mu.end(), mu_.begin());
}

void GlobalProblem::set_b(std::span<const double> b) {
  require_numbers("b", b, G_.columns(), "as many as G has columns");
  std::copy(b.begin(), b.end(), b_.begin());
}

void GlobalProblem::set_M_values(std::span<const double> values) {
  require_numbers("M", values, M_.nonzeros(), "as many as M has entries");
  require_mass(values);
  M_.set_values(values);
}

void GlobalProblem::set_H_values(std::span<const double> values) {
  require_numbers("H", values, H_.nonzeros(), "as many as H has entries");
  H_.set_values(values);
}

}  // namespace stickslip
