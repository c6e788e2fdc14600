// Two shapes and their contacts: what most tests of detection look at.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/random.hpp"
#include "dynamics/detection/detector.hpp"

namespace stickslip::tests {

using namespace stickslip::internal;

inline Matrix rotation(const Vector& axis, double degrees) {
  return Eigen::AngleAxisd(degrees * M_PI / 180, axis.normalized()).toRotationMatrix();
}

inline Vector random_direction(Random& random) {
  return Vector(random.normal(), random.normal(), random.normal()).normalized();
}

inline Matrix random_rotation(Random& random) {
  return Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal())
      .normalized()
      .toRotationMatrix();
}

/// The contacts of b with a; the reach is that of both together.
inline std::vector<Contact> contacts_of(const std::shared_ptr<const PreparedShape>& a, const Placement& at_a,
                                        const std::shared_ptr<const PreparedShape>& b, const Placement& at_b,
                                        double reach, ContactPoints points = ContactPoints::corners) {
  Detector detector({.points = points});
  detector.add(a, a->is_obstacle() ? Mobility::obstacle : Mobility::moving);
  detector.add(b, b->is_obstacle() ? Mobility::obstacle : Mobility::moving);
  const std::vector<Placement> placements = {at_a, at_b};
  const std::vector<double> reaches = {reach / 2, reach / 2};
  const auto found = detector.detect(placements, reaches);
  return {found.begin(), found.end()};
}

inline std::vector<Contact> contacts_of(const Shape& a, const Placement& at_a, const Shape& b,
                                        const Placement& at_b, double reach,
                                        ContactPoints points = ContactPoints::corners) {
  return contacts_of(prepare(a), at_a, prepare(b), at_b, reach, points);
}

inline double least_gap(const std::vector<Contact>& contacts) {
  double least = std::numeric_limits<double>::infinity();
  for (const Contact& c : contacts) least = std::min(least, c.gap);
  return least;
}

}  // namespace stickslip::tests
