// What the pairs of kinds hand back: contact points of two pieces, with the features that touch.
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

/// A part of a piece's surface that can touch: kind and number in one word.
enum class Feature : std::uint32_t {};

constexpr Feature make_feature(std::uint32_t kind, int number) {
  return Feature(kind << 28U | std::uint32_t(number));
}
constexpr std::uint32_t kind_of(Feature feature) { return std::uint32_t(feature) >> 28U; }
constexpr Feature corner_feature(int k) { return make_feature(1, k); }
constexpr Feature edge_feature(int k) { return make_feature(2, k); }
constexpr Feature face_feature(int k) { return make_feature(3, k); }
/// A smooth surface as a whole, or one of several points on it that are told apart by number.
constexpr Feature surface_feature(int k = 0) { return make_feature(4, k); }
/// The rim of an end of a cylinder.
constexpr Feature rim_feature(int k) { return make_feature(5, k); }
/// One of several points that are spread over a face, as in gauss2.
constexpr Feature spread_feature(int face, int k) { return make_feature(6, 4 * face + k); }

struct Touch {
  Feature feature_a, feature_b;
  Vector point_a, point_b;
  Vector normal;  ///< unit, from a to b
  double gap;     ///< normal·(point_b − point_a)
  double area;
};

/// Collects the contacts of one pair of pieces. Points are relative to an origin that the pair agrees on.
class Touches {
 public:
  /// Forgets the last pair. The gap of what is kept is at most `reach`.
  void begin(double reach) {
    list_.clear();
    reach_ = reach;
    swapped_ = false;
  }
  /// From here on the pieces come in the other order: what is added as a belongs to b.
  void swap() { swapped_ = !swapped_; }

  bool swapped() const { return swapped_; }

  double reach() const { return reach_; }
  std::vector<Touch>& list() { return list_; }
  const std::vector<Touch>& list() const { return list_; }

  void add(Feature feature_a, Feature feature_b, const Vector& point_a, const Vector& point_b,
           const Vector& normal, double gap, double area = 0) {
    if (!(gap <= reach_)) return;
    if (swapped_)
      list_.push_back({feature_b, feature_a, point_b, point_a, -normal, gap, area});
    else
      list_.push_back({feature_a, feature_b, point_a, point_b, normal, gap, area});
  }

 private:
  std::vector<Touch> list_;
  double reach_ = 0;
  bool swapped_ = false;
};

}  // namespace stickslip::internal
