// Convex bodies as a polyhedral core plus an ellipsoid, and the common normal of two of them.
//
// The support function of every convex piece is
//   h(n) = max over the corners k of the core of n·xₖ  +  √(nᵀ M n)  +  r,
// where M has rank 3 for ellipsoids and what is round and deformed, rank 2 for cylinders (a segment plus a disc), and is zero
// for polyhedra; r is the radius of spheres and capsules that are not deformed. The separation along a unit vector n is
//   s(n) = −h_A(n) − h_B(−n).
// Its largest value is the distance where the bodies are apart; where they overlap slightly, the nearest local maximum is
// minus the penetration. At the maximum the supporting points differ by s n (the common normal).
#pragma once

#include "dynamics/detection/placed.hpp"
#include "dynamics/detection/touch.hpp"

namespace stickslip::internal {

/// A convex piece, undeformed or not, as core, ellipsoid and radius.
struct Rounded {
  explicit Rounded(const Placed& placed);

  const Placed* placed;
  int corner_count;
  Vector ends[2];  ///< corners of a core that is no polyhedron
  Matrix A = Matrix::
      Zero();  ///< M = A Aᵀ: takes the unit ball, or the unit disc of the first two axes, to the ellipsoid
  bool smooth = false;           ///< A is not zero
  bool has_ends = false;         ///< a cylinder: flat where n is along ± axis
  Vector axis = Vector::Zero();  ///< unit normal of its ends, from ends[0] to ends[1]
  double radius = 0;
  double size;  ///< radius of a ball about the centre that holds it

  bool is_polyhedron() const { return placed->polyhedron.topology != nullptr; }
  Vector corner(int k) const { return is_polyhedron() ? placed->polyhedron.corner(k) : ends[k]; }
  int extreme(const Vector& n) const;
  /// Takes the ellipses of a cylinder's ends to unit circles, and their normal to the third axis.
  Matrix to_circle() const {
    const Placed& p = *placed;
    return (Matrix() << p.sizes()[0] * p.axis(0), p.sizes()[0] * p.axis(1), axis).finished().inverse();
  }
  /// √(nᵀMn).
  double bulge(const Vector& n) const { return smooth ? (A.transpose() * n).norm() : 0; }
  /// Where the ellipsoid supports: M n/√(nᵀMn); zero where that is not defined.
  Vector bulge_point(const Vector& n) const;
};

/// What of a body supports in the direction of the normal.
struct Support {
  enum class Kind { corner, edge, face, end };
  Kind kind = Kind::corner;
  int i = 0, j = 0;  ///< corners; or the face; or the end
  double t = 0;      ///< position of the contact on an edge, from i to j
};

/// The common normal of two bodies.
struct CommonNormal {
  Vector normal;  ///< unit, from a to b
  double gap = 0;
  Vector point_a, point_b;  ///< on the surfaces
  Support of_a, of_b;
};

/// False where the bodies are surely farther apart than `reach`. To rounding where the bodies are apart or overlap by less
/// than a thousandth; for deeper overlap a local maximum of s near the direction in which shrunk copies first come free.
bool common_normal(const Rounded& a, const Rounded& b, double reach, CommonNormal& result);

/// Whether a rim points at a corner, or along an edge or another rim: then the bodies may pass on either side, as a peg passes
/// the edge of its hole, and have no normal of their own.
bool may_pass(const Rounded& a, const Support& of_a, const Rounded& b, const Support& of_b, const Vector& n);

/// Whether x, moved along the normal of face f into its plane, lies in the face.
bool over_face(const PlacedPolyhedron& p, int f, const Vector& x);

}  // namespace stickslip::internal
