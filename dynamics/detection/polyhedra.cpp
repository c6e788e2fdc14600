// Two polyhedra. What makes their contact is the direction in which they are nearest, taken between copies that are shrunk a
// little about their centres: so it is defined, and continuous, also where the bodies touch and where they overlap
// slightly. It decides between
//   face and corner, face and edge, face and face:  the normal is that of the face; faces are clipped against each other;
//   edge across edge:                               the normal is across both;
//   corner at corner, corner at edge, edge along edge: the bodies may pass each other on either side, so these touch only
//   from a distance of 1e-7 of their size on, with the direction of the copies as their normal.
// Edges and corners that the copies see may be those of bodies which a face holds apart, or nearly so: a peg that has
// entered its hole by less than the copies are shrunk. Then that face counts.
// Where even the copies overlap, the axis of least penetration is sought over all faces and pairs of edges.
#include <algorithm>
#include <cmath>

#include "dynamics/detection/box_axes.hpp"
#include "dynamics/detection/closest.hpp"
#include "dynamics/detection/face_manifold.hpp"
#include "dynamics/detection/gjk.hpp"
#include "dynamics/detection/pairs.hpp"
#include "dynamics/detection/separating_axis.hpp"

namespace stickslip::internal {
namespace {

constexpr double shrink = 1e-4;  // of the copies

constexpr double face_sine = 1e-5;         // a direction nearer to a face normal is that normal
constexpr double near_face_cosine = 0.94;  // 20°: faces that look at each other this well are clipped as well
constexpr double parallel_sine = 1e-5;     // of edges
constexpr double passing_cosine = 0.32;    // 71°: faces that turn more let the bodies pass either way

struct Ends {
  Vector from, to;
};

Ends ends(const PlacedPolyhedron& p, int edge) {
  const auto& e = p.topology->edges[edge];
  return {p.corner(e.corner[0]), p.corner(e.corner[1])};
}

class PolyhedronPair {
 public:
  PolyhedronPair(const Placed& a, const Placed& b, const PairOptions& options, PairSpace& space,
                 Touches& touches)
      : a_(a),
        b_(b),
        p_(a.polyhedron),
        q_(b.polyhedron),
        options_(options),
        space_(space),
        touches_(touches),
        size_(2 * std::min(extent(a), extent(b))) {}

  /// Boxes whose best axis is beyond doubt need no search.
  void run_boxes(const BoxAxes& axes) {
    const double size = size_;
    box_axes_ = &axes;
    if (space_.axis_before == 0) {
      if (axes.edge_separation <= axes.face_separation + 1e-10 * size) {
        if (clear_faces(axes)) return;
      } else if (axes.edge_separation > axes.face_separation + 1e-6 * size && clear_edges(axes)) {
        return;
      }
      touches_.list().clear();
    }
    run();
  }

  void run() {
    const double radii = extent(a_) + extent(b_);
    const Nearest copies =
        nearest(Core(a_, shrink), Core(b_, shrink), radii, touches_.reach() + 2 * shrink * radii);
    if (!copies.apart || copies.distance < 1e-3 * shrink * std::min(thickness(), size_))
      return overlapping(space_.axis_before);
    if (copies.count == 0) return;  // beyond the reach
    const Vector n = copies.normal;
    const int corner_a = extreme_corner(p_, n), corner_b = extreme_corner(q_, -n);
    if (n.dot(q_.corner(corner_b) - p_.corner(corner_a)) > touches_.reach()) return;

    const int face_a = looking_face(p_, n, size_), face_b = looking_face(q_, -n, size_);
    const double sine_a = n.cross(p_.normals[face_a]).norm(), sine_b = n.cross(q_.normals[face_b]).norm();
    if (sine_a < face_sine || sine_b < face_sine) {
      const bool both = sine_a < face_sine && sine_b < face_sine;
      if (faces(both ? first_is_reference(face_a, face_b) : sine_a < sine_b, face_a, face_b)) return;
    } else {
      const double cosine_a = n.dot(p_.normals[face_a]), cosine_b = -n.dot(q_.normals[face_b]);
      if (std::max(cosine_a, cosine_b) > near_face_cosine) faces(cosine_a >= cosine_b, face_a, face_b);
    }
    if (const auto [edge_a, edge_b] = edges_of(copies); edge_a >= 0 && crossed(edge_a, edge_b, n)) return;
    corners(copies);
  }

