// A matrix as a text file claims it: sizes that nothing backs yet, and the entries that were really there.
#pragma once

#include <string_view>
#include <vector>

#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal::io {

/// Becomes a SparseMatrix only after its sizes were held against vectors that were read, for those are as
/// long as they claim.
struct RawMatrix {
  Index rows = 0;
  Index columns = 0;
  std::vector<Triplet> entries = {};

  SparseMatrix build() const { return {rows, columns, entries}; }
};

}  // namespace stickslip::internal::io
