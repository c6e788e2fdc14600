// Boxes, cylinders and balls of hexahedra, and how hexahedra become tetrahedra.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "dynamics/elements/boundary.hpp"
#include "dynamics/elements/interpolation.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {

using namespace internal;

namespace {

constexpr int most_divisions = 1000;
constexpr double most_elements = 5e7;

void check_divisions(const char* what, std::initializer_list<int> divisions) {
  double elements = 1;
  for (int n : divisions) {
    if (n < 1 || n > most_divisions)
      throw InputError(
          fmt::format("{}: {} elements along an edge; it must be from 1 to {}", what, n, most_divisions));
    elements *= n;
  }
  if (elements > most_elements)
    throw InputError(fmt::format("{}: {:g} elements; at most {:g} are made", what, elements, most_elements));
}

void check_length(const char* what, const char* name, double x) {
  if (!(x > 0) || !std::isfinite(x))
    throw InputError(fmt::format("{}: {} is {}; it must be a finite number > 0", what, name, x));
}

/// Nodes that lie in one place are one.
class Builder {
 public:
  explicit Builder(double size) : unit_(1e-9 * size) { mesh.kind = ElementKind::h8; }
  ElementMesh mesh;

  int node(const Vector& x) {
    const std::array<long, 3> key = {std::lround(x[0] / unit_), std::lround(x[1] / unit_),
                                     std::lround(x[2] / unit_)};
    const auto [at, added] = known_.try_emplace(key, int(mesh.nodes.size()));
    if (added) mesh.nodes.push_back(point(x));
    return at->second;
  }

  /// A block of cells: `map` takes [0, 1]³ to space, right-handed.
  void block(int nx, int ny, int nz, const std::function<Vector(double, double, double)>& map) {
    std::vector<int> at(std::size_t((nx + 1) * (ny + 1) * (nz + 1)));
    const auto place = [&](int i, int j, int k) -> int& {
      return at[std::size_t((k * (ny + 1) + j) * (nx + 1) + i)];
    };
    for (int k = 0; k <= nz; ++k)
      for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i)
          place(i, j, k) = node(map(double(i) / nx, double(j) / ny, double(k) / nz));
    for (int k = 0; k < nz; ++k)
      for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i)
          for (const auto& d : {std::array{0, 0, 0},
                                {1, 0, 0},
                                {1, 1, 0},
                                {0, 1, 0},
                                {0, 0, 1},
                                {1, 0, 1},
                                {1, 1, 1},
                                {0, 1, 1}})
            mesh.elements.push_back(place(i + d[0], j + d[1], k + d[2]));
  }

 private:
  double unit_;
  std::map<std::array<long, 3>, int> known_;
};

