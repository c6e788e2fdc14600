#include "python/sparse_input.hpp"

#include <fmt/format.h>

#include <limits>

#include "python/arguments.hpp"
#include "python/arrays.hpp"
#include "python/gather_blocks.hpp"
#include "python/gather_rows.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {
namespace {

/// An array of indices, int32 or int64, side by side.
struct Indices {
  py::object keep;
  std::span<const std::int32_t> narrow;
  std::span<const std::int64_t> wide;
  bool is_wide = false;
};

template <class Int>
std::span<const Int> indices_of(py::object& keep, const std::string& name, const py::array& given) {
  auto array = py::array_t<Int, py::array::c_style | py::array::forcecast |
                                    py::detail::npy_api::NPY_ARRAY_ALIGNED_>::ensure(given);
  if (!array) throw InputError(name + " cannot be read as indices");
  const std::span<const Int> span(array.data(), std::size_t(array.size()));
  keep = std::move(array);
  return span;
}

bool narrow_type(const py::array& array) { return array.dtype().kind() == 'i' && array.itemsize() <= 4; }

/// The three arrays of compressed rows, columns or blocks.
struct Compressed {
  Indices start, index;
  Numbers value;
  std::span<const double> numbers;
  bool wide = false;

  Compressed(const std::string& name, py::handle source) : value(name + ".data", source.attr("data")) {
    const py::array starts = real_array(name + ".indptr", source.attr("indptr"));
    const py::array columns = real_array(name + ".indices", source.attr("indices"));
    for (const py::array* array : {&starts, &columns})
      if (array->dtype().kind() == 'f') throw InputError(name + " has indices that are no whole numbers");
    wide = !(narrow_type(starts) && narrow_type(columns));
    if (wide) {
      start.wide = indices_of<std::int64_t>(start.keep, name + ".indptr", starts);
      index.wide = indices_of<std::int64_t>(index.keep, name + ".indices", columns);
    } else {
      start.narrow = indices_of<std::int32_t>(start.keep, name + ".indptr", starts);
      index.narrow = indices_of<std::int32_t>(index.keep, name + ".indices", columns);
    }
    numbers = value.span();
    if (wide)
      cut(start.wide, index.wide);
    else
      cut(start.narrow, index.narrow);
  }

  /// scipy may have more memory than entries.
  template <class Int>
  void cut(std::span<const Int> starts, std::span<const Int>& entries) {
    if (starts.empty() || starts.back() < 0 || entries.empty() || numbers.size() % entries.size() != 0)
      return;
    const std::size_t used = std::size_t(starts.back()), each = numbers.size() / entries.size();
    if (used >= entries.size()) return;
    entries = entries.first(used);
    numbers = numbers.first(used * each);
  }

  /// Calls use(start, index), typed as they are.
  template <class Use>
  auto typed(Use&& use) const {
    return wide ? use(start.wide, index.wide) : use(start.narrow, index.narrow);
  }
};

Index fits(const std::string& name, std::int64_t count, const char* what) {
  if (count > std::numeric_limits<Index>::max())
    throw InputError(fmt::format("{} has {} {}, more than 2³¹ − 1", name, count, what));
  return Index(count);
}

DenseView dense_view(const std::string& name, const py::array& array) {
  if (array.ndim() != 2)
    throw InputError(fmt::format("{} must be a matrix, got {} axes", name, array.ndim()));
  return {static_cast<const char*>(array.data()), array.shape(0), array.shape(1), array.strides(0),
          array.strides(1)};
}

}  // namespace

