#include "dynamics/shapes/quickhull.hpp"

#include <unordered_map>

#include "dynamics/shapes/orientation.hpp"

namespace stickslip::internal {
namespace {

class Builder {
 public:
  Builder(std::span<const Vector> points, const std::array<int, 4>& first) : points_(points) {
    const auto [a, b, c, d] = first;
    triangles_ = {
        {{a, b, c}, {3, 2, 1}}, {{a, c, d}, {0, 2, 3}}, {{d, c, b}, {1, 0, 3}}, {{a, d, b}, {1, 2, 0}}};
    outside_.resize(4);
    gone_.assign(4, 0);
    for (int p = 0; p < int(points_.size()); ++p)
      if (p != a && p != b && p != c && p != d) assign(p, {0, 1, 2, 3});
  }

  void run() {
    for (int t = 0; t < int(triangles_.size()); ++t)
      if (!gone_[t] && !outside_[t].empty()) extend(t);
  }

  std::vector<HullTriangle> result() const {
    std::vector<int> number(triangles_.size(), -1);
    int count = 0;
    for (int t = 0; t < int(triangles_.size()); ++t)
      if (!gone_[t]) number[t] = count++;
    std::vector<HullTriangle> left;
    for (int t = 0; t < int(triangles_.size()); ++t)
      if (!gone_[t]) {
        left.push_back(triangles_[t]);
        for (int& n : left.back().neighbour) n = number[n];
      }
    return left;
  }

 private:
  bool sees(int p, int t) const {
    const auto& c = triangles_[t].corner;
    return orientation(points_[c[0]], points_[c[1]], points_[c[2]], points_[p]) > 0;
  }

  double height(int p, int t) const {
    const auto& c = triangles_[t].corner;
    const Vector& o = points_[c[0]];
    return (points_[c[1]] - o).cross(points_[c[2]] - o).normalized().dot(points_[p] - o);
  }

  /// Puts p on the list of one of the triangles that it sees; a point that sees none is inside.
  void assign(int p, const std::vector<int>& triangles) {
    for (const int t : triangles)
      if (sees(p, t)) {
        outside_[t].push_back(p);
        return;
      }
  }

  /// Replaces the triangles that the farthest point outside of t sees by the cone from their rim to it.
  void extend(int t) {
    int apex = outside_[t][0];
    double farthest = -1;
    for (const int p : outside_[t])
      if (const double h = height(p, t); h > farthest) farthest = h, apex = p;

    std::vector<int> seen = {t};
    struct Side {
      int triangle, k;  // a triangle that stays, across side k of one that goes
      int from, to;
    };
    std::vector<Side> rim;
    gone_[t] = 1;
    for (std::size_t next = 0; next < seen.size(); ++next) {
      const HullTriangle here = triangles_[seen[next]];
      for (int k = 0; k < 3; ++k) {
        const int other = here.neighbour[k];
        if (gone_[other]) continue;
        if (sees(apex, other)) {
          gone_[other] = 1;
          seen.push_back(other);
        }
      }
    }
    for (const int s : seen)
      for (int k = 0; k < 3; ++k) {
        const HullTriangle& here = triangles_[s];
        if (!gone_[here.neighbour[k]])
          rim.push_back({here.neighbour[k], s, here.corner[k], here.corner[(k + 1) % 3]});
      }

    std::unordered_map<int, int> starts_at;  // new triangle by the first corner of its rim side
    std::vector<int> fresh;
    for (const Side& side : rim) {
      const int made = int(triangles_.size());
      triangles_.push_back({{side.from, side.to, apex}, {side.triangle, -1, -1}});
      outside_.emplace_back();
      gone_.push_back(0);
      starts_at[side.from] = made;
      fresh.push_back(made);
      HullTriangle& across = triangles_[side.triangle];
      for (int k = 0; k < 3; ++k)
        if (across.corner[k] == side.to && across.corner[(k + 1) % 3] == side.from)
          across.neighbour[k] = made;
    }
    for (const int made : fresh) {
      const int after = starts_at.at(triangles_[made].corner[1]);
      triangles_[made].neighbour[1] = after;
      triangles_[after].neighbour[2] = made;
    }
    for (const int s : seen) {
      for (const int p : outside_[s])
        if (p != apex) assign(p, fresh);
      outside_[s] = {};
    }
  }

  std::span<const Vector> points_;
  std::vector<HullTriangle> triangles_;
  std::vector<std::vector<int>> outside_;
  std::vector<char> gone_;
};

}  // namespace

std::vector<HullTriangle> quickhull(std::span<const Vector> points, const std::array<int, 4>& first) {
  Builder builder(points, first);
  builder.run();
  return builder.result();
}

}  // namespace stickslip::internal
