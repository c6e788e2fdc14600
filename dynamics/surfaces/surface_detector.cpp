#include "dynamics/surfaces/surface_detector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/detection/key.hpp"
#include "dynamics/detection/polygon.hpp"
#include "dynamics/shapes/pieces.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// Facets look at each other where their normals make an angle of less than 60° with being opposite.
constexpr double opposite = -0.5;
/// From 20° on they touch at the corners of their common polygon: an edge that lands has no area.
constexpr double meets_flat = -0.94;
/// Overlaps below this share of a facet are rounding.
constexpr double least_overlap = 1e-9;
/// Facets that cover less than this share of each other in the mean pass each other by: edges of bodies that stand in a row.
constexpr double least_mean = 1e-3;
/// Facets deeper in each other than this share of the elements behind them belong to opposite sides.
constexpr double deepest = 0.75;
/// Facets within 2° of a plane lie on it: where facets touch in the mean these do, not their nodes.
constexpr double parallel = -0.9994;
/// A facet looks at an obstacle where the cosine with its normal is below this.
constexpr double looks_at = -0.05;

Vector area_of(std::span<const Vector> corners) {
  Vector area = Vector::Zero();
  for (std::size_t k = 1; k + 1 < corners.size(); ++k)
    area += 0.5 * (corners[k] - corners[0]).cross(corners[k + 1] - corners[0]);
  return area;
}

float below(double x) { return std::nextafter(float(x), -std::numeric_limits<float>::infinity()); }
float above(double x) { return std::nextafter(float(x), std::numeric_limits<float>::infinity()); }

}  // namespace

void SurfaceDetector::add_elements(int body, std::shared_ptr<const ElementModel> model) {
  const int owner = int(deforming_.size());
  const auto& facets = model->boundary().facets;
  double area = 0;
  for (const Facet& facet : facets) {
    std::array<Vector, 4> corners;
    for (std::size_t c = 0; c < std::size_t(facet.corners()); ++c)
      corners[c] = model->X()[std::size_t(facet.node[c])];
    area += area_of({corners.data(), std::size_t(facet.corners())}).norm() / double(facets.size());
  }
  deforming_.push_back({body, std::move(model), int(facets_.size()), area});
  for (std::size_t f = 0; f < facets.size(); ++f) {
    facets_.push_back({body, owner, int(f), int(corners_.size()), facets[f].corners(), true,
                       deforming_.back().model->thickness(), Vector::Zero(), Vector::Zero()});
    corners_.resize(corners_.size() + std::size_t(facets[f].corners()));
  }
}

void SurfaceDetector::add_shape(int body, std::shared_ptr<const PreparedShape> shape) {
  rigid_.push_back({body, std::move(shape), corners_.size()});
  const int owner = int(rigid_.size()) - 1;
  const Pieces& pieces = rigid_.back().shape->pieces();
  const auto face = [&](int local, int count, double thickness) {
    facets_.push_back(
        {body, owner, local, int(corners_.size()), count, false, thickness, Vector::Zero(), Vector::Zero()});
    corners_.resize(corners_.size() + std::size_t(count));
  };
  int local = 0;
  for (const Piece& piece : pieces.list) {
    if (piece.kind == PieceKind::ellipsoid || piece.kind == PieceKind::cylinder)
      throw InputError(
          "ellipsoids and cylinders do not touch bodies of elements; take a convex, a capsule or a mesh");
    if (piece.polyhedron)
      for (int f = 0; f < piece.polyhedron->face_count(); ++f)
        face(local++, int(piece.polyhedron->face(f).size()), rigid_.back().shape->thickness());
    if (piece.kind == PieceKind::mesh)
      for (std::size_t t = 0; t < pieces.mesh->triangles.size(); ++t)
        face(local++, 3, std::numeric_limits<double>::infinity());
  }
}

