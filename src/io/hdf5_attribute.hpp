// Whole-number attributes straight out of the bytes of an HDF5 file, past the library.
//
// libhdf5 1.10.8 reads beyond its buffer when an attribute claims a longer name or more data than its object
// header holds (H5Aexists → decoding of the attribute), and a large claim kills the process. The two
// attributes that matter here are optional, so they are looked up in the object header itself, with every
// length checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stickslip::internal::io {

/// The first number of the attribute `name` in the object header (version 1, as libfclib and h5py write it)
/// at `address`. Nothing when there is none, or when it is not a plain little-endian integer of 32 or 64
/// bits. Never throws.
std::optional<std::int64_t> find_integer_attribute(std::string_view file, std::uint64_t address,
                                                   std::string_view name);

}  // namespace stickslip::internal::io
