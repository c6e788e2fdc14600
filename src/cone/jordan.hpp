// The Jordan algebra of the second-order cone Q = { x : ‖x_T‖ ≤ x_N } (the friction cone with μ = 1), RR
// (69)–(75): product x∘y = (xᵀy, x_N y_T + y_N x_T), unit e = (1, 0, 0). Instantiated for D = 2 and 3.
#pragma once

#include "cone/vec.hpp"

namespace stickslip::internal {

/// x∘y, RR (69). Commutative, not associative.
template <int D>
Vec<D> jordan_product(const Vec<D>& x, const Vec<D>& y);

/// x = λ₁u₁ + λ₂u₂ with λ₁ ≤ λ₂, RR (73)–(74): λ = x_N ∓ ‖x_T‖, u = ½(1, ∓e). Where x_T = 0, e is the first
/// axis.
template <int D>
struct Spectrum {
  double lambda_1, lambda_2;
  Vec<D - 1> e;
};
template <int D>
Spectrum<D> spectrum(const Vec<D>& x);
/// λ₁u₁ + λ₂u₂.
template <int D>
Vec<D> compose(const Spectrum<D>& s);

/// x^{1/2}, RR (75): the one element of Q whose square is x. Precondition: x ∈ Q up to rounding (λ₁ < 0
/// counts as 0).
template <int D>
Vec<D> jordan_sqrt(const Vec<D>& x);
/// |x| = (x²)^{1/2} = |λ₁|u₁ + |λ₂|u₂.
template <int D>
Vec<D> jordan_abs(const Vec<D>& x);
/// x⁻¹ with x∘x⁻¹ = e. Precondition: det(x) ≠ 0.
template <int D>
Vec<D> jordan_inverse(const Vec<D>& x);
/// det(x) = λ₁λ₂ = x_N² − ‖x_T‖².
template <int D>
double jordan_determinant(const Vec<D>& x);

/// L_x with L_x y = x∘y.
template <int D>
Mat<D> arrow(const Vec<D>& x);
/// Q_x = 2L_x² − L_{x²} = 2xxᵀ − det(x) diag(1, −1, −1): maps Q onto itself when det(x) ≠ 0, Q_x x⁻¹ = x.
template <int D>
Mat<D> quadratic_representation(const Vec<D>& x);

}  // namespace stickslip::internal