MatrixInput::MatrixInput(std::string name, const py::object& source)
    : name_(std::move(name)), source_(source) {
  py::tuple shape;
  const bool array = py::isinstance<py::array>(source);
  if (!array && py::hasattr(source, "tocsr") && py::hasattr(source, "format")) {
    const py::object format = source.attr("format");
    const auto is = [&](const char* word) {
      return PyUnicode_Check(format.ptr()) && PyUnicode_CompareWithASCIIString(format.ptr(), word) == 0;
    };
    kind_ = is("bsr") ? Kind::bsr : is("csr") ? Kind::csr : is("csc") ? Kind::csc : Kind::other_sparse;
    shape = source.attr("shape");
    if (kind_ == Kind::bsr) {
      const py::tuple edges = source.attr("blocksize");
      const int rows = edges[0].cast<int>(), columns = edges[1].cast<int>();
      if (rows == columns && (rows == 2 || rows == 3)) block_edge_ = rows;
    }
  } else {
    const py::array numbers = real_array(name_, source);
    source_ = numbers;
    const bool nothing = numbers.size() == 0;  // [] and [[]]
    if (nothing && (numbers.ndim() == 1 || (numbers.ndim() == 2 && numbers.shape(0) <= 1))) return;
    shape = numbers.attr("shape");
  }
  if (shape.size() != 2)
    throw InputError(fmt::format("{} must be a matrix, got {}", name_,
                                 shape.size() == 1 ? "one axis"
                                 : shape.empty()   ? "a number"
                                                   : "more than two axes"));
  shape_ = {shape[0].cast<std::int64_t>(), shape[1].cast<std::int64_t>()};
}

namespace {

/// Runs `read`; what the library says of an array is said of the matrix by its name.
template <class Read>
auto named(const std::string& name, Read&& read) {
  try {
    return read();
  } catch (const InputError& error) {
    const std::string message = error.what();
    throw InputError(message.starts_with(name) ? message : name + ": " + message);
  }
}

/// Compressed rows or columns as they are, any other format through tocsr().
py::object compressed(const MatrixInput& matrix) {
  const bool already = matrix.kind() == MatrixInput::Kind::csr || matrix.kind() == MatrixInput::Kind::csc;
  return already ? matrix.source() : matrix.source().attr("tocsr")();
}

}  // namespace

SparseMatrix sparse_matrix(const MatrixInput& matrix) {
  const std::string& name = matrix.name();
  const auto [rows, columns] = matrix.shape();
  fits(name, rows, "rows");
  fits(name, columns, "columns");
  return named(name, [&, rows = rows, columns = columns]() -> SparseMatrix {
    if (matrix.kind() == MatrixInput::Kind::dense) {
      if (rows == 0 || columns == 0) return {Index(rows), Index(columns), {}};
      const py::array array = double_array(name, matrix.source());
      return gather_dense(dense_view(name, array));
    }
    const Compressed arrays(name, compressed(matrix));
    return arrays.typed([&](auto start, auto index) -> SparseMatrix {
      if (matrix.kind() == MatrixInput::Kind::csc)
        return gather_columns(rows, columns, start, index, arrays.numbers);
      if constexpr (sizeof(index[0]) == sizeof(Index))
        return SparseMatrix::from_csr(Index(rows), Index(columns), start, index, arrays.numbers);
      else
        return SparseMatrix::from_csr(rows, columns, start, index, arrays.numbers);
    });
  });
}

BlockMatrix block_matrix(const MatrixInput& matrix, int dimension) {
  const std::string& name = matrix.name();
  const auto [rows, columns] = matrix.shape();
  if (rows != columns) throw InputError(fmt::format("{} must be square, got {}×{}", name, rows, columns));
  fits(name, rows, "rows");
  if (rows % dimension != 0)
    throw InputError(
        fmt::format("{} has {} rows, which is not a multiple of the dimension {}", name, rows, dimension));
  const Index n = Index(rows / dimension);
  return named(name, [&]() -> BlockMatrix {
    if (matrix.kind() == MatrixInput::Kind::dense) {
      if (n == 0)
        return BlockMatrix::from_bsr(dimension, std::vector<Index>{0}, std::span<const Index>(), {});
      const py::array array = double_array(name, matrix.source());
      return gather_dense_blocks(dimension, dense_view(name, array));
    }
    if (matrix.block_edge() == dimension) {
      const Compressed arrays(name, matrix.source());
      return arrays.typed([&](auto start, auto index) {
        if (std::int64_t(start.size()) != std::int64_t(n) + 1)
          throw InputError(
              fmt::format("{} block rows are expected, got {}", n, std::int64_t(start.size()) - 1));
        return BlockMatrix::from_bsr(dimension, start, index, arrays.numbers);
      });
    }
    const Compressed arrays(name, compressed(matrix));
    const bool by_columns = matrix.kind() == MatrixInput::Kind::csc;
    return arrays.typed([&](auto start, auto index) {
      return by_columns ? gather_block_columns(dimension, n, start, index, arrays.numbers)
                        : gather_block_rows(dimension, n, start, index, arrays.numbers);
    });
  });
}

}  // namespace stickslip::python
