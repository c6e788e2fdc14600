#include "tests/dynamics/validation/arch_limit.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "tests/dynamics/validation/simplex.hpp"

namespace stickslip::validation {
namespace {

bool stands(int N, double thickness, double mu) {
  // At each joint and edge a force a (n + μ t) + b (n − μ t) with a, b ≥ 0 acts on the stone behind the joint; its negative on the one before.
  const double edge[2] = {1 - thickness / 2, 1 + thickness / 2};
  std::vector<std::vector<double>> A(std::size_t(3 * N), std::vector<double>(std::size_t(4 * (N + 1)), 0.0));
  std::vector<double> b(std::size_t(3 * N), 0.0);
  for (int k = 0; k < N; ++k) {
    std::array<std::array<double, 2>, 4> corner{};
    for (int side = 0; side < 2; ++side)
      for (int e = 0; e < 2; ++e)
        corner[std::size_t(2 * side + e)] = {edge[e] * std::cos(M_PI * (k + side) / N),
                                             edge[e] * std::sin(M_PI * (k + side) / N)};
    // Area and centroid of the quadrilateral inner, outer, outer, inner.
    const int around[4] = {0, 1, 3, 2};
    double area = 0, cx = 0;
    for (int i = 0; i < 4; ++i) {
      const auto &p = corner[std::size_t(around[i])], &q = corner[std::size_t(around[(i + 1) % 4])];
      const double c = p[0] * q[1] - q[0] * p[1];
      area += c / 2;
      cx += (p[0] + q[0]) * c / 6;
    }
    cx /= area;
    // Σ force = (0, W), Σ moment about the origin = cx W.
    b[std::size_t(3 * k + 1)] = std::abs(area) * N;
    b[std::size_t(3 * k + 2)] = cx * std::abs(area) * N;
  }
  for (int joint = 0; joint <= N; ++joint) {
    const double a = M_PI * joint / N, radial[2] = {std::cos(a), std::sin(a)},
                 along[2] = {-std::sin(a), std::cos(a)};
    for (int e = 0; e < 2; ++e)
      for (int sign = 0; sign < 2; ++sign) {
        const std::size_t column = std::size_t(4 * joint + 2 * e + sign);
        const double t = (sign == 0 ? mu : -mu);
        const double f[2] = {along[0] + t * radial[0], along[1] + t * radial[1]};
        const double p[2] = {edge[e] * radial[0], edge[e] * radial[1]};
        const double moment = p[0] * f[1] - p[1] * f[0];
        for (int which = 0; which < 2; ++which) {
          const int stone = which == 0 ? joint : joint - 1;  // the one behind the joint, and the one before
          if (stone < 0 || stone >= N) continue;
          const double s = which == 0 ? 1 : -1;
          A[std::size_t(3 * stone)][column] += s * f[0];
          A[std::size_t(3 * stone + 1)][column] += s * f[1];
          A[std::size_t(3 * stone + 2)][column] += s * moment;
        }
      }
  }
  return feasible(std::move(A), std::move(b));
}

}  // namespace

double arch_limit(int N, double friction) {
  double low = 0.05, high = 0.3;
  for (int i = 0; i < 24; ++i) (stands(N, (low + high) / 2, friction) ? high : low) = (low + high) / 2;
  return high;
}

}  // namespace stickslip::validation
