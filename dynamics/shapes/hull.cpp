// Points in special position (a brick has six planes of four) are moved apart by a tiny random amount before the hull is
// taken, so that its triangles are well defined; then triangles that lie in one plane are put together, with the points
// where they were given.
#include "dynamics/shapes/hull.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <unordered_map>

#include "base/random.hpp"
#include "dynamics/shapes/orientation.hpp"
#include "dynamics/shapes/quickhull.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// The points without those that lie within `reach` of one before.
std::vector<Vector> distinct(std::span<const Point> points, double reach, const Vector& low) {
  std::vector<Vector> kept;
  std::unordered_multimap<std::uint64_t, int> cells;
  const auto cell_key = [](std::int64_t i, std::int64_t j, std::int64_t k) {
    return std::uint64_t(i) * 0x9e3779b97f4a7c15u ^ std::uint64_t(j) * 0xc2b2ae3d27d4eb4fu ^
           std::uint64_t(k) * 0x165667b19e3779f9u;
  };
  for (const Point& p : points) {
    const Vector x = vector(p), scaled = (x - low) / reach;
    const std::int64_t cell[3] = {std::int64_t(scaled[0]), std::int64_t(scaled[1]), std::int64_t(scaled[2])};
    bool repeated = false;
    for (int n = 0; n < 27 && !repeated; ++n) {
      const auto range =
          cells.equal_range(cell_key(cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1));
      for (auto entry = range.first; entry != range.second; ++entry)
        repeated = repeated || (kept[entry->second] - x).norm() < reach;
    }
    if (repeated) continue;
    cells.emplace(cell_key(cell[0], cell[1], cell[2]), int(kept.size()));
    kept.push_back(x);
  }
  return kept;
}

/// Four points far apart: two on the longest axis, the one farthest from their line, and the one farthest
/// from the plane of the three, on its lower side. The height of the last is returned in `height`.
std::array<int, 4> far_apart(std::span<const Vector> x, double& height) {
  const int n = int(x.size());
  const auto farthest = [n](auto&& distance) {
    int best = 0;
    double most = -1;
    for (int k = 0; k < n; ++k)
      if (const double d = distance(k); d > most) most = d, best = k;
    return best;
  };
  std::array<int, 4> first;
  first[0] = farthest([&](int k) { return (x[k] - x[0]).norm(); });
  first[1] = farthest([&](int k) { return (x[k] - x[first[0]]).norm(); });
  const Vector line = (x[first[1]] - x[first[0]]).normalized();
  first[2] = farthest([&](int k) { return line.cross(x[k] - x[first[0]]).norm(); });
  const Vector normal = line.cross(x[first[2]] - x[first[0]]).normalized();
  first[3] = farthest([&](int k) { return std::abs(normal.dot(x[k] - x[first[0]])); });
  height = std::abs(normal.dot(x[first[3]] - x[first[0]]));
  if (orientation(x[first[0]], x[first[1]], x[first[2]], x[first[3]]) > 0) std::swap(first[1], first[2]);
  return first;
}

/// The number of its face for each triangle. A face grows from its largest triangle over neighbours whose corners lie
/// within `slack` of that triangle's plane; slivers go to whom they lie next to.
std::vector<int> group_by_plane(std::span<const Vector> x, const std::vector<HullTriangle>& triangles,
                                double slack) {
  const int count = int(triangles.size());
  std::vector<Vector> area(count);
  for (int t = 0; t < count; ++t) area[t] = area_vector(x, triangles[t].corner);
  std::vector<int> order(count), face(count, -1);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int s, int t) { return area[s].norm() > area[t].norm(); });
  int faces = 0;
  for (const int seed : order) {
    if (face[seed] >= 0) continue;
    const Vector normal = area[seed].normalized(), &origin = x[triangles[seed].corner[0]];
    std::vector<int> grown = {seed};
    face[seed] = faces;
    for (std::size_t next = 0; next < grown.size(); ++next)
      for (const int other : triangles[grown[next]].neighbour) {
        if (face[other] >= 0 || normal.dot(area[other]) < -slack * slack) continue;
        const auto& c = triangles[other].corner;
        if (std::all_of(c.begin(), c.end(),
                        [&](int k) { return std::abs(normal.dot(x[k] - origin)) <= slack; })) {
          face[other] = faces;
          grown.push_back(other);
        }
      }
    ++faces;
  }
  return face;
}

