// An independent checker of solutions: it shares no code with the library, works on raw data in long double,
// and recomputes everything from its definition (docs: notation; RR (131), PQN (40)). Never prints.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace stickslip_verify {

/// Triplets; duplicates add up.
struct Matrix {
  int rows = 0, columns = 0;
  std::vector<int> row, column;
  std::vector<double> value;
};

struct Report {
  double error = 0;   ///< ‖r − P_K(r − û)‖/‖q‖; where q = 0, ‖r − P_K(r − û)‖
  double energy = 0;  ///< Σ⟨W_αα⁻¹C_α, C_α⟩/Σ⟨W_αα⁻¹q_α, q_α⟩, C = r − P_K(r − û); denominator 0: numerator
  double impulse_violation = 0;   ///< largest distance of an r_α from its cone
  double velocity_violation = 0;  ///< largest max(0, −u_N)
  double complementarity = 0;     ///< largest |r_α·û_α|
  double rounding = 0;            ///< 2⁻⁵³ ‖|W||r| + |q|‖/‖q‖
  int open = 0, stick = 0,
      slip = 0;  ///< of P_K(r − û): 0; inside K or ‖u_T‖ ≤ min(10·error + 1e-12, 1e-6)·‖q‖; otherwise
  std::vector<unsigned char> status;  ///< of each contact: 0 open, 1 stick, 2 slip
  std::vector<double> u;              ///< W r + q
};

/// Leaves verify_global where its `stop` said true.
struct Stopped {};

/// u = W r + q with W of `dimension`·n rows, the normal first in each contact. A direction in which a
/// diagonal block is singular counts nothing in the energy. Throws std::invalid_argument on sizes that do not
/// fit.
Report verify_reduced(int dimension, const Matrix& W, std::span<const double> q, std::span<const double> mu,
                      std::span<const double> r);

/// M v = H r + Gλ + f, Gᵀv + b = 0, u = Hᵀv + w. G and b may be empty. The system is split into the bodies
/// that it couples; each is factorised in double and refined in long double. Throws std::invalid_argument on
/// sizes that do not fit and std::runtime_error when a factorisation fails. `stop` is asked before each body and contact.
Report verify_global(int dimension, const Matrix& M, const Matrix& H, std::span<const double> f,
                     std::span<const double> w, std::span<const double> mu, const Matrix& G,
                     std::span<const double> b, std::span<const double> r,
                     const std::function<bool()>& stop = {});

/// What a vector d says about the existence of a solution.
///
/// With d_N ≥ 0, d_T = 0 and Wᵀd = 0, every r has d·u = d·q: where that is negative some u_N is, and no
/// solution exists. If Wᵀd is not exactly zero, then a solution has ‖r‖ ≥ −q·d/‖Wᵀd‖ at least. A d ∈ K with
/// d_T ≠ 0 proves less: that no r gives u ∈ K*, i.e. that Slater's condition fails. A solution may exist all
/// the same, because Coulomb's law asks for û ∈ K* only (W = [1 −2; −2 4], q = (1, −4), μ = 1, d = (1, ½),
/// r = 0).
struct CertificateReport {
  double cone_violation = 0;  ///< largest distance of a d_α from K, relative to ‖d‖
  double tangent = 0;         ///< ‖d_T‖/‖d‖ over all contacts
  double residual = 0;        ///< ‖Wᵀd‖/‖d‖
  double scale = 0;           ///< ‖|W|ᵀ|d|‖/‖d‖, what the residual is to be compared with
  double work = 0;            ///< q·d/‖d‖
  double least_impulse = 0;  ///< −q·d/‖Wᵀd‖: the least ‖r‖ of a solution; infinite for Wᵀd = 0, 0 for q·d ≥ 0

  bool in_cone = false, in_kernel = false, negative_work = false,
       normal_only = false;  ///< to the tolerance given
  /// No solution exists.
  bool proves_infeasible() const { return in_cone && in_kernel && negative_work && normal_only; }
  /// No r gives u ∈ K*.
  bool refutes_slater() const { return in_cone && in_kernel && negative_work; }
};
/// `tolerance` is relative: the residual to `scale`, the work to ‖q‖.
CertificateReport check_certificate(int dimension, const Matrix& W, std::span<const double> q,
                                    std::span<const double> mu, std::span<const double> d,
                                    double tolerance = 1e-9);

/// The same as one line of text: a verdict and the numbers.
std::string verify_certificate(int dimension, const Matrix& W, std::span<const double> q,
                               std::span<const double> mu, std::span<const double> d,
                               double tolerance = 1e-9);

}  // namespace stickslip_verify
