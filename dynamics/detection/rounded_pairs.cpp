// Pairs with something round: the common normal gives the nearest points; where a straight generator or a flat end lies on
// something straight or flat, the ends of what they have in common are contacts too.
#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/detection/closest.hpp"
#include "dynamics/detection/face_manifold.hpp"
#include "dynamics/detection/pairs.hpp"
#include "dynamics/detection/rounded.hpp"

namespace stickslip::internal {
namespace {

using Kind = Support::Kind;

constexpr double near_face_cosine = 0.94;  // 20°
constexpr double nearly_along = 0.1;  // sine of the angle up to which lines are taken to lie along each other
constexpr double on_end_sine = 0.1;   // tilt up to which a cylinder stands on its end

/// A straight line on the surface of a capsule or cylinder, or an edge.
struct Line {
  Vector from, to;
  Feature first, second, middle;

  Vector at(double t) const { return from + t * (to - from); }
  Feature feature(double t, double same) const {
    const double length = (to - from).norm();
    return t * length <= same ? first : (1 - t) * length <= same ? second : middle;
  }
};

/// Something flat that a line may lie on: a convex polygon, or an ellipse.
struct Flat {
  const Rounded* body;
  bool end;  // of a cylinder, otherwise a face
  int number;
  Vector normal;

  Vector origin() const {
    const PlacedPolyhedron& p = body->placed->polyhedron;
    return end ? body->ends[number] : p.corner(p.topology->face(number)[0]);
  }
  Feature feature() const { return face_feature(number); }
  /// Whether x lies over it.
  bool holds(const Vector& x) const {
    return end ? (body->to_circle() * (x - origin())).head<2>().norm() <= 1
               : over_face(body->placed->polyhedron, number, x);
  }
};

struct Stretch {
  double low, high;
  Feature at_low, at_high;  // of the border where the line is cut off
};

/// The part of the line over the flat, false where there is none.
bool cut(const Line& line, const Flat& flat, Stretch& part) {
  const Vector d = line.to - line.from;
  part = {0, 1, flat.feature(), flat.feature()};
  if (flat.end) {
    const Matrix inverse = flat.body->to_circle();
    const Eigen::Vector2d x = (inverse * (line.from - flat.origin())).head<2>(), v = (inverse * d).head<2>();
    // |x + t v| = 1.
    const double vv = v.squaredNorm(), xv = x.dot(v), root = xv * xv - vv * (x.squaredNorm() - 1);
    if (vv == 0) return x.squaredNorm() <= 1;
    if (root <= 0) return false;
    const double low = (-xv - std::sqrt(root)) / vv, high = (-xv + std::sqrt(root)) / vv;
    if (low > part.low) part.low = low, part.at_low = rim_feature(flat.number);
    if (high < part.high) part.high = high, part.at_high = rim_feature(flat.number);
  } else {
    const PlacedPolyhedron& p = flat.body->placed->polyhedron;
    const Polyhedron& t = *p.topology;
    for (int k = t.loop_start[flat.number]; k < t.loop_start[flat.number + 1]; ++k) {
      const int next = k + 1 < t.loop_start[flat.number + 1] ? k + 1 : t.loop_start[flat.number];
      const Vector from = p.corner(t.loop[k]), inward = flat.normal.cross(p.corner(t.loop[next]) - from);
      const double start = inward.dot(line.from - from), slope = inward.dot(d);
      if (slope == 0 && start < 0) return false;
      const double crossing = slope == 0 ? 0 : -start / slope;
      if (slope > 0 && crossing > part.low) part.low = crossing, part.at_low = edge_feature(t.loop_edge[k]);
      if (slope < 0 && crossing < part.high)
        part.high = crossing, part.at_high = edge_feature(t.loop_edge[k]);
    }
  }
  return part.low <= part.high;
}

class RoundedPair {
 public:
  RoundedPair(const Placed& a, const Placed& b, const PairOptions& options, PairSpace& space,
              Touches& touches)
      : a_(a),
        b_(b),
        options_(options),
        space_(space),
        touches_(touches),
        size_(std::min(a_.size, b_.size)) {}

