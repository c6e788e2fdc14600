// Fuzzes the reader of scenes: whatever the text, a scene comes back or InputError is thrown, in one line.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "stickslip/errors.hpp"
#include "stickslip/scene.hpp"

namespace {

/// Scenes that name other files, or are large on purpose, only take time: a count or a size of four digits or with an
/// exponent.
bool takes_long(std::string_view text) {
  if (text.find("file") != std::string_view::npos) return true;
  for (const std::string_view key : {"count", "size", "pieces", "parameters"})
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
      int digits = 0;
      for (const char c : text.substr(at, key == "parameters" ? 400 : 120)) {
        const bool digit = c >= '0' && c <= '9';
        // 1e9 and 9^9 as well.
        if ((digit && digits == 3) || (digits > 0 && (c == 'e' || c == 'E' || c == '^'))) return true;
        digits = digit ? digits + 1 : 0;
      }
    }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (takes_long(text)) return 0;
  try {
    stickslip::parse_scene(text, {}, "scene", "/nonexistent");
  } catch (const stickslip::InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
