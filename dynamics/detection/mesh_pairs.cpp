// A mesh and a convex piece: triangle by triangle, from the free side only. A contact at a side or corner of a triangle counts
// where its normal belongs to the surface there: no other triangle of the mesh is nearer in its direction. So sides
// between triangles in one plane, and hollow ones, never catch.
#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/detection/closest.hpp"
#include "dynamics/detection/face_manifold.hpp"
#include "dynamics/detection/pairs.hpp"
#include "dynamics/detection/rounded.hpp"
#include "dynamics/detection/separating_axis.hpp"

namespace stickslip::internal {
namespace {

constexpr double along = 1e-9;    // sine: what is still along a plane
constexpr double on_face = 1e-6;  // a normal nearer to that of the triangle is that of the triangle

/// A triangle as a polyhedron without thickness: front and back.
const Polyhedron& triangle_topology() {
  static const Polyhedron topology = [] {
    Polyhedron p;
    p.corners.assign(3, Vector::Zero());
    p.loop_start = {0, 3, 6};
    p.loop = {0, 1, 2, 0, 2, 1};
    p.loop_edge = {0, 1, 2, 2, 1, 0};
    p.edges = {{{0, 1}, {0, 1}}, {{1, 2}, {0, 1}}, {{2, 0}, {0, 1}}};
    p.edges_start = {0, 2, 4, 6};
    p.corner_edges = {0, 2, 0, 1, 1, 2};
    p.normals.assign(2, Vector::UnitZ());
    p.offsets.assign(2, 0);
    p.areas.assign(2, 0);
    p.widths.assign(2, 1e300);  // a part of any triangle may be as thin as it likes
    p.centre = Vector::Zero();
    return p;
  }();
  return topology;
}

/// A triangle of the mesh in the world, and as a piece.
struct Triangle {
  int number;
  Vector corner[3], normal;
  Vector normals[2];
  double offsets[2];
  Piece piece;
  Placed placed;
};

/// Where on a triangle a point lies.
struct Place {
  enum class Kind { face, side, corner } kind;
  int k = 0;
};

class MeshPair {
 public:
  MeshPair(const Placed& mesh, const Placed& b, const PairOptions& options, PairSpace& space,
           Touches& touches)
      : surface_(*mesh.mesh), mesh_(mesh), b_(b), options_(options), space_(space), touches_(touches) {}

  void run() {
    // The bounds of the piece in the axes of the mesh.
    Placement place{b_.axes * b_.piece->axes.transpose(), {}};
    place.c = b_.centre - place.F * b_.piece->centre;
    const Bounds world = bounds(*b_.piece, place);
    const Matrix R = mesh_.axes * mesh_.piece->axes.transpose();
    const Vector centre = R.transpose() * ((world.low + world.high) / 2 - mesh_.shift);
    const Vector half =
        R.transpose().cwiseAbs() * ((world.high - world.low) / 2 + Vector::Constant(touches_.reach()));
    surface_.query(centre - half, centre + half, space_.triangles);
    const bool round = b_.rigid && (b_.kind() == PieceKind::sphere || b_.kind() == PieceKind::capsule);
    for (const int t : space_.triangles) {
      place_triangle(t, R);
      if (triangle_.normal.dot(b_.centre - triangle_.corner[0]) < 0) continue;  // behind
      if (round)
        round_piece();
      else
        other_piece();
    }
    merge();
  }

 private:
  void place_triangle(int t, const Matrix& R) {
    triangle_.number = t;
    for (int k = 0; k < 3; ++k)
      triangle_.corner[k] = R * surface_.vertices[surface_.triangles[t][k]] + mesh_.shift;
    triangle_.normal = R * surface_.normals[t];
  }

  Vector vertex(int v) const {
    return mesh_.axes * (mesh_.piece->axes.transpose() * surface_.vertices[v]) + mesh_.shift;
  }
  Vector normal_of(int t) const { return mesh_.axes * (mesh_.piece->axes.transpose() * surface_.normals[t]); }

