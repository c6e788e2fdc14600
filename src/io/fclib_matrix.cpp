// The matrix group of FCLIB.
#include "io/fclib_matrix.hpp"

#include "io/message.hpp"

namespace stickslip::internal::io {

FclibMatrix::FclibMatrix(const Hdf5Group& parent, const char* member)
    : group_(parent.group(member)),
      letter_(member),
      m_(group_.integer("m")),
      n_(group_.integer("n")),
      nz_(group_.integer("nz")),
      nzmax_(group_.integer("nzmax")) {
  const auto require = [&](bool holds, const char* name, Index value, const char* rule) {
    if (!holds) refuse(group_.name() + '/' + name, "is " + std::to_string(value) + ", must be " + rule);
  };
  require(m_ >= 0, "m", m_, "at least 0");
  require(n_ >= 0, "n", n_, "at least 0");
  require(nz_ >= -2, "nz", nz_, "at least -2 (-1 compressed columns, -2 compressed rows)");
  require(nzmax_ >= std::max(nz_, 0), "nzmax", nzmax_, nz_ >= 0 ? "at least nz" : "at least 0");
}

std::string FclibMatrix::rows_text() const {
  return letter_ + " has " + counted(static_cast<std::uint64_t>(m_), "row");
}

std::string FclibMatrix::columns_text() const {
  return letter_ + " has " + counted(static_cast<std::uint64_t>(n_), "column");
}

void FclibMatrix::require_shape(Index rows, Index columns, const std::string& because) const {
  if (m_ != rows || n_ != columns)
    refuse(group_.name(), "is " + std::to_string(m_) + " x " + std::to_string(n_) + ", must be " +
                              std::to_string(rows) + " x " + std::to_string(columns) + " (" + because + ")");
}

void FclibMatrix::require_extent(const Hdf5Vector& vector, Index size, const std::string& rule) const {
  require_size(vector.name(), vector.size(), static_cast<std::uint64_t>(size), rule);
}

void FclibMatrix::require_index(const Hdf5Vector& vector, std::size_t k, Index index, Index size,
                                const std::string& sizes) const {
  if (index < 0 || index >= size)
    refuse(vector.name(), "number " + std::to_string(k) + " is " + std::to_string(index) + ", but " + sizes);
}

SparseMatrix FclibMatrix::read() const {
  const std::vector<Triplet> entries = nz_ >= 0 ? read_triplets() : read_compressed();
  return {m_, n_, entries};
}

std::vector<Triplet> FclibMatrix::read_triplets() const {
  const Hdf5Vector i = group_.wholes("i"), p = group_.wholes("p"), x = group_.reals("x");
  const std::string rule = "nz is " + std::to_string(nz_);
  for (const Hdf5Vector* vector : {&i, &p, &x}) require_extent(*vector, nz_, rule);
  const auto row = i.integers(), column = p.integers();
  const auto value = x.doubles();
  std::vector<Triplet> entries(value.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    require_index(i, k, row[k], m_, rows_text());
    require_index(p, k, column[k], n_, columns_text());
    entries[k] = {row[k], column[k], value[k]};
  }
  return entries;
}

std::vector<Triplet> FclibMatrix::read_compressed() const {
  const bool by_columns = nz_ == -1;
  const Index lines = by_columns ? n_ : m_, width = by_columns ? m_ : n_;
  const std::string lines_text = by_columns ? columns_text() : rows_text();
  const std::string width_text = by_columns ? rows_text() : columns_text();

  const Hdf5Vector p = group_.wholes("p"), i = group_.wholes("i"), x = group_.reals("x");
  require_size(p.name(), p.size(), static_cast<std::uint64_t>(lines) + 1,
               lines_text + ", which need " + std::to_string(std::int64_t(lines) + 1));
  const std::string rule = "nzmax is " + std::to_string(nzmax_);
  require_extent(i, nzmax_, rule);
  require_extent(x, nzmax_, rule);

  const auto start = p.integers(), index = i.integers();
  const auto value = x.doubles();
  if (start.front() != 0) refuse(p.name(), "number 0 is " + std::to_string(start.front()) + ", must be 0");
  for (std::size_t k = 1; k < start.size(); ++k)
    if (start[k] < start[k - 1] || start[k] > nzmax_)
      refuse(p.name(), "number " + std::to_string(k) + " is " + std::to_string(start[k]) + ", must be from " +
                           std::to_string(start[k - 1]) + " to nzmax = " + std::to_string(nzmax_));

  std::vector<Triplet> entries;
  entries.reserve(static_cast<std::size_t>(start.back()));
  for (Index line = 0; line < lines; ++line) {
    const auto begin = static_cast<std::size_t>(start[std::size_t(line)]);
    const auto end = static_cast<std::size_t>(start[std::size_t(line) + 1]);
    for (std::size_t k = begin; k < end; ++k) {
      require_index(i, k, index[k], width, width_text);
      entries.push_back(by_columns ? Triplet{index[k], line, value[k]} : Triplet{line, index[k], value[k]});
    }
  }
  return entries;
}

}  // namespace stickslip::internal::io
