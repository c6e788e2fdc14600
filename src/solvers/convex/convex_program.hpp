// Convex quadratic programs over products of simple sets, the building blocks of the families that freeze a
// part of Coulomb's law (Panagiotopoulos, Tresca, ACLM, Cadoux): RR 7.1.
//
//   min ½ rᵀ W r + bᵀ r,  r ∈ C = ∏ C_i,   W symmetric positive semi-definite
//
// The gradient g = W r + b is a velocity.
//
// Projected gradient, RR Algorithm 9 corrected (ρ ← ρ₀ lᵏ, M is W, accepted when the criterion is ≤ 0):
//
//   r⁺ = P_C(r − ρ g),     q(r⁺) − q(r) ≤ σ g·(r⁺ − r),     q(r⁺) − q(r) = ½ (g + g⁺)·(r⁺ − r)
//
// and projected Gauss–Seidel for the normal problem RR (86), (126): 0 ≤ W_NN r_N + q̃_N ⊥ r_N ≥ 0.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"

namespace stickslip::internal {

enum class ConvexSet {
  half_lines,  ///< r_i ≥ 0, one number a contact
  disks,       ///< ‖r_i‖ ≤ size_i, one or two numbers a contact: Tresca's tangents
  cylinders,   ///< r_N ≥ 0, ‖r_T‖ ≤ size_i
  cones        ///< ‖r_T‖ ≤ size_i r_N, size = μ
};

struct ConvexProgram {
  ConvexSet set = ConvexSet::cones;
  int block = 3;                 ///< numbers a contact: half_lines 1; disks 1, 2; cylinders and cones 2, 3
  std::span<const double> size;  ///< of each set, ≥ 0; empty for half_lines
  std::span<const double> b;     ///< block·n numbers
  /// gradient ← W r + b, W symmetric positive semi-definite.
  std::function<void(std::span<const double> r, std::span<double> gradient)> gradient;
  /// A step length s_i² for each contact that makes units irrelevant, d/tr W_ii; empty: 1.
  std::span<const double> weight = {};
  /// > 0: the residual is ‖r − P_C(r − g)‖/load without weights. The families that freeze a part of Coulomb's
  /// law give ‖q‖ of the problem that they solve, so that it compares with the error (131).
  double load = 0;
};

struct ConvexOptions {
  enum class FirstStep {
    last,      ///< the last ρ that was accepted, lengthened by 1/l when the first trial was
    spectral,  ///< Barzilai–Borwein ρ = Δr·Δr/Δr·Δg, and the decrease is asked of the worst of the last
               ///< `memory` values
    restart  ///< ρ₀, RR Algorithm 9
  };

  double tolerance = 1e-8;  ///< on the residual
  double reduction = 1;     ///< < 1: the residual must also fall to this part of its first value
  long max_iterations = 10000;
  FirstStep first_step = FirstStep::spectral;
  double rho = 1;                   ///< the very first ρ; ρ₀
  double l = 2.0 / 3;               ///< factor of a refused step, in (0, 1)
  double sigma = 1e-2;              ///< the part of the linear decrease that is asked for, in (0, 1)
  long max_trials = 100;            ///< of one iteration
  int memory = 10;                  ///< of the spectral method; 1: monotone
  std::function<bool()> stop = {};  ///< asked once an iteration; true: leave with what there is
};

/// Memory of the projected gradient that may serve many programs; it grows to the largest.
struct ConvexMemory {
  std::vector<double> g, next, next_g, values;
};

struct ConvexResult {
  long iterations = 0;
  double residual =
      0;  ///< ‖r − P_C(r − g)‖/‖b‖ in the metric of the weights (weights 1: RR (131) for this program)
  bool converged = false;
  double rho = 1;  ///< of the projected gradient: a good first ρ for a program with the same W
};

/// Improves r, which need not be feasible at first; on return it is. Throws InputError on sizes that do not
/// fit.
ConvexResult projected_gradient(const ConvexProgram& program, const ConvexOptions& options,
                                std::span<double> r);
/// The same with memory to use again.
ConvexResult projected_gradient(const ConvexProgram& program, const ConvexOptions& options,
                                std::span<double> r, ConvexMemory& memory);

/// The same residual for any r. `gradient` is W r + b.
double convex_residual(const ConvexProgram& program, std::span<const double> r,
                       std::span<const double> gradient);

/// W_NN in compressed rows, the diagonal apart, taken out of W once.
struct NormalMatrix {
  NormalMatrix() = default;
  explicit NormalMatrix(const BlockMatrix& W) { assign(W); }
  /// The same into memory that is there.
  void assign(const BlockMatrix& W);

  std::vector<Index> row_start, column;
  std::vector<double> value, diagonal;

  /// u ← W_NN r + q.
  void multiply(std::span<const double> r, std::span<const double> q, std::span<double> u) const;
};

/// 0 ≤ W_NN r + q ⊥ r ≥ 0 by sweeps r_i ← (r_i − u_i/W_ii)₊. W may be unsymmetric; W_ii > 0. The residual is
/// √Σ W_ii (r_i − (r_i − u_i/W_ii)₊)² over √Σ q_i²/W_ii, which does not depend on the units; with
/// load > 0 it is √Σ min(r_i, u_i)²/load. Stops at the tolerance, after max_iterations sweeps or when told
/// to; the other options do not matter.
ConvexResult projected_gauss_seidel(const NormalMatrix& W, std::span<const double> q,
                                    const ConvexOptions& options, std::span<double> r, double load = 0);

}  // namespace stickslip::internal
