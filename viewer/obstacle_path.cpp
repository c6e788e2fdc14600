#include "viewer/obstacle_path.hpp"

#include <cmath>

namespace stickslip::viewer {

using internal::Rotation;
using internal::Vector;

namespace {

Vector value(const SignalVector& signal, double t) { return {signal[0](t), signal[1](t), signal[2](t)}; }

bool constant(const SignalVector& signal) {
  return signal[0].constant() && signal[1].constant() && signal[2].constant();
}

}  // namespace

ObstaclePath::ObstaclePath(const SceneBody& body, const Vector& mass_centre, double step, Scheme scheme)
    : velocity_(body.driven_velocity),
      angular_velocity_(body.driven_angular_velocity),
      step_(step),
      quasi_static_(scheme == Scheme::quasi_static),
      constant_(constant(velocity_) && constant(angular_velocity_)) {
  State start;
  start.Q = internal::rotation(body.rotation).normalized();
  const Vector position =
      std::isnan(body.position[0]) ? mass_centre : Vector(internal::vector(body.position));
  start.x = std::isnan(body.centre[0]) ? position : Vector(internal::vector(body.centre));
  arm_ = start.Q.conjugate() * (position - start.x);
  states_.push_back(start);
}

ObstaclePath::State ObstaclePath::advanced(State s, long first, long last) const {
  const double h = step_;
  for (long k = first; k < last; ++k) {
    const double t = double(k) * h;
    const Vector v = value(velocity_, t + h), omega = value(angular_velocity_, t + h);
    if (quasi_static_) {
      s.x += h * v;
      s.Q = (internal::exp_rotation(h * omega) * s.Q).normalized();
    } else {
      s.x += 0.5 * h * (value(velocity_, t) + v);
      s.Q = internal::exp_rotation(0.5 * h * value(angular_velocity_, t)) * s.Q;
      s.Q = (internal::exp_rotation(0.5 * h * omega) * s.Q).normalized();
    }
  }
  return s;
}

ObstaclePath::Pose ObstaclePath::at(double time) {
  State s = states_[0];
  const Vector v = value(velocity_, time), omega = value(angular_velocity_, time);
  if (constant_) {
    s.x += time * v;
    s.Q = internal::exp_rotation(time * omega) * s.Q;
  } else {
    const long step = std::lround(time / step_), kept = step / stride;
    while (long(states_.size()) <= kept) {
      const long first = long(states_.size() - 1) * stride;
      states_.push_back(advanced(states_.back(), first, first + stride));
    }
    s = advanced(states_[std::size_t(kept)], kept * stride, step);
  }
  const Vector arm = s.Q * arm_;
  return {s.x + arm, s.Q, v + omega.cross(arm), omega};
}

}  // namespace stickslip::viewer
