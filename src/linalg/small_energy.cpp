#include "linalg/small_energy.hpp"

#include <cmath>

namespace stickslip::internal {
namespace {

/// By elimination, the normal first; small pivots are left out.
double by_elimination(const double* A, int d, const double* x) {
  double m[3][4] = {}, y[3] = {}, trace = 0, energy = 0;
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) m[i][j] = A[i + d * j];
    m[i][3] = x[i];
    trace += A[i * (d + 1)];
  }
  for (int k = 0; k < d; ++k) {
    if (!(m[k][k] > 1e-14 * trace)) continue;
    for (int i = k + 1; i < d; ++i) {
      const double factor = m[i][k] / m[k][k];
      for (int j = k; j < d; ++j) m[i][j] -= factor * m[k][j];
      m[i][3] -= factor * m[k][3];
    }
  }
  for (int k = d - 1; k >= 0; --k) {
    if (!(m[k][k] > 1e-14 * trace)) continue;
    double sum = m[k][3];
    for (int j = k + 1; j < d; ++j) sum -= m[k][j] * y[j];
    y[k] = sum / m[k][k];
    energy += y[k] * x[k];
  }
  return energy;
}

}  // namespace

double inverse_energy(const double* A, int d, const double* x) {
  if (d == 2) {
    const double det = A[0] * A[3] - A[1] * A[2];
    if (det > 1e-8 * A[0] * A[0] && det > 1e-8 * A[3] * A[3])
      return (x[0] * (A[3] * x[0] - A[2] * x[1]) + x[1] * (A[0] * x[1] - A[1] * x[0])) / det;
    return by_elimination(A, d, x);
  }
  // Cramer's rule with the cofactors of the columns; well conditioned blocks only.
  const double c0[3] = {A[4] * A[8] - A[5] * A[7], A[5] * A[6] - A[3] * A[8], A[3] * A[7] - A[4] * A[6]};
  const double c1[3] = {A[7] * A[2] - A[8] * A[1], A[8] * A[0] - A[6] * A[2], A[6] * A[1] - A[7] * A[0]};
  const double c2[3] = {A[1] * A[5] - A[2] * A[4], A[2] * A[3] - A[0] * A[5], A[0] * A[4] - A[1] * A[3]};
  const double det = A[0] * c0[0] + A[1] * c0[1] + A[2] * c0[2], mean = (A[0] + A[4] + A[8]) / 3;
  if (!(det > 1e-6 * mean * mean * mean)) return by_elimination(A, d, x);
  double energy = 0;
  for (int i = 0; i < 3; ++i) energy += x[i] * (c0[i] * x[0] + c1[i] * x[1] + c2[i] * x[2]);
  return energy / det;
}

}  // namespace stickslip::internal
