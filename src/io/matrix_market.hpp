// One Matrix Market file: the banner `%%MatrixMarket matrix coordinate|array real|integer general|symmetric`,
// comments that begin with %, the sizes, and then `row column value` (from 1) or all numbers column after
// column.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/raw_matrix.hpp"

namespace stickslip::internal::io {

/// Reads a matrix in either layout; the other triangle of a symmetric one is filled in. Throws InputError,
/// `line N: rule`.
RawMatrix parse_matrix_market(std::string_view bytes);
/// Reads a vector: one column in array layout, so that the file is as long as it claims. Throws InputError.
std::vector<double> parse_matrix_market_vector(std::string_view bytes);

std::string matrix_market_text(const SparseMatrix& A);
std::string matrix_market_text(std::span<const double> vector);

}  // namespace stickslip::internal::io