  void run() {
    CommonNormal c;
    if (!common_normal(a_, b_, touches_.reach(), c)) return;
    least_ = INFINITY;
    if (on_hollow_edge(b_, c.of_b, a_) && c.gap > 0) return swapped([&] { on_plane(b_, a_); });
    if (on_hollow_edge(a_, c.of_a, b_) && c.gap > 0) return on_plane(a_, b_);
    const bool flat_a = flat_of(a_, c.of_a, c.normal, flats_[0]),
               flat_b = flat_of(b_, c.of_b, -c.normal, flats_[1]);
    if (flat_a && flat_b && (flats_[0].end || flats_[1].end) && ends_on_flat(c.normal)) return finish(c);
    Line line_a, line_b;
    const bool has_a = line_of(a_, c.of_a, c.normal, line_a), has_b = line_of(b_, c.of_b, -c.normal, line_b);
    if (flat_a && has_b && b_.corner_count == 2)
      line_on_flat(flats_[0], b_);
    else if (flat_b && has_a && a_.corner_count == 2)
      swapped([&] { line_on_flat(flats_[1], a_); });
    else if (has_a && has_b && (a_.corner_count == 2 || b_.corner_count == 2))
      line_on_line(line_a, line_b, c.normal);
    finish(c);
  }

  /// The contacts of b along the normal of a face of a.
  void on_face(int face) {
    const Vector& n = a_.placed->polyhedron.normals[face];
    flats_[0] = {&a_, false, face, n};
    Support support;
    if (flat_of(b_, support, -n, flats_[1]) && flats_[1].end && ends_on_flat(n)) return;
    if (b_.corner_count == 2 && std::abs(n.dot((b_.ends[1] - b_.ends[0]).normalized())) < 0.34)
      return line_on_flat(flats_[0], b_);
    const Vector y = b_.corner(b_.extreme(-n)) + b_.bulge_point(-n) - b_.radius * n;
    const double gap = n.dot(y - flats_[0].origin());
    if (flats_[0].holds(y)) touches_.add(face_feature(face), surface_feature(), y - gap * n, y, n, gap);
  }

 private:
  template <class Work>
  void swapped(Work&& work) {
    touches_.swap();
    work();
    touches_.swap();
  }

  void add(Feature feature_a, Feature feature_b, const Vector& x, const Vector& y, const Vector& n,
           double gap) {
    touches_.add(feature_a, feature_b, x, y, n, gap);
    least_ = std::min(least_, gap);
  }

  /// The nearest points: in place of a contact of the same features, and not at all where they only repeat those along
  /// a line or over a face.
  void finish(const CommonNormal& c) {
    Feature feature_a = feature_of(a_, c.of_a, b_), feature_b = feature_of(b_, c.of_b, a_);
    auto& list = touches_.list();
    const bool swapped = touches_.swapped();
    if (swapped) std::swap(feature_a, feature_b);
    const Vector normal = swapped ? Vector(-c.normal) : c.normal;
    const auto repeated = [&](const Touch& t) {
      return t.feature_a == feature_a && t.feature_b == feature_b;
    };
    for (const Touch& t : list)
      if (t.gap <= c.gap + 1e-10 * size_ && (t.normal - normal).norm() < 1e-6) return;
    std::erase_if(list, repeated);
    if (c.gap > corner_touch * size_ && may_pass(a_, c.of_a, b_, c.of_b, c.normal)) return;
    if (swapped) std::swap(feature_a, feature_b);
    touches_.add(feature_a, feature_b, c.point_a, c.point_b, c.normal, c.gap);
  }

  /// One contact between a round body and any other keeps its key wherever it wanders.
  static Feature feature_of(const Rounded& body, const Support& support, const Rounded& other) {
    if (other.corner_count == 1 || body.corner_count == 1) return surface_feature();
    switch (support.kind) {
      case Kind::face:
      case Kind::end:
        return face_feature(support.i);
      case Kind::corner:
        return body.has_ends ? rim_feature(support.i) : corner_feature(support.i);
      default:
        break;
    }
    return body.is_polyhedron() ? edge_feature(edge_of(body, support)) : edge_feature(0);
  }

  static int edge_of(const Rounded& body, const Support& support) {
    const Polyhedron& t = *body.placed->polyhedron.topology;
    for (int k = t.edges_start[support.i]; k < t.edges_start[support.i + 1]; ++k) {
      const auto& e = t.edges[t.corner_edges[k]];
      if (e.corner[0] == support.j || e.corner[1] == support.j) return t.corner_edges[k];
    }
    return 0;
  }

  /// The face of a tube's piece towards the hole; −1: no such piece.
  static int hollow_face(const Rounded& body) {
    return body.placed->kind() == PieceKind::polyhedron ? int(body.placed->sizes()[0]) - 1 : -1;
  }