  /// Whether n, a unit vector, is a normal of the surface at a side or corner of the triangle: it leans out of all triangles
  /// that meet there.
  bool belongs(const Place& place, const Vector& n) const {
    if (n.dot(triangle_.normal) < -along) return false;
    if (place.kind == Place::Kind::face) return (n - triangle_.normal).norm() < on_face;
    if (place.kind == Place::Kind::side) {
      const int k = place.k, other = surface_.neighbour[triangle_.number][k];
      const Vector side = (triangle_.corner[(k + 1) % 3] - triangle_.corner[k]).normalized();
      if (std::abs(n.dot(side)) > on_face || n.dot(triangle_.normal.cross(side)) > along) return false;
      return other < 0 || n.dot(-normal_of(other).cross(side)) <= along;
    }
    const int v = surface_.triangles[triangle_.number][place.k];
    const Vector at = triangle_.corner[place.k];
    for (int k = surface_.ring_start[v]; k < surface_.ring_start[v + 1]; ++k)
      if (n.dot((vertex(surface_.ring[k]) - at).normalized()) > along) return false;
    return true;
  }

  /// Whether the piece, `gap` from the surface at a side, is farther from the plane of a triangle there, or overlaps it by less than half of that:
  /// it has entered a hole by less than the copies of a pair are shrunk.
  bool held_by_triangle(const Place& place, double gap) const {
    if (place.kind != Place::Kind::side || gap > corner_touch * b_.piece->radius) return false;
    const double least = face_holds_from(gap, b_.piece->radius);
    const Rounded body(b_);
    const auto held = [&](const Vector& n) {
      const Vector lowest = body.corner(body.extreme(-n)) + body.bulge_point(-n) - body.radius * n;
      return n.dot(lowest - triangle_.corner[place.k]) > least;
    };
    const int other = surface_.neighbour[triangle_.number][place.k];
    return held(triangle_.normal) || (other >= 0 && held(normal_of(other)));
  }

  /// The part of the triangle that the point x of it lies on.
  Place place_of(const Vector& x) const {
    double size = 0;
    for (int k = 0; k < 3; ++k)
      size = std::max(size, (triangle_.corner[(k + 1) % 3] - triangle_.corner[k]).norm());
    for (int k = 0; k < 3; ++k)
      if ((x - triangle_.corner[k]).norm() <= same_place * size) return {Place::Kind::corner, k};
    for (int k = 0; k < 3; ++k) {
      const Vector side = (triangle_.corner[(k + 1) % 3] - triangle_.corner[k]).normalized();
      if (side.cross(x - triangle_.corner[k]).norm() <= same_place * size) return {Place::Kind::side, k};
    }
    return {Place::Kind::face, 0};
  }

  /// The feature of the mesh: the patch of triangles in one plane, the side as its first owner counts it, the vertex.
  Feature feature_of(const Place& place) const {
    const int t = triangle_.number;
    if (place.kind == Place::Kind::corner) return corner_feature(surface_.triangles[t][place.k]);
    if (place.kind == Place::Kind::face) return face_feature(surface_.patch[t]);
    int first = 3 * t + place.k;
    if (const int other = surface_.neighbour[t][place.k]; other >= 0 && other < t)
      for (int k = 0; k < 3; ++k)
        if (surface_.neighbour[other][k] == t &&
            surface_.triangles[other][k] == surface_.triangles[t][(place.k + 1) % 3])
          first = 3 * other + k;
    return edge_feature(first);
  }

  /// Inside a flat patch: a side or corner that is none of the surface as a whole.
  bool is_inner(const Place& place) const {
    if (place.kind == Place::Kind::side)
      return surface_.side[triangle_.number][place.k] == MeshSurface::Side::flat;
    return place.kind == Place::Kind::corner &&
           surface_.inner_vertex[surface_.triangles[triangle_.number][place.k]];
  }

  bool stands_out(const Place& place) const {
    return place.kind == Place::Kind::side &&
           (surface_.side[triangle_.number][place.k] == MeshSurface::Side::convex ||
            surface_.side[triangle_.number][place.k] == MeshSurface::Side::border);
  }

  void add(const Place& place, Feature feature_b, const Vector& x, const Vector& y, const Vector& n,
           double gap, double area = 0) {
    const bool flat = (n - triangle_.normal).norm() < on_face;
    touches_.add(flat ? face_feature(surface_.patch[triangle_.number]) : feature_of(place), feature_b, x, y,
                 n, gap, area);
  }