 private:
  static double extent(const Placed& p) { return p.piece->radius * (p.rigid ? 1 : p.axes.norm()); }
  double thickness() const { return std::min(inner_radius(p_), inner_radius(q_)); }
  static double inner_radius(const PlacedPolyhedron& p) {
    double least = INFINITY;
    for (int f = 0; f < p.face_count(); ++f)
      least = std::min(least, p.offset(f) - p.normals[f].dot(p.centre));
    return least;
  }

  /// The larger face is the reference, the first one where they are alike.
  bool first_is_reference(int face_a, int face_b) const {
    return p_.topology->areas[face_a] >= (1 - 1e-6) * q_.topology->areas[face_b];
  }

  /// Faces, where the points that touch lie well inside both of them.
  bool clear_faces(const BoxAxes& axes) {
    const bool of_a = axes.face < 3;
    const int axis = axes.face % 3;
    const Vector apart = b_.centre - a_.centre;
    // The faces of a box are −x, +x, −y, …
    const Vector n = (of_a ? a_ : b_).axis(axis) * (apart.dot((of_a ? a_ : b_).axis(axis)) < 0 ? -1 : 1);
    const int face_a = box_face(a_, n), face_b = box_face(b_, -n);
    const bool alike = p_.normals[face_a].cross(q_.normals[face_b]).norm() < face_sine;
    const bool reference_is_a = alike ? first_is_reference(face_a, face_b) : of_a;
    if (!faces(reference_is_a, face_a, face_b)) return false;
    const auto& list = touches_.list();
    if (list.empty()) return true;  // all beyond the reach
    double least = INFINITY;
    for (const Touch& t : list) least = std::min(least, t.gap);
    Vector middle = Vector::Zero();
    int count = 0;
    for (const Touch& t : list)
      if (t.gap <= least + 1e-7 * size_) middle += t.point_a, ++count;
    middle /= count;
    return inside_face(a_, face_a, middle) && inside_face(b_, face_b, middle);
  }

  /// Edges, where the nearest points lie well inside both of them.
  bool clear_edges(const BoxAxes& axes) {
    const Vector d = a_.axis(axes.edge_a), g = b_.axis(axes.edge_b), c = d.cross(g).normalized();
    const Vector n = c.dot(b_.centre - a_.centre) < 0 ? Vector(-c) : c;
    const int edge_a = box_edge(p_, a_, axes.edge_a, n), edge_b = box_edge(q_, b_, axes.edge_b, -n);
    const Ends e = ends(p_, edge_a), f = ends(q_, edge_b);
    const Vector u = e.to - e.from, v = f.to - f.from, w = u.cross(v), r = f.from - e.from;
    const double s = r.cross(v).dot(w) / w.squaredNorm(), t = r.cross(u).dot(w) / w.squaredNorm();
    if (std::min(s, t) < 1e-3 || std::max(s, t) > 1 - 1e-3) return false;
    const int face_a = box_face(a_, n), face_b = box_face(b_, -n);
    const double cosine_a = n.dot(p_.normals[face_a]), cosine_b = -n.dot(q_.normals[face_b]);
    if (std::max(cosine_a, cosine_b) > near_face_cosine) faces(cosine_a >= cosine_b, face_a, face_b);
    return crossed(edge_a, edge_b, n);
  }

  int opposite_face(const Placed& p, const Vector& n) const {
    return p.kind() == PieceKind::box && p.rigid ? box_face(p, n) : looking_face(p.polyhedron, n, size_);
  }