void SurfaceDetector::place_facets(std::span<const Placement> placements,
                                   std::span<const Eigen::VectorXd* const> nodes,
                                   std::span<const double> reach) {
  for (const Deforming& body : deforming_) {
    const auto& facets = body.model->boundary().facets;
    const Eigen::VectorXd& x = *nodes[std::size_t(body.body)];
    for (std::size_t f = 0; f < facets.size(); ++f)
      for (int c = 0; c < facets[f].corners(); ++c)
        corners_[std::size_t(facets_[std::size_t(body.first_facet) + f].first + c)] =
            x.segment<3>(3 * facets[f].node[std::size_t(c)]);
  }
  for (const Rigid& rigid : rigid_) {
    const Placement& placement = placements[std::size_t(rigid.body)];
    const Pieces& pieces = rigid.shape->pieces();
    std::size_t corner = rigid.first_corner;
    for (const Piece& piece : pieces.list) {
      if (piece.polyhedron)
        for (int f = 0; f < piece.polyhedron->face_count(); ++f)
          for (int c : piece.polyhedron->face(f))
            corners_[corner++] = placement(piece.polyhedron->corners[std::size_t(c)]);
      if (piece.kind == PieceKind::mesh)
        for (const auto& triangle : pieces.mesh->triangles)
          for (int c : triangle) corners_[corner++] = placement(pieces.mesh->vertices[std::size_t(c)]);
    }
  }
  bounds_.resize(facets_.size());
  for (std::size_t f = 0; f < facets_.size(); ++f) {
    Placed& facet = facets_[f];
    const std::span<const Vector> corners(&corners_[std::size_t(facet.first)], std::size_t(facet.count));
    Vector low = corners[0], high = corners[0];
    facet.middle.setZero();
    for (const Vector& c : corners) {
      low = low.cwiseMin(c);
      high = high.cwiseMax(c);
      facet.middle += c / double(facet.count);
    }
    facet.normal = area_of(corners).normalized();
    FlatBounds& flat = bounds_[f];
    flat.owner = facet.body;
    flat.moving = facet.elements;
    const double r = reach[std::size_t(facet.body)];
    for (int d = 0; d < 3; ++d) {
      flat.low[std::size_t(d)] = below(low[d] - r);
      flat.high[std::size_t(d)] = above(high[d] + r);
    }
  }
}

void SurfaceDetector::add(int a, int b, std::uint64_t key, const Vector& on_a, const Vector& on_b,
                          const Vector& normal, double area, int share_a, int share_b) {
  contacts_.push_back({{.a = a,
                        .b = b,
                        .key = key,
                        .point_a = on_a,
                        .point_b = on_b,
                        .normal = normal,
                        .gap = normal.dot(on_b - on_a),
                        .area = area},
                       {share_a, share_b}});
}

const Facet* SurfaceDetector::facet_of(const Placed& facet) const {
  return facet.elements
             ? &deforming_[std::size_t(facet.owner)].model->boundary().facets[std::size_t(facet.local)]
             : nullptr;
}

int SurfaceDetector::share_of(const Placed& facet, const std::array<double, 6>& N) {
  const Facet* of = facet_of(facet);
  return of ? shares_.add({of->node.data(), std::size_t(of->nodes)}, {N.data(), std::size_t(of->nodes)}) : -1;
}

bool SurfaceDetector::project(const Placed& facet, const Sight& sight, const Vector& p, Vector& on,
                              std::array<double, 6>& N) {
  const Facet* of = facet_of(facet);
  if (!of) {
    on = p + facet.normal.dot(facet.middle - p) / facet.normal.dot(sight.n) * sight.n;
    return true;
  }
  const Eigen::VectorXd& x = *sight.nodes[std::size_t(facet.body)];
  flat_nodes_.clear();
  for (int k = 0; k < of->nodes; ++k) {
    const Vector d = Vector(x.segment<3>(3 * of->node[std::size_t(k)])) - p;
    flat_nodes_.emplace_back(sight.e1.dot(d), sight.e2.dot(d));
  }
  double s = 0, t = 0;
  if (!invert_face(flat_nodes_, Flat::Zero(), s, t)) return false;
  face_interpolation(of->nodes, s, t, N.data());
  on.setZero();
  for (int k = 0; k < of->nodes; ++k) on += N[std::size_t(k)] * x.segment<3>(3 * of->node[std::size_t(k)]);
  return true;
}

