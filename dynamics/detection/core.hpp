// A convex piece as its support function sees it, with what is round taken away: a sphere is a point with a radius, a
// capsule a segment with a radius.
#pragma once

#include "dynamics/detection/placed.hpp"

namespace stickslip::internal {

/// The core of a piece, shrunk about its centre by the factor 1 − shrink.
class Core {
 public:
  explicit Core(const Placed& placed, double shrink = 0);

  /// A farthest point in the direction d ≠ 0. `id` names it where the core has finitely many of them, otherwise it is −1.
  Vector support(const Vector& d, int& id) const {
    if (corners_) {
      int best = 0;
      double most = d.dot(corners_[0]);
      for (int k = 1; k < count_; ++k)
        if (const double value = d.dot(corners_[k]); value > most) most = value, best = k;
      id = best;
      return base_ + keep_ * corners_[best];
    }
    return curved_support(d, id);
  }

  const Placed& placed() const { return *placed_; }
  const Vector& centre() const { return placed_->centre; }
  /// By how much the piece is thicker than its core.
  double radius() const { return radius_; }

 private:
  Vector curved_support(const Vector& d, int& id) const;

  const Placed* placed_;
  double keep_;
  double radius_ = 0;
  const Vector* corners_ = nullptr;
  int count_ = 0;
  Vector base_;
};

}  // namespace stickslip::internal
