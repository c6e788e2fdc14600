#include "dynamics/shapes/mesh_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace stickslip::internal {
namespace {

constexpr double flat_angle = 1e-6;  // rad: what counts as one plane

using Side = MeshSurface::Side;

void find_neighbours(MeshSurface& mesh) {
  // Where more than two triangles meet in a side, or two run along it the same way, they stay apart.
  std::map<std::pair<int, int>, std::vector<std::pair<int, int>>> sides;
  for (int t = 0; t < int(mesh.triangles.size()); ++t)
    for (int k = 0; k < 3; ++k)
      sides[{mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]}].push_back({t, k});
  mesh.neighbour.assign(mesh.triangles.size(), {-1, -1, -1});
  mesh.side.assign(mesh.triangles.size(), {Side::border, Side::border, Side::border});
  for (const auto& [ends, users] : sides) {
    if (ends.first > ends.second || users.size() != 1) continue;
    const auto opposite = sides.find({ends.second, ends.first});
    if (opposite == sides.end() || opposite->second.size() != 1) continue;
    const auto [s, i] = users[0];
    const auto [t, j] = opposite->second[0];
    // The angle by which the surface turns at the side: positive where it turns away from the free side.
    const Vector along = (mesh.vertices[ends.second] - mesh.vertices[ends.first]).normalized();
    const double turn =
        std::atan2(mesh.normals[s].cross(mesh.normals[t]).dot(along), mesh.normals[s].dot(mesh.normals[t]));
    const Side kind = std::abs(turn) <= flat_angle ? Side::flat : turn > 0 ? Side::convex : Side::concave;
    mesh.neighbour[s][i] = t;
    mesh.neighbour[t][j] = s;
    mesh.side[s][i] = mesh.side[t][j] = kind;
  }
}

void find_patches(MeshSurface& mesh) {
  mesh.patch.assign(mesh.triangles.size(), -1);
  std::vector<int> stack;
  for (int first = 0; first < int(mesh.triangles.size()); ++first) {
    if (mesh.patch[first] >= 0) continue;
    mesh.patch[first] = first;
    stack.push_back(first);
    while (!stack.empty()) {
      const int t = stack.back();
      stack.pop_back();
      for (int k = 0; k < 3; ++k) {
        const int other = mesh.neighbour[t][k];
        // Small turns must not add up to a curved patch.
        if (mesh.side[t][k] != Side::flat || mesh.patch[other] >= 0 ||
            mesh.normals[other].dot(mesh.normals[first]) < 1 - flat_angle * flat_angle)
          continue;
        mesh.patch[other] = first;
        stack.push_back(other);
      }
    }
  }
}

