// The Fischer–Burmeister function of the second-order cone, φ(x, y) = x + y − (x² + y²)^{1/2}, RR (76)–(78),
// with one element of its B-subdifferential. φ(x, y) = 0 ⇔ Q ∋ x ⊥ y ∈ Q.
#pragma once

#include <cmath>

#include "cone/vec.hpp"

namespace stickslip::internal {

template <int D>
struct FischerBurmeister {
  Vec<D> value;
  Mat<D> by_x, by_y;
};

/// With z = (x²+y²)^{1/2} and c = (x_N x_T + y_N y_T)/‖·‖, the spectral values of z are
///   a = ( ‖x_T − x_N c‖² + ‖y_T − y_N c‖² )^{1/2},  b = ( ‖x_T + x_N c‖² + ‖y_T + y_N c‖² )^{1/2},
/// free of the cancellation of RR (78), and φ_x = I − L_z⁻¹L_x, φ_y = I − L_z⁻¹L_y.
///
/// Kinks: x² + y² on the boundary of Q (a = 0; then x_T = x_N c, y_T = y_N c): the limit along x + ε(1, −c),
/// y + ε(1, −c), where L_z⁻¹L_x acts on (1, −c) as 1/√2. x = y = 0: the limit along x = y = εe,
/// φ_x = φ_y = (1 − 1/√2) I. Instantiated for D = 2 and 3.
template <int D>
FischerBurmeister<D> fischer_burmeister(const Vec<D>& x, const Vec<D>& y);

/// The scalar function x + y − (x² + y²)^{1/2}, without cancellation where x + y > 0.
struct ScalarFischerBurmeister {
  double value, by_x, by_y;
};
inline ScalarFischerBurmeister fischer_burmeister(double x, double y) {
  const double h = std::hypot(x, y);
  if (h == 0) return {0, 1 - std::sqrt(0.5), 1 - std::sqrt(0.5)};
  const double sum = x + y;
  // (x+y)² − h² = 2xy; x/h first, so that the product does not overflow.
  return {sum > 0 ? 2 * (x / (sum + h)) * y : sum - h, 1 - x / h, 1 - y / h};
}

}  // namespace stickslip::internal