/// Six tetrahedra a cell, round its diagonal: the cells of one block fit together.
ElementMesh six_tetrahedra(const ElementMesh& hexahedra) {
  static constexpr int split[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                      {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  ElementMesh mesh{.kind = ElementKind::t4, .nodes = hexahedra.nodes};
  for (std::size_t e = 0; e < hexahedra.elements.size(); e += 8)
    for (const auto& four : split)
      for (int k : four) mesh.elements.push_back(hexahedra.elements[e + std::size_t(k)]);
  return mesh;
}

/// A curved surface: which points lie on it, and the point of it that stands over one nearby.
struct Curved {
  std::function<bool(const Vector&)> holds;
  std::function<Vector(const Vector&)> over;

  Vector between(const Vector& a, const Vector& b) const {
    const Vector middle = 0.5 * (a + b);
    return holds(a) && holds(b) ? over(middle) : middle;
  }
};

/// Twenty-four tetrahedra a cell, through the middles of the cell and of its faces: any cells fit together.
ElementMesh many_tetrahedra(const ElementMesh& hexahedra, const Curved& curved) {
  ElementMesh mesh{.kind = ElementKind::t4, .nodes = hexahedra.nodes};
  std::map<std::array<int, 4>, int> middle;
  std::set<std::array<int, 4>> outer;
  for (const Facet& facet : boundary_of(hexahedra).facets) {
    std::array<int, 4> key = {facet.node[0], facet.node[1], facet.node[2], facet.node[3]};
    std::sort(key.begin(), key.end());
    outer.insert(key);
  }
  for (std::size_t e = 0; e < hexahedra.elements.size(); e += 8) {
    const int* at = &hexahedra.elements[e];
    Vector centre = Vector::Zero();
    for (int k = 0; k < 8; ++k) centre += vector(mesh.nodes[std::size_t(at[k])]) / 8;
    const int inner = int(mesh.nodes.size());
    mesh.nodes.push_back(point(centre));
    for (const auto& face : faces_of(ElementKind::h8)) {
      std::array<int, 4> key{};
      Vector x = Vector::Zero();
      bool on_surface = true;
      for (std::size_t c = 0; c < 4; ++c) {
        key[c] = at[face[c]];
        const Vector corner = vector(mesh.nodes[std::size_t(key[c])]);
        x += corner / 4;
        on_surface = on_surface && curved.holds(corner);
      }
      std::sort(key.begin(), key.end());
      const auto [found, added] = middle.try_emplace(key, int(mesh.nodes.size()));
      if (added) mesh.nodes.push_back(point(on_surface && outer.contains(key) ? curved.over(x) : x));
      for (std::size_t c = 0; c < 4; ++c)
        for (int node : {at[face[c]], at[face[(c + 1) % 4]], found->second, inner})
          mesh.elements.push_back(node);
    }
    // Corners anticlockwise from outside, then the inner point: turned to a positive volume.
    for (std::size_t k = mesh.elements.size() - 96; k < mesh.elements.size(); k += 4)
      std::swap(mesh.elements[k], mesh.elements[k + 1]);
  }
  return mesh;
}

/// Nodes between the corners, where `between` puts them.
ElementMesh quadratic(const ElementMesh& linear,
                      const std::function<Vector(const Vector&, const Vector&)>& between) {
  static constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  ElementMesh mesh{.kind = ElementKind::t10, .nodes = linear.nodes};
  std::map<std::pair<int, int>, int> middle;
  for (std::size_t e = 0; e < linear.elements.size(); e += 4) {
    const int* at = &linear.elements[e];
    mesh.elements.insert(mesh.elements.end(), at, at + 4);
    for (const auto& edge : edges) {
      const int a = std::min(at[edge[0]], at[edge[1]]), b = std::max(at[edge[0]], at[edge[1]]);
      const auto [found, added] = middle.try_emplace({a, b}, int(mesh.nodes.size()));
      if (added)
        mesh.nodes.push_back(
            point(between(vector(linear.nodes[std::size_t(a)]), vector(linear.nodes[std::size_t(b)]))));
      mesh.elements.push_back(found->second);
    }
  }
  return mesh;
}

Vector straight(const Vector& a, const Vector& b) { return 0.5 * (a + b); }

/// The direction in which a point of the cube [−1, 1]³ lies on the sphere, cells having nearly equal angles.
Vector direction(const Vector& q) {
  const double m = q.cwiseAbs().maxCoeff();
  if (m == 0) return Vector::Zero();
  return (q / m).unaryExpr([](double u) { return std::tan(u * M_PI / 4); }).normalized();
}

/// The middle part, half a cube and half a ball, of half the radius.
Vector core(const Vector& q) {
  return 0.5 * (0.5 * q / std::sqrt(2.0) + 0.5 * q.cwiseAbs().maxCoeff() * direction(q));
}

/// From the core's surface to the sphere.
Vector shell(const Vector& q, double t) { return (1 - t) * core(q) + t * direction(q); }

}  // namespace

ElementMesh block_mesh(const Point& size, const std::array<int, 3>& divisions, ElementKind kind) {
  for (double edge : size) check_length("box of elements", "an edge", edge);
  check_divisions("box of elements", {divisions[0], divisions[1], divisions[2]});
  Builder builder(*std::min_element(size.begin(), size.end()) /
                  *std::max_element(divisions.begin(), divisions.end()));
  builder.block(divisions[0], divisions[1], divisions[2], [&](double x, double y, double z) {
    return Vector((x - 0.5) * size[0], (y - 0.5) * size[1], (z - 0.5) * size[2]);
  });
  if (kind == ElementKind::h8) return builder.mesh;
  const ElementMesh linear = six_tetrahedra(builder.mesh);
  return kind == ElementKind::t4 ? linear : quadratic(linear, straight);
}

ElementMesh cylinder_mesh(double radius, double length, int across, int along, ElementKind kind) {
  check_length("cylinder of elements", "radius", radius);
  check_length("cylinder of elements", "length", length);
  check_divisions("cylinder of elements", {across, across, along});
  Builder builder(std::min(radius, length) / std::max(across, along));
  const auto flat = [](const Vector& q) {  // the section, as the ball with q_z = 0
    const double m = q.cwiseAbs().maxCoeff();
    const Vector round = m == 0 ? Vector(Vector::Zero()) : direction(q);
    return std::pair(Vector(0.5 * (0.5 * q / std::sqrt(2.0) + 0.5 * m * round)), round);
  };
  const auto height = [&](double z) { return (z - 0.5) * length; };
  builder.block(across, across, along, [&](double x, double y, double z) {
    const Vector p = radius * flat({2 * x - 1, 2 * y - 1, 0}).first;
    return Vector(p[0], p[1], height(z));
  });
  const int layers = std::max(1, across / 2);
  for (int side = 0; side < 4; ++side) {
    const Matrix turn = Eigen::AngleAxisd(side * M_PI / 2, Vector::UnitZ()).toRotationMatrix();
    builder.block(layers, across, along, [&](double t, double y, double z) {
      const auto [inner, outer] = flat(Vector(1, 2 * y - 1, 0));
      const Vector p = turn * (radius * ((1 - t) * inner + t * outer));
      return Vector(p[0], p[1], height(z));
    });
  }
  if (kind == ElementKind::h8) return builder.mesh;
  const Curved mantle{
      [&](const Vector& p) { return std::abs(std::hypot(p[0], p[1]) - radius) < 1e-9 * radius; },
      [&](const Vector& p) {
        const double share = radius / std::hypot(p[0], p[1]);
        return Vector(p[0] * share, p[1] * share, p[2]);
      }};
  ElementMesh linear = many_tetrahedra(builder.mesh, mantle);
  if (kind == ElementKind::t4) return linear;
  return quadratic(linear, [&](const Vector& a, const Vector& b) { return mantle.between(a, b); });
}

ElementMesh sphere_mesh(double radius, int across, ElementKind kind) {
  check_length("ball of elements", "radius", radius);
  check_divisions("ball of elements", {across, across, across});
  Builder builder(radius / across);
  builder.block(across, across, across, [&](double x, double y, double z) {
    return Vector(radius * core({2 * x - 1, 2 * y - 1, 2 * z - 1}));
  });
  const int layers = std::max(1, across / 2);
  for (int axis = 0; axis < 3; ++axis)
    for (int sign : {-1, 1})
      builder.block(across, across, layers, [&](double u, double v, double t) {
        // Right-handed whatever the side: the first coordinate runs backwards on the lower one.
        Vector q;
        q[axis] = sign;
        q[(axis + 1) % 3] = sign * (2 * u - 1);
        q[(axis + 2) % 3] = 2 * v - 1;
        return Vector(radius * shell(q, t));
      });
  if (kind == ElementKind::h8) return builder.mesh;
  const Curved sphere{[&](const Vector& p) { return std::abs(p.norm() - radius) < 1e-9 * radius; },
                      [&](const Vector& p) { return Vector(p * (radius / p.norm())); }};
  ElementMesh linear = many_tetrahedra(builder.mesh, sphere);
  if (kind == ElementKind::t4) return linear;
  return quadratic(linear, [&](const Vector& a, const Vector& b) { return sphere.between(a, b); });
}

}  // namespace stickslip