  /// The face of a box that looks most along n.
  static int box_face(const Placed& box, const Vector& n) {
    const Vector own = box.axes.transpose() * n;
    int axis = 0;
    own.cwiseAbs().maxCoeff(&axis);
    return 2 * axis + (own[axis] > 0 ? 1 : 0);
  }

  /// The edge of a box along an axis that lies farthest in the direction n.
  static int box_edge(const PlacedPolyhedron& p, const Placed& box, int axis, const Vector& n) {
    int corner = 0;
    for (int k = 0; k < 3; ++k)
      if (k != axis && n.dot(box.axis(k)) > 0) corner |= 1 << k;
    const Polyhedron& t = *p.topology;
    const int other = corner | 1 << axis;
    for (int k = t.edges_start[corner]; k < t.edges_start[corner + 1]; ++k) {
      const auto& e = t.edges[t.corner_edges[k]];
      if (e.corner[0] == other || e.corner[1] == other) return t.corner_edges[k];
    }
    return 0;
  }

  /// Whether x lies over the face by more than a thousandth of its half edges.
  static bool inside_face(const Placed& box, int face, const Vector& x) {
    const Vector own = box.axes.transpose() * (x - box.centre);
    for (int k = 0; k < 3; ++k)
      if (k != face / 2 && std::abs(own[k]) > (1 - 1e-3) * box.sizes()[k]) return false;
    return true;
  }

  /// Clips against a face of a, or of b, the face of the other one that is next to its deepest corner.
  bool faces(bool reference_is_a, int face_a, int face_b) {
    if (reference_is_a) {
      const Vector& n = p_.normals[face_a];
      return face_manifold(p_, face_a, q_, opposite_face(b_, -n), options_.points, space_.clip, touches_);
    }
    const Vector& n = q_.normals[face_b];
    touches_.swap();
    const bool found =
        face_manifold(q_, face_b, p_, opposite_face(a_, -n), options_.points, space_.clip, touches_);
    touches_.swap();
    return found;
  }

  /// The edges in which the nearest points of the copies lie, −1 where one of them lies in no edge.
  std::pair<int, int> edges_of(const Nearest& copies) const {
    return {edge_of(p_, copies.id_a, copies.count), edge_of(q_, copies.id_b, copies.count)};
  }
  static int edge_of(const PlacedPolyhedron& p, const int* id, int count) {
    int other = -1;
    for (int k = 1; k < count; ++k)
      if (id[k] != id[0]) {
        if (other >= 0 && id[k] != other) return -1;
        other = id[k];
      }
    if (other < 0) return -1;
    const Polyhedron& t = *p.topology;
    for (int k = t.edges_start[id[0]]; k < t.edges_start[id[0] + 1]; ++k) {
      const auto& e = t.edges[t.corner_edges[k]];
      if (e.corner[0] == other || e.corner[1] == other) return t.corner_edges[k];
    }
    return -1;
  }

  /// Edge across edge: one point, with the direction across both. False where they are parallel. Edges of the axis of
  /// least penetration are compared with no face again: that was done when it was sought.
  bool crossed(int edge_a, int edge_b, const Vector& n, bool least_penetration = false) {
    if (edge_b < 0) return false;
    const Ends e = ends(p_, edge_a), f = ends(q_, edge_b);
    const Vector d = e.to - e.from, g = f.to - f.from, c = d.cross(g);
    if (c.norm() < parallel_sine * d.norm() * g.norm()) return false;
    const Vector normal = (c.dot(n) > 0 ? c : Vector(-c)) / c.norm();
    // Nearest points of the two lines.
    const Vector r = f.from - e.from;
    const double s = std::clamp(r.cross(g).dot(c) / c.squaredNorm(), 0.0, 1.0),
                 t = std::clamp(r.cross(d).dot(c) / c.squaredNorm(), 0.0, 1.0);
    const Vector x = e.from + s * d, y = f.from + t * g;
    if (!least_penetration && held_by_face(normal.dot(y - x))) {
      touches_.list().clear();
      overlapping(0);
      return true;
    }
    put(edge_feature(edge_a), edge_feature(edge_b), x, y, normal);
    return true;
  }