void SurfaceDetector::touch_in_the_mean(const Placed& a, const Placed& b, const Sight& sight, double area,
                                        double reach, double deep) {
  // The finer surface has the pressures; of equal ones that of the first body.
  const auto size = [&](const Placed& facet) {
    return facet.elements ? deforming_[std::size_t(facet.owner)].facet_area
                          : std::numeric_limits<double>::infinity();
  };
  const int fine = size(b) < size(a) ? 1 : 0;
  const std::array<int, 2> facet = {int(&a - facets_.data()), int(&b - facets_.data())};
  FacetPart part{.facet = {facet[std::size_t(fine)], facet[std::size_t(1 - fine)]},
                 .other_body = fine == 0 ? b.body : a.body,
                 .fine_side = fine,
                 .area = area,
                 .normal = sight.n,
                 .on = {Vector::Zero(), Vector::Zero()},
                 .of = {facet_of(a), facet_of(b)}};
  const double weight = 1.0 / double(spots_.size());
  for (const Vector& spot : spots_)
    for (std::size_t side = 0; side < 2; ++side) {
      Vector on;
      std::array<double, 6> N{};
      if (!project(side == 0 ? a : b, sight, spot, on, N)) return;
      part.on[side] += weight * on;
      for (std::size_t k = 0; k < N.size(); ++k) part.N[side][k] += weight * N[k];
    }
  const double gap = sight.n.dot(part.on[1] - part.on[0]);
  if (gap <= reach && gap >= -deep) parts_.push_back(part);
}

void SurfaceDetector::add_means() {
  take_means(parts_, shares_, means_);
  for (const FacetMean& mean : means_) {
    const Placed& fine = facets_[std::size_t(mean.facet)];
    if (mean.part.area <
        least_mean * area_of({&corners_[std::size_t(fine.first)], std::size_t(fine.count)}).norm())
      continue;
    const int a = mean.part.fine_side == 0 ? fine.body : mean.part.other_body,
              b = mean.part.fine_side == 0 ? mean.part.other_body : fine.body;
    add(a, b, contact_key(a, b, fine.local, mean.number, surface_feature(), surface_feature(1)),
        mean.part.on[0], mean.part.on[1], mean.part.normal, mean.part.area, mean.share[0], mean.share[1]);
  }
}

