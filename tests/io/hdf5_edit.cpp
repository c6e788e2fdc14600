// Spoils one object of an HDF5 file.
#include "io/hdf5_edit.hpp"

#include <stdexcept>

namespace stickslip::internal::io_test {

namespace {

constexpr hid_t all = 0;  // H5S_ALL without its C cast

void must(bool well, const std::string& name) {
  if (!well) throw std::runtime_error("HDF5 failed on " + name);
}

void create(hid_t file, const std::string& name, hid_t type, const std::vector<hsize_t>& extent,
            const void* data, hid_t creation = H5P_DEFAULT) {
  if (H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0)
    must(H5Ldelete(file, name.c_str(), H5P_DEFAULT) >= 0, name);
  const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  const hid_t set = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  must(set >= 0, name);
  if (data) must(H5Dwrite(set, type, all, all, H5P_DEFAULT, data) >= 0, name);
  H5Dclose(set);
  H5Sclose(space);
}

template <class Number>
std::vector<Number> read(hid_t file, const std::string& name, hid_t type) {
  const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  must(set >= 0, name);
  const hid_t space = H5Dget_space(set);
  std::vector<Number> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  must(H5Dread(set, type, all, all, H5P_DEFAULT, values.data()) >= 0, name);
  H5Sclose(space);
  H5Dclose(set);
  return values;
}

}  // namespace

Hdf5Edit::Hdf5Edit(const std::filesystem::path& path)
    : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {
  must(file_ >= 0, path.string());
}

Hdf5Edit::~Hdf5Edit() { H5Fclose(file_); }

void Hdf5Edit::remove(const std::string& name) const {
  must(H5Ldelete(file_, name.c_str(), H5P_DEFAULT) >= 0, name);
}

void Hdf5Edit::rename(const std::string& from, const std::string& to) const {
  must(H5Lmove(file_, from.c_str(), file_, to.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0, from);
}

void Hdf5Edit::make_group(const std::string& name) const {
  const hid_t group = H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  must(group >= 0, name);
  H5Gclose(group);
}

void Hdf5Edit::doubles(const std::string& name, const std::vector<double>& values,
                       std::vector<hsize_t> extent) const {
  if (extent.empty()) extent = {values.size()};
  create(file_, name, H5T_IEEE_F64LE, extent, values.data());
}

void Hdf5Edit::integers(const std::string& name, const std::vector<int>& values) const {
  create(file_, name, H5T_STD_I32LE, {values.size()}, values.data());
}

void Hdf5Edit::text(const std::string& name, const std::string& value) const {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, value.size() + 1);
  create(file_, name, type, {1}, value.c_str());
  H5Tclose(type);
}

void Hdf5Edit::unwritten(const std::string& name, hsize_t extent, hid_t creation) const {
  create(file_, name, H5T_IEEE_F64LE, {extent}, nullptr, creation);
}

void Hdf5Edit::set_double(const std::string& name, std::size_t k, double value) const {
  auto values = read_doubles(name);
  values.at(k) = value;
  doubles(name, values);
}

void Hdf5Edit::set_integer(const std::string& name, std::size_t k, int value) const {
  auto values = read_integers(name);
  values.at(k) = value;
  integers(name, values);
}

std::vector<double> Hdf5Edit::read_doubles(const std::string& name) const {
  return read<double>(file_, name, H5T_NATIVE_DOUBLE);
}

std::vector<int> Hdf5Edit::read_integers(const std::string& name) const {
  return read<int>(file_, name, H5T_NATIVE_INT);
}

}  // namespace stickslip::internal::io_test
