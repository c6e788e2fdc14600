// The blocks of a square matrix, seen where they lie.
#pragma once

#include <span>

#include "stickslip/block_matrix.hpp"

namespace stickslip::internal {

/// d×d column-major blocks by compressed rows, the diagonal apart (stickslip/block_matrix.hpp), of any d. Whoever owns the
/// numbers may change them.
struct BlockView {
  int dimension = 3;
  std::span<const Index> row_start = {}, column = {};
  const double *blocks = nullptr, *diagonals = nullptr;

  BlockView() = default;
  BlockView(const BlockMatrix& W)  // NOLINT: a block matrix is its own view
      : dimension(W.dimension()),
        row_start(W.row_start()),
        column(W.column()),
        blocks(W.block(0)),
        diagonals(W.diagonal(0)) {}

  Index size() const { return Index(row_start.size()) - 1; }
  const double* block(Index k) const { return blocks + std::size_t(k) * area(); }
  const double* diagonal(Index i) const { return diagonals + std::size_t(i) * area(); }
  std::size_t area() const { return std::size_t(dimension) * std::size_t(dimension); }
};

}  // namespace stickslip::internal