void find_rings(MeshSurface& mesh) {
  mesh.inner_vertex.assign(mesh.vertices.size(), 1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      if (mesh.side[t][k] != Side::flat)
        mesh.inner_vertex[mesh.triangles[t][k]] = mesh.inner_vertex[mesh.triangles[t][(k + 1) % 3]] = 0;
  std::vector<std::vector<int>> ring(mesh.vertices.size());
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      for (const int other : {t[(k + 1) % 3], t[(k + 2) % 3]})
        if (std::find(ring[t[k]].begin(), ring[t[k]].end(), other) == ring[t[k]].end())
          ring[t[k]].push_back(other);
  mesh.ring_start.push_back(0);
  for (const auto& r : ring) {
    mesh.ring.insert(mesh.ring.end(), r.begin(), r.end());
    mesh.ring_start.push_back(int(mesh.ring.size()));
  }
}

class TreeBuilder {
 public:
  explicit TreeBuilder(MeshSurface& mesh) : mesh_(mesh) {
    for (const auto& t : mesh.triangles) {
      const Vector &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
      low_.push_back(a.cwiseMin(b).cwiseMin(c));
      high_.push_back(a.cwiseMax(b).cwiseMax(c));
    }
    mesh.leaf_triangles.resize(mesh.triangles.size());
    std::iota(mesh.leaf_triangles.begin(), mesh.leaf_triangles.end(), 0);
    if (!mesh.triangles.empty()) build(0, int(mesh.triangles.size()));
  }

 private:
  /// Halves the triangles by their middles along the longest side of the bounds: the depth is log₂ n.
  void build(int first, int last) {
    const int node = int(mesh_.nodes.size());
    mesh_.nodes.emplace_back();
    Vector low = low_[mesh_.leaf_triangles[first]], high = high_[mesh_.leaf_triangles[first]];
    for (int k = first; k < last; ++k) {
      low = low.cwiseMin(low_[mesh_.leaf_triangles[k]]);
      high = high.cwiseMax(high_[mesh_.leaf_triangles[k]]);
    }
    mesh_.nodes[node].low = low;
    mesh_.nodes[node].high = high;
    if (last - first <= 4) {
      mesh_.nodes[node].first = first;
      mesh_.nodes[node].count = last - first;
      return;
    }
    int axis = 0;
    (high - low).maxCoeff(&axis);
    const int middle = (first + last) / 2;
    const auto begin = mesh_.leaf_triangles.begin();
    std::nth_element(begin + first, begin + middle, begin + last, [&](int s, int t) {
      const double at_s = low_[s][axis] + high_[s][axis], at_t = low_[t][axis] + high_[t][axis];
      return at_s != at_t ? at_s < at_t : s < t;
    });
    build(first, middle);
    mesh_.nodes[node].next = int(mesh_.nodes.size());
    build(middle, last);
  }

  MeshSurface& mesh_;
  std::vector<Vector> low_, high_;
};

}  // namespace

void MeshSurface::query(const Vector& low, const Vector& high, std::vector<int>& found) const {
  found.clear();
  if (nodes.empty()) return;
  int stack[64], depth = 0;  // 64 halvings hold any number of triangles
  stack[depth++] = 0;
  while (depth > 0) {
    const int at = stack[--depth];
    const Node& node = nodes[at];
    if ((node.low.array() > high.array()).any() || (node.high.array() < low.array()).any()) continue;
    if (node.count == 0) {
      stack[depth++] = node.next;
      stack[depth++] = at + 1;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k) {
      const auto& t = triangles[leaf_triangles[k]];
      const Vector &a = vertices[t[0]], &b = vertices[t[1]], &c = vertices[t[2]];
      if ((a.cwiseMin(b).cwiseMin(c).array() <= high.array()).all() &&
          (a.cwiseMax(b).cwiseMax(c).array() >= low.array()).all())
        found.push_back(leaf_triangles[k]);
    }
  }
  std::sort(found.begin(), found.end());
}

bool has_area(const Point& a, const Point& b, const Point& c) {
  const Vector p = vector(b) - vector(a), q = vector(c) - vector(a);
  const double longest2 = std::max({p.squaredNorm(), q.squaredNorm(), (q - p).squaredNorm()});
  return p.cross(q).norm() > 1e-12 * longest2;
}

MeshSurface make_mesh_surface(const Mesh& mesh) {
  MeshSurface surface;
  // Many files give each face vertices of its own: those at one place are one. −0 and 0 are one place.
  std::map<Point, int> places;
  std::vector<int> vertex;
  for (const Point& p : mesh.vertices) {
    const int number = int(surface.vertices.size());
    vertex.push_back(places.try_emplace({p[0] + 0.0, p[1] + 0.0, p[2] + 0.0}, number).first->second);
    surface.vertices.push_back(vector(p));
  }
  for (std::array<int, 3> t : mesh.triangles) {
    for (int& v : t) v = vertex[std::size_t(v)];
    if (!has_area(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]])) continue;
    const Vector& a = surface.vertices[t[0]];
    const Vector normal = (surface.vertices[t[1]] - a).cross(surface.vertices[t[2]] - a);
    surface.triangles.push_back(t);
    surface.normals.push_back(normal.normalized());
  }
  find_neighbours(surface);
  find_patches(surface);
  find_rings(surface);
  TreeBuilder build(surface);
  return surface;
}

}  // namespace stickslip::internal
