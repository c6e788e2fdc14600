// Joints as bilateral constraints Gᵀ v + b = 0 of a step.
//
// A joint is a few scalar functions g of the poses of two bodies; each is made of points and directions that are fixed in the
// bodies. In a step g is to vanish at the next middle X⁺ = X ⊕ h v⁺:
//
//   b = g(X ⊕ h v*)/h − G(X)ᵀ v*        v*: v⁺ without contacts, by Newton's method;
//                                       after a solve with contacts: v⁺ itself
//
// Impulses act along G at the middle of this step and g vanishes at the middle of the next: this is SHAKE, symplectic and of order two
// for smooth motions. Positions do not drift, and no energy comes from keeping them.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "dynamics/bodies/bodies.hpp"

namespace stickslip::internal {

/// A point or a direction that is fixed in a body, in its reference axes; of the world where body < 0.
struct Attached {
  int body = -1;
  Vector local = Vector::Zero();
};

/// One scalar function of a joint.
struct JointEquation {
  enum class Kind {
    coincide,  ///< component `axis` of p_a − p_b
    dot,       ///< d_a · d_b
    slide,     ///< (p_a − p_b) · d_b
    distance   ///< |p_a − p_b| − length
  };
  Kind kind = Kind::coincide;
  Attached point_a = {}, point_b = {}, direction_a = {}, direction_b = {};
  int axis = 0;
  double length = 0;
};

/// The rows of all joints of a scene.
class JointSet {
 public:
  /// Adds a joint between the bodies as they are in `bodies.states`; `point`, `axis` and `other` in world axes.
  void add(const Bodies& bodies, JointKind kind, int first, int second, const Vector& point,
           const Vector& axis, const Vector& other);

  int rows() const { return int(rows_.size()); }
  int joints() const { return int(start_.size()) - 1; }
  /// The rows of joint k.
  std::array<int, 2> range(int joint) const {
    return {start_[std::size_t(joint)], start_[std::size_t(joint) + 1]};
  }
  /// The bodies of a row; −1: the world or an obstacle.
  std::array<int, 2> bodies_of(int row) const { return bodies_of_[std::size_t(row)]; }
  /// G of a row at the middle, for one side: as many numbers as the body has rows.
  const double* block(int row, int side) const { return &blocks_[std::size_t(2 * row + side) * 12]; }
  std::span<const double> b() const { return b_; }

  /// G at the middle of the step.
  void linearise(const Bodies& bodies);
  /// b, with the guess v* by rows of the bodies. Returns the largest |g|/h that v* would leave at the next middle.
  double predict(const Bodies& bodies, std::span<const double> v, double h);
  /// Takes back a b of before.
  void set_b(std::span<const double> b) { b_.assign(b.begin(), b.end()); }
  /// g at the states of the bodies (the end of a step).
  void errors(const Bodies& bodies, std::span<double> g) const;
  /// G at the states of the bodies, into the blocks.
  void linearise_at_states(const Bodies& bodies);

  /// b ← 0: no motion along the joints.
  void hold() { std::fill(b_.begin(), b_.end(), 0.0); }

  /// impulse ← impulse + G λ, by rows of the bodies.
  void add_impulse(const Bodies& bodies, std::span<const double> lambda, std::span<double> impulse) const;
  /// G_rowᵀ v.
  double velocity(const Bodies& bodies, int row, std::span<const double> v) const;

 private:
  std::vector<JointEquation> rows_;
  std::vector<int> start_ = {0};
  std::vector<std::array<int, 2>> bodies_of_;
  std::vector<double> blocks_, b_;

  std::vector<int> involved_;               // bodies with a joint
  mutable std::vector<Bodies::Pose> pose_;  // of the involved bodies, by body

  template <class PoseOf>
  void take_poses(const Bodies& bodies, const PoseOf& pose_of) const;
  Vector point(const Attached& p) const { return p.body < 0 ? p.local : Vector(at(p).x + at(p).F * p.local); }
  Vector direction(const Attached& d) const { return d.body < 0 ? d.local : Vector(at(d).F * d.local); }
  const Bodies::Pose& at(const Attached& a) const { return pose_[std::size_t(a.body)]; }
  double value(const JointEquation& row) const;
  void differentiate(const Bodies& bodies);
};

}  // namespace stickslip::internal
