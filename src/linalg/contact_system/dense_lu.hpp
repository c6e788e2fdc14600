// LU with row exchanges of tall dense matrices, in place and without allocation.
#pragma once

#include <cstddef>

#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// Factorises the first `columns` columns of a column-major matrix with `rows` ≥ columns rows and leading
/// dimension `lead`: P A = L U, the pivots taken from the first `columns` rows only. L (unit diagonal) and U
/// take A's place; row k was exchanged with row exchanges[k]. A pivot below 1e-14 of its column's largest
/// entry is replaced by that size. Returns how many were.
long dense_lu(double* A, std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t lead, Index* exchanges);

/// Applies the exchanges of rows 0..rows−1 to a column-major matrix.
void exchange_rows(double* B, std::ptrdiff_t rows, std::ptrdiff_t lead, std::ptrdiff_t columns,
                   const Index* exchanges);

/// B ← L⁻¹ B, L unit lower triangular with n rows.
void unit_lower_solve(const double* L, std::ptrdiff_t lead, std::ptrdiff_t n, double* B,
                      std::ptrdiff_t B_lead, std::ptrdiff_t columns);

/// The same exchanges on the columns of a matrix X of `rows` rows without gaps, which holds Bᵀ, and X ← X
/// L⁻ᵀ.
void exchange_columns(double* X, std::ptrdiff_t columns, std::ptrdiff_t rows, const Index* exchanges);
void transposed_unit_lower_solve(const double* L, std::ptrdiff_t lead, std::ptrdiff_t n, double* X,
                                 std::ptrdiff_t rows);

}  // namespace stickslip::internal
