// Gauss–Seidel on the contacts of a global problem that keeps the velocities and never forms W = Hᵀ M⁻¹ H:
//
//   v = M⁻¹(H r + f);   for each contact α:   u_α = H_αᵀ v + w_α,   b_α = u_α − W_αα r_α,
//                       r_α ← the local problem of (W_αα, b_α),     v ← v + M⁻¹ H_α Δr_α.
//
// The iterates are those of the W form (contact_sweep) in the same order, up to rounding. A contact costs a
// fixed amount of work and memory instead of one block for each neighbour.
//
// In the order of the layout the visits overlap: with β after α, b_β is begun from the v that lacks Δr_α, and
// C Δr_α with C = H_βᵀ M⁻¹ H_α is added when Δr_α is known.
//
// Many contacts lie in chunks that share no body inside a colour (linalg/colouring): a sweep goes colour by colour, and threads take the
// chunks of a colour side by side. Where ranks have shares of the contacts (bodies/shares), each takes its chunks of a colour, and bodies pass to who
// touches them next.
#pragma once

#include <memory>
#include <span>

#include "base/thread_team.hpp"
#include "bodies/body_graph.hpp"
#include "bodies/halo.hpp"
#include "linalg/colouring.hpp"
#include "local/sweep.hpp"

namespace stickslip::internal {

class VelocitySweep : public Sweep {
 public:
  /// v is recomputed from r after this many sweeps. Each update of v rounds by at most half a unit in the
  /// last place, so that v drifts from r by less than sweeps × contacts a body × 1e-16, relative: 4e-13 at
  /// 100 sweeps and 40 contacts a body (a random walk makes it 1e-14). Recomputing costs half a sweep, that
  /// is 0.5 % of the time.
  static constexpr long sweeps_between_refreshes = 100;

  /// Prepares the records of the contacts, which lie in memory in the order of `layout`. Keeps a reference to the problem. `team` shares this and all
  /// other work; it may be nullptr, and changes no bit. nullptr when !graph.applies(), and for the
  /// local solvers and the relaxation that need W (hybrid, omega ≠ 1). Throws InputError when M is
  /// not positive definite or the normal of a contact moves nothing.
  static std::unique_ptr<VelocitySweep> make(const BodyGraph& graph, const LocalOptions& options,
                                             Colouring layout, ThreadTeam* team = nullptr);
  /// In the chunks that the bodies suggest.
  static std::unique_ptr<VelocitySweep> make(const BodyGraph& graph, const LocalOptions& options,
                                             ThreadTeam* team = nullptr);
  static std::unique_ptr<VelocitySweep> make(const GlobalProblem& problem, const LocalOptions& options);
  /// The contacts are a share of those of all ranks: from here on every call is made by all of them.
  virtual void join(const HaloPlan& plan, Ranks& ranks) = 0;
  /// Takes f and w of the problem anew, of which M, H and μ are as they were.
  virtual void set_loads(const BodyGraph& graph) = 0;
  /// v ← M⁻¹(H r + f).
  void start(std::span<const double> r) override = 0;
  /// u ← W r + q, from scratch: what the error is measured by. Leaves v alone.
  virtual void velocity(std::span<const double> r, std::span<double> u) = 0;
  /// u ← W r, likewise.
  virtual void product(std::span<const double> r, std::span<double> u) = 0;
  /// s ← s + |Hᵀ| |M⁻¹ H| |r| or more, with |C⁻¹ H| for both where M = C Cᵀ.
  virtual void magnitude(std::span<const double> r, std::span<double> s) = 0;
  /// The velocities that belong to the last r, in the rows' order; valid until the next call.
  virtual std::span<const double> v() = 0;
  /// W_αα, d×d column-major.
  virtual const double* diagonal(Index contact) const = 0;
  /// The arms of a contact at its two bodies in units where M = I: Z⁻¹ H, M = Z Zᵀ body by body, d columns of `rows` numbers each, as many as the largest body has rows or
  /// more; zeros where there is no second body. Precondition: M is symmetric.
  virtual void arms(Index contact, int rows, double* first, double* second) const = 0;
  /// Bytes that a sweep reads.
  virtual std::size_t bytes() const = 0;
};

/// Whether a sweep on velocities is faster than one on W, the building of W not counted: for rigid bodies
/// from 12 blocks a row of W (the diagonal included) in the caches and from 8 beyond them, for others from
/// 21; and from a hundred contacts on.
/// The speed-ups behind these figures are in docs/theory/gauss_seidel.md, from bench_velocity.
bool velocity_form_pays(const BodyGraph& graph);

}  // namespace stickslip::internal
