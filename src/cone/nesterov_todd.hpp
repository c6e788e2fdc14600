// The Nesterov–Todd scaling of a pair inside the second-order cone Q, for interior-point methods.
#pragma once

#include "cone/vec.hpp"

namespace stickslip {

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

}  // namespace stickslip
