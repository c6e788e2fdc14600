// The matrix of a Siconos text problem out: dense, sparse block, sparse.
#include <array>
#include <charconv>

#include "io/siconos_matrix.hpp"

namespace stickslip::internal::io {

namespace {

/// Calls `visit(column, block)` for the blocks of a block row with rising columns, the diagonal in its place.
template <class Visit>
void for_each_block(const BlockMatrix& W, Index row, Visit visit) {
  Index k = W.row_start()[std::size_t(row)];
  const Index end = W.row_start()[std::size_t(row) + 1];
  for (; k < end && W.column()[std::size_t(k)] < row; ++k) visit(W.column()[std::size_t(k)], W.block(k));
  visit(row, W.diagonal(row));
  for (; k < end; ++k) visit(W.column()[std::size_t(k)], W.block(k));
}

void append_line(std::string& text, Index value) { text += std::to_string(value) + '\n'; }

void append_header(std::string& text, int storage, Index rows, Index columns) {
  append_line(text, storage);
  append_line(text, rows);
  append_line(text, columns);
}

}  // namespace

void append_number(std::string& text, double value) {
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::scientific, 16)
          .ptr;
  text.append(digits.data(), end);
}

void append_dense(std::string& text, const BlockMatrix& W) {
  const int d = W.dimension();
  const auto n = static_cast<std::size_t>(W.size() * d);
  std::vector<double> values(n * n);
  for (Index I = 0; I < W.size(); ++I)
    for_each_block(W, I, [&](Index J, const double* block) {
      for (int k = 0; k < d * d; ++k)
        values[std::size_t(J * d + k / d) * n + std::size_t(I * d + k % d)] = block[k];
    });
  append_header(text, 0, W.size() * d, W.size() * d);
  text += std::to_string(n) + '\t' + std::to_string(n) + '\n';
  for (std::size_t k = 0; k < values.size(); ++k) {
    append_number(text, values[k]);
    text += (k + 1) % n == 0 ? '\n' : ' ';
  }
}

void append_sparse_block(std::string& text, const BlockMatrix& W) {
  const int d = W.dimension();
  const Index blocks = W.size() + W.off_diagonal_blocks();
  append_header(text, 1, W.size() * d, W.size() * d);
  for (const Index value : {blocks, W.size(), W.size()}) append_line(text, value);
  for (int twice = 0; twice < 2; ++twice) {
    for (Index I = 1; I <= W.size(); ++I) text += std::to_string(I * d) + '\t';
    text += '\n';
  }
  append_line(text, W.size() + 1);
  append_line(text, blocks);
  for (Index I = 0; I <= W.size(); ++I) text += std::to_string(W.row_start()[std::size_t(I)] + I) + '\t';
  text += '\n';
  for (Index I = 0; I < W.size(); ++I)
    for_each_block(W, I, [&](Index J, const double*) { text += std::to_string(J) + '\t'; });
  text += '\n';
  Index number = 0;
  for (Index I = 0; I < W.size(); ++I)
    for_each_block(W, I, [&](Index, const double* block) {
      append_line(text, number++);
      for (int k = 0; k < d * d; ++k) {
        append_number(text, block[k]);
        text += '\n';
      }
    });
}

void append_sparse(std::string& text, const SparseMatrix& A) {
  append_header(text, 2, A.rows(), A.columns());
  text += "1\nCSparse print, written by stickslip\ntriplet: " + std::to_string(A.rows()) + "-by-" +
          std::to_string(A.columns()) + ", nzmax: " + std::to_string(A.nonzeros()) +
          " nnz: " + std::to_string(A.nonzeros()) + '\n';
  for (const Triplet& entry : A.triplets()) {
    text += "    " + std::to_string(entry.row) + ' ' + std::to_string(entry.column) + " : ";
    append_number(text, entry.value);
    text += '\n';
  }
}

}  // namespace stickslip::internal::io
