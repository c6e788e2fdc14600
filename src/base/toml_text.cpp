#include "base/toml_text.hpp"

#include <algorithm>
#include <string>

namespace stickslip::internal {
namespace {

/// What follows the text that opens at `at` with a quotation mark. One that is not closed ends with its line, or with the file.
std::size_t after_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool escapes = quote == '"', several_lines = text.substr(at, 3) == std::string(3, quote);
  const std::string end(several_lines ? 3 : 1, quote);
  for (at += end.size(); at < text.size(); ++at) {
    if (escapes && text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n')
      ++at;
    else if (!several_lines && text[at] == '\n')
      return at;
    else if (text.substr(at, end.size()) == end)
      break;
  }
  at = std::min(at + end.size(), text.size());
  // Up to two more marks belong to a text of several lines.
  for (int k = 0; several_lines && k < 2 && at < text.size() && text[at] == quote; ++k) ++at;
  return at;
}

}  // namespace

std::size_t line_beyond_ascii(std::string_view text) {
  for (std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; at < text.size();) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) >= 0x80)
      return 1 + std::size_t(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'));
    if (c == '#')
      at = std::min(text.find('\n', at), text.size());
    else if (c == '"' || c == '\'')
      at = after_quoted(text, at);
    else
      ++at;
  }
  return 0;
}

}  // namespace stickslip::internal
