// Spoils one object of an HDF5 file: replaces or removes a dataset, plants links. Plain C API, apart from
// src/io.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip::internal::io_test {

/// An HDF5 file opened for changes until the end of the scope. Names are paths from the root.
class Hdf5Edit {
 public:
  explicit Hdf5Edit(const std::filesystem::path& path);
  ~Hdf5Edit();
  Hdf5Edit(const Hdf5Edit&) = delete;
  Hdf5Edit& operator=(const Hdf5Edit&) = delete;

  hid_t file() const { return file_; }
  void remove(const std::string& name) const;
  void rename(const std::string& from, const std::string& to) const;
  void make_group(const std::string& name) const;
  /// Replace the dataset, whatever it was.
  void doubles(const std::string& name, const std::vector<double>& values,
               std::vector<hsize_t> extent = {}) const;
  void integers(const std::string& name, const std::vector<int>& values) const;
  void text(const std::string& name, const std::string& value) const;
  /// A dataset of doubles with this extent of which nothing is stored; `creation` says how it would be.
  void unwritten(const std::string& name, hsize_t extent, hid_t creation = H5P_DEFAULT) const;
  /// Changes one number in place.
  void set_double(const std::string& name, std::size_t k, double value) const;
  void set_integer(const std::string& name, std::size_t k, int value) const;
  std::vector<double> read_doubles(const std::string& name) const;
  std::vector<int> read_integers(const std::string& name) const;

 private:
  hid_t file_;
};

}  // namespace stickslip::internal::io_test
