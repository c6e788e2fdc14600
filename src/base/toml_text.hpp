// A look at TOML texts before they are parsed.
#pragma once

#include <cstddef>
#include <string_view>

namespace stickslip::internal {

/// The line, from 1, of the first character beyond ASCII that is neither quoted nor part of a comment; 0 where there is none.
/// TOML has no use for such a character, and toml++ 3.3 has no defined answer to some of them (U+00A1 to U+0499 where a
/// white space may stand), so they are refused before it sees them. A byte order mark at the beginning is none.
std::size_t line_beyond_ascii(std::string_view text);
/// What is said about it.
inline constexpr const char* beyond_ascii = "letters beyond ASCII must stand in quotes or in comments";

}  // namespace stickslip::internal
