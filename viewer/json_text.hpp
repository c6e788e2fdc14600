// JSON by columns of many numbers, written straight into text.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

namespace stickslip::viewer {

/// What is not finite becomes null.
inline std::string number_text(double x, int digits) {
  return std::isfinite(x) ? fmt::format("{:.{}g}", x, digits) : "null";
}

/// With quotes; bytes that are no UTF-8 are replaced, and < is written out, so that the text may stand in a script element.
std::string json_string(std::string_view text);

template <class List>
std::string list_text(const List& values, int digits = 9) {
  fmt::memory_buffer out;
  out.push_back('[');
  bool first = true;
  for (const auto& value : values) {
    if (!first) out.push_back(',');
    first = false;
    if constexpr (std::integral<std::decay_t<decltype(value)>>)
      fmt::format_to(std::back_inserter(out), "{}", value);
    else if (std::isfinite(value))
      fmt::format_to(std::back_inserter(out), "{:.{}g}", value, digits);
    else
      out.append(std::string_view("null"));
  }
  out.push_back(']');
  return fmt::to_string(out);
}

}  // namespace stickslip::viewer
