// The common part of two faces that look at each other, seen along the normal of one of them.
#pragma once

#include <vector>

#include "dynamics/detection/placed.hpp"

namespace stickslip::internal {

/// A corner of the common polygon, with the features of both polyhedra that meet there.
struct ClippedCorner {
  Vector x;    ///< on the incident face
  int side;    ///< of the polygon, from here to the next corner: an edge e of the incident face as e,
               ///< side k of the reference face as −1 − k
  int corner;  ///< of the incident polyhedron, −1 where it is none
};

/// A corner of the common polygon as a contact point: the point of each face, and what meets there.
struct Spot {
  Vector on_reference, on_incident;
  double u, v;                            ///< coordinates in the reference plane
  int reference_corner, incident_corner;  ///< −1 where it is none
  int reference_edge, incident_edge;      ///< where it is no corner of either, otherwise −1
};

/// Room for the polygons; what is returned stays in it.
struct ClipSpace {
  std::vector<ClippedCorner> polygon, other;
  std::vector<Spot> spots;
  std::vector<Vector> points;
};

/// Cuts the incident face of b by the planes that stand on the sides of the reference face of a. The polygon is left in
/// space.polygon, empty where the faces have nothing in common.
void clip_faces(const PlacedPolyhedron& reference, int reference_face, const PlacedPolyhedron& incident,
                int incident_face, ClipSpace& space);

}  // namespace stickslip::internal
