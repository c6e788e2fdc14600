// Fuzzes the FCLIB reader on files in memory: whatever the bytes, it returns a problem or throws InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/fclib_reader.hpp"
#include "stickslip/errors.hpp"

/// libhdf5 asks for whatever size a damaged header claims and copes when it gets nothing, as malloc would
/// answer outside the sanitizer.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

/// libhdf5 1.10.8 forgets small objects when it meets a damaged header; only our own leaks count here.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    stickslip::internal::io::read_fclib_image({reinterpret_cast<const char*>(data), size});
  } catch (const stickslip::InputError&) {
    return 0;
  }
  return 0;
}