  /// Adds a contact, in place of one of the clipped faces where it has the same features or the same place.
  void put(Feature feature_a, Feature feature_b, const Vector& x, const Vector& y, const Vector& normal) {
    const double same = 1e-6 * size_;
    auto& list = touches_.list();
    for (Touch& touch : list)
      if ((touch.feature_a == feature_a && touch.feature_b == feature_b) ||
          ((touch.point_a - x).norm() < same && (touch.point_b - y).norm() < same)) {
        touch.point_a = x;
        touch.point_b = y;
        touch.normal = normal;
        touch.gap = normal.dot(y - x);
        return;
      }
    touches_.add(feature_a, feature_b, x, y, normal, normal.dot(y - x));
  }

  /// Corner at corner, corner at edge, edge along edge.
  void corners(const Nearest& copies) {
    const Vector& n = copies.normal;
    Vector x = Vector::Zero(), y = Vector::Zero();
    for (int k = 0; k < copies.count; ++k) {
      x += copies.weight[k] * p_.corner(copies.id_a[k]);
      y += copies.weight[k] * q_.corner(copies.id_b[k]);
    }
    const double gap = n.dot(y - x);
    if (gap > corner_touch * size_ || may_pass(gap)) return;
    if (held_by_face(gap)) {
      touches_.list().clear();
      return overlapping(0);
    }
    if (const auto [edge_a, edge_b] = parallel_edges(copies); edge_a >= 0)
      return along(edge_a, edge_b, steady_normal(edge_a, edge_b, n));
    const auto feature = [&](const PlacedPolyhedron& p, const int* id) {
      const int edge = edge_of(p, id, copies.count);
      return edge >= 0 ? edge_feature(edge) : corner_feature(id[0]);
    };
    put(feature(p_, copies.id_a), feature(q_, copies.id_b), x, y, n);
  }

  /// Whether two faces that turn by 71° and more from each other both hold the bodies apart: then they lie diagonally, as
  /// the blocks of a grid do, and are free to slide along either face.
  bool may_pass(double gap) const {
    const double slack = corner_touch * size_;
    if (gap < -slack) return false;
    Vector kept[2];
    int count = 0;
    const auto consider = [&](const Vector& n) {
      if (separation_along(p_, q_, n) < -slack) return false;
      if (count > 0 && n.dot(kept[0]) < passing_cosine) return true;
      if (count == 0) kept[count++] = n;
      return false;
    };
    for (int f = 0; f < p_.face_count(); ++f)
      if (consider(p_.normals[f])) return true;
    for (int f = 0; f < q_.face_count(); ++f)
      if (consider(-q_.normals[f])) return true;
    return false;
  }

  /// Whether along the normal of a face the bodies are farther apart than along a direction with this gap, or overlap by less than half.
  bool held_by_face(double gap) const {
    if (gap > corner_touch * size_) return false;
    const double least = face_holds_from(gap, size_);
    for (int f = 0; f < p_.face_count(); ++f)
      if (separation_along(p_, q_, p_.normals[f]) > least) return true;
    for (int f = 0; f < q_.face_count(); ++f)
      if (separation_along(p_, q_, -q_.normals[f]) > least) return true;
    return false;
  }

