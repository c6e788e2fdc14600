#include "tests/dynamics/validation/simplex.hpp"

#include <cstddef>

namespace stickslip::validation {

bool feasible(std::vector<std::vector<double>> A, std::vector<double> b) {
  const std::size_t m = b.size(), n = A[0].size();
  for (std::size_t i = 0; i < m; ++i)
    if (b[i] < 0) {
      b[i] = -b[i];
      for (double& x : A[i]) x = -x;
    }
  std::vector<std::size_t> basis(m);
  for (std::size_t i = 0; i < m; ++i) basis[i] = n + i;  // artificial
  std::vector<double> cost(n, 0.0);
  double value = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) cost[j] -= A[i][j];
    value += b[i];
  }
  for (int round = 0; round < 200000; ++round) {
    std::size_t enter = n;
    double steepest = -1e-12;
    for (std::size_t j = 0; j < n; ++j)
      if (cost[j] < (round < 2000 ? steepest : -1e-12)) {
        enter = j;
        steepest = cost[j];
        if (round >= 2000) break;  // Bland's rule, against cycles
      }
    if (enter == n) break;
    std::size_t leave = m;
    double best = 0;
    for (std::size_t i = 0; i < m; ++i)
      if (A[i][enter] > 1e-12) {
        const double ratio = b[i] / A[i][enter];
        if (leave == m || ratio < best || (ratio == best && basis[i] < basis[leave])) {
          leave = i;
          best = ratio;
        }
      }
    if (leave == m) return true;
    const double pivot = A[leave][enter];
    for (double& x : A[leave]) x /= pivot;
    b[leave] /= pivot;
    for (std::size_t i = 0; i < m; ++i)
      if (i != leave && A[i][enter] != 0) {
        const double factor = A[i][enter];
        for (std::size_t j = 0; j < n; ++j) A[i][j] -= factor * A[leave][j];
        b[i] -= factor * b[leave];
      }
    const double factor = cost[enter];
    for (std::size_t j = 0; j < n; ++j) cost[j] -= factor * A[leave][j];
    value += factor * b[leave];
    basis[leave] = enter;
  }
  return value < 1e-9;
}

}  // namespace stickslip::validation