void SurfaceDetector::touch_facets(const Placed& a, const Placed& b,
                                   std::span<const Eigen::VectorXd* const> nodes, double reach) {
  const double cosine = a.normal.dot(b.normal);
  if (!(cosine < opposite)) return;
  const Vector n = (a.normal - b.normal).normalized();
  const double deep = deepest * std::min(a.thickness, b.thickness);
  const Vector first = corners_[std::size_t(a.first) + 1] - corners_[std::size_t(a.first)];
  const Vector e1 = (first - n.dot(first) * n).normalized(), e2 = n.cross(e1);
  const Sight sight{n, e1, e2, nodes};
  const auto flat = [&](const Vector& x) { return Flat(e1.dot(x - a.middle), e2.dot(x - a.middle)); };
  polygon_.clear();
  other_.clear();
  for (int k = 0; k < a.count; ++k) polygon_.push_back(flat(corners_[std::size_t(a.first + k)]));
  for (int k = b.count; k > 0; --k) other_.push_back(flat(corners_[std::size_t(b.first + k - 1)]));
  cut_polygon(polygon_, other_, room_);
  if (polygon_.size() < 3) return;
  spots_.clear();
  for (const Flat& p : polygon_) spots_.push_back(a.middle + p[0] * e1 + p[1] * e2);
  const PolygonMoments moments = polygon_moments(spots_, e1, e2);
  const double whole = std::min(area_of({&corners_[std::size_t(a.first)], std::size_t(a.count)}).norm(),
                                area_of({&corners_[std::size_t(b.first)], std::size_t(b.count)}).norm());
  if (!(moments.area > least_overlap * whole)) return;
  if (cosine < meets_flat) {
    // Linear shape functions have their mean at the centroid.
    const auto linear = [&](const Placed& facet) { return !facet.elements || facet_of(facet)->nodes == 3; };
    if (points_ == FacetPoints::mean && linear(a) && linear(b)) {
      spots_.assign(1, moments.centroid);
    } else {
      Vector four[4];
      gauss_points(moments, e1, e2, four);
      spots_.assign(four, four + 4);
    }
    if (points_ == FacetPoints::mean) return touch_in_the_mean(a, b, sight, moments.area, reach, deep);
  }
  for (std::size_t k = 0; k < spots_.size(); ++k) {
    Vector on_a, on_b;
    std::array<double, 6> N_a{}, N_b{};
    if (!project(a, sight, spots_[k], on_a, N_a) || !project(b, sight, spots_[k], on_b, N_b)) continue;
    const double gap = n.dot(on_b - on_a);
    if (!(gap <= reach) || gap < -deep) continue;
    add(a.body, b.body,
        contact_key(a.body, b.body, a.local, b.local, surface_feature(int(k)), surface_feature()), on_a, on_b,
        n, moments.area / double(spots_.size()), share_of(a, N_a), share_of(b, N_b));
  }
}

void SurfaceDetector::add_to_obstacle(const Deforming& body, int other, const NearObstacle& near) {
  const Vector foot = near.point - near.gap * near.normal;
  if (other < body.body)
    add(other, body.body,
        contact_key(other, body.body, near.piece, near.number, surface_feature(), near.feature), foot,
        near.point, near.normal, near.area, -1, near.share);
  else
    add(body.body, other,
        contact_key(body.body, other, near.number, near.piece, near.feature, surface_feature()), near.point,
        foot, -near.normal, near.area, near.share, -1);
}

template <class Distance>
void SurfaceDetector::touch_nodes(const Deforming& body, int other, int piece, const Eigen::VectorXd& x,
                                  double reach, FacetPoints points, const Distance& distance) {
  // Nodes near the obstacle, then the area of the facets that look at it. Nodes of facets that touch in the mean are taken by these.
  constexpr double far = -1, taken = -2;
  const Boundary& boundary = body.model->boundary();
  area_.assign(boundary.nodes.size(), far);
  bool any = false;
  for (std::size_t k = 0; k < boundary.nodes.size(); ++k)
    if (const auto [gap, normal] = distance(x.segment<3>(3 * boundary.nodes[k])); gap <= reach) {
      area_[k] = 0;
      any = true;
    }
  if (!any) return;
  for (std::size_t f = 0; f < boundary.facets.size(); ++f) {
    const Facet& facet = boundary.facets[f];
    const Placed& placed = facets_[std::size_t(body.first_facet) + f];
    const auto [mean_gap, normal] = distance(placed.middle);
    const double cosine = placed.normal.dot(normal);
    if (!(cosine < looks_at)) continue;
    const double area =
        -cosine * area_of({&corners_[std::size_t(placed.first)], std::size_t(placed.count)}).norm();
    const bool lies = points == FacetPoints::mean && cosine < parallel;
    std::array<double, 6> N{};
    for (std::size_t k = 0; k < std::size_t(facet.nodes); ++k) {
      // ∫ N_a dA of a flat facet: equal shares of corners; of six nodes those between the corners have it all.
      N[k] = facet.nodes == 6 ? (k < 3 ? 0 : 1.0 / 3) : 1.0 / facet.nodes;
      double& mine = area_[std::size_t(boundary.place[std::size_t(facet.node[k])])];
      if (lies)
        mine = taken;
      else if (mine >= 0)
        mine += N[k] * area + std::numeric_limits<double>::min();
    }
    if (!lies || mean_gap > reach) continue;
    const int share = share_of(placed, N);
    Vector p = Vector::Zero();
    for (std::size_t k = 0; k < std::size_t(facet.nodes); ++k) p += N[k] * x.segment<3>(3 * facet.node[k]);
    add_to_obstacle(body, other,
                    {p, normal, distance(p).first, area, share, piece, int(f), surface_feature(1)});
  }
  for (std::size_t k = 0; k < boundary.nodes.size(); ++k) {
    if (!(area_[k] > 0)) continue;
    const int node = boundary.nodes[k];
    const Vector p = x.segment<3>(3 * node);
    const auto [gap, normal] = distance(p);
    const double whole = 1;
    add_to_obstacle(
        body, other,
        {p, normal, gap, area_[k], shares_.add({&node, 1}, {&whole, 1}), piece, node, corner_feature(node)});
  }
}

