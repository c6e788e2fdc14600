// What a step leaves for the next one at each contact, found again by the identity of the touching features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

struct RememberedContact {
  std::int64_t a = 0, b = 0;
  std::uint64_t key = 0;
  Vector point = Vector::Zero();     ///< where it was
  Vector force = Vector::Zero();     ///< on the second body: impulse by the step
  Vector velocity = Vector::Zero();  ///< of the second body relative to the first, after that step
  double gap = 0;                    ///< at the middle of that step
  double approach = 0;               ///< h u_N: how much the gap was to change until the middle of the next
  double loaded = 0;                 ///< 1: it carried an impulse
};

/// Both lists are sorted by (a, b, key): one walk finds all.
class ContactMemory {
 public:
  std::vector<RememberedContact> last, next;

  void begin() {
    at_ = 0;
    next.clear();
  }
  /// The contact of the last step with this identity, or null. Calls must come in rising order.
  const RememberedContact* find(std::int64_t a, std::int64_t b, std::uint64_t key) {
    const auto before = [&](const RememberedContact& c) {
      return c.a != a ? c.a < a : c.b != b ? c.b < b : c.key < key;
    };
    while (at_ < last.size() && before(last[at_])) ++at_;
    if (at_ == last.size()) return nullptr;
    const RememberedContact& c = last[at_];
    return c.a == a && c.b == b && c.key == key ? &c : nullptr;
  }
  /// The nearest contact of the last step between the same bodies that carried an impulse, within `reach` of p: a body that rolls from one
  /// facet of a surface to the next meets other features, but the same surface. After find(a, b, …).
  const RememberedContact* near(std::int64_t a, std::int64_t b, const Vector& p, double reach) const {
    const RememberedContact* nearest = nullptr;
    double least = reach;
    const auto look = [&](const RememberedContact& c) {
      if (c.a != a || c.b != b) return false;
      if (const double way = (c.point - p).norm(); c.loaded > 0 && way < least) {
        least = way;
        nearest = &c;
      }
      return true;
    };
    for (std::size_t k = at_; k < last.size() && look(last[k]); ++k) continue;
    for (std::size_t k = at_; k > 0 && look(last[k - 1]); --k) continue;
    return nearest;
  }
  void end() { last.swap(next); }

 private:
  std::size_t at_ = 0;
};

}  // namespace stickslip::internal
