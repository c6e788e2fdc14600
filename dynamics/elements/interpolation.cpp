#include "dynamics/elements/interpolation.hpp"

#include <Eigen/LU>
#include <cmath>

namespace stickslip {

int nodes_of(ElementKind kind) { return kind == ElementKind::t4 ? 4 : kind == ElementKind::t10 ? 10 : 8; }

std::string_view name_of(ElementKind kind) {
  return kind == ElementKind::t4 ? "t4" : kind == ElementKind::t10 ? "t10" : "h8";
}

namespace internal {
namespace {

/// Corners between which the nodes 4 … 9 of a t10 lie.
constexpr int between[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

std::vector<Vector> positions(ElementKind kind) {
  if (kind == ElementKind::h8)
    return {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
            {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  std::vector<Vector> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (kind == ElementKind::t10)
    for (const auto& pair : between) x.push_back(0.5 * (x[std::size_t(pair[0])] + x[std::size_t(pair[1])]));
  return x;
}

/// Gauss's points and weights on [−1, 1].
std::vector<std::array<double, 2>> gauss(int n) {
  if (n == 2) return {{-1 / std::sqrt(3.0), 1}, {1 / std::sqrt(3.0), 1}};
  const double far = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(1.2)),
               near = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(1.2));
  const double light = (18 - std::sqrt(30.0)) / 36, heavy = (18 + std::sqrt(30.0)) / 36;
  return {{-far, light}, {-near, heavy}, {near, heavy}, {far, light}};
}

std::vector<QuadraturePoint> cube_points(int n) {
  std::vector<QuadraturePoint> points;
  for (const auto& z : gauss(n))
    for (const auto& y : gauss(n))
      for (const auto& x : gauss(n)) points.push_back({{x[0], y[0], z[0]}, x[1] * y[1] * z[1], {}});
  return points;
}

/// The cube of 4³ points collapsed to the tetrahedron: exact to degree 5.
std::vector<QuadraturePoint> collapsed_points() {
  std::vector<QuadraturePoint> points;
  for (const QuadraturePoint& p : cube_points(4)) {
    const Vector c = 0.5 * (p.xi + Vector::Ones());
    const double rest = 1 - c[0];
    points.push_back(
        {{c[0], c[1] * rest, c[2] * rest * (1 - c[1])}, p.weight / 8 * rest * rest * (1 - c[1]), {}});
  }
  return points;
}

std::vector<QuadraturePoint> tetrahedron_points(int n) {
  if (n == 1) return {{Vector::Constant(0.25), 1.0 / 6, {}}};
  const double a = (5 - std::sqrt(5.0)) / 20, b = 1 - 3 * a;
  return {{{a, a, a}, 1.0 / 24, {}},
          {{b, a, a}, 1.0 / 24, {}},
          {{a, b, a}, 1.0 / 24, {}},
          {{a, a, b}, 1.0 / 24, {}}};
}

std::vector<QuadraturePoint> prepared(ElementKind kind, std::vector<QuadraturePoint> points) {
  for (QuadraturePoint& p : points) p.at = interpolate(kind, p.xi);
  return points;
}

}  // namespace

std::span<const Vector> node_positions(ElementKind kind) {
  static const std::vector<Vector> all[3] = {positions(ElementKind::t4), positions(ElementKind::t10),
                                             positions(ElementKind::h8)};
  return all[int(kind)];
}

Interpolation interpolate(ElementKind kind, const Vector& xi) {
  Interpolation at;
  if (kind == ElementKind::h8) {
    const auto corners = node_positions(kind);
    for (std::size_t a = 0; a < 8; ++a) {
      const Vector f = Vector::Ones() + corners[a].cwiseProduct(xi);
      at.N[a] = f.prod() / 8;
      for (int i = 0; i < 3; ++i) at.slope[a][i] = corners[a][i] * f[(i + 1) % 3] * f[(i + 2) % 3] / 8;
    }
    return at;
  }
  const double l[4] = {1 - xi.sum(), xi[0], xi[1], xi[2]};
  const Vector d[4] = {-Vector::Ones(), Vector::UnitX(), Vector::UnitY(), Vector::UnitZ()};
  for (std::size_t a = 0; a < 4; ++a) {
    const bool linear = kind == ElementKind::t4;
    at.N[a] = linear ? l[a] : l[a] * (2 * l[a] - 1);
    at.slope[a] = linear ? d[a] : Vector((4 * l[a] - 1) * d[a]);
  }
  if (kind == ElementKind::t10)
    for (std::size_t k = 0; k < 6; ++k) {
      const int i = between[k][0], j = between[k][1];
      at.N[4 + k] = 4 * l[i] * l[j];
      at.slope[4 + k] = 4 * (l[i] * d[j] + l[j] * d[i]);
    }
  return at;
}

std::span<const QuadraturePoint> stiffness_points(ElementKind kind) {
  static const std::vector<QuadraturePoint> all[3] = {prepared(ElementKind::t4, tetrahedron_points(1)),
                                                      prepared(ElementKind::t10, tetrahedron_points(4)),
                                                      prepared(ElementKind::h8, cube_points(2))};
  return all[int(kind)];
}

std::span<const QuadraturePoint> mass_points(ElementKind kind) {
  static const std::vector<QuadraturePoint> all[3] = {prepared(ElementKind::t4, tetrahedron_points(4)),
                                                      prepared(ElementKind::t10, collapsed_points()),
                                                      prepared(ElementKind::h8, cube_points(2))};
  return all[int(kind)];
}

Gradients gradients(ElementKind kind, std::span<const Vector> x, const Interpolation& at) {
  Gradients g;
  const std::size_t n = std::size_t(nodes_of(kind));
  Matrix J = Matrix::Zero();
  for (std::size_t a = 0; a < n; ++a) J += x[a] * at.slope[a].transpose();
  g.det = J.determinant();
  const Matrix inverse = J.inverse().transpose();
  for (std::size_t a = 0; a < n; ++a) g.slope[a] = inverse * at.slope[a];
  return g;
}

std::span<const std::vector<int>> faces_of(ElementKind kind) {
  static const std::vector<std::vector<int>> all[3] = {
      {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
      {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}},
      {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
  return all[int(kind)];
}

void face_interpolation(int nodes, double s, double t, double* N, double* by_s, double* by_t) {
  if (nodes == 4) {
    constexpr double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int a = 0; a < 4; ++a) {
      const double fs = 1 + corner[a][0] * s, ft = 1 + corner[a][1] * t;
      N[a] = 0.25 * fs * ft;
      by_s[a] = 0.25 * corner[a][0] * ft;
      by_t[a] = 0.25 * corner[a][1] * fs;
    }
    return;
  }
  const double l[3] = {1 - s - t, s, t}, ds[3] = {-1, 1, 0}, dt[3] = {-1, 0, 1};
  for (int a = 0; a < 3; ++a) {
    N[a] = nodes == 3 ? l[a] : l[a] * (2 * l[a] - 1);
    by_s[a] = nodes == 3 ? ds[a] : (4 * l[a] - 1) * ds[a];
    by_t[a] = nodes == 3 ? dt[a] : (4 * l[a] - 1) * dt[a];
  }
  if (nodes == 6)
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3;
      N[3 + a] = 4 * l[a] * l[b];
      by_s[3 + a] = 4 * (ds[a] * l[b] + l[a] * ds[b]);
      by_t[3 + a] = 4 * (dt[a] * l[b] + l[a] * dt[b]);
    }
}

void face_interpolation(int nodes, double s, double t, double* N) {
  double by_s[6], by_t[6];
  face_interpolation(nodes, s, t, N, by_s, by_t);
}

}  // namespace internal
}  // namespace stickslip
