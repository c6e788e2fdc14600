// numpy arrays in and out: numbers are borrowed where they lie as doubles side by side, results are views of the memory of their owner.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace stickslip::python {

namespace py = pybind11;

/// The numbers of an array, a list or a number, by rows, whatever shape they have. Borrowed from an array of doubles side by side;
/// other types, orders and strides are copied.
class Numbers {
 public:
  Numbers() = default;
  /// Throws InputError unless all are real numbers. NaN passes: the library has its own rule.
  Numbers(const std::string& name, py::handle source);

  const double* begin() const { return data_; }
  const double* end() const { return data_ + size_; }
  const double& operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return size_; }
  std::span<const double> span() const { return {data_, size_}; }
  std::vector<double> vector() const { return {begin(), end()}; }
  const std::vector<std::size_t>& shape() const { return shape_; }

 private:
  py::object keep_;
  const double* data_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::size_t> shape_;
};

/// An array as it lies in memory, of real numbers; anything else is made one by numpy. Throws InputError.
py::array real_array(const std::string& name, py::handle source);
/// The same as doubles, in any order and with any strides.
py::array double_array(const std::string& name, py::handle source);

enum class Access { read, write };

/// A view of doubles that `owner` keeps alive.
py::array view(const double* data, std::vector<py::ssize_t> shape, py::handle owner, Access access);
/// A view of anything: `dtype` with strides in bytes.
py::array view(const py::dtype& dtype, const void* data, std::vector<py::ssize_t> shape,
               std::vector<py::ssize_t> strides, py::handle owner, Access access);
/// An array that owns a copy.
py::array copy(std::span<const double> numbers, std::vector<py::ssize_t> shape);
/// An array over the memory of a vector, which it takes.
template <class T>
py::array take(std::vector<T>&& numbers, std::vector<py::ssize_t> shape) {
  auto* kept = new std::vector<T>(std::move(numbers));
  const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return py::array(py::dtype::of<T>(), std::move(shape), kept->data(), owner);
}
/// Makes it read-only.
py::array& seal(py::array& array);

}  // namespace stickslip::python
