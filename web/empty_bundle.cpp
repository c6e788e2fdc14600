// Stands in for the report page where npm is missing.
namespace stickslip::campaign::bundle {
extern const char head_text[], tail_text[], figures_text[];
extern const unsigned long head_size, tail_size, figures_size;
const char head_text[] = "", tail_text[] = "", figures_text[] = "";
const unsigned long head_size = 0, tail_size = 0, figures_size = 0;
}  // namespace stickslip::campaign::bundle
