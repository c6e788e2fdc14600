#include "dynamics/surfaces/facet_means.hpp"

#include <algorithm>
#include <tuple>

namespace stickslip::internal {
namespace {

/// Cosine of the angle within which normals belong to one mean.
constexpr double same_way = 0.94;

/// The mean over the nodes that some facets have.
class MeanShare {
 public:
  void clear() {
    node_.clear();
    N_.clear();
  }
  void add(const Facet& facet, const std::array<double, 6>& N, double weight) {
    for (std::size_t k = 0; k < std::size_t(facet.nodes); ++k) {
      const auto found = std::find(node_.begin(), node_.end(), facet.node[k]);
      if (found == node_.end()) {
        node_.push_back(facet.node[k]);
        N_.push_back(weight * N[k]);
      } else {
        N_[std::size_t(found - node_.begin())] += weight * N[k];
      }
    }
  }
  int into(SurfaceShares& shares) const { return node_.empty() ? -1 : shares.add(node_, N_); }

 private:
  std::vector<int> node_;
  std::vector<double> N_;
};

}  // namespace

void SurfaceShares::clear() {
  node_.clear();
  N_.clear();
  start_.assign(1, 0);
}

int SurfaceShares::add(std::span<const int> node, std::span<const double> N) {
  node_.insert(node_.end(), node.begin(), node.end());
  N_.insert(N_.end(), N.begin(), N.end());
  start_.push_back(int(node_.size()));
  return int(start_.size()) - 2;
}

std::span<const SurfaceShare> SurfaceShares::view() {
  shares_.resize(start_.size() - 1);
  for (std::size_t k = 0; k + 1 < start_.size(); ++k) {
    const auto first = std::size_t(start_[k]), count = std::size_t(start_[k + 1] - start_[k]);
    shares_[k] = {{node_.data() + first, count}, {N_.data() + first, count}};
  }
  return shares_;
}

void take_means(std::vector<FacetPart>& parts, SurfaceShares& shares, std::vector<FacetMean>& means) {
  means.clear();
  const auto place = [](const FacetPart& p) { return std::tuple(p.facet[0], p.other_body, p.facet[1]); };
  std::sort(parts.begin(), parts.end(),
            [&](const FacetPart& p, const FacetPart& q) { return place(p) < place(q); });
  std::vector<char> taken(parts.size(), 0);
  MeanShare mean[2];
  for (std::size_t first = 0; first < parts.size();) {
    std::size_t end = first + 1;
    while (end < parts.size() && parts[end].facet[0] == parts[first].facet[0] &&
           parts[end].other_body == parts[first].other_body)
      ++end;
    int number = 0;
    for (std::size_t k = first; k < end; ++k) {
      if (taken[k]) continue;
      // All that look the same way as this one.
      FacetMean made{.facet = parts[k].facet[0], .number = number++, .part = parts[k]};
      double area = 0;
      for (std::size_t m = k; m < end; ++m)
        if (!taken[m] && parts[m].normal.dot(parts[k].normal) > same_way) {
          area += parts[m].area;
          taken[m] = 2;
        }
      made.part.area = area;
      made.part.normal.setZero();
      for (std::size_t side = 0; side < 2; ++side) {
        made.part.on[side].setZero();
        mean[side].clear();
      }
      for (std::size_t m = k; m < end; ++m) {
        if (taken[m] != 2) continue;
        taken[m] = 1;
        const double weight = parts[m].area / area;
        made.part.normal += weight * parts[m].normal;
        for (std::size_t side = 0; side < 2; ++side) {
          made.part.on[side] += weight * parts[m].on[side];
          if (parts[m].of[side]) mean[side].add(*parts[m].of[side], parts[m].N[side], weight);
        }
      }
      made.part.normal.normalize();
      for (std::size_t side = 0; side < 2; ++side) made.share[side] = mean[side].into(shares);
      means.push_back(std::move(made));
    }
    first = end;
  }
}

}  // namespace stickslip::internal
