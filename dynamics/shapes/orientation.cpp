// The determinant in double precision with a bound of its rounding error, and where that does not decide, the same
// determinant as a sum of exact products, kept as an expansion: a sum of numbers that do not overlap, so that the
// last one has the sign (Shewchuk 1997, Discrete & Computational Geometry 18, 305: grow_expansion, theorem 10).
#include "dynamics/shapes/orientation.hpp"

#include <array>
#include <cmath>

namespace stickslip::internal {
namespace {

/// A sum of up to 128 numbers in growing order of size that do not overlap.
struct Expansion {
  std::array<double, 128> terms;
  int count = 0;

  /// Adds b without error.
  void add(double b) {
    int kept = 0;
    for (int k = 0; k < count; ++k) {
      const double x = b + terms[k], virtual_part = x - b;
      const double error = (b - (x - virtual_part)) + (terms[k] - virtual_part);
      if (error != 0) terms[kept++] = error;
      b = x;
    }
    if (b != 0 || kept == 0) terms[kept++] = b;
    count = kept;
  }

  /// Adds x·y·z without error: four exact products of two.
  void add_product(double x, double y, double z) {
    const double high = x * y, low = std::fma(x, y, -high);
    const double high_high = high * z, low_high = low * z;
    add(std::fma(low, z, -low_high));
    add(low_high);
    add(std::fma(high, z, -high_high));
    add(high_high);
  }

  int sign() const { return count == 0 ? 0 : (terms[count - 1] > 0) - (terms[count - 1] < 0); }
};

/// The determinant of the rows p, q, r times a sign.
void add_determinant(Expansion& sum, const Vector& p, const Vector& q, const Vector& r, double sign) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum.add_product(sign * p[i], q[j], r[k]);
    sum.add_product(-sign * p[i], q[k], r[j]);
  }
}

}  // namespace

int orientation(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  const Vector p = b - a, q = c - a, r = d - a;
  double value = 0, size = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    value += p[i] * (q[j] * r[k] - q[k] * r[j]);
    size += std::abs(p[i]) * (std::abs(q[j] * r[k]) + std::abs(q[k] * r[j]));
  }
  // Eight roundings in each product, differences included.
  constexpr double bound = 16 * 0x1.0p-53;
  if (std::abs(value) > bound * size) return value > 0 ? 1 : -1;
  // det(b − a, c − a, d − a) = det(b, c, d) − det(a, c, d) + det(a, b, d) − det(a, b, c).
  Expansion exact;
  add_determinant(exact, b, c, d, 1);
  add_determinant(exact, a, c, d, -1);
  add_determinant(exact, a, b, d, 1);
  add_determinant(exact, a, b, c, -1);
  return exact.sign();
}

}  // namespace stickslip::internal