  /// Whether what is round is nearest to a long edge of a tube's hole, where the next piece goes on. The ends are faces 0 and 1.
  static bool on_hollow_edge(const Rounded& body, const Support& support, const Rounded& other) {
    const int face = hollow_face(body);
    if (face < 0 || support.kind != Kind::edge || other.corner_count != 1) return false;
    const auto& [first, second] = body.placed->polyhedron.topology->edges[edge_of(body, support)].face;
    return (first == face && second > 1) || (second == face && first > 1);
  }

  /// A hole is an intersection of half spaces: what rolls in it meets the plane of the next face before it is over that face. The distance
  /// from the edge between them would push it off, as it falls and grows again within a step.
  void on_plane(const Rounded& tube, const Rounded& round) {
    const PlacedPolyhedron& p = tube.placed->polyhedron;
    const int face = hollow_face(tube);
    const Vector& n = p.normals[face];
    const Vector y = round.corner(round.extreme(-n)) + round.bulge_point(-n) - round.radius * n;
    const double gap = n.dot(y - p.corner(p.topology->face(face)[0]));
    touches_.add(surface_feature(), surface_feature(), y - gap * n, y, n, gap);
  }

  /// The face or end of the body that looks along n.
  static bool flat_of(const Rounded& body, const Support& support, const Vector& n, Flat& flat) {
    if (body.has_ends && std::abs(n.dot(body.axis)) > near_face_cosine) {
      const int end = n.dot(body.axis) > 0 ? 1 : 0;
      flat = {&body, true, end, end == 0 ? Vector(-body.axis) : body.axis};
      return true;
    }
    if (!body.is_polyhedron()) return false;
    const PlacedPolyhedron& p = body.placed->polyhedron;
    int face = support.i;
    if (support.kind != Kind::face) {
      const Polyhedron& t = *p.topology;
      face = -1;
      for (const int c : {support.i, support.kind == Kind::edge ? support.j : support.i})
        for (int k = t.edges_start[c]; k < t.edges_start[c + 1]; ++k)
          for (const int f : t.edges[t.corner_edges[k]].face)
            if (face < 0 || n.dot(p.normals[f] - p.normals[face]) > 0) face = f;
    }
    flat = {&body, false, face, p.normals[face]};
    return n.dot(flat.normal) > near_face_cosine;
  }

  /// The line on the side of a capsule or cylinder that lies farthest in the direction n.
  static Line generator(const Rounded& body, Vector n) {
    const Vector d = (body.ends[1] - body.ends[0]).normalized();
    if (!body.has_ends) n = unit_or(n - n.dot(d) * d, d.unitOrthogonal());
    const Vector out = body.bulge_point(n) + body.radius * n;
    return {body.ends[0] + out, body.ends[1] + out, body.has_ends ? rim_feature(0) : corner_feature(0),
            body.has_ends ? rim_feature(1) : corner_feature(1), edge_feature(0)};
  }

  /// The generator, or the edge, of the body that lies across n.
  static bool line_of(const Rounded& body, const Support& support, const Vector& n, Line& line) {
    if (body.corner_count == 2) {
      if (std::abs(n.dot((body.ends[1] - body.ends[0]).normalized())) > (body.has_ends ? 0.34 : 1))
        return false;
      line = generator(body, n);
      return true;
    }
    if (!body.is_polyhedron() || support.kind == Kind::face) return false;
    const PlacedPolyhedron& p = body.placed->polyhedron;
    const Polyhedron& t = *p.topology;
    int best = -1;
    double least = nearly_along;
    for (int k = t.edges_start[support.i]; k < t.edges_start[support.i + 1]; ++k) {
      const auto& e = t.edges[t.corner_edges[k]];
      const double slope = std::abs(n.dot((p.corners[e.corner[1]] - p.corners[e.corner[0]]).normalized()));
      if (slope < least) least = slope, best = t.corner_edges[k];
    }
    if (best < 0) return false;
    const auto& e = t.edges[best];
    line = {p.corner(e.corner[0]), p.corner(e.corner[1]), corner_feature(e.corner[0]),
            corner_feature(e.corner[1]), edge_feature(best)};
    return true;
  }

  /// A generator over something flat: the ends of the part that is over it. `flat` counts as the first body.
  void line_on_flat(const Flat& flat, const Rounded& body) {
    // The line on the surface that lies deepest, seen from the flat.
    const Vector& n = flat.normal;
    const Line line = generator(body, -n);
    Stretch part;
    if (!cut(line, flat, part)) return;
    const double same = same_place * size_, length = (line.to - line.from).norm();
    const auto place = [&](double t, Feature border) {
      Vector y = line.at(t);
      // The round end of a capsule is deepest where it faces the flat.
      if (!body.has_ends && (t == 0 || t == 1) &&
          n.dot((t == 0 ? 1 : -1) * (body.ends[1] - body.ends[0])) >= 0) {
        const Vector deepest = body.ends[t == 0 ? 0 : 1] + body.bulge_point(-n) - body.radius * n;
        if (flat.holds(deepest)) y = deepest;
      }
      const double gap = n.dot(y - flat.origin());
      add(border, line.feature(t, same), y - gap * n, y, n, gap);
    };
    place(part.low, part.at_low);
    if ((part.high - part.low) * length > same) place(part.high, part.at_high);
  }

