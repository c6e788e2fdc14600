// What web/viewer was bundled into when this was built (web/CMakeLists.txt); all empty where npm was missing.
#pragma once

#include <string_view>

namespace stickslip::viewer::bundle {

extern const char page_text[], style_text[], script_text[];
extern const unsigned long page_size, style_size, script_size;

/// With @HEAD@, @DATA@ and @SCRIPT@ to be filled in.
inline std::string_view page() { return {page_text, page_size}; }
inline std::string_view style() { return {style_text, style_size}; }
inline std::string_view script() { return {script_text, script_size}; }

}  // namespace stickslip::viewer::bundle