  /// Contact of a ball about c with the triangle, where it is the nearest of the surface near there.
  void ball(const Vector& c, double radius, Feature feature_b) {
    const double height = triangle_.normal.dot(c - triangle_.corner[0]);
    if (height < 0 || height - radius > touches_.reach()) return;
    const Vector foot = c - height * triangle_.normal;
    Place place{Place::Kind::face, 0};
    Vector nearest = foot;
    double least = INFINITY;
    for (int k = 0; k < 3; ++k) {
      const Vector &p = triangle_.corner[k], &q = triangle_.corner[(k + 1) % 3];
      if (triangle_.normal.cross(q - p).dot(foot - p) >= 0) continue;
      const double t = nearest_on_segment(c, p, q);
      const Vector x = p + t * (q - p);
      if (const double d = (c - x).norm(); d < least) {
        least = d;
        nearest = x;
        place = t == 0   ? Place{Place::Kind::corner, k}
                : t == 1 ? Place{Place::Kind::corner, (k + 1) % 3}
                         : Place{Place::Kind::side, k};
      }
    }
    const Vector n =
        place.kind == Place::Kind::face ? triangle_.normal : unit_or(c - nearest, triangle_.normal);
    if (!belongs(place, n)) return;
    add(place, feature_b, nearest, c - radius * n, n, n.dot(c - nearest) - radius);
  }

  void round_piece() {
    const double radius = b_.sizes()[0];
    if (b_.kind() == PieceKind::sphere) return ball(b_.centre, radius, surface_feature());
    const Vector half = b_.sizes()[1] * b_.axis(2), from = b_.centre - half, to = b_.centre + half;
    ball(from, radius, corner_feature(0));
    ball(to, radius, corner_feature(1));
    // Between the ends: over sides and corners that stand out.
    for (int k = 0; k < 3; ++k) {
      const Vector &p = triangle_.corner[k], &q = triangle_.corner[(k + 1) % 3];
      const SegmentPair pair = nearest_on_segments(from, to, p, q);
      if (pair.s <= 0 || pair.s >= 1) continue;
      const Vector c = from + pair.s * (to - from), x = p + pair.t * (q - p),
                   n = unit_or(c - x, triangle_.normal);
      const Place place = pair.t == 0   ? Place{Place::Kind::corner, k}
                          : pair.t == 1 ? Place{Place::Kind::corner, (k + 1) % 3}
                                        : Place{Place::Kind::side, k};
      if (is_inner(place) || !belongs(place, n)) continue;
      touches_.add(feature_of(place), edge_feature(0), x, c - radius * n, n, n.dot(c - x) - radius);
    }
  }

  void other_piece() {
    // As two convex bodies; what does not belong to the surface is replaced by contacts along the triangle's normal.
    make_solid();
    Touches& found = space_.found;
    found.begin(touches_.reach());
    piece_and_piece(triangle_.placed, b_, options_, space_, found);
    // A side that stands out is left to the triangle beyond it.
    bool again = found.list().empty();
    std::erase_if(found.list(), [&](const Touch& t) {
      const Place place = place_of(t.point_a);
      const bool wrong = !belongs(place, t.normal) || held_by_triangle(place, t.gap);
      again = again || (wrong && (!stands_out(place) || t.gap < 0));
      return wrong;
    });
    const std::size_t kept = found.list().size();
    if (again) {
      if (b_.polyhedron.topology)
        face_manifold(triangle_.placed.polyhedron, 0, b_.polyhedron,
                      looking_face(b_.polyhedron, -triangle_.normal, b_.piece->radius), options_.points,
                      space_.clip, found);
      else
        rounded_on_face(triangle_.placed, 0, b_, options_, space_, found);
    }
    for (std::size_t k = 0; k < found.list().size(); ++k) {
      const Touch& t = found.list()[k];
      const Place place = place_of(t.point_a);
      // What is kept goes before what was put in its place.
      const auto repeats = [&](const Touch& s) {
        return (s.feature_a == t.feature_a && s.feature_b == t.feature_b) ||
               (s.point_a - t.point_a).norm() < 1e-6 * b_.piece->radius;
      };
      if (k >= kept &&
          std::any_of(found.list().begin(), found.list().begin() + std::ptrdiff_t(kept), repeats))
        continue;
      // Where an edge of the piece crosses a side within a plane, or its face lies on a corner within one, nothing ends.
      const auto kind = kind_of(t.feature_b);
      if (is_inner(place) && (kind == kind_of(edge_feature(0)) || kind == kind_of(face_feature(0)))) continue;
      add(place, t.feature_b, t.point_a, t.point_b, t.normal, t.gap, t.area);
    }
  }

