// Mass and inertia of blocks and balls.

#include "generate/scene.hpp"

namespace stickslip::internal {

const int block_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                               {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

Body make_block(const std::array<Vector3, 8>& corners) {
  // Each face is cut into two triangles; with an inner point they make twelve tetrahedra. Over one with the
  // vertices 0, a, b, c:  V = det(a, b, c)/6,  ∫x = V s/4,  ∫xxᵀ = V (aaᵀ + bbᵀ + ccᵀ + ssᵀ)/20,
  // s = a + b + c.
  Vector3 inner;
  for (const Vector3& p : corners) inner += 0.125 * p;
  double volume = 0;
  Vector3 first;
  Matrix3 second = {};
  for (const auto& face : block_faces)
    for (const int k : {1, 2}) {
      const Vector3 a = corners[std::size_t(face[0])] - inner, b = corners[std::size_t(face[k])] - inner,
                    c = corners[std::size_t(face[k + 1])] - inner, s = a + b + c;
      const double V = dot(a, cross(b, c)) / 6;
      volume += V;
      first += (V / 4) * s;
      for (const Vector3& x : {a, b, c, s}) {
        const auto v = numbers(x);
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j) second[i][j] += V / 20 * (v[i] * v[j]);
      }
    }
  const Vector3 offset = (1 / volume) * first;
  const auto o = numbers(offset);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) second[i][j] -= volume * (o[i] * o[j]);
  // J = tr(S) I − S with S = ∫xxᵀ about the centre of mass; density 1.
  const double trace = second[0][0] + second[1][1] + second[2][2];
  Body body;
  body.centre = inner + offset;
  body.mass = volume;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double J = (i == j ? trace : 0) - second[i][j];
      body.inertia[i][j] = std::abs(J) < 1e-14 * trace ? 0 : J;
    }
  body.corners.assign(corners.begin(), corners.end());
  return body;
}

Body make_box(Vector3 centre, Vector3 half, double turn) {
  std::array<Vector3, 8> corners;
  const double x[4] = {-1, 1, 1, -1}, y[4] = {-1, -1, 1, 1};
  for (std::size_t k = 0; k < 8; ++k)
    corners[k] = centre + turned({half.x * x[k % 4], half.y * y[k % 4], half.z * (k < 4 ? -1.0 : 1.0)}, turn);
  return make_block(corners);
}

Body make_ball(Vector3 centre, double radius, double density) {
  const double mass = density * 4 / 3 * M_PI * radius * radius * radius, J = 0.4 * mass * radius * radius;
  Body body;
  body.centre = centre;
  body.mass = mass;
  body.inertia = diagonal(J, J, J);
  body.radius = radius;
  return body;
}

Body make_ground(double low_x, double high_x, double low_y, double high_y) {
  const double depth = 0.02 * std::max(high_x - low_x, high_y - low_y);
  Body ground = make_box({(low_x + high_x) / 2, (low_y + high_y) / 2, -depth},
                         {(high_x - low_x) / 2, (high_y - low_y) / 2, depth});
  ground.fixed = true;
  return ground;
}

}  // namespace stickslip::internal
