// One contact's rows of Ω δr = Π in the semismooth Newton step of Koziara and Bićanić, SSN section 5 (normal
// first here, tangent first there). d = r − ρu; U is the velocity that the sets are read from, T = W r + q − U
// its residual, nonzero in the first step only:
//
//   open                   δr = −r
//   closed                 (W δr)_N = −U_N − T_N
//   stick   ‖d_T‖ < μb     (W δr)_T + c U_T δr_N = −(1 + c ρ U_N) U_T − T_T,   c = 1/d_N for NEWT, 0 otherwise
//   slip    ‖d_T‖ ≥ μb     ρM (W δr)_T + (I − M) δr_T − μ v δr_N = μ v r_N − r_T − ρM T_T       SSN (54), (62)
//                          M = e(I − F),  e = μβ/‖d_T‖,  v = d_T/‖d_T‖,
//                          F = r_T d_Tᵀ / (max(μβ, ‖r_T‖)‖d_T‖)                                 SSN (55)–(59)
//
//   NEWT  b = β = d_N;   HYB  b = r_N, β = d_N;   FIX  b = β = b_N held, and μ v b_N alone on the right
//
// NEWT and UNIL divide the closed contacts into stick and slip, HYB and FIX all of them (their lines 3). Of an open contact that sticks both
// line 5, δr = −r, and line 7, the tangential rows of stick, speak: `open` says which is taken. An open one that slips has δr = −r.
//
// A slip with no radius (β ≤ 0, or μ = 0, or d_T = 0) has δr_T = −r_T. Rows that are not rows of W are
// multiplied by W_ii (SSN section 6), so that all are of one size.
#pragma once

#include "cone/vec.hpp"

namespace stickslip::internal {

enum class Linearisation { hyb, newt, fix, unil };
enum class OpenStick : unsigned char { stick, vanish };
enum class SemismoothState : unsigned char { open, stick, slip };  ///< open: in neither tangential set

/// Ω's rows are by_u W + by_r.
template <int D>
struct SemismoothRows {
  Mat<D> by_u{}, by_r{};
  Vec<D> right{};
  SemismoothState state = SemismoothState::open;
  bool vanish = false;  ///< all of them are δr = −r
};

template <int D>
struct SemismoothContact {
  Vec<D> r, U, T;
  double mu, rho, bound;  ///< bound: b_N of FIX
  bool closed;            ///< the normal set: d_N ≥ 0, or what UNIL keeps (active_set)
  Vec<D> diagonal;        ///< W_ii
  OpenStick open;  ///< the tangential rows of an open contact that sticks: those of stick, or δr = −r
};

template <int D>
SemismoothRows<D> semismooth_rows(Linearisation linearisation, const SemismoothContact<D>& contact);

}  // namespace stickslip::internal
