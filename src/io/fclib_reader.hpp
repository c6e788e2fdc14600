// The FCLIB reader on a file that is already in memory; read_fclib and the fuzzer both come through here.
#pragma once

#include <string_view>

#include "stickslip/io.hpp"

namespace stickslip::internal::io {

/// True when the bytes begin with the HDF5 signature, at 0, 512, 1024, 2048, …
bool is_hdf5(std::string_view bytes);

/// Reads the problem out of the bytes of an FCLIB file. Throws InputError, `OBJECT: rule`, without a file
/// name.
ProblemFile read_fclib_image(std::string_view bytes);

}  // namespace stickslip::internal::io
