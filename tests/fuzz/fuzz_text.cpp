// Fuzzes the text readers: Siconos text, and a Matrix Market folder whose files are cut out of one input by
// lines
// `@name` (as make_corpus writes them). Whatever the bytes, a problem comes back or InputError is thrown.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "io/text_reader.hpp"
#include "stickslip/errors.hpp"

namespace {

/// The files of a folder packed into one text: a line `@W.mtx`, then the file, and so on.
std::map<std::string, std::string> unpack(std::string_view text) {
  std::map<std::string, std::string> files;
  while (text.starts_with('@')) {
    const std::size_t line = text.find('\n');
    if (line == std::string_view::npos) break;
    const std::size_t end = text.find("\n@", line);
    const std::string name(text.substr(1, line - 1));
    files[name] = text.substr(line + 1, end == std::string_view::npos ? end : end - line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return files;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    if (!text.starts_with('@')) {
      stickslip::internal::io::read_siconos_bytes(text);
      return 0;
    }
    const auto files = unpack(text);
    stickslip::internal::io::read_matrix_market_files(
        {[&](const std::string& name) { return files.contains(name); },
         [&](const std::string& name) { return files.at(name); }});
  } catch (const stickslip::InputError&) {
    return 0;
  }
  return 0;
}
