#include "python/arrays.hpp"

#include <fmt/format.h>

#include "python/arguments.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {
namespace {

// Flags of numpy that pybind11 does not name for arrays.
constexpr int aligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;

}  // namespace

py::array real_array(const std::string& name, py::handle source) {
  py::array array;
  if (py::isinstance<py::array>(source))
    array = py::reinterpret_borrow<py::array>(source);
  else
    array = py::array::ensure(source);
  if (!array) throw InputError(fmt::format("{} must be an array of numbers, got {}", name, shown(source)));
  switch (array.dtype().kind()) {
    case 'b':
    case 'i':
    case 'u':
    case 'f':
      return array;
    default:
      if (array.dtype().kind() == 'O' && !py::isinstance<py::array>(source))
        throw InputError(fmt::format("{} must be an array of numbers, got {}", name, shown(source)));
      throw InputError(fmt::format("{} must be real numbers, got an array of dtype {}", name,
                                   std::string(py::str(array.dtype()))));
  }
}

py::array double_array(const std::string& name, py::handle source) {
  const py::array array = real_array(name, source);
  auto doubles = py::array_t<double, py::array::forcecast | aligned>::ensure(array);
  if (!doubles) throw InputError(fmt::format("{} cannot be read as numbers of double precision", name));
  return doubles;
}

Numbers::Numbers(const std::string& name, py::handle source) {
  const py::array array = real_array(name, source);
  auto doubles = py::array_t<double, py::array::c_style | py::array::forcecast | aligned>::ensure(array);
  if (!doubles) throw InputError(fmt::format("{} cannot be read as numbers of double precision", name));
  data_ = doubles.data();
  size_ = std::size_t(doubles.size());
  for (py::ssize_t i = 0; i < doubles.ndim(); ++i) shape_.push_back(std::size_t(doubles.shape(i)));
  keep_ = std::move(doubles);
}

py::array& seal(py::array& array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::array view(const py::dtype& dtype, const void* data, std::vector<py::ssize_t> shape,
               std::vector<py::ssize_t> strides, py::handle owner, Access access) {
  py::array array(dtype, std::move(shape), std::move(strides), data, owner);
  return access == Access::read ? seal(array) : array;
}

py::array view(const double* data, std::vector<py::ssize_t> shape, py::handle owner, Access access) {
  py::array array(py::dtype::of<double>(), std::move(shape), data, owner);
  return access == Access::read ? seal(array) : array;
}

py::array copy(std::span<const double> numbers, std::vector<py::ssize_t> shape) {
  return py::array(py::dtype::of<double>(), std::move(shape), numbers.data());
}

}  // namespace stickslip::python