  /// Two lines along each other: the ends of the stretch that they have in common.
  void line_on_line(const Line& p, const Line& q, const Vector& n) {
    const Vector d = p.to - p.from, e = q.to - q.from;
    const double length = d.norm(), same = same_place * size_;
    if (d.cross(e).norm() > nearly_along * length * e.norm()) return;
    double low = d.dot(q.from - p.from) / d.squaredNorm(), high = d.dot(q.to - p.from) / d.squaredNorm();
    if (low > high) std::swap(low, high);
    low = std::max(low, 0.0);
    high = std::min(high, 1.0);
    if ((high - low) * length <= same) return;
    for (const double s : {low, high}) {
      const Vector x = p.at(s);
      const double t = std::clamp(e.dot(x - q.from) / e.squaredNorm(), 0.0, 1.0);
      const Vector y = q.at(t);
      add(p.feature(s, same), q.feature(t, same), x, y, n, n.dot(y - x));
    }
  }

  /// The end of a cylinder on something flat: the rim's points that are fixed in the body make a polygon.
  bool ends_on_flat(const Vector& n) {
    for (int k = 0; k < 2; ++k)
      if (flats_[k].end && flats_[k].normal.cross(n).norm() > on_end_sine) return false;
    PlacedPolyhedron solid[2];
    for (int k = 0; k < 2; ++k)
      solid[k] = flats_[k].end ? rim_polygon(flats_[k], space_.rim[k]) : flats_[k].body->placed->polyhedron;
    const std::size_t before = touches_.list().size();
    // A face is the reference for an end, the larger end for the other.
    const bool first = !flats_[0].end || (flats_[1].end && a_.size >= b_.size);
    if (!first) touches_.swap();
    face_manifold(solid[first ? 0 : 1], flats_[first ? 0 : 1].number, solid[first ? 1 : 0],
                  flats_[first ? 1 : 0].number, options_.points, space_.clip, touches_);
    if (!first) touches_.swap();
    for (std::size_t k = before; k < touches_.list().size(); ++k)
      least_ = std::min(least_, touches_.list()[k].gap);
    return touches_.list().size() > before;
  }

  PlacedPolyhedron rim_polygon(const Flat& flat, RimSpace& rim) const {
    const Rounded& body = *flat.body;
    const Polyhedron& prism = *options_.rim_prism;
    rim.corners.clear();
    for (const Vector& c : prism.corners)
      rim.corners.push_back(body.ends[c.z() > 0 ? 1 : 0] +
                            body.placed->sizes()[0] *
                                (c.x() * body.placed->axis(0) + c.y() * body.placed->axis(1)));
    rim.normals[0] = -body.axis;
    rim.normals[1] = body.axis;
    rim.offsets[0] = -body.axis.dot(body.ends[0]);
    rim.offsets[1] = body.axis.dot(body.ends[1]);
    PlacedPolyhedron p;
    p.topology = &prism;
    p.corners = rim.corners.data();
    p.normals = rim.normals;
    p.offsets = rim.offsets;
    p.centre = body.placed->centre;
    return p;
  }

  Rounded a_, b_;
  const PairOptions& options_;
  PairSpace& space_;
  Touches& touches_;
  double size_, least_ = 0;
  Flat flats_[2];
};

}  // namespace

void rounded_on_face(const Placed& polyhedron, int face, const Placed& b, const PairOptions& options,
                     PairSpace& space, Touches& touches) {
  RoundedPair(polyhedron, b, options, space, touches).on_face(face);
}

void rounded_and_piece(const Placed& a, const Placed& b, const PairOptions& options, PairSpace& space,
                       Touches& touches) {
  // The same order whichever comes first, so that both ways give the same contacts.
  const auto before = [](const Placed& p, const Placed& q) {
    return p.kind() != q.kind() ? p.kind() < q.kind() : p.piece->radius < q.piece->radius;
  };
  if (!before(b, a)) return RoundedPair(a, b, options, space, touches).run();
  touches.swap();
  RoundedPair(b, a, options, space, touches).run();
  touches.swap();
}

}  // namespace stickslip::internal
