// The Nesterov–Todd scaling of a pair inside the second-order cone Q, for interior-point methods.
#pragma once

#include <cmath>

#include "cone/vec.hpp"

namespace stickslip::internal {

/// F = Q_p is the one quadratic representation with F x = y, p ∈ int Q: symmetric, positive definite, and
/// maps Q onto itself. With x̄ = x/√det x, ȳ = y/√det y, J = diag(1, −1, −1), η = √(det y/det x):
///   p̄ = (ȳ + J x̄)/√(2(1 + x̄ᵀȳ)),  F = η (2p̄p̄ᵀ − J),  F^{1/2} = √η [ p̄_N  p̄_Tᵀ ; p̄_T  I + p̄_T p̄_Tᵀ/(1+p̄_N) ],
/// inverses by p̄_T → −p̄_T and η → 1/η. The scaled point is F^{1/2}x = F^{−1/2}y.
template <int D>
struct NesterovTodd {
  Vec<D> point;  ///< p = √η p̄
  Mat<D> F, F_inverse, F_root, F_root_inverse;
};

/// Precondition: x and y inside Q. Instantiated for D = 2 and 3.
template <int D>
NesterovTodd<D> nesterov_todd(const Vec<D>& x, const Vec<D>& y);

/// The same scaling as four numbers, applied along its eigenvectors (1, ±e) and across, so that the three
/// parts of a vector do not spoil each other where the eigenvalues η(n+t)², η, η(n−t)² lie far apart (x or y
/// near the boundary of Q). det x, det y and xᵀy are given because x_N − ‖x_T‖ of the rounded x has no digits
/// left there.
template <int D>
struct NesterovToddAxis {
  double eta, stretch;  ///< η and n + t = 1/(n − t)
  Vec<D - 1> e;

  /// F^{power/2} z for power = 1, −1, 2.
  Vec<D> apply(int power, const Vec<D>& z) const {
    double b = 0;
    for (int i = 1; i < D; ++i) b += e[i - 1] * z[i];
    double along = stretch, size = std::sqrt(eta);
    if (power == 2) along *= along, size = eta;
    if (power == -1) along = 1 / along, size = 1 / size;
    const double plus = (z[0] + b) * along, minus = (z[0] - b) / along;
    Vec<D> out;
    out[0] = size * 0.5 * (plus + minus);
    for (int i = 1; i < D; ++i) out[i] = size * (0.5 * (plus - minus) * e[i - 1] + (z[i] - b * e[i - 1]));
    return out;
  }
};
template <int D>
NesterovToddAxis<D> nesterov_todd_axis(const Vec<D>& x, const Vec<D>& y, double det_x, double det_y,
                                       double xy);

}  // namespace stickslip::internal
