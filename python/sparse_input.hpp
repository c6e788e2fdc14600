// Matrices as people have them: any format of scipy.sparse, numpy arrays, nested lists. Compressed rows, columns and blocks are read
// where they lie, in one pass, and become the library's own arrays: one copy. Other formats go through scipy's tocsr() first.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "stickslip/block_matrix.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip::python {

namespace py = pybind11;

/// A matrix that was looked at once: what kind it is, and its shape.
class MatrixInput {
 public:
  enum class Kind { dense, csr, csc, bsr, other_sparse };

  /// Throws InputError unless it is a matrix. `name` is what messages call it.
  MatrixInput(std::string name, const py::object& source);
  MatrixInput(std::string name, py::handle source)
      : MatrixInput(std::move(name), py::reinterpret_borrow<py::object>(source)) {}

  const std::string& name() const { return name_; }
  /// The matrix itself, or the array that was made of a list.
  const py::object& source() const { return source_; }
  Kind kind() const { return kind_; }
  /// Rows and columns.
  std::array<std::int64_t, 2> shape() const { return shape_; }
  /// The edge of the blocks of a bsr matrix, where they are square with 2 or 3 rows.
  std::optional<int> block_edge() const { return block_edge_; }

 private:
  std::string name_;
  py::object source_;
  Kind kind_ = Kind::dense;
  std::array<std::int64_t, 2> shape_ = {};
  std::optional<int> block_edge_;
};

/// M, H or G. Throws InputError on anything that is no matrix of real numbers, and as SparseMatrix::from_csr does.
SparseMatrix sparse_matrix(const MatrixInput& matrix);

/// W, with d×d blocks. Throws InputError likewise, and as BlockMatrix does.
BlockMatrix block_matrix(const MatrixInput& matrix, int dimension);

}  // namespace stickslip::python
