// Fuzzes the FCLIB reader on files in memory: whatever the bytes, it returns a problem or throws InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/fclib_reader.hpp"
#include "stickslip/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    stickslip::io::read_fclib_image({reinterpret_cast<const char*>(data), size});
  } catch (const stickslip::InputError&) {
    return 0;
  }
  return 0;
}
