// How good a vector r is: the error that counts, the other measures, and the contacts' statuses.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "stickslip/export.hpp"
#include "stickslip/problem.hpp"

namespace stickslip {

/// What a contact does at a solution.
enum class ContactStatus : std::uint8_t { open, stick, slip };
STICKSLIP_EXPORT std::string_view name(ContactStatus status);

/// Every measure of the mathematics page, in the units of the problem as it was given.
struct Measures {
  /// ‖r − P_K(r − û)‖ / ‖q‖, RR (131): the one figure that solvers are judged by. Where rounding could hide
  /// more than this (a huge r on an infeasible problem), `rounding` is reported instead as soon as it exceeds
  /// the tolerance.
  double error = 0;
  /// Spurious energy, PQN (40): Σ⟨W_αα⁻¹C_α, C_α⟩ / Σ⟨W_αα⁻¹q_α, q_α⟩ with C = r − P_K(r − û).
  double energy = 0;
  /// Largest distance of an impulse from its cone K, in units of r.
  double impulse_violation = 0;
  /// Largest penetration velocity max(0, −u_N), in units of u.
  double velocity_violation = 0;
  /// Largest |r·û| of a contact, in units of r·u.
  double complementarity = 0;
  /// Unit roundoff · ‖ |W||r| + |q| ‖ / ‖q‖: what the computed error cannot resolve.
  double rounding = 0;
};

/// Measures r; u receives W r + q. Vectors must have the problem's size.
STICKSLIP_EXPORT Measures measure(const ReducedProblem& problem, std::span<const double> r,
                                  std::span<double> u);

/// The error alone, in one pass over W; u receives W r + q.
STICKSLIP_EXPORT double natural_error(const ReducedProblem& problem, std::span<const double> r,
                                      std::span<double> u);

}  // namespace stickslip
