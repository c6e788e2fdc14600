// Shapes by their definitions, independent of the library: support functions and membership under any placement.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/detection/pair.hpp"

namespace stickslip::tests {

/// A farthest point of the shape in the direction, by definition.
inline Vector slow_support(const Shape& shape, const Placement& at, const Vector& direction) {
  const Vector d = at.F.transpose() * direction;
  Vector x = Vector::Zero();
  if (const auto* s = std::get_if<Sphere>(&shape)) x = s->radius * d.normalized();
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) {
    const Vector r(s->radii[0], s->radii[1], s->radii[2]);
    x = r.cwiseProduct(r.cwiseProduct(d)) / r.cwiseProduct(d).norm();
  }
  if (const auto* s = std::get_if<Capsule>(&shape))
    x = s->radius * d.normalized() + Vector(0, 0, d.z() > 0 ? s->length / 2 : -s->length / 2);
  if (const auto* s = std::get_if<Cylinder>(&shape)) {
    const double across = std::hypot(d.x(), d.y());
    if (across > 0) x = {s->radius * d.x() / across, s->radius * d.y() / across, 0};
    x.z() = d.z() > 0 ? s->length / 2 : -s->length / 2;
  }
  if (const auto* s = std::get_if<Box>(&shape))
    x = {d.x() > 0 ? s->x / 2 : -s->x / 2, d.y() > 0 ? s->y / 2 : -s->y / 2,
         d.z() > 0 ? s->z / 2 : -s->z / 2};
  if (const auto* s = std::get_if<Convex>(&shape)) {
    double most = -std::numeric_limits<double>::infinity();
    for (const Point& p : s->points)
      if (const double value = d.dot(vector(p)); value > most) most = value, x = vector(p);
  }
  return at(x);
}

/// n·x_B − n·x_A for the supporting points: how far apart the shapes are along n.
inline double slow_separation(const Shape& a, const Placement& at_a, const Shape& b, const Placement& at_b,
                              const Vector& n) {
  return n.dot(slow_support(b, at_b, -n) - slow_support(a, at_a, n));
}

/// How far x is outside of the shape, in units of length of its own axes, from below; at most 0 inside.
inline double slow_outside(const Shape& shape, const Placement& at, const Vector& world) {
  const Vector x = at.F.inverse() * (world - at.c);
  if (const auto* s = std::get_if<Sphere>(&shape)) return x.norm() - s->radius;
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) {
    const Vector r(s->radii[0], s->radii[1], s->radii[2]);
    return (x.cwiseQuotient(r).norm() - 1) * r.minCoeff();
  }
  if (const auto* s = std::get_if<Capsule>(&shape))
    return (x - Vector(0, 0, std::clamp(x.z(), -s->length / 2, s->length / 2))).norm() - s->radius;
  if (const auto* s = std::get_if<Cylinder>(&shape))
    return std::max(std::hypot(x.x(), x.y()) - s->radius, std::abs(x.z()) - s->length / 2);
  if (const auto* s = std::get_if<Box>(&shape))
    return std::max({std::abs(x.x()) - s->x / 2, std::abs(x.y()) - s->y / 2, std::abs(x.z()) - s->z / 2});
  if (const auto* s = std::get_if<Convex>(&shape)) {
    // Over all planes through three points that have the others on one side.
    double most = -std::numeric_limits<double>::infinity();
    const int n = int(s->points.size());
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        for (int k = j + 1; k < n; ++k) {
          Vector normal = (vector(s->points[j]) - vector(s->points[i]))
                              .cross(vector(s->points[k]) - vector(s->points[i]));
          if (normal.norm() < 1e-9) continue;
          normal.normalize();
          double low = 0, high = 0;
          for (const Point& p : s->points) {
            const double h = normal.dot(vector(p) - vector(s->points[i]));
            low = std::min(low, h);
            high = std::max(high, h);
          }
          if (high < 1e-12) most = std::max(most, normal.dot(x - vector(s->points[i])));
          if (low > -1e-12) most = std::max(most, -normal.dot(x - vector(s->points[i])));
        }
    return most;
  }
  return 0;
}

/// The largest separation over directions: dense samples, then smaller and smaller steps about the best one. The distance
/// where the shapes are apart (from below), minus the least penetration where they overlap.
inline double slow_distance(const Shape& a, const Placement& at_a, const Shape& b, const Placement& at_b,
                            Vector* direction = nullptr) {
  const int samples = 3000;
  Vector best = Vector::UnitZ();
  double most = -std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vector& n) {
    if (const double s = slow_separation(a, at_a, b, at_b, n); s > most) {
      most = s;
      best = n;
      return true;
    }
    return false;
  };
  for (int k = 0; k < samples; ++k) {
    const double z = 1 - (2 * k + 1.0) / samples, angle = k * M_PI * (3 - std::sqrt(5.0)),
                 r = std::sqrt(1 - z * z);
    consider({r * std::cos(angle), r * std::sin(angle), z});
  }
  Random random(7);
  for (double step = 0.05; step > 1e-9; step *= 0.7) {
    int failures = 0;
    while (failures < 40) {
      const Vector n = (best + step * Vector(random.normal(), random.normal(), random.normal())).normalized();
      failures = consider(n) ? 0 : failures + 1;
    }
  }
  if (direction) *direction = best;
  return most;
}

inline std::string shape_name(const Shape& shape) { return std::string(kind_name(shape)); }

/// The shape with all lengths times a factor.
inline Shape scaled(const Shape& shape, double by) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return Sphere{by * s->radius};
  if (const auto* s = std::get_if<Ellipsoid>(&shape))
    return Ellipsoid{{by * s->radii[0], by * s->radii[1], by * s->radii[2]}};
  if (const auto* s = std::get_if<Capsule>(&shape)) return Capsule{by * s->radius, by * s->length};
  if (const auto* s = std::get_if<Cylinder>(&shape)) return Cylinder{by * s->radius, by * s->length};
  if (const auto* s = std::get_if<Box>(&shape)) return Box{by * s->x, by * s->y, by * s->z};
  Convex convex = std::get<Convex>(shape);
  for (Point& p : convex.points) p = point(by * vector(p));
  return convex;
}

/// A shape of the given kind with edges and radii around 1.
inline Shape random_shape(int kind, Random& random) {
  const auto length = [&] { return random.uniform(0.3, 1.5); };
  switch (kind) {
    case 0:
      return Sphere{length()};
    case 1:
      return Ellipsoid{{length(), length(), length()}};
    case 2:
      return Capsule{length() / 2, length()};
    case 3:
      return Cylinder{length() / 2, length()};
    case 4:
      return Box{length(), length(), length()};
    default: {
      Convex convex;
      for (int k = 0; k < 9; ++k) convex.points.push_back(point(length() * random_direction(random)));
      return convex;
    }
  }
}
constexpr int kinds = 6;

}  // namespace stickslip::tests
