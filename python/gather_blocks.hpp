// Scalar matrices of other people gathered into d×d blocks at once: W from compressed rows, compressed columns or a dense array, without a
// scalar matrix of our own in between. Entries may come in any order within a row, and twice: they add up.
#pragma once

#include <cstdint>
#include <span>

#include "python/gather_rows.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip::python {

// Each throws InputError on arrays that are no sound matrix of n·d rows and columns.

BlockMatrix gather_block_rows(int dimension, Index n, std::span<const std::int32_t> start,
                              std::span<const std::int32_t> column, std::span<const double> value);
BlockMatrix gather_block_rows(int dimension, Index n, std::span<const std::int64_t> start,
                              std::span<const std::int64_t> column, std::span<const double> value);

BlockMatrix gather_block_columns(int dimension, Index n, std::span<const std::int32_t> start,
                                 std::span<const std::int32_t> row, std::span<const double> value);
BlockMatrix gather_block_columns(int dimension, Index n, std::span<const std::int64_t> start,
                                 std::span<const std::int64_t> row, std::span<const double> value);

/// Blocks that are zero throughout are left out.
BlockMatrix gather_dense_blocks(int dimension, const DenseView& A);

}  // namespace stickslip::python
