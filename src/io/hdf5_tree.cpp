// A reader's view of an HDF5 file in memory that trusts nothing.
//
// Only what FCLIB writers make is let in: hard links, rank 1, IEEE floats and standard integers, storage
// inside the file. That keeps hostile files away from the less travelled parts of the HDF5 library, and no
// size is believed before the storage behind it was seen.
#include "io/hdf5_tree.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "io/hdf5_attribute.hpp"
#include "io/message.hpp"

namespace stickslip::internal::io {

namespace {

// deflate cannot shrink by more than about 1032:1; what claims to do better is a bomb
constexpr std::uint64_t largest_compression = 1100;
#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info1_t;
#else
using ObjectInfo = H5O_info_t;
#endif

constexpr std::uint64_t largest_text = 1U << 20U;

bool is_one_of(hid_t type, std::initializer_list<hid_t> standard) {
  return std::any_of(standard.begin(), standard.end(), [type](hid_t t) { return H5Tequal(type, t) > 0; });
}

bool is_standard_real(hid_t type) {
  return is_one_of(type, {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE});
}

bool is_standard_whole(hid_t type) {
  return is_one_of(type,
                   {H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_U8LE, H5T_STD_U16LE,
                    H5T_STD_U32LE, H5T_STD_U64LE, H5T_STD_I32BE, H5T_STD_I64BE, H5T_STD_I16BE});
}

std::string type_name(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return "whole numbers";
    case H5T_FLOAT:
      return "floating-point numbers";
    case H5T_STRING:
      return "text";
    default:
      return "another type";
  }
}

/// Layouts and filters that keep the data in this file and can be bounded. Empty when all is well.
std::string storage_fault(hid_t creation) {
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout != H5D_CONTIGUOUS && layout != H5D_COMPACT && layout != H5D_CHUNKED)
    return "is a virtual dataset, must be stored in this file";
  if (H5Pget_external_count(creation) != 0) return "is stored in another file, must be stored in this file";
  const int filters = H5Pget_nfilters(creation);
  if (filters < 0) return "has a damaged filter pipeline";
  for (int k = 0; k < filters; ++k) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation, static_cast<unsigned>(k), &flags, &values, nullptr, 0, nullptr, &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      return "is compressed by filter " + std::to_string(filter) +
             ", only deflate, shuffle and fletcher32 are read";
  }
  return {};
}

}  // namespace

void Hdf5Vector::read(hid_t type, void* target) const {
  if (size_ == 0) return;
  if (H5Dread(dataset_.get(), type, whole_space, whole_space, H5P_DEFAULT, target) < 0)
    refuse(name_, "cannot be read (" + hdf5_reason() + ")");
}

std::vector<double> Hdf5Vector::doubles() const {
  std::vector<double> values(size_);
  read(H5T_NATIVE_DOUBLE, values.data());
  require_finite(name_, values);
  return values;
}

std::vector<std::int32_t> Hdf5Vector::integers() const {
  std::vector<std::int64_t> wide(size_);
  read(H5T_NATIVE_INT64, wide.data());
  std::vector<std::int32_t> values(size_);
  for (std::size_t k = 0; k < wide.size(); ++k) {
    values[k] = static_cast<std::int32_t>(wide[k]);
    if (values[k] != wide[k])
      refuse(name_, "number " + std::to_string(k) + " is " + std::to_string(wide[k]) + ", must fit 32 bits");
  }
  return values;
}

Hdf5Group::Hdf5Group(hid_t root, std::string_view file)
    : group_(H5Gopen2(root, "/", H5P_DEFAULT), H5Gclose), file_(file) {
  if (!group_) refuse("/", "cannot be opened (" + hdf5_reason() + ")");
}

Hdf5Group::Hdf5Group(std::string name, Hdf5Handle group, std::string_view file)
    : name_(std::move(name)), group_(std::move(group)), file_(file) {}

std::string Hdf5Group::path_of(const char* member) const {
  return name_.empty() ? member : name_ + '/' + member;
}

bool Hdf5Group::has(const char* member) const {
  const htri_t found = H5Lexists(group_.get(), member, H5P_DEFAULT);
  if (found < 0) refuse(path_of(member), "cannot be looked up (" + hdf5_reason() + ")");
  return found > 0;
}

