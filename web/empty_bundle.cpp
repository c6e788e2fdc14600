// Stands in for the pages where npm is missing.
namespace stickslip::campaign::bundle {
extern const char head_text[], tail_text[], figures_text[];
extern const unsigned long head_size, tail_size, figures_size;
const char head_text[] = "", tail_text[] = "", figures_text[] = "";
const unsigned long head_size = 0, tail_size = 0, figures_size = 0;
}  // namespace stickslip::campaign::bundle

namespace stickslip::viewer::bundle {
extern const char page_text[], style_text[], script_text[];
extern const unsigned long page_size, style_size, script_size;
const char page_text[] = "", style_text[] = "", script_text[] = "";
const unsigned long page_size = 0, style_size = 0, script_size = 0;
}  // namespace stickslip::viewer::bundle
