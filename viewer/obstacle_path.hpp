// Where a driven body is in time. The record holds only bodies that move by themselves; this is the simulation's own rule again:
//
//   x ← x + h/2 (v(t) + v(t + h)),   Q ← exp(h/2 ω(t + h)) exp(h/2 ω(t)) Q            (quasi-static: h v(t + h), exp(h ω(t + h)))
#pragma once

#include <vector>

#include "dynamics/bodies/rotation.hpp"
#include "stickslip/scene.hpp"

namespace stickslip::viewer {

class ObstaclePath {
 public:
  /// `mass_centre`: the point of the shape, in its own axes, that the scene's position speaks of.
  ObstaclePath(const SceneBody& body, const internal::Vector& mass_centre, double step, Scheme scheme);

  struct Pose {
    internal::Vector position;  ///< of the mass centre
    internal::Rotation rotation;
    internal::Vector velocity;  ///< of the mass centre
    internal::Vector angular_velocity;
  };
  /// What was computed once is kept, at some of the steps.
  Pose at(double time);

 private:
  struct State {
    internal::Vector x;  ///< of the centre of rotation
    internal::Rotation Q;
  };
  State advanced(State from, long first, long last) const;

  SignalVector velocity_, angular_velocity_;
  double step_;
  bool quasi_static_, constant_;
  internal::Vector arm_;       ///< from the centre of rotation to the mass centre, body axes
  std::vector<State> states_;  ///< at the steps 0, stride, 2 stride …
  static constexpr long stride = 64;
};

}  // namespace stickslip::viewer
