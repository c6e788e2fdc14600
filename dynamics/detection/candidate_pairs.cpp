#include "dynamics/detection/candidate_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip::internal {
namespace {

/// The slack as a part of the mean width of pieces that move: it halves where a list serves one call only, and grows where one serves many.
constexpr double least_share = 0.0125, largest_share = 0.1;
constexpr long many_calls = 8;

float below(double x) { return std::nextafter(float(x), -std::numeric_limits<float>::infinity()); }
float above(double x) { return std::nextafter(float(x), std::numeric_limits<float>::infinity()); }

bool inside(const FlatBounds& b, const FlatBounds& wide) {
  return wide.low[0] <= b.low[0] && wide.low[1] <= b.low[1] && wide.low[2] <= b.low[2] &&
         b.high[0] <= wide.high[0] && b.high[1] <= wide.high[1] && b.high[2] <= wide.high[2];
}

}  // namespace

bool CandidatePairs::holds(std::span<const FlatBounds> bounds, std::span<const PlacedPlane> planes) const {
  if (!holds_ || bounds.size() != wide_.size() || planes.size() != planes_.size()) return false;
  for (std::size_t k = 0; k < planes.size(); ++k)
    if (planes[k].piece != planes_[k].piece || planes[k].normal != planes_[k].normal ||
        planes[k].origin != planes_[k].origin || planes[k].reach > planes_[k].reach)
      return false;
  for (std::size_t k = 0; k < bounds.size(); ++k)
    if (is_there(bounds[k]) && !inside(bounds[k], wide_[k])) return false;
  return true;
}

void CandidatePairs::choose_slack(std::span<const FlatBounds> bounds) {
  if (served_ <= 1) share_ = std::max(least_share, share_ / 2);
  if (served_ >= many_calls) share_ = std::min(largest_share, share_ * 2);
  double sum = 0;
  long count = 0;
  for (const FlatBounds& b : bounds) {
    if (!b.moving || !is_there(b)) continue;
    sum += double(std::min({b.high[0] - b.low[0], b.high[1] - b.low[1], b.high[2] - b.low[2]}));
    ++count;
  }
  slack_ = count > 0 ? share_ * sum / double(count) : 0;
}

void CandidatePairs::pair_with_planes(const KeptPairs* kept) {
  plane_pairs_.clear();
  if (planes_.empty()) return;
  for (int k = 0; k < int(wide_.size()); ++k) {
    const FlatBounds& b = wide_[std::size_t(k)];
    if (!b.moving || !is_there(b)) continue;
    const Vector low(b.low[0], b.low[1], b.low[2]), high(b.high[0], b.high[1], b.high[2]);
    const Vector centre = 0.5 * (low + high), half = 0.5 * (high - low);
    for (const PlacedPlane& plane : planes_) {
      const auto [i, j] = std::minmax(plane.piece, k);
      if (kept && !kept->has(wide_[std::size_t(i)].owner, wide_[std::size_t(j)].owner)) continue;
      if (plane.normal.dot(centre - plane.origin) - plane.normal.cwiseAbs().dot(half) <= plane.reach + slack_)
        plane_pairs_.emplace_back(i, j);
    }
  }
}

void CandidatePairs::update(std::span<const FlatBounds> bounds, std::span<const PlacedPlane> planes,
                            const KeptPairs* kept, ThreadTeam* team) {
  if (holds(bounds, planes)) {
    ++served_;
    return;
  }
  choose_slack(bounds);
  wide_.assign(bounds.begin(), bounds.end());
  for (FlatBounds& b : wide_) {
    if (!is_there(b)) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      b.low[axis] = below(double(b.low[axis]) - slack_);
      b.high[axis] = above(double(b.high[axis]) + slack_);
    }
  }
  planes_.assign(planes.begin(), planes.end());
  for (PlacedPlane& plane : planes_) plane.reach += slack_;
  pair_with_planes(kept);
  broad_phase_.find(kept ? near_.find(wide_, *kept) : std::span<const FlatBounds>(wide_), plane_pairs_, team,
                    kept);
  holds_ = true;
  served_ = 1;
}

}  // namespace stickslip::internal
