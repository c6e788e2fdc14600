#include "dynamics/record/record_reader.hpp"

#include <fmt/format.h>

#include <optional>

#include "io/hdf5_session.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {

using io::Hdf5Handle;
using io::Hdf5Session;

namespace {

/// Numbers of a dataset that a reader may ask for at once.
constexpr double most_numbers = 1e9;

}  // namespace

struct RecordReader::File {
  std::string path;
  hid_t id = -1;

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{}: {}", path, what));
  }

  Hdf5Handle open(const std::string& name) const {
    Hdf5Handle dataset(H5Dopen2(id, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset) refuse(fmt::format("it has no dataset {}; it is no record of stickslip", name));
    return dataset;
  }
  std::vector<std::uint64_t> shape(const Hdf5Handle& dataset) const {
    const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space.get());
    std::vector<hsize_t> extents(std::size_t(std::max(rank, 0)));
    if (rank > 0) H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    return {extents.begin(), extents.end()};
  }
  /// With `place` only that one along the second extent.
  template <class T>
  std::vector<T> read(const std::string& name, hid_t type, std::uint64_t first, std::uint64_t count,
                      std::optional<std::uint64_t> place = {}) const {
    const Hdf5Session session;
    const Hdf5Handle dataset = open(name);
    const std::vector<std::uint64_t> extents = shape(dataset);
    if (extents.empty()) refuse(fmt::format("{} has no rows", name));
    if (first > extents[0] || count > extents[0] - first) {
      if (count != ~std::uint64_t(0)) refuse(fmt::format("{} is too short", name));
      count = extents[0] - first;
    }
    double total = double(count);
    std::vector<hsize_t> begin(extents.size(), 0), size(extents.begin(), extents.end());
    begin[0] = first;
    size[0] = count;
    if (place) {
      if (extents.size() < 2 || *place >= extents[1]) refuse(fmt::format("{} has no place {}", name, *place));
      begin[1] = *place;
      size[1] = 1;
    }
    for (std::size_t k = 1; k < size.size(); ++k) total *= double(size[k]);
    if (total > most_numbers) refuse(fmt::format("{} is too large", name));
    std::vector<T> values(static_cast<std::size_t>(total));
    if (values.empty()) return values;
    const Hdf5Handle in_file(H5Dget_space(dataset.get()), H5Sclose);
    const Hdf5Handle in_memory(H5Screate_simple(int(size.size()), size.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, begin.data(), nullptr, size.data(), nullptr);
    if (H5Dread(dataset.get(), type, in_memory.get(), in_file.get(), H5P_DEFAULT, values.data()) < 0)
      refuse(fmt::format("{} cannot be read ({})", name, io::hdf5_reason()));
    return values;
  }
};

RecordReader::RecordReader(const std::filesystem::path& path) : file_(std::make_unique<File>()) {
  const Hdf5Session session;
  file_->path = path.string();
  if (!std::filesystem::is_regular_file(path)) file_->refuse("there is no such record");
  file_->id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file_->id < 0) file_->refuse(fmt::format("it is no HDF5 file ({})", io::hdf5_reason()));
  if (H5Lexists(file_->id, "/stickslip", H5P_DEFAULT) <= 0) {
    H5Fclose(file_->id);
    file_->id = -1;
    file_->refuse("it has no group /stickslip; it is no record of stickslip");
  }
}

RecordReader::~RecordReader() {
  const Hdf5Session session;
  if (file_->id >= 0) H5Fclose(file_->id);
}

std::string RecordReader::text(const std::string& attribute) const {
  const Hdf5Session session;
  const Hdf5Handle a(H5Aopen_by_name(file_->id, "/stickslip", attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose);
  if (!a) file_->refuse(fmt::format("it has no attribute {}", attribute));
  const Hdf5Handle type(H5Aget_type(a.get()), H5Tclose);
  if (H5Tis_variable_str(type.get()) <= 0)
    file_->refuse(fmt::format("the attribute {} is no text", attribute));
  char* value = nullptr;
  if (H5Aread(a.get(), type.get(), &value) < 0)
    file_->refuse(fmt::format("the attribute {} cannot be read", attribute));
  std::string text = value ? value : "";
  H5free_memory(value);
  return text;
}

double RecordReader::number(const std::string& attribute) const {
  const Hdf5Session session;
  const Hdf5Handle a(H5Aopen_by_name(file_->id, "/stickslip", attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose);
  double value = 0;
  if (!a || H5Aread(a.get(), H5T_NATIVE_DOUBLE, &value) < 0)
    file_->refuse(fmt::format("it has no attribute {}", attribute));
  return value;
}

bool RecordReader::has(const std::string& dataset) const {
  const Hdf5Session session;
  return H5Lexists(file_->id, dataset.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::uint64_t> RecordReader::shape(const std::string& dataset) const {
  const Hdf5Session session;
  return file_->shape(file_->open(dataset));
}

std::vector<std::byte> RecordReader::bytes(const std::string& dataset) const {
  return file_->read<std::byte>(dataset, H5T_NATIVE_UINT8, 0, ~std::uint64_t(0));
}

std::vector<double> RecordReader::doubles(const std::string& dataset) const {
  return file_->read<double>(dataset, H5T_NATIVE_DOUBLE, 0, ~std::uint64_t(0));
}

std::vector<std::int64_t> RecordReader::integers(const std::string& dataset) const {
  return file_->read<std::int64_t>(dataset, H5T_NATIVE_INT64, 0, ~std::uint64_t(0));
}

std::vector<double> RecordReader::rows(const std::string& dataset, std::uint64_t first,
                                       std::uint64_t count) const {
  return file_->read<double>(dataset, H5T_NATIVE_DOUBLE, first, count);
}

std::vector<std::int64_t> RecordReader::integer_rows(const std::string& dataset, std::uint64_t first,
                                                     std::uint64_t count) const {
  return file_->read<std::int64_t>(dataset, H5T_NATIVE_INT64, first, count);
}

std::vector<std::uint64_t> RecordReader::natural_rows(const std::string& dataset, std::uint64_t first,
                                                      std::uint64_t count) const {
  return file_->read<std::uint64_t>(dataset, H5T_NATIVE_UINT64, first, count);
}

std::vector<double> RecordReader::at(const std::string& dataset, std::uint64_t row,
                                     std::uint64_t place) const {
  return file_->read<double>(dataset, H5T_NATIVE_DOUBLE, row, 1, place);
}

std::vector<std::string> RecordReader::texts(const std::string& dataset) const {
  std::size_t length = 0;
  {
    const Hdf5Session session;
    const Hdf5Handle d = file_->open(dataset);
    const Hdf5Handle type(H5Dget_type(d.get()), H5Tclose);
    if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0)
      file_->refuse(fmt::format("{} holds no texts of fixed length", dataset));
    length = H5Tget_size(type.get());
  }
  const Hdf5Session session;
  const Hdf5Handle d = file_->open(dataset);
  const Hdf5Handle type(H5Dget_type(d.get()), H5Tclose);
  const std::vector<std::uint64_t> extents = file_->shape(d);
  std::vector<char> all(extents.empty() ? 0 : std::size_t(extents[0]) * length);
  if (!all.empty() && H5Dread(d.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) < 0)
    file_->refuse(fmt::format("{} cannot be read", dataset));
  std::vector<std::string> texts;
  for (std::size_t k = 0; k * length < all.size(); ++k) {
    std::string text(&all[k * length], length);
    texts.push_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

}  // namespace stickslip::internal
