// Vectors and matrices that are symmetric about one tangent direction e: nearly every matrix of the cone is
// of this kind (projections, arrow matrices, scalings), so that it is given by four numbers.
#pragma once

#include <cmath>

#include "cone/vec.hpp"

namespace stickslip::internal {

/// x_T/‖x_T‖, and the first tangent axis where x_T = 0: a unit vector always. Does not underflow.
template <int D>
inline Vec<D - 1> unit_tangent(const Vec<D>& x) {
  Vec<D - 1> e{};
  double largest = 0;
  for (int i = 1; i < D; ++i) largest = std::fmax(largest, std::abs(x[i]));
  // An infinite tangent has no direction to keep; NaN stays NaN in x's own components and is not hidden here.
  if (!(largest > 0) || std::isinf(largest)) {
    e[0] = 1;
    return e;
  }
  double sum = 0;
  for (int i = 1; i < D; ++i) {
    e[i - 1] = x[i] / largest;
    sum += e[i - 1] * e[i - 1];
  }
  const double scale = 1 / std::sqrt(sum);
  for (double& component : e) component *= scale;
  return e;
}

/// (normal, along·e).
template <int D>
inline Vec<D> axial_vector(double normal, double along, const Vec<D - 1>& e) {
  Vec<D> x;
  x[0] = normal;
  for (int i = 1; i < D; ++i) x[i] = along * e[i - 1];
  return x;
}

/// [ nn     nt eᵀ                          ]
/// [ nt e   along e eᵀ + across (I − e eᵀ) ]   symmetric; e is a unit vector. `across` has no effect for D = 2.
template <int D>
inline Mat<D> axial_matrix(double nn, double nt, double along, double across, const Vec<D - 1>& e) {
  Mat<D> m;
  m[0] = nn;
  for (int i = 1; i < D; ++i) m[i] = m[D * i] = nt * e[i - 1];
  if constexpr (D == 2) {
    m[3] = along;
  } else {
    const double s = e[1], c = e[0];
    m[4] = along * c * c + across * s * s;
    m[8] = along * s * s + across * c * c;
    m[5] = m[7] = (along - across) * c * s;
  }
  return m;
}

}  // namespace stickslip::internal
