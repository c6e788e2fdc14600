// A read-only HDF5 file driver over bytes in memory.
#include "io/hdf5_memory_driver.hpp"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

#include "stickslip/errors.hpp"

namespace stickslip::internal::io {

namespace {

/// What the access list carries to `open`.
struct Image {
  const char* data;
  std::size_t size;
};

/// An open file. The library casts between H5FD_t* and this, so the public part comes first.
struct MemoryFile {
  H5FD_t base{};
  Image image{};
  haddr_t end_of_allocation = 0;
};

MemoryFile& memory(H5FD_t* file) { return *reinterpret_cast<MemoryFile*>(file); }
const MemoryFile& memory(const H5FD_t* file) { return *reinterpret_cast<const MemoryFile*>(file); }

H5FD_t* open(const char*, unsigned flags, hid_t access, haddr_t) {
  const auto* image = static_cast<const Image*>(H5Pget_driver_info(access));
  if (!image || (flags & H5F_ACC_RDWR) != 0) return nullptr;
  auto file = std::make_unique<MemoryFile>();
  file->image = *image;
  return &file.release()->base;
}

herr_t close(H5FD_t* file) {
  const std::unique_ptr<MemoryFile> owner(&memory(file));
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const std::less<const char*> less;
  const char *left = memory(a).image.data, *right = memory(b).image.data;
  return less(left, right) ? -1 : less(right, left) ? 1 : 0;
}

herr_t query(const H5FD_t*, unsigned long* features) {
  if (features) *features = 0;
  return 0;
}

haddr_t get_end_of_allocation(const H5FD_t* file, H5FD_mem_t) { return memory(file).end_of_allocation; }

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  memory(file).end_of_allocation = address;
  return 0;
}

haddr_t get_end(const H5FD_t* file, H5FD_mem_t) { return memory(file).image.size; }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* target) {
  const Image& image = memory(file).image;
  if (address > image.size || size > image.size - address) return -1;
  std::memcpy(target, image.data + address, size);
  return 0;
}

herr_t write(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, std::size_t, const void*) { return -1; }

H5FD_class_t driver_class() {
  H5FD_class_t made{};
#ifdef H5FD_CLASS_VERSION
  made.version = H5FD_CLASS_VERSION;
  made.value = static_cast<H5FD_class_value_t>(600);  // beyond the values that the library keeps to itself
#endif
  made.name = "stickslip_memory";
  made.maxaddr = static_cast<haddr_t>(1) << 62U;
  made.fc_degree = H5F_CLOSE_STRONG;
  made.fapl_size = sizeof(Image);
  made.open = open;
  made.close = close;
  made.cmp = compare;
  made.query = query;
  made.get_eoa = get_end_of_allocation;
  made.set_eoa = set_end_of_allocation;
  made.get_eof = get_end;
  made.read = read;
  made.write = write;
  constexpr H5FD_mem_t one_pool[] = H5FD_FLMAP_SINGLE;
  std::copy(std::begin(one_pool), std::end(one_pool), made.fl_map);
  return made;
}

}  // namespace

Hdf5Image open_hdf5_image(std::string_view bytes) {
  static const H5FD_class_t driver = driver_class();
  Hdf5Handle registered(H5FDregister(&driver), H5FDunregister);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const Image image{bytes.data(), bytes.size()};
  // closing the file closes whatever a failure left open in it
  if (!registered || !access || H5Pset_driver(access.get(), registered.get(), &image) < 0 ||
      H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG) < 0)
    throw InputError("cannot be opened: the HDF5 library fails (" + hdf5_reason() + ")");
  Hdf5Handle file(H5Fopen("problem", H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!file) throw InputError("is truncated or damaged (" + hdf5_reason() + ")");
  return {std::move(registered), std::move(file)};
}

}  // namespace stickslip::internal::io
