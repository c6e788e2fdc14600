// Direct solution of sparse square systems, component by component where the matrix falls apart.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/interrupted.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// The connected component of each row in the pattern of A + Aᵀ, numbered from 0 in the order of their first rows; `count`
/// receives how many there are.
std::vector<Index> connected_components(const SparseMatrix& A, Index& count);

/// What a factorisation may assume, and must find out.
enum class Definiteness {
  positive,   ///< the symmetric part must be positive definite; anything else is refused
  indefinite  ///< any regular matrix (saddle points)
};

/// A factorised matrix. The connected components of its pattern ("bodies") are found first and factorised one
/// by one: densely up to 64 rows (rigid bodies: 3×3 or 6×6), else sparsely (Cholesky for symmetric positive
/// definite ones, LU otherwise).
class Factorisation {
 public:
  /// Throws InputError "<name> is …" when the matrix is singular or not as definite as asked for.
  /// `stop` is asked during long work; true: Interrupted is thrown. `touched`, one mark a row or empty: the rows for which compliance() may
  /// be asked.
  Factorisation(const SparseMatrix& A, Definiteness definiteness, const std::string& name,
                const Stop& stop = {}, std::span<const char> touched = {});
  ~Factorisation();
  Factorisation(Factorisation&&) noexcept;
  Factorisation& operator=(Factorisation&&) noexcept;

  /// x ← A⁻¹ x.
  void solve(std::span<double> x) const;
  /// X ← A⁻¹ X for `columns` right-hand sides, each of A's size, one after the other in memory.
  void solve(std::span<double> X, int columns) const;

  /// Whether all components are small.
  bool by_blocks() const;
  /// The component of each row, numbered from 0 in the order of their first rows.
  std::span<const Index> component() const;
  Index components() const;
  /// The rows of component c, rising, and X ← A_c⁻¹ X on dense columns over these rows.
  std::span<const Index> rows(Index c) const;
  void solve_component(Index c, double* X, int columns) const;

  /// (A_c⁻¹)_tt for rows t of a large symmetric component, among them its touched ones; made at the first call.
  struct Compliance {
    std::span<const int> rows;  ///< t, places in rows(c)
    const Eigen::MatrixXd& inverse;
  };
  /// Nothing where a component is small, unsymmetric, or touched in more rows than it pays for.
  std::optional<Compliance> compliance(Index c) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip::internal
