// Pairs of pieces that may touch, found by their bounds and kept from call to call.
//
// Bounds are widened by a slack s before pairs are looked for: the list holds as long as every piece, with its reach, stays inside its
// widened bounds (Verlet's list). It then has more pairs than touch, never fewer, so that what is found does not depend on its age.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "dynamics/detection/near_boxes.hpp"
#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

class ThreadTeam;

/// A plane where it is, relative to the origin of the bounds.
struct PlacedPlane {
  int piece;
  Vector normal, origin;
  double reach;
};

class CandidatePairs {
 public:
  /// Pieces were added or removed, or the origin of bounds and planes has moved.
  void forget() { holds_ = false; }

  /// Sees to it that the list has all pairs of bounds (reach included) that overlap, belong to different owners and of which one
  /// moves, and all pairs of a plane and the bounds of a piece that moves; of these pairs those that `kept`, the same until `forget`, has by their
  /// owners (null: all). `team` may be null.
  void update(std::span<const FlatBounds> bounds, std::span<const PlacedPlane> planes, const KeptPairs* kept,
              ThreadTeam* team);

  /// The partners of piece i are partners()[start()[i]] … partners()[start()[i + 1] − 1], rising, each with the higher number.
  std::span<const int> start() const { return broad_phase_.start(); }
  std::span<const int> partners() const { return broad_phase_.partners(); }
  /// By how much bounds are widened.
  double slack() const { return slack_; }

 private:
  bool holds(std::span<const FlatBounds> bounds, std::span<const PlacedPlane> planes) const;
  void choose_slack(std::span<const FlatBounds> bounds);
  void pair_with_planes(const KeptPairs* kept);

  bool holds_ = false;
  long served_ = 1;  // calls that the list was good for
  double share_ = 0.05, slack_ = 0;
  std::vector<FlatBounds> wide_;
  std::vector<PlacedPlane> planes_;
  std::vector<std::pair<int, int>> plane_pairs_;
  NearBoxes near_;
  BroadPhase broad_phase_;
};

}  // namespace stickslip::internal
