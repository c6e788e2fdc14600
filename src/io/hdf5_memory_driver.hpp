// A read-only HDF5 file driver over bytes in memory, stricter than the library's own core driver.
//
// It copies nothing, and it declares no optional feature: without the library's metadata accumulator every
// read comes here and is held against the size of the file. libhdf5 1.10.8 crashes in that accumulator
// (H5F__accum_read) on files whose group heap lies at an undefined address.
#pragma once

#include <string_view>

#include "io/hdf5_session.hpp"

namespace stickslip::internal::io {

/// An open file and its driver, which goes last: H5FD_close of libhdf5 1.10.8 drops the file's own hold on the driver and then
/// reads it.
struct Hdf5Image {
  Hdf5Handle driver, file;
};

/// Opens the bytes, which must outlive it, as an HDF5 file. Throws InputError when they are none.
Hdf5Image open_hdf5_image(std::string_view bytes);

}  // namespace stickslip::internal::io