Hdf5Handle Hdf5Group::open(const char* member, H5I_type_t kind) const {
  const std::string object = path_of(member);
  const std::string noun = kind == H5I_GROUP ? "group" : "dataset";
  if (!has(member)) refuse(object, "there is no such " + noun);
  H5L_info_t link{};
  if (H5Lget_info(group_.get(), member, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
    refuse(object, "is a soft or external link, must be stored in this file");
  Hdf5Handle handle(H5Oopen(group_.get(), member, H5P_DEFAULT), H5Oclose);
  if (!handle) refuse(object, "cannot be opened (" + hdf5_reason() + ")");
  if (H5Iget_type(handle.get()) != kind) refuse(object, "must be a " + noun);
  return handle;
}

Hdf5Group Hdf5Group::group(const char* member) const {
  return {path_of(member), open(member, H5I_GROUP), file_};
}

void Hdf5Group::check_storage(const std::string& object, hid_t dataset, std::uint64_t bytes,
                              std::uint64_t unwritten) const {
  const Hdf5Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  if (!creation) refuse(object, "has no readable storage (" + hdf5_reason() + ")");
  if (const std::string fault = storage_fault(creation.get()); !fault.empty()) refuse(object, fault);
  if (bytes == 0) return;
  const std::uint64_t stored = H5Dget_storage_size(dataset);
  if (stored == 0 && bytes <= unwritten) return;
  const bool filtered = H5Pget_nfilters(creation.get()) > 0;
  const std::uint64_t at_most = filtered ? largest_compression * std::min<std::uint64_t>(stored, file_.size())
                                         : std::min<std::uint64_t>(stored, file_.size());
  if (bytes > at_most)
    refuse(object, "claims " + counted(bytes, "byte") + ", but " + std::to_string(stored) +
                       " are stored in a file of " + std::to_string(file_.size()));
}

Hdf5Vector Hdf5Group::vector(const char* member, bool real, std::uint64_t unwritten) const {
  const std::string object = path_of(member);
  Hdf5Handle dataset = open(member, H5I_DATASET);
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose), space(H5Dget_space(dataset.get()), H5Sclose);
  if (!type || !space) refuse(object, "has no readable type or size (" + hdf5_reason() + ")");
  if (!(real ? is_standard_real(type.get()) : is_standard_whole(type.get())))
    refuse(object,
           "holds " + type_name(type.get()) + ", must hold " +
               (real ? "floating-point numbers of 32 or 64 bits" : "whole numbers of at most 64 bits"));
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank != 1) refuse(object, "has rank " + std::to_string(rank) + ", must have rank 1");
  hsize_t size = 0;
  H5Sget_simple_extent_dims(space.get(), &size, nullptr);
  if (size > std::numeric_limits<std::int32_t>::max())
    refuse(object, "has " + counted(size, "number") + ", must have fewer than 2^31");
  const std::uint64_t bytes = H5Tget_size(type.get());
  check_storage(object, dataset.get(), size * bytes, unwritten * bytes);
  return {object, std::move(dataset), size};
}

Hdf5Vector Hdf5Group::reals(const char* member, std::uint64_t unwritten) const {
  return vector(member, true, unwritten);
}
Hdf5Vector Hdf5Group::wholes(const char* member) const { return vector(member, false, 0); }

std::int32_t Hdf5Group::integer(const char* member) const {
  const Hdf5Vector one = wholes(member);
  require_size(one.name(), one.size(), 1, "must have one");
  return one.integers().front();
}

std::string Hdf5Group::text_or_empty(const char* member) const {
  if (!has(member)) return {};
  const std::string object = path_of(member);
  const Hdf5Handle dataset = open(member, H5I_DATASET);
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose), space(H5Dget_space(dataset.get()), H5Sclose);
  if (!type || !space || H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 ||
      H5Sget_simple_extent_npoints(space.get()) != 1)
    refuse(object, "must be one string of fixed length");
  const std::uint64_t size = H5Tget_size(type.get());
  if (size > largest_text) refuse(object, "has " + counted(size, "byte") + ", must have at most 2^20");
  check_storage(object, dataset.get(), size, 0);
  std::string text(size, '\0');
  if (H5Dread(dataset.get(), type.get(), whole_space, whole_space, H5P_DEFAULT, text.data()) < 0)
    refuse(object, "cannot be read (" + hdf5_reason() + ")");
  return text.substr(0, text.find('\0'));
}

std::optional<std::int64_t> Hdf5Group::integer_attribute(const char* attribute) const {
  ObjectInfo info{};
  if (H5Oget_info2(group_.get(), &info, H5O_INFO_BASIC) < 0) return {};
  return find_integer_attribute(file_, info.addr, attribute);
}

}  // namespace stickslip::internal::io