  /// Edges at the nearest corners that lie across the normal and along each other.
  std::pair<int, int> parallel_edges(const Nearest& copies) const {
    const Vector& n = copies.normal;
    const Polyhedron &s = *p_.topology, &t = *q_.topology;
    const auto direction = [](const PlacedPolyhedron& p, int edge) {
      const auto& e = p.topology->edges[edge];
      return (p.corners[e.corner[1]] - p.corners[e.corner[0]]).normalized().eval();
    };
    for (int i = s.edges_start[copies.id_a[0]]; i < s.edges_start[copies.id_a[0] + 1]; ++i) {
      const Vector d = direction(p_, s.corner_edges[i]);
      if (std::abs(d.dot(n)) > face_sine) continue;
      for (int j = t.edges_start[copies.id_b[0]]; j < t.edges_start[copies.id_b[0] + 1]; ++j)
        if (d.cross(direction(q_, t.corner_edges[j])).norm() < parallel_sine)
          return {s.corner_edges[i], t.corner_edges[j]};
    }
    return {-1, -1};
  }

  /// Between the faces beside two edges that lie along each other any direction is a normal. That of the copies turns at once
  /// where the edges move sideways by less than the copies are shrunk, and would tip over whatever leans on an edge. So it is the middle
  /// of these directions, until that of the copies is half way from there to a face; on the rest of the way it turns twice as fast.
  Vector steady_normal(int edge_a, int edge_b, const Vector& n) const {
    const Ends e = ends(p_, edge_a);
    const Vector d = (e.to - e.from).normalized(), ahead = (n - d.dot(n) * d).normalized(),
                 aside = d.cross(ahead);
    double low = -M_PI, high = M_PI;
    const auto narrow = [&](const Vector& first, const Vector& second) {
      const double s = std::atan2(first.dot(aside), first.dot(ahead)),
                   t = std::atan2(second.dot(aside), second.dot(ahead));
      low = std::max(low, std::min(s, t));
      high = std::min(high, std::max(s, t));
    };
    const auto &f = p_.topology->edges[edge_a].face, &g = q_.topology->edges[edge_b].face;
    narrow(p_.normals[f[0]], p_.normals[f[1]]);
    narrow(-q_.normals[g[0]], -q_.normals[g[1]]);
    if (!(low <= 0 && high >= 0)) return n;
    const double middle = 0.5 * (low + high), quarter = 0.25 * (high - low);
    const double beyond = std::max(0.0, std::abs(middle) - quarter);
    const double angle = middle - std::copysign(2 * beyond, middle);
    return std::cos(angle) * ahead + std::sin(angle) * aside;
  }

  /// Edge along edge: the ends of the stretch that they have in common.
  void along(int edge_a, int edge_b, const Vector& n) {
    const Ends e = ends(p_, edge_a), f = ends(q_, edge_b);
    const Vector d = e.to - e.from;
    const double length2 = d.squaredNorm(), same = same_place * std::sqrt(length2);
    double s0 = d.dot(f.from - e.from) / length2, s1 = d.dot(f.to - e.from) / length2;
    int first = q_.topology->edges[edge_b].corner[0], second = q_.topology->edges[edge_b].corner[1];
    if (s0 > s1) std::swap(s0, s1), std::swap(first, second);
    const auto place = [&](double s, int corner_a, int corner_b, double at_b) {
      // The corner that ends the stretch: of a where its edge ends before that of b, of both where they end together.
      const bool a_ends = corner_a == p_.topology->edges[edge_a].corner[0] ? at_b <= 0 : at_b >= 1;
      const bool together = std::abs(at_b - s) * std::sqrt(length2) <= same;
      const Vector x = e.from + s * d, g = f.to - f.from;
      const Vector y = f.from + std::clamp(g.dot(x - f.from) / g.squaredNorm(), 0.0, 1.0) * g;
      put(a_ends || together ? corner_feature(corner_a) : edge_feature(edge_a),
          !a_ends || together ? corner_feature(corner_b) : edge_feature(edge_b), x, y, n);
    };
    const double low = std::clamp(s0, 0.0, 1.0), high = std::clamp(s1, 0.0, 1.0);
    place(low, p_.topology->edges[edge_a].corner[0], first, s0);
    if ((high - low) * std::sqrt(length2) > same)
      place(high, p_.topology->edges[edge_a].corner[1], second, s1);
  }

