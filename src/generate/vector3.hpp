// Vectors and symmetric matrices of space: what the geometry of scenes needs and no more.
#pragma once

#include <array>
#include <cmath>

namespace stickslip::internal {

struct Vector3 {
  double x = 0, y = 0, z = 0;
};

inline Vector3 operator+(Vector3 a, Vector3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector3 operator-(Vector3 a, Vector3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector3 operator*(double s, Vector3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline Vector3& operator+=(Vector3& a, Vector3 b) { return a = a + b; }
inline double dot(Vector3 a, Vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector3 cross(Vector3 a, Vector3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Vector3 a) { return std::sqrt(dot(a, a)); }
inline Vector3 unit(Vector3 a) { return (1 / length(a)) * a; }

/// Turns a about the z axis.
inline Vector3 turned(Vector3 a, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y, a.z};
}

/// Rows.
using Matrix3 = std::array<std::array<double, 3>, 3>;

inline Matrix3 diagonal(double a, double b, double c) { return {{{a, 0, 0}, {0, b, 0}, {0, 0, c}}}; }
inline std::array<double, 3> numbers(Vector3 a) { return {a.x, a.y, a.z}; }

/// Orthonormal axes n, t₁, t₂ = n × t₁ for a unit n; t₁ lies in the plane of n and z, or along x where n is
/// z.
inline std::array<Vector3, 3> frame(Vector3 n) {
  const Vector3 t =
      std::abs(n.z) > 0.999999 ? unit(Vector3{1, 0, 0} - n.x * n) : unit(n.z * n - Vector3{0, 0, 1});
  return {n, t, cross(n, t)};
}

}  // namespace stickslip::internal
