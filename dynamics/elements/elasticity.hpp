// The elastic response of pseudo-rigid bodies and elements, St Venant–Kirchhoff (SSN (10)–(12), Appendix).
//
//   E = (FᵀF − I)/2,   Ψ = ½ E : C : E = (λ/2) tr(E)² + μ E : E,   P = ∂Ψ/∂F = F S,   S = λ tr(E) I + 2 μ E
//
// SSN (11) prints ¼ [FᵀF − I] : C : [FᵀF − I], which is twice this energy and contradicts its Young's modulus;
// the factor is ⅛. K is the derivative of P by F, nine by nine, both by columns: F₁₁ F₂₁ F₃₁ F₁₂ …
#pragma once

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

struct Lame {
  double lambda = 0, mu = 0;
};
/// λ = Eν/((1 + ν)(1 − 2ν)), μ = E/(2(1 + ν)).
Lame lame(double young, double poisson);

using Matrix9 = Eigen::Matrix<double, 9, 9>;

double strain_energy(const Matrix& F, const Lame& material);
/// S, the second Piola–Kirchhoff stress.
Matrix second_stress(const Matrix& F, const Lame& material);
/// P, the first Piola–Kirchhoff stress.
Matrix stress(const Matrix& F, const Lame& material);
/// ∂P/∂F.
Matrix9 stiffness(const Matrix& F, const Lame& material);

}  // namespace stickslip::internal
