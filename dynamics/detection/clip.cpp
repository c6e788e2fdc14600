// Sutherland and Hodgman's clipping. Sides carry the edge that they lie on, so that every corner knows its features.
#include "dynamics/detection/clip.hpp"

#include <utility>

namespace stickslip::internal {

void clip_faces(const PlacedPolyhedron& reference, int reference_face, const PlacedPolyhedron& incident,
                int incident_face, ClipSpace& space) {
  auto &polygon = space.polygon, &other = space.other;
  polygon.clear();
  const Polyhedron& topology = *incident.topology;
  // Each side adds a corner at most: room for all of them, so that rounding does not decide when memory is taken.
  const auto sides = reference.topology->face(reference_face).size();
  const auto most =
      std::size_t(topology.loop_start[incident_face + 1] - topology.loop_start[incident_face]) + sides;
  polygon.reserve(most);
  other.reserve(most);
  for (int k = topology.loop_start[incident_face]; k < topology.loop_start[incident_face + 1]; ++k)
    polygon.push_back({incident.corner(topology.loop[k]), topology.loop_edge[k], topology.loop[k]});

  const auto loop = reference.topology->face(reference_face);
  const Vector& normal = reference.normals[reference_face];
  for (int k = 0; k < int(loop.size()) && !polygon.empty(); ++k) {
    const Vector from = reference.corner(loop[k]),
                 to = reference.corner(loop[k + 1 < int(loop.size()) ? k + 1 : 0]);
    const Vector inward = normal.cross(to - from);
    const double at_side = inward.dot(from);
    other.clear();
    double here = inward.dot(polygon[0].x) - at_side;
    const double first = here;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const ClippedCorner& p = polygon[i];
      const bool last = i + 1 == polygon.size();
      const ClippedCorner& q = polygon[last ? 0 : i + 1];
      const double there = last ? first : inward.dot(q.x) - at_side;
      if (here >= 0) {
        other.push_back(p);
        if (there < 0) other.push_back({p.x + here / (here - there) * (q.x - p.x), -1 - k, -1});
      } else if (there >= 0) {
        other.push_back({p.x + here / (here - there) * (q.x - p.x), p.side, -1});
      }
      here = there;
    }
    std::swap(polygon, other);
  }
}

}  // namespace stickslip::internal
