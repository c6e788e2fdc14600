// The matrix of a Siconos text problem: storage, rows, columns, and then
//
//   0 dense        : rows, columns again, and rows·columns numbers, column after column
//   1 sparse block : number of blocks (0 ends it), block rows, block columns, their running sizes, the lengths
//                    and the contents of the two index arrays of block-compressed rows, then each block: its
//                    number, and its entries column after column
//   2 sparse       : origin (1 triplets, 2 compressed columns, 3 compressed rows), a banner line, and CSparse's
//                    print:
//                    `triplet: 6-by-6, nzmax: 32 nnz: 19` and `row column : value`, or
//                    `6-by-6, nzmax: 19 nnz: 19, 1-norm: 23.3` and for each column
//                    `col 0 : locations 0 to 2` and `row : value`
#pragma once

#include <string>

#include "io/raw_matrix.hpp"
#include "io/text_scanner.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip::internal::io {

/// Reads one matrix; `name` is for messages. Throws InputError.
RawMatrix read_siconos_matrix(TextScanner& text, const std::string& name);

/// Appends the matrix to `text`, as dense, sparse-block and sparse (triplet) storage.
void append_dense(std::string& text, const BlockMatrix& W);
void append_sparse_block(std::string& text, const BlockMatrix& W);
void append_sparse(std::string& text, const SparseMatrix& A);

/// Appends the number with 17 significant digits, so that it reads back as the same number.
void append_number(std::string& text, double value);

}  // namespace stickslip::internal::io
