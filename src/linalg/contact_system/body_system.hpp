// (L (W + αI) + R)⁻¹ b for W = Hᵀ M⁻¹ H through the bodies, L and R block diagonal (Woodbury):
//
//   B = R + αL,   K = M + H B⁻¹ L Hᵀ,     K v = H B⁻¹ b,     x = B⁻¹ (b − L Hᵀ v)
//
// K has the size and the pattern of the bodies: contacts between bodies that touch already cost nothing in the factorisation,
// open ones (L = 0) drop out, and W is never formed. Where B is tiny (sticking contacts) b − L Hᵀ v cancels, so x has digits to
// spare only down to B ≈ 1e-10 W or so; who calls refines with products and looks at the residual.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/thread_team.hpp"
#include "linalg/colouring.hpp"
#include "linalg/contact_system/block_solver.hpp"
#include "linalg/transposed.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// W = Hᵀ M⁻¹ H by its factors, each contact scaled: H S. Tangents of contacts with `idle` ≠ 0 are left out; none may be marked.
struct BodyFactors {
  const SparseMatrix *M = nullptr, *H = nullptr;
  std::span<const double> scale = {};
  std::span<const std::uint8_t> idle = {};
  // Found again where they are not at hand.
  const Transposed* Ht = nullptr;
  const Colouring* chunks = nullptr;  ///< of contacts that share no six consecutive rows of H inside a colour
  BlockSolver* solver = nullptr;      ///< who solves with K; nullptr: fronts of our own
};

/// A product of dense kernels costs this part of one of single blocks.
constexpr double dense_speed = 0.25;

class BodySystem {
 public:
  BodySystem();
  ~BodySystem();
  BodySystem(BodySystem&&) noexcept;
  BodySystem& operator=(BodySystem&&) noexcept;

  /// Takes the arms of the contacts and orders the bodies, which is not done again where M and H have the pattern of the last
  /// call. The columns of H come in blocks of `dimension`, 1 to 3. Keeps nothing of the factors. `team` shares
  /// all work from now on; it may be nullptr, and changes no bit.
  void analyse(const BodyFactors& given, int dimension, ThreadTeam* team = nullptr);
  /// Factorises K for the contacts i with active[i] ≠ 0 (empty: all); blocks as in ContactSystem. False when a block of B or K
  /// is singular.
  bool factorise(std::span<const std::uint8_t> active, const double* left, const double* right, double alpha);
  /// x ← A⁻¹ x on the active contacts, once, without refinement; other places of x are left alone.
  void solve(std::span<double> x);
  /// The same for all contacts, L = I and symmetric positive definite R, α = 0, to be solved by conjugate gradients on K. False when
  /// K is not symmetric positive definite.
  bool prepare_gradients(const double* right);
  /// x ← A⁻¹ x with K v = H R⁻¹ b solved to `enough`, or until the velocities that are missing in A x = b, Hᵀ M⁻¹ e with the residual e
  /// of K, are about so large a contact. False: conjugate gradients did not get there, x is as it was.
  bool solve_by_gradients(std::span<double> x, double enough, double velocities = 0);
  /// The same for R = ρI and one right-hand side after the other, each solve beginning where the last one ended.
  bool prepare_penalty(const double* right);
  /// x ← A⁻¹ x with K v = H R⁻¹ b solved until ρ‖δx‖² of what x lacks is about `energy`.
  bool solve_penalty(std::span<double> x, double energy);
  /// Multiplications of one factorisation, the assembling of K included, and of one product with K.
  double work() const;
  double product_work() const;
  /// Whether conjugate gradients on K, where a few digits are enough, are taken to cost less than its factors.
  bool gradients_pay() const;
  /// The same for all solves with one penalty.
  bool gradients_pay_for_a_penalty() const;
  /// Bytes of one factorisation with the contacts' arms and K.
  double bytes() const;
  /// The same without the factors.
  double loose_bytes() const;

 private:
  struct Parts;
  template <int N, int D>
  struct Typed;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip::internal
