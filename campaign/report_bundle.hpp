// What web/ was bundled into when the library was built (web/CMakeLists.txt); all empty where npm was
// missing.
#pragma once

#include <string_view>

namespace stickslip::campaign::bundle {

extern const char head_text[], tail_text[], figures_text[];
extern const unsigned long head_size, tail_size, figures_size;

/// The page before and after the JSON of the campaign.
inline std::string_view head() { return {head_text, head_size}; }
inline std::string_view tail() { return {tail_text, tail_size}; }
/// The script for node that draws the figures.
inline std::string_view figures() { return {figures_text, figures_size}; }

}  // namespace stickslip::campaign::bundle
