// Points of surfaces of elements, and the means over facets: constant pressures on the facets of one of two surfaces.
//
//   one contact for each facet F of the finer surface and what it meets of the other body, over the polygons P_k = F ∩ F_k that both cover:
//
//   N̄_a = Σ_k ∫_{P_k} N_a dA / A,   A = Σ_k |P_k|,   on both sides;   point, normal and gap are means as well
//
// A contact force p A then gives each side the nodal forces ∫ N_a p dA: patches are exact whether nodes meet or not, and slivers between
// facets that hardly match make no contacts of their own. (Mortar method with pressures constant on facets: Bernardi, Maday, Patera 1994; Puso, Laursen 2004.)
#pragma once

#include <array>
#include <span>
#include <vector>

#include "dynamics/elements/boundary.hpp"
#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

/// A point of a surface of elements, or a mean over points: Σ N_a x_a.
struct SurfaceShare {
  std::span<const int> node;
  std::span<const double> N;

  Vector of(const double* values) const {
    Vector sum = Vector::Zero();
    for (std::size_t k = 0; k < node.size(); ++k)
      sum += N[k] * Eigen::Map<const Vector>(values + 3 * node[k]);
    return sum;
  }
};

/// Many of them in one block of memory.
class SurfaceShares {
 public:
  void clear();
  /// Its number.
  int add(std::span<const int> node, std::span<const double> N);
  /// Valid until the next change.
  std::span<const SurfaceShare> view();

 private:
  std::vector<int> node_, start_{0};
  std::vector<double> N_;
  std::vector<SurfaceShare> shares_;
};

/// The part of one pair of facets, or the mean over several.
struct FacetPart {
  std::array<int, 2> facet;  ///< of the finer surface, and of the other; by these parts are ordered
  int other_body = 0;        ///< that the second belongs to
  int fine_side = 0;         ///< 0: the finer surface is that of the contact's first body
  double area = 0;
  Vector normal;             ///< from the first body to the second
  std::array<Vector, 2> on;  ///< mean points of the contact's first and second body
  std::array<const Facet*, 2>
      of{};  ///< of the contact's first and second body; null where it has no elements
  std::array<std::array<double, 6>, 2> N{};
};

/// One of the means.
struct FacetMean {
  int facet = 0;   ///< of the finer surface
  int number = 0;  ///< among those of this facet and the other body
  FacetPart part;  ///< area, normal and points are the mean's
  std::array<int, 2> share = {-1, -1};
};

/// Sorts the parts and takes the means of those that have the facet of the finer surface and the other body in common and look the same way to
/// some 20°. Shares are added to `shares`.
void take_means(std::vector<FacetPart>& parts, SurfaceShares& shares, std::vector<FacetMean>& means);

}  // namespace stickslip::internal