  void make_solid() {
    triangle_.normals[0] = triangle_.normal;
    triangle_.normals[1] = -triangle_.normal;
    triangle_.offsets[0] = triangle_.normal.dot(triangle_.corner[0]);
    triangle_.offsets[1] = -triangle_.offsets[0];
    Placed& p = triangle_.placed;
    p.centre = (triangle_.corner[0] + triangle_.corner[1] + triangle_.corner[2]) / 3;
    triangle_.piece.kind = PieceKind::polyhedron;
    triangle_.piece.radius = 0;
    for (const Vector& c : triangle_.corner)
      triangle_.piece.radius = std::max(triangle_.piece.radius, (c - p.centre).norm());
    p.piece = &triangle_.piece;
    p.axes = Matrix::Identity();
    p.shift = Vector::Zero();
    p.polyhedron.topology = &triangle_topology();
    p.polyhedron.corners = triangle_.corner;
    p.polyhedron.normals = triangle_.normals;
    p.polyhedron.offsets = triangle_.offsets;
    p.polyhedron.centre = p.centre;
  }

  /// Whether x, a point of the other piece behind the surface, is behind another triangle by less than half of `depth`: then
  /// that is the way out.
  bool nearer_elsewhere(const Vector& x, double depth) {
    for (const int t : space_.triangles) {
      place_triangle(t, mesh_.axes * mesh_.piece->axes.transpose());
      const double behind = triangle_.normal.dot(triangle_.corner[0] - x);
      if (behind < 0 || behind > 0.5 * depth || triangle_.normal.dot(b_.centre - triangle_.corner[0]) < 0)
        continue;
      bool over = true;
      for (int k = 0; k < 3; ++k)
        over = over && triangle_.normal.cross(triangle_.corner[(k + 1) % 3] - triangle_.corner[k])
                               .dot(x - triangle_.corner[k]) >= 0;
      if (over) return true;
    }
    return false;
  }

  /// Of contacts behind several triangles that meet at an angle those with the nearest one count; one is always left.
  void leave_out_ways_round() {
    auto& list = touches_.list();
    const double deep = 1e-7 * b_.piece->radius;
    const auto way_round = [&](const Touch& t) {
      const bool face = kind_of(touches_.swapped() ? t.feature_b : t.feature_a) == kind_of(face_feature(0));
      return t.gap < -deep && face && nearer_elsewhere(touches_.swapped() ? t.point_a : t.point_b, -t.gap);
    };
    const auto left =
        std::stable_partition(list.begin(), list.end(), [&](const Touch& t) { return !way_round(t); });
    if (left != list.begin()) {
      list.erase(left, list.end());
    } else if (!list.empty()) {
      const Touch least = *std::max_element(list.begin(), list.end(),
                                            [](const Touch& s, const Touch& t) { return s.gap < t.gap; });
      list.assign(1, least);
    }
  }

  /// Triangles that meet give what they share twice.
  void merge() {
    auto& list = touches_.list();
    if (!b_.rigid || (b_.kind() != PieceKind::sphere && b_.kind() != PieceKind::capsule))
      leave_out_ways_round();
    const auto order = [](const Touch& s, const Touch& t) {
      if (s.feature_a != t.feature_a) return s.feature_a < t.feature_a;
      if (s.feature_b != t.feature_b) return s.feature_b < t.feature_b;
      return s.gap < t.gap;
    };
    const auto same = [](const Touch& s, const Touch& t) {
      return s.feature_a == t.feature_a && s.feature_b == t.feature_b;
    };
    std::sort(list.begin(), list.end(), order);
    const bool spread =
        options_.points == ContactPoints::centroid || options_.points == ContactPoints::gauss2;
    if (!spread) list.erase(std::unique(list.begin(), list.end(), same), list.end());
  }

  const MeshSurface& surface_;
  const Placed &mesh_, &b_;
  const PairOptions& options_;
  PairSpace& space_;
  Touches& touches_;
  Triangle triangle_;
};

}  // namespace

void mesh_and_piece(const Placed& mesh, const Placed& b, const PairOptions& options, PairSpace& space,
                    Touches& touches) {
  MeshPair(mesh, b, options, space, touches).run();
}

}  // namespace stickslip::internal
