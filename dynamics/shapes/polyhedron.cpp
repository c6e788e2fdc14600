#include "dynamics/shapes/polyhedron.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "dynamics/shapes/moments.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// Normals, offsets and the inner point, from corners and loops. The plane of a face goes through the mean of its corners.
void measure_faces(Polyhedron& p) {
  p.normals.clear();
  p.offsets.clear();
  p.areas.clear();
  p.widths.clear();
  for (int f = 0; f < p.face_count(); ++f) {
    const auto loop = p.face(f);
    const Vector area = area_vector(p.corners, loop), normal = area.normalized();
    p.areas.push_back(area.norm());
    double offset = 0;
    for (const int c : loop) offset += normal.dot(p.corners[c]);
    p.normals.push_back(normal);
    p.offsets.push_back(offset / double(loop.size()));
    double perimeter = 0;
    for (std::size_t k = 0; k < loop.size(); ++k)
      perimeter += (p.corners[loop[k]] - p.corners[loop[k + 1 < loop.size() ? k + 1 : 0]]).norm();
    p.widths.push_back(2 * area.norm() / perimeter);
  }
  p.centre = moments_of(p).centre;
}

}  // namespace

Vector area_vector(std::span<const Vector> corners, std::span<const int> loop) {
  // Relative to the first corner, so that nothing is lost far from the origin.
  const Vector& o = corners[loop[0]];
  Vector area = Vector::Zero();
  for (std::size_t k = 1; k + 1 < loop.size(); ++k)
    area += (corners[loop[k]] - o).cross(corners[loop[k + 1]] - o);
  return area / 2;
}

Polyhedron make_polyhedron(std::vector<Vector> corners, const std::vector<std::vector<int>>& faces,
                           const char* what) {
  Polyhedron p;
  p.corners = std::move(corners);
  p.loop_start.push_back(0);
  for (const auto& face : faces) {
    p.loop.insert(p.loop.end(), face.begin(), face.end());
    p.loop_start.push_back(int(p.loop.size()));
  }
  // Each side of a loop meets the loop of one other face, which runs the other way.
  std::map<std::pair<int, int>, int> edge_of;
  p.loop_edge.resize(p.loop.size());
  for (int f = 0; f < p.face_count(); ++f)
    for (int k = p.loop_start[f]; k < p.loop_start[f + 1]; ++k) {
      const int next = k + 1 < p.loop_start[f + 1] ? k + 1 : p.loop_start[f];
      const int from = p.loop[k], to = p.loop[next];
      const auto found = edge_of.find({to, from});
      if (found == edge_of.end()) {
        edge_of[{from, to}] = p.loop_edge[k] = int(p.edges.size());
        p.edges.push_back({{from, to}, {f, -1}});
      } else {
        p.loop_edge[k] = found->second;
        Polyhedron::Edge& edge = p.edges[found->second];
        if (edge.face[1] >= 0) throw InputError(std::string(what) + ": more than two faces meet in an edge");
        edge.face[1] = f;
      }
    }
  for (const auto& edge : p.edges)
    if (edge.face[1] < 0) throw InputError(std::string(what) + ": the faces do not close");
  p.edges_start.assign(p.corners.size() + 1, 0);
  for (const auto& edge : p.edges)
    for (const int c : edge.corner) ++p.edges_start[c + 1];
  for (std::size_t c = 0; c < p.corners.size(); ++c) p.edges_start[c + 1] += p.edges_start[c];
  p.corner_edges.resize(2 * p.edges.size());
  std::vector<int> next(p.edges_start.begin(), p.edges_start.end() - 1);
  for (std::size_t e = 0; e < p.edges.size(); ++e)
    for (const int c : p.edges[e].corner) p.corner_edges[next[c]++] = int(e);
  if (!(moments_of(p).volume > 0)) throw InputError(std::string(what) + ": no volume");
  measure_faces(p);
  return p;
}

Polyhedron moved(const Polyhedron& polyhedron, const Placement& placement) {
  Polyhedron p = polyhedron;
  for (Vector& corner : p.corners) corner = placement(corner);
  measure_faces(p);
  return p;
}

Polyhedron box_polyhedron(const Vector& half_edges) {
  // Corner k has the signs of the bits of k: bit 0 is x.
  std::vector<Vector> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(half_edges.cwiseProduct(Vector(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  // Faces −x, +x, −y, +y, −z, +z.
  return make_polyhedron(std::move(corners),
                         {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}},
                         "box");
}

Polyhedron prism(std::span<const Eigen::Vector2d> base, double half, const char* what) {
  const int n = int(base.size());
  std::vector<Vector> corners;
  for (const double z : {-half, half})
    for (const Eigen::Vector2d& p : base) corners.push_back({p.x(), p.y(), z});
  std::vector<std::vector<int>> faces(2);
  for (int k = 0; k < n; ++k) {
    faces[0].push_back(n - 1 - k);
    faces[1].push_back(n + k);
    faces.push_back({k, (k + 1) % n, n + (k + 1) % n, n + k});
  }
  return make_polyhedron(std::move(corners), faces, what);
}

}  // namespace stickslip::internal
