// A reader's view of an HDF5 file in memory that trusts nothing: every link, type, rank and size is checked
// before use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5_session.hpp"

namespace stickslip::internal::io {

/// A vector of numbers in the file: its extent is known and its storage was checked, its numbers are not yet
/// read.
class Hdf5Vector {
 public:
  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  /// The numbers, all finite. Throws InputError otherwise.
  std::vector<double> doubles() const;
  /// The numbers as 32-bit integers. Throws InputError when one does not fit.
  std::vector<std::int32_t> integers() const;

 private:
  friend class Hdf5Group;
  Hdf5Vector(std::string name, Hdf5Handle dataset, std::uint64_t size)
      : name_(std::move(name)), dataset_(std::move(dataset)), size_(size) {}
  void read(hid_t type, void* target) const;

  std::string name_;
  Hdf5Handle dataset_;
  std::uint64_t size_;
};

/// A group of the file. Names are of direct members. Everything throws InputError, `group/member: rule`.
class Hdf5Group {
 public:
  /// The root group of an open file whose bytes are `file`; no storage may exceed them.
  Hdf5Group(hid_t root, std::string_view file);

  const std::string& name() const { return name_; }
  bool has(const char* member) const;
  Hdf5Group group(const char* member) const;
  /// Rank 1, numbers of a standard type, stored in this file: floating point, or whole numbers. Up to
  /// `unwritten` numbers need not be stored at all: they read as the fill value, zero.
  Hdf5Vector reals(const char* member, std::uint64_t unwritten = 0) const;
  Hdf5Vector wholes(const char* member) const;
  /// A vector of one whole number.
  std::int32_t integer(const char* member) const;
  /// A fixed-length string up to its first NUL; empty when there is none of that name.
  std::string text_or_empty(const char* member) const;
  /// A whole-number attribute of this group, where it has one that can be understood.
  std::optional<std::int64_t> integer_attribute(const char* attribute) const;

 private:
  Hdf5Group(std::string name, Hdf5Handle group, std::string_view file);
  std::string path_of(const char* member) const;
  Hdf5Handle open(const char* member, H5I_type_t kind) const;
  Hdf5Vector vector(const char* member, bool real, std::uint64_t unwritten) const;
  void check_storage(const std::string& object, hid_t dataset, std::uint64_t bytes,
                     std::uint64_t unwritten) const;

  std::string name_;
  Hdf5Handle group_;
  std::string_view file_;
};

}  // namespace stickslip::internal::io
