// Integrals 1, x and x⊗x over a solid.
#pragma once

#include "dynamics/shapes/polyhedron.hpp"
#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

/// Volume, ∫ x dV = volume·centre, and ∫ (x − centre)⊗(x − centre) dV.
struct Moments {
  double volume = 0;
  Vector centre = Vector::Zero();
  Matrix second = Matrix::Zero();  ///< about the centre
};

/// Both solids together, volumes counted twice where they overlap.
Moments sum(const Moments& a, const Moments& b);

/// Of the solid under x ↦ F x + c, det F > 0.
Moments moved(const Moments& moments, const Placement& placement);

Moments moments_of(const Sphere& sphere);
Moments moments_of(const Ellipsoid& ellipsoid);
Moments moments_of(const Capsule& capsule);
Moments moments_of(const Cylinder& cylinder);
Moments moments_of(const Box& box);
Moments moments_of(const Polyhedron& polyhedron);

MassProperties mass_properties_from(const Moments& moments);

}  // namespace stickslip::internal
