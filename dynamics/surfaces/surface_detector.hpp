// Contacts of surfaces made of elements, with each other and with shapes, found on the deformed facets.
//
//   facets with facets   (elements, boxes, hulls, meshes) seen along n = (n_a − n_b)/|n_a − n_b|: the polygon that both cover carries four points
//                        that integrate polynomials of degree 2 exactly, each with its share of the area, or the polygons of a facet of
//                        the finer surface one contact together, their mean (facet_means.hpp). Both ways a constant pressure gives both
//                        sides the nodal forces ∫ N p dA, whether their nodes meet or not.
//   nodes with planes, balls and capsules: every node of the surface, with the area ∫ N_a dA of the facets that look there; in the mean facets
//                        that lie on a plane touch it by one contact each
//
// A point of a surface of elements is Σ N_a x_a over the nodes of a facet, and H has N_a times the frame there. A body does not touch itself.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "dynamics/detection/broad_phase.hpp"
#include "dynamics/detection/detector.hpp"
#include "dynamics/detection/touch.hpp"
#include "dynamics/elements/element_model.hpp"
#include "dynamics/surfaces/facet_means.hpp"
#include "dynamics/surfaces/overlap.hpp"

namespace stickslip::internal {

/// A contact, and which of `shares` belong to its sides; −1 where the side is no surface of elements.
struct SurfaceContact {
  Contact contact;
  std::array<int, 2> share;
};

/// How facets touch: in the mean over a facet of the finer surface, or at four points of each polygon.
enum class FacetPoints { mean, gauss };

class SurfaceDetector {
 public:
  /// Bodies in the order of the scene, so that `body` is the index there. A shape that no facets and no distance are known of (ellipsoid,
  /// cylinder) is refused: InputError.
  void add_elements(int body, std::shared_ptr<const ElementModel> model);
  void add_shape(int body, std::shared_ptr<const PreparedShape> shape);
  void set_points(FacetPoints points) { points_ = points; }
  bool empty() const { return deforming_.empty(); }

  /// All contacts with gap ≤ reach[a] + reach[b] of which one side at least is made of elements, sorted by (a, b, key). `nodes[body]`: positions
  /// of the nodes of a body of elements; `placements[body]` those of shapes.
  void detect(std::span<const Placement> placements, std::span<const Eigen::VectorXd* const> nodes,
              std::span<const double> reach);
  std::span<const SurfaceContact> contacts() const { return contacts_; }
  /// Valid until the next detect.
  std::span<const SurfaceShare> shares() const { return view_; }

 private:
  struct Deforming {
    int body;
    std::shared_ptr<const ElementModel> model;
    int first_facet;
    double facet_area;  // in the mean, undeformed
  };
  struct Rigid {
    int body;
    std::shared_ptr<const PreparedShape> shape;
    std::size_t first_corner;  // of its facets in corners_
  };
  /// Corners from `first` on in corners_; of elements: of `deforming_[owner]`.
  struct Placed {
    int body, owner, local;
    int first, count;
    bool elements;
    double thickness;
    Vector normal, middle;
  };

  void place_facets(std::span<const Placement> placements, std::span<const Eigen::VectorXd* const> nodes,
                    std::span<const double> reach);
  void touch_facets(const Placed& a, const Placed& b, std::span<const Eigen::VectorXd* const> nodes,
                    double reach);
  /// Seen along n, in the plane of e₁ and e₂.
  struct Sight {
    Vector n, e1, e2;
    std::span<const Eigen::VectorXd* const> nodes;
  };
  /// The point of a facet over or under the point p of the plane, and N of its nodes where it is one of elements.
  bool project(const Placed& facet, const Sight& sight, const Vector& p, Vector& on,
               std::array<double, 6>& N);
  const Facet* facet_of(const Placed& facet) const;
  int share_of(const Placed& facet, const std::array<double, 6>& N);
  void touch_in_the_mean(const Placed& a, const Placed& b, const Sight& sight, double area, double reach,
                         double deep);
  void add_means();
  void touch_planes_and_rounds(std::span<const Placement> placements,
                               std::span<const Eigen::VectorXd* const> nodes, std::span<const double> reach);
  template <class Distance>
  void touch_nodes(const Deforming& body, int other, int piece, const Eigen::VectorXd& x, double reach,
                   FacetPoints points, const Distance& distance);
  /// A point near an obstacle, whose normal looks at the body.
  struct NearObstacle {
    Vector point, normal;
    double gap, area;
    int share, piece, number;
    Feature feature;
  };
  void add_to_obstacle(const Deforming& body, int other, const NearObstacle& near);
  void add(int a, int b, std::uint64_t key, const Vector& on_a, const Vector& on_b, const Vector& normal,
           double area, int share_a, int share_b);

  FacetPoints points_ = FacetPoints::mean;
  std::vector<Deforming> deforming_;
  std::vector<Rigid> rigid_;
  std::vector<Placed> facets_;
  std::vector<Vector> corners_;
  std::vector<FlatBounds> bounds_;
  BroadPhase broad_phase_;
  std::vector<Flat> polygon_, other_, room_, flat_nodes_;
  std::vector<Vector> spots_;
  std::vector<double> area_;
  std::vector<SurfaceContact> contacts_;
  SurfaceShares shares_;
  std::span<const SurfaceShare> view_;
  std::vector<FacetPart> parts_;
  std::vector<FacetMean> means_;
};

}  // namespace stickslip::internal