  /// With the axis of the last step where it is nearly as good.
  void overlapping(std::uint64_t last) {
    const SeparatingAxis axis = box_axes_ && last == 0 ? axis_of_boxes() : separating_axis(p_, q_, last);
    space_.axis_after = axis.word();
    if (axis.separation > touches_.reach()) return;
    if (axis.kind == SeparatingAxis::Kind::edges) {
      const int face_a = looking_face(p_, axis.normal, size_), face_b = looking_face(q_, -axis.normal, size_);
      const double cosine_a = axis.normal.dot(p_.normals[face_a]),
                   cosine_b = -axis.normal.dot(q_.normals[face_b]);
      if (std::max(cosine_a, cosine_b) > near_face_cosine) faces(cosine_a >= cosine_b, face_a, face_b);
      crossed(axis.feature_a, axis.feature_b, axis.normal, true);
      return;
    }
    const bool of_a = axis.kind == SeparatingAxis::Kind::face_a;
    if (faces(of_a, axis.feature_a, axis.feature_b)) return;
    // Nothing in common across the axis: the deepest corner alone.
    const PlacedPolyhedron &reference = of_a ? p_ : q_, &other = of_a ? q_ : p_;
    const int face = of_a ? axis.feature_a : axis.feature_b,
              corner = extreme_corner(other, -reference.normals[face]);
    const Vector y = other.corner(corner), x = y - axis.separation * reference.normals[face];
    if (of_a)
      touches_.add(face_feature(face), corner_feature(corner), x, y, axis.normal, axis.separation);
    else
      touches_.add(corner_feature(corner), face_feature(face), y, x, axis.normal, axis.separation);
  }

  SeparatingAxis axis_of_boxes() const {
    SeparatingAxis axis;
    const Vector apart = b_.centre - a_.centre;
    if (box_axes_->edge_separation > (1 - 1e-9) * box_axes_->face_separation) {
      const Vector c = a_.axis(box_axes_->edge_a).cross(b_.axis(box_axes_->edge_b)).normalized();
      axis.kind = SeparatingAxis::Kind::edges;
      axis.normal = c.dot(apart) < 0 ? Vector(-c) : c;
      axis.feature_a = box_edge(p_, a_, box_axes_->edge_a, axis.normal);
      axis.feature_b = box_edge(q_, b_, box_axes_->edge_b, -axis.normal);
      axis.separation = box_axes_->edge_separation;
      return axis;
    }
    const bool of_a = box_axes_->face < 3;
    const Vector n = (of_a ? a_ : b_).axis(box_axes_->face % 3);
    axis.kind = of_a ? SeparatingAxis::Kind::face_a : SeparatingAxis::Kind::face_b;
    axis.normal = n.dot(apart) < 0 ? Vector(-n) : n;
    (of_a ? axis.feature_a : axis.feature_b) = of_a ? box_face(a_, axis.normal) : box_face(b_, -axis.normal);
    axis.separation = box_axes_->face_separation;
    return axis;
  }

  const BoxAxes* box_axes_ = nullptr;
  const Placed &a_, &b_;
  const PlacedPolyhedron &p_, &q_;
  const PairOptions& options_;
  PairSpace& space_;
  Touches& touches_;
  double size_;
};

}  // namespace

void polyhedron_and_polyhedron(const Placed& a, const Placed& b, const PairOptions& options, PairSpace& space,
                               Touches& touches) {
  PolyhedronPair(a, b, options, space, touches).run();
}

void box_and_box(const Placed& a, const Placed& b, const BoxAxes& axes, const PairOptions& options,
                 PairSpace& space, Touches& touches) {
  PolyhedronPair(a, b, options, space, touches).run_boxes(axes);
}

}  // namespace stickslip::internal
