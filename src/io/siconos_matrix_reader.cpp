// The matrix of a Siconos text problem in: dense, sparse block, sparse.
#include <limits>

#include "io/message.hpp"
#include "io/siconos_matrix.hpp"

namespace stickslip::internal::io {

namespace {

constexpr Index largest = std::numeric_limits<Index>::max();

void read_dense(TextScanner& text, const std::string& name, RawMatrix& A) {
  text.integer("the rows of dense " + name, A.rows, A.rows);
  text.integer("the columns of dense " + name, A.columns, A.columns);
  if (A.rows == 0) return;
  for (Index j = 0; j < A.columns; ++j)
    for (Index i = 0; i < A.rows; ++i)
      if (const double value = text.real(name); value != 0) A.entries.push_back({i, j, value});
}

/// The running block sizes that end with `total`; from them the first row (or column) of each block and the
/// end.
std::vector<Index> read_block_starts(TextScanner& text, const std::string& what, Index blocks, Index total) {
  std::vector<Index> start = {0};
  for (Index k = 0; k < blocks; ++k)
    start.push_back(text.integer("a size in " + what, start.back() + 1, total));
  if (start.back() != total)
    text.fail(what + " end at " + std::to_string(start.back()) + ", must end at " + std::to_string(total));
  return start;
}

void read_sparse_block(TextScanner& text, const std::string& name, RawMatrix& A) {
  const Index blocks = text.integer("the number of blocks of " + name, 0, largest);
  if (blocks == 0) return;
  const Index block_rows = text.integer("the block rows of " + name, 1, std::max(A.rows, 1));
  const Index block_columns = text.integer("the block columns of " + name, 1, std::max(A.columns, 1));
  const auto row_start = read_block_starts(text, "the block rows of " + name, block_rows, A.rows);
  const auto column_start = read_block_starts(text, "the block columns of " + name, block_columns, A.columns);
  const Index filled1 = text.integer("filled1 of " + name, 1, block_rows + 1);
  const Index filled2 = text.integer("filled2 of " + name, blocks, blocks);
  std::vector<Index> first, column;
  for (Index k = 0; k < filled1; ++k)
    first.push_back(
        text.integer("index1 of " + name, first.empty() ? 0 : first.back(), first.empty() ? 0 : filled2));
  if (first.back() != filled2)
    text.fail("index1 of " + name + " ends at " + std::to_string(first.back()) + ", must end at " +
              std::to_string(filled2));
  for (Index k = 0; k < filled2; ++k)
    column.push_back(text.integer("index2 of " + name, 0, block_columns - 1));

  for (std::size_t I = 0; I + 1 < first.size(); ++I)
    for (Index block = first[I]; block < first[I + 1]; ++block) {
      text.integer("the number of a block of " + name, block, block);
      const auto J = static_cast<std::size_t>(column[std::size_t(block)]);
      for (Index j = column_start[J]; j < column_start[J + 1]; ++j)
        for (Index i = row_start[I]; i < row_start[I + 1]; ++i)
          if (const double value = text.real(name); value != 0) A.entries.push_back({i, j, value});
    }
}

/// `6-by-6,`, which must repeat the sizes that the matrix began with.
void read_sizes(TextScanner& text, std::string_view word, const RawMatrix& A) {
  const std::string wanted = std::to_string(A.rows) + "-by-" + std::to_string(A.columns) + ",";
  if (word != wanted) text.fail("wanted '" + wanted + "', got '" + shown(word) + "'");
}

void read_triplets(TextScanner& text, const std::string& name, RawMatrix& A) {
  text.expect("nzmax:");
  text.integer("nzmax of " + name, 0, largest);
  text.expect("nnz:");
  const Index count = text.integer("nnz of " + name, 0, largest);
  for (Index k = 0; k < count; ++k) {
    const Index i = text.integer("a row of " + name, 0, A.rows - 1);
    const Index j = text.integer("a column of " + name, 0, A.columns - 1);
    text.expect(":");
    A.entries.push_back({i, j, text.real(name)});
  }
}

void read_columns(TextScanner& text, const std::string& name, RawMatrix& A, bool lines_are_rows) {
  text.rest_of_line();  // nzmax, nnz and the 1-norm say nothing that the columns do not say
  Index next = 0;
  for (Index j = 0; j < A.columns; ++j) {
    text.expect("col");
    text.integer("the number of a column of " + name, j, j);
    text.expect(":");
    text.expect("locations");
    const Index first = text.integer("the first location of a column of " + name, next, next);
    text.expect("to");
    const Index last = text.integer("the last location of a column of " + name, first - 1, largest - 1);
    for (next = first; next <= last; ++next) {
      const Index i = text.integer("a row of " + name, 0, A.rows - 1);
      text.expect(":");
      const double value = text.real(name);
      A.entries.push_back(lines_are_rows ? Triplet{j, i, value} : Triplet{i, j, value});
    }
  }
}

void read_sparse(TextScanner& text, const std::string& name, RawMatrix& A) {
  const Index origin = text.integer("the sparse origin of " + name, 1, 3);
  if (origin == 3 && A.rows != A.columns)
    text.fail(name + " is in compressed rows and not square, which Siconos prints wrongly");
  text.expect("CSparse");
  text.rest_of_line();
  const std::string_view word = text.word();
  const bool triplets = word == "triplet:";
  if (triplets != (origin == 1))
    text.fail("the entries of " + name + " do not fit its sparse origin " + std::to_string(origin));
  read_sizes(text, triplets ? text.word() : word, A);
  if (triplets) return read_triplets(text, name, A);
  read_columns(text, name, A, origin == 3);
}

}  // namespace

RawMatrix read_siconos_matrix(TextScanner& text, const std::string& name) {
  const Index storage = text.integer("the storage of " + name, 0, 2);
  RawMatrix A;
  A.rows = text.integer("the rows of " + name, 0, largest);
  A.columns = text.integer("the columns of " + name, 0, largest);
  if (storage == 0) read_dense(text, name, A);
  if (storage == 1) read_sparse_block(text, name, A);
  if (storage == 2) read_sparse(text, name, A);
  return A;
}

}  // namespace stickslip::internal::io