void SurfaceDetector::touch_planes_and_rounds(std::span<const Placement> placements,
                                              std::span<const Eigen::VectorXd* const> nodes,
                                              std::span<const double> reach) {
  for (const Rigid& rigid : rigid_) {
    const Placement& at = placements[std::size_t(rigid.body)];
    int number = 0;
    for (const Piece& piece : rigid.shape->pieces().list) {
      const int here = number++;
      if (piece.kind != PieceKind::plane && piece.kind != PieceKind::sphere &&
          piece.kind != PieceKind::capsule)
        continue;
      const Vector centre = at(piece.centre), axis = (at.F * piece.axes.col(2)).normalized();
      for (const Deforming& body : deforming_) {
        const Eigen::VectorXd& x = *nodes[std::size_t(body.body)];
        const double far = reach[std::size_t(rigid.body)] + reach[std::size_t(body.body)];
        if (piece.kind == PieceKind::plane) {
          touch_nodes(body, rigid.body, here, x, far, points_,
                      [&](const Vector& p) { return std::pair(axis.dot(p - centre), axis); });
        } else {
          const double half = piece.kind == PieceKind::capsule ? piece.sizes[1] : 0;
          touch_nodes(body, rigid.body, here, x, far, FacetPoints::gauss, [&](const Vector& p) {
            const double along = std::clamp(axis.dot(p - centre), -half, half);
            const Vector from = p - centre - along * axis;
            return std::pair(from.norm() - piece.sizes[0], Vector(from.normalized()));
          });
        }
      }
    }
  }
}

void SurfaceDetector::detect(std::span<const Placement> placements,
                             std::span<const Eigen::VectorXd* const> nodes, std::span<const double> reach) {
  contacts_.clear();
  shares_.clear();
  parts_.clear();
  view_ = {};
  if (deforming_.empty()) return;
  place_facets(placements, nodes, reach);
  broad_phase_.find(bounds_, {}, nullptr);
  for (std::size_t f = 0; f < facets_.size(); ++f)
    for (int k = broad_phase_.start()[f]; k < broad_phase_.start()[f + 1]; ++k) {
      const Placed &one = facets_[f], &two = facets_[std::size_t(broad_phase_.partners()[std::size_t(k)])];
      const double far = reach[std::size_t(one.body)] + reach[std::size_t(two.body)];
      one.body < two.body ? touch_facets(one, two, nodes, far) : touch_facets(two, one, nodes, far);
    }
  add_means();
  touch_planes_and_rounds(placements, nodes, reach);
  view_ = shares_.view();
  std::sort(contacts_.begin(), contacts_.end(), [](const SurfaceContact& p, const SurfaceContact& q) {
    if (p.contact.a != q.contact.a) return p.contact.a < q.contact.a;
    if (p.contact.b != q.contact.b) return p.contact.b < q.contact.b;
    return p.contact.key < q.contact.key;
  });
}

}  // namespace stickslip::internal
