// LU with row exchanges of tall dense matrices, in place and without allocation.
#pragma once

#include <cstddef>

#include "base/thread_team.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// Factorises the first `columns` columns of a column-major matrix with `rows` ≥ columns rows and leading
/// dimension `lead`: P A = L U, the pivots taken from the first `columns` rows only. L (unit diagonal) and U
/// take A's place; row k was exchanged with row exchanges[k]. A pivot below 1e-14 of its column's largest
/// entry is replaced by that size. Returns how many were.
long dense_lu(double* A, std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t lead, Index* exchanges);

/// The same for large matrices in blocks of columns; what is right of a block, in strips that threads share. `team` may be nullptr and
/// changes no bit.
long shared_dense_lu(double* A, std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t lead,
                     Index* exchanges, ThreadTeam* team);

/// Applies the exchanges of rows 0..rows−1 to a column-major matrix.
void exchange_rows(double* B, std::ptrdiff_t rows, std::ptrdiff_t lead, std::ptrdiff_t columns,
                   const Index* exchanges);

/// B ← L⁻¹ B, L unit lower triangular with n rows.
void unit_lower_solve(const double* L, std::ptrdiff_t lead, std::ptrdiff_t n, double* B,
                      std::ptrdiff_t B_lead, std::ptrdiff_t columns);

/// The same exchanges on the columns of a matrix X, which holds Bᵀ, and X ← X L⁻ᵀ.
void exchange_columns(double* X, std::ptrdiff_t columns, std::ptrdiff_t rows, std::ptrdiff_t X_lead,
                      const Index* exchanges);
void transposed_unit_lower_solve(const double* L, std::ptrdiff_t lead, std::ptrdiff_t n, double* X,
                                 std::ptrdiff_t rows, std::ptrdiff_t X_lead);

}  // namespace stickslip::internal
