// A polyhedron is the sum of the tetrahedra between an inner point o and the triangles of its faces. Over one with the
// corners 0, a, b, c (relative to o):
//   V = det(a, b, c)/6,   ∫x = V s/4,   ∫x⊗x = V (a⊗a + b⊗b + c⊗c + s⊗s)/20,   s = a + b + c.
#include "dynamics/shapes/moments.hpp"

#include <numbers>

namespace stickslip::internal {
namespace {

constexpr double pi = std::numbers::pi;

Moments about_origin(double volume, double xx, double yy, double zz) {
  return {volume, Vector::Zero(), Vector(xx, yy, zz).asDiagonal()};
}

}  // namespace

Moments sum(const Moments& a, const Moments& b) {
  Moments both;
  both.volume = a.volume + b.volume;
  both.centre = (a.volume * a.centre + b.volume * b.centre) / both.volume;
  const Vector d = b.centre - a.centre;
  both.second = a.second + b.second + (a.volume * b.volume / both.volume) * d * d.transpose();
  return both;
}

Moments moved(const Moments& moments, const Placement& placement) {
  const double det = placement.F.determinant();
  return {det * moments.volume, placement(moments.centre),
          det * placement.F * moments.second * placement.F.transpose()};
}

Moments moments_of(const Sphere& sphere) {
  return moments_of(Ellipsoid{{sphere.radius, sphere.radius, sphere.radius}});
}

Moments moments_of(const Ellipsoid& ellipsoid) {
  // The unit ball has ∫x² = V/5.
  const auto [a, b, c] = ellipsoid.radii;
  const double volume = 4 * pi / 3 * a * b * c;
  return about_origin(volume, volume * a * a / 5, volume * b * b / 5, volume * c * c / 5);
}

Moments moments_of(const Cylinder& cylinder) {
  const double R = cylinder.radius, l = cylinder.length, volume = pi * R * R * l;
  return about_origin(volume, volume * R * R / 4, volume * R * R / 4, volume * l * l / 12);
}

Moments moments_of(const Capsule& capsule) {
  // Cylinder and two half balls of volume V = 2πr³/3 each: ∫x² = V r²/5 across, and along, with the distance ζ from the
  // flat side, ∫ζ = 3V r/8 and ∫ζ² = V r²/5.
  const double r = capsule.radius, half = capsule.length / 2, V = 2 * pi / 3 * r * r * r;
  const Moments middle = moments_of(Cylinder{r, capsule.length});
  const double across = middle.second(0, 0) + 2 * V * r * r / 5;
  const double along = middle.second(2, 2) + 2 * V * (half * half + 2 * half * 3 * r / 8 + r * r / 5);
  return about_origin(middle.volume + 2 * V, across, across, along);
}

Moments moments_of(const Box& box) {
  const double volume = box.x * box.y * box.z;
  return about_origin(volume, volume * box.x * box.x / 12, volume * box.y * box.y / 12,
                      volume * box.z * box.z / 12);
}

Moments moments_of(const Polyhedron& polyhedron) {
  Vector inner = Vector::Zero();
  for (const Vector& p : polyhedron.corners) inner += p / double(polyhedron.corners.size());
  double volume = 0;
  Vector first = Vector::Zero();
  Matrix second = Matrix::Zero();
  for (int f = 0; f < polyhedron.face_count(); ++f) {
    const auto loop = polyhedron.face(f);
    const Vector a = polyhedron.corners[loop[0]] - inner;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
      const Vector b = polyhedron.corners[loop[k]] - inner, c = polyhedron.corners[loop[k + 1]] - inner,
                   s = a + b + c;
      const double V = a.dot(b.cross(c)) / 6;
      volume += V;
      first += V / 4 * s;
      second += V / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    }
  }
  const Vector offset = first / volume;
  return {volume, inner + offset, second - volume * offset * offset.transpose()};
}

MassProperties mass_properties_from(const Moments& moments) {
  MassProperties mass;
  mass.volume = moments.volume;
  mass.centre = point(moments.centre);
  const Matrix E = (moments.second + moments.second.transpose()) / 2;
  const Matrix J = E.trace() * Matrix::Identity() - E;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      mass.euler[3 * i + j] = E(i, j);
      mass.inertia[3 * i + j] = J(i, j);
    }
  return mass;
}

}  // namespace stickslip::internal
