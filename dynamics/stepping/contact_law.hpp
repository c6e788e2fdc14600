// The law at the step: which contacts take part, and what is added to their normal velocity.
//
//   û_N = u_N + offset + μ‖u_T‖,   K* ∋ û ⊥ r ∈ K
//
// Without restitution         offset = max(0, g)/h                 bodies land on the surface (SSN (29)–(30))
// Impact, restitution e       offset = e u_N⁻                      only where g ≤ 0 at the middle of the step (Moreau); also where bodies part:
//                                                                  then without friction no impact adds energy, one e for all
// Slow, e > 0                 offset = 0                           |u_N⁻| ≤ 2 δ, δ what the forces of one step can do: an impact that a
//                                                                  step cannot resolve ends the bouncing
// Sustained contact           offset −= c,  c = min(−d/h, −u_N⁻)   on a surface that bends towards the body
//
// d is the part of the last change of the gap that the velocity did not announce: the curvature of the path. A ball that rolls in
// a trough moves along its tangent and would sink in by d at every step, and lose the velocity with which it does. Its
// velocity is turned instead: c never exceeds the approach, so the contact gives back no more than it took.
#pragma once

#include <algorithm>
#include <cmath>

namespace stickslip::internal {

struct ApproachedContact {
  double h = 0;  ///< step
  double gap = 0;
  double size = 0;  ///< of the smaller body: what rounding is measured by
  double restitution = 0;
  double before = 0;  ///< u_N⁻
  double push = 0;    ///< δ ≥ 0: largest change of a velocity by the forces of this step
  double bend = 0;    ///< d, zero unless the contact was loaded in the last step
};

struct StepLaw {
  bool active = false;
  double offset = 0;
};

/// Gaps up to this share of the smaller body's size are closed: rounding of touching faces.
constexpr double closed_share = 1e-10;
/// Velocity that ends bouncing, in units of what the forces do in one step.
constexpr double slow_approach = 2;

inline StepLaw law_at_step(const ApproachedContact& c) {
  const double approach = std::max(0.0, -c.before);
  const double turn = std::min(std::max(0.0, -c.bend) / c.h, approach);
  if (c.restitution == 0) return {true, std::max(0.0, c.gap) / c.h - turn};
  if (c.gap > closed_share * c.size) return {false, 0};
  if (std::abs(c.before) <= slow_approach * c.push) return {true, -turn};
  return {true, c.restitution * c.before};
}

/// Whether a contact without restitution hits: it carried nothing in the last step and comes faster than forces bring it.
inline bool hits(const ApproachedContact& c, bool loaded) {
  return c.restitution == 0 && !loaded && -c.before > slow_approach * c.push;
}

}  // namespace stickslip::internal
