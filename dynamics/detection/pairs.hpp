// Contacts of two pieces, by their kinds. Every function adds what it finds with a gap within the reach of `touches`; all
// positions are relative to one origin near the pieces.
#pragma once

#include "dynamics/detection/clip.hpp"
#include "dynamics/detection/detector.hpp"
#include "dynamics/detection/placed.hpp"
#include "dynamics/detection/touch.hpp"

namespace stickslip::internal {

/// How faces are covered with contact points.
struct PairOptions {
  ContactPoints points = ContactPoints::corners;
  int rim_points = 16;
  const Polyhedron* rim_prism =
      nullptr;  ///< the regular prism with as many sides: |z| ≤ 1, corners on the unit circle
};

/// Room for the rim of a cylinder as a polygon.
struct RimSpace {
  std::vector<Vector> corners;
  Vector normals[2];
  double offsets[2];
};

/// Room that pairs work in, and the axis of the last call where a pair remembers one (0: none).
struct PairSpace {
  ClipSpace clip;
  RimSpace rim[2];
  std::vector<int> triangles;
  Touches found;
  std::uint64_t axis_before = 0, axis_after = 0;
};

/// Faces that make a larger angle touch at corners whatever `points` says.
inline constexpr double faces_meet_sine = 0.0175;  // 1°

/// Lengths below this part of a size count as nothing: between corners of one polygon, the overlap of two faces.
inline constexpr double same_place = 1e-8;

/// Part of a size: the distance from which corners, edges and rims that point at each other touch.
inline constexpr double corner_touch = 1e-7;
/// The least separation along the normal of a face that counts before a gap along a direction between edges or corners; 1e-10 of the size is rounding.
inline double face_holds_from(double gap, double size) { return (gap < 0 ? 0.5 * gap : gap) + 1e-10 * size; }

void plane_and_piece(const Placed& plane, const Placed& b, const PairOptions& options, PairSpace& space,
                     Touches& touches);

void sphere_and_sphere(const Vector& centre_a, double radius_a, const Vector& centre_b, double radius_b,
                       Touches& touches);
/// Both rigid.
void sphere_and_box(const Placed& sphere, const Placed& box, Touches& touches);
/// Spheres and capsules in any combination, rigid.
void round_and_round(const Placed& a, const Placed& b, Touches& touches);

/// Boxes and polyhedra.
void polyhedron_and_polyhedron(const Placed& a, const Placed& b, const PairOptions& options, PairSpace& space,
                               Touches& touches);

/// Two boxes, rigid, with their axes found already.
struct BoxAxes;
void box_and_box(const Placed& a, const Placed& b, const BoxAxes& axes, const PairOptions& options,
                 PairSpace& space, Touches& touches);

/// Two convex pieces of which one at least is no polyhedron.
void rounded_and_piece(const Placed& a, const Placed& b, const PairOptions& options, PairSpace& space,
                       Touches& touches);

/// A convex piece that is no polyhedron over a face of a polyhedron, whatever its nearest points are: contacts along the
/// normal of the face.
void rounded_on_face(const Placed& polyhedron, int face, const Placed& b, const PairOptions& options,
                     PairSpace& space, Touches& touches);

/// A mesh, not deformed, and a convex piece.
void mesh_and_piece(const Placed& mesh, const Placed& b, const PairOptions& options, PairSpace& space,
                    Touches& touches);

/// Any two pieces but two obstacles.
void piece_and_piece(const Placed& a, const Placed& b, const PairOptions& options, PairSpace& space,
                     Touches& touches);

}  // namespace stickslip::internal
