// The system of an interior path through the contacts: K = M + H C Hᵀ, never formed, by conjugate gradients, in one process or on ranks.
//
//   (W + B) x = b,  W = Hᵀ M⁻¹ H:      K v = H B⁻¹ b,   x = B⁻¹ (b − Hᵀ v),   C = B⁻¹
//   M = Z Zᵀ body by body, v̂ = Zᵀ v:   K̂ = I + Σ Ĥ_i C_i Ĥ_iᵀ,   Ĥ_i = Z⁻¹ H_i
//
// A product goes once over the contacts, in the chunks and colours of the sweeps (velocity_sweep): of ranks each takes its own, and bodies pass to who
// touches them next. The diagonal blocks of K̂, one a body, are added up the same way; their inverses are the preconditioner. Products of vectors are exact sums over
// the bodies, each counted by the rank that answers for it. So bits depend neither on threads nor on ranks nor on the cut.
//
// A product is as fast as memory, so Ĥ is kept in single precision, C in double: rounded arms are those of another W by 6e-8 of it. `solve` takes them
// in the right-hand side and in x too, so that it solves for that W to the end however stiff C is. Rounding Ĥ C^½, or blocks of K, would add 6e-8 of the
// stiffest springs to motions that should move none of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "bodies/shares.hpp"
#include "bodies/velocity_sweep.hpp"

namespace stickslip::internal {

class SpringSystem {
 public:
  virtual ~SpringSystem() = default;

  /// Where the contacts are: `bodies` must have a symmetric M, and `sweep` was made for them in this layout. `share` and `ranks`, where there are ranks: every call
  /// is then made by all of them. Keeps references.
  struct Place {
    const BodyGraph& bodies;
    const VelocitySweep& sweep;
    const Colouring& layout;
    ThreadTeam* team = nullptr;
    const Share* share = nullptr;
    Ranks* ranks = nullptr;
  };
  /// H S in the place of H, S = diag(scale); the tangents of contacts with idle[i] ≠ 0 are left out (empty: none). Keeps both.
  static std::unique_ptr<SpringSystem> make(const Place& place, std::span<const double> scale,
                                            std::span<const std::uint8_t> idle);

  /// Takes B, d×d column-major blocks, symmetric positive definite. False: one of them, or of the bodies', is not.
  virtual bool prepare(const double* blocks) = 0;

  /// Where a solve ends: the residual of K̂ measured by the inverse diagonal blocks has fallen to `part`, or the velocities (W + B) x − b that it
  /// leaves over are `velocities` a contact in the mean.
  struct End {
    double part, velocities = 0;
  };
  /// x ← (W + B)⁻¹ x in so many iterations at most. Iterations taken; −1: K̂ is not positive definite, or they were not enough.
  virtual long solve(std::span<double> x, const End& end, long iterations) = 0;
  /// The same for one right-hand side after the other with the B that was prepared, each solve beginning at the last solution: until êᵀK̂ê of what v̂ lacks was about `energy`
  /// four iterations ago, which is what they took off it, or no digits are left. What v̂ lacks in the beginning is found in double precision. −1: K̂ is not positive definite.
  virtual long go_on(std::span<double> x, double energy, long iterations) = 0;
};

}  // namespace stickslip::internal
