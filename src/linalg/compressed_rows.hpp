// Compressed rows that somebody else made: are they sound, do their columns rise, and in order where they do not.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "stickslip/errors.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// Throws InputError unless row_start rises from 0 to the number of columns given, and these lie in [0, columns). `name`
/// gives the matrix its name in the message.
template <class Int, class Name>
void require_compressed_rows(const Name& name, std::int64_t columns, std::span<const Int> row_start,
                             std::span<const Int> column) {
  const auto refuse = [&](const std::string& what) { throw InputError(name() + ": " + what); };
  if (column.size() > std::size_t(std::numeric_limits<Index>::max()))
    refuse(std::to_string(column.size()) + " entries are more than 2³¹ − 1");
  if (row_start.empty() || row_start.front() != 0)
    refuse("row_start must begin with 0" +
           (row_start.empty() ? ", got nothing" : ", got " + std::to_string(row_start[0])));
  for (std::size_t i = 0; i + 1 < row_start.size(); ++i)
    if (row_start[i + 1] < row_start[i])
      refuse("row_start must rise, but row_start[" + std::to_string(i + 1) +
             "] = " + std::to_string(row_start[i + 1]) + " follows " + std::to_string(row_start[i]));
  if (std::uint64_t(row_start.back()) != column.size())
    refuse("row_start ends with " + std::to_string(row_start.back()) + ", but " +
           std::to_string(column.size()) + " columns are given");
  std::size_t row = 0;
  for (std::size_t k = 0; k < column.size(); ++k)
    if (column[k] < 0 || column[k] >= columns) {
      while (std::size_t(row_start[row + 1]) <= k) ++row;
      refuse("column " + std::to_string(column[k]) + " of row " + std::to_string(row) + " lies outside [0, " +
             std::to_string(columns) + ")");
    }
}

/// Whether the columns of each row rise, none twice. Precondition: sound.
template <class Int>
bool columns_rise(std::span<const Int> row_start, std::span<const Int> column) {
  for (std::size_t i = 0; i + 1 < row_start.size(); ++i)
    for (auto k = std::size_t(row_start[i]) + 1; k < std::size_t(row_start[i + 1]); ++k)
      if (column[k] <= column[k - 1]) return false;
  return true;
}

inline std::vector<Index> narrow(std::span<const std::int64_t> wide) { return {wide.begin(), wide.end()}; }

}  // namespace stickslip::internal
