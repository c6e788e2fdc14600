// The matrix group of FCLIB: nzmax, m, n, nz, p, i, x.
//
//   nz ≥ 0  : triplets, i the row and p the column, nz numbers each; nzmax may be larger; duplicates add up
//   nz = −1 : compressed columns, p(n+1), i the rows, nzmax numbers
//   nz = −2 : compressed rows, p(m+1), i the columns, nzmax numbers
#pragma once

#include <string>

#include "io/hdf5_tree.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal::io {

/// A matrix of the file: the sizes are read first, so that the caller can hold them against the vectors,
/// whose sizes the storage proves, before anything is allocated for the matrix.
class FclibMatrix {
 public:
  /// Reads m, n, nz, nzmax of the group `member`. Throws InputError.
  FclibMatrix(const Hdf5Group& parent, const char* member);

  Index rows() const { return m_; }
  Index columns() const { return n_; }
  /// "W has 15 rows", "H has 15 columns": for messages.
  std::string rows_text() const;
  std::string columns_text() const;
  /// Refuses another shape; `because` says where rows × columns comes from.
  void require_shape(Index rows, Index columns, const std::string& because) const;
  /// The entries. Throws InputError.
  SparseMatrix read() const;

 private:
  std::vector<Triplet> read_triplets() const;
  std::vector<Triplet> read_compressed() const;
  void require_extent(const Hdf5Vector& vector, Index size, const std::string& rule) const;
  void require_index(const Hdf5Vector& vector, std::size_t k, Index index, Index size,
                     const std::string& sizes) const;

  Hdf5Group group_;
  std::string letter_;
  Index m_, n_, nz_, nzmax_;
};

}  // namespace stickslip::internal::io
