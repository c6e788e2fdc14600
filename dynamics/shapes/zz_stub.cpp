#include "stickslip/errors.hpp"
#include "stickslip/shapes.hpp"
namespace stickslip {
__attribute__((weak)) Mesh read_mesh(const std::filesystem::path& p) { throw InputError(p.string() + ": stub"); }
__attribute__((weak)) std::vector<Point> read_points(const std::filesystem::path& p) { throw InputError(p.string() + ": stub"); }
}
