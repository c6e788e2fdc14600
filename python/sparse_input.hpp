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

/// Rows and columns. Throws InputError unless it is a matrix.
std::array<std::int64_t, 2> matrix_shape(const std::string& name, py::handle source);

/// The edge of the blocks of a bsr matrix, where they are square with 2 or 3 rows.
std::optional<int> block_edge(py::handle source);

/// M, H or G. Throws InputError on anything that is no matrix of real numbers, and as SparseMatrix::from_csr does.
SparseMatrix sparse_matrix(const std::string& name, py::handle source);

/// W, with d×d blocks. Throws InputError likewise, and as BlockMatrix does.
BlockMatrix block_matrix(const std::string& name, py::handle source, int dimension);

}  // namespace stickslip::python