/// The loops of the groups, over corners where at least three of them meet.
std::vector<std::vector<int>> loops(const std::vector<HullTriangle>& triangles, const std::vector<int>& face,
                                    int points) {
  const int faces = *std::max_element(face.begin(), face.end()) + 1;
  std::vector<std::vector<int>> faces_at(points);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const int c : triangles[t].corner)
      if (std::find(faces_at[c].begin(), faces_at[c].end(), face[t]) == faces_at[c].end())
        faces_at[c].push_back(face[t]);

  // Sides between two groups, by group and first corner; the group lies to their left.
  std::vector<std::unordered_map<int, int>> side(faces);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      if (face[triangles[t].neighbour[k]] != face[t])
        side[face[t]][triangles[t].corner[k]] = triangles[t].corner[(k + 1) % 3];

  std::vector<std::vector<int>> found;
  for (const auto& next : side) {
    if (next.empty()) continue;
    int start = next.begin()->first;
    for (const auto& entry : next) start = std::min(start, entry.first);
    std::vector<int> loop;
    int here = start;
    do {
      if (faces_at[here].size() >= 3) loop.push_back(here);
      const auto after = next.find(here);
      if (after == next.end()) break;
      here = after->second;
    } while (here != start && loop.size() <= next.size());
    if (loop.size() >= 3) found.push_back(loop);
  }
  return found;
}

/// Keeps the corners that loops name, in the order of the points.
Polyhedron whole_faces(const std::vector<Vector>& x, std::vector<std::vector<int>> faces, const char* what) {
  std::vector<int> number(x.size(), -1);
  for (const auto& loop : faces)
    for (const int c : loop) number[c] = 0;
  std::vector<Vector> corners;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (number[k] == 0) {
      number[k] = int(corners.size());
      corners.push_back(x[k]);
    }
  for (auto& loop : faces)
    for (int& c : loop) c = number[c];
  return make_polyhedron(std::move(corners), faces, what);
}

}  // namespace

Polyhedron convex_hull(std::span<const Point> points, const char* what) {
  if (points.size() < 4)
    throw InputError(std::string(what) + ": " + std::to_string(points.size()) +
                     " points, at least 4 are needed");
  Vector low = vector(points[0]), high = low;
  for (const Point& p : points) {
    low = low.cwiseMin(vector(p));
    high = high.cwiseMax(vector(p));
  }
  const double size = (high - low).norm();
  const std::string flat = std::string(what) + ": the points have no volume, all lie in one plane";
  if (!(size > 0)) throw InputError(flat);
  const std::vector<Vector> x = distinct(points, hull_same_point * size, low);
  if (x.size() < 4) throw InputError(flat);

  // Where four points lie in one plane the hull is not unique: moved by less than hull_same_point no four do.
  Random random(1);
  std::vector<Vector> apart = x;
  for (Vector& p : apart)
    for (double& coordinate : p) coordinate += 0.01 * hull_same_point * size * random.uniform(-1, 1);
  double height = 0;
  const std::array<int, 4> first = far_apart(apart, height);
  if (height < 10 * hull_same_plane * size) throw InputError(flat);

  // Triangles that lie in one plane but for hull_same_plane; where their faces do not close, with less slack.
  const std::vector<HullTriangle> triangles = quickhull(apart, first);
  for (double slack = hull_same_plane;; slack *= 0.01) {
    const std::vector<int> face = group_by_plane(x, triangles, slack * size);
    try {
      return whole_faces(x, loops(triangles, face, int(x.size())), what);
    } catch (const InputError&) {
      if (slack < 1e-13) throw;
    }
  }
}

}  // namespace stickslip::internal
