// The nonsmooth equations Φ(u, r) = 0 of one contact, RR section 3.3, each with one element of its
// generalised Jacobian, and the rules for ρ. Instantiated for D = 2 and 3.
#pragma once

#include <string>

#include "cone/vec.hpp"
#include "residual/alart_curnier.hpp"

namespace stickslip::internal {

/// Φ = 0 ⇔ Coulomb's law (but see hueber_stadler_wohlmuth).
enum class Map {
  /// r − P_K(r − ρ û), RR (51); ρ = ρ_N.
  natural,
  /// RR (62)–(63), see alart_curnier.hpp.
  alart_curnier,
  /// RR (60)–(61), see alart_curnier.hpp.
  jean_moreau,
  /// φ(x, ρ y), x = (μ r_N, r_T), y = (û_N/μ, û_T), RR (79) with ρ = 1; ρ = ρ_N. μ = 0: scalar φ(r_N, ρ u_N)
  /// and r_T.
  fischer_burmeister,
  /// RR (66), SSN (43)–(44), with d = r − ρu: r_N − (d_N)₊ and max(μ d_N, ‖d_T‖) r_T − μ (d_N)₊ d_T.
  /// Not a full reformulation: an open contact with r_T = ρ_T u_T ≠ 0 is a zero too (SSN sets r = 0 there).
  /// μ = 0: r_T in the tangential rows, which the formula multiplies by ‖d_T‖.
  hueber_stadler_wohlmuth,
  /// RR (65), u standing for ρu: min(u_N, r_N), min(‖u_T‖, μ r_N − ‖r_T‖), |u_T1 r_T2 − u_T2 r_T1| + max(0, u_T·r_T).
  /// The seed's max(0, u_T1 r_T1) accepts friction that pushes when the slip is along T2. μ = 0: r_T in the tangential rows.
  /// In space only: in the plane the three conditions are three equations for two unknowns.
  xuewen_soh_wanji,
  /// ρ F(P_K(x)) + x − P_K(x), RR (52)–(54), F = û. Its unknown is x and r = P_K(x): solvers/newton/normal_step.
  normal
};

/// Why there is no such Φ(u, r) for this dimension; empty: there is.
std::string why_not(Map map, int dimension);

/// Precondition: μ ≥ 0, ρ_N > 0, ρ_T > 0; a map of u and r in D dimensions.
template <int D>
MapValue<D> evaluate_map(Map map, const Vec<D>& u, const Vec<D>& r, double mu, double rho_N, double rho_T);

/// Φ alone, for line searches.
template <int D>
Vec<D> map_residual(Map map, const Vec<D>& u, const Vec<D>& r, double mu, double rho_N, double rho_T);

/// How ρ follows from the diagonal block of W; λ are eigenvalues of the symmetric part.
enum class RhoRule {
  one,                ///< ρ_N = ρ_T = 1
  spectral,           ///< RR (110): ρ_N = ρ_T = 1/λ_max(W)
  split,              ///< RR (111): ρ_N = 1/W_NN, ρ_T = 1/λ_max(W_TT)
  split_conditioned,  ///< RR (112), corrected: ρ_N = 1/W_NN, ρ_T = λ_min(W_TT)/λ_max²(W_TT)
  norm  ///< RR (109): ρ_N = ρ_T = 1/‖W‖, the norm of Frobenius; with the spectral norm it is (110)
};

struct Rho {
  double normal, tangent;
};

/// Positive and finite for every finite block: where an eigenvalue that is divided by is not positive, the
/// other ρ stands in, or 1; λ_min/λ_max is not taken below 10⁻⁶.
template <int D>
Rho rho_for(RhoRule rule, const Mat<D>& W_block);

}  // namespace stickslip::internal
