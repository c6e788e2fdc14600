// The maximum of s(n) on the unit sphere. Where an edge of a core supports, n is across it; where a face or the flat end of a
// cylinder supports, n is its normal. Between these s is smooth, and Newton's method finds the maximum:
//   ∇s = x_B − x_A,   ∇²s = −(H_A + H_B),   H = M/h − (Mn)(Mn)ᵀ/h³,   h = √(nᵀMn),
// on the tangents T of the sphere (and of the constraints):  (TᵀHT + s I) δ = Tᵀ(x_B − x_A).
// Which corner, edge or face supports is found by exchange, starting from the nearest points of shrunk copies.
#include <algorithm>
#include <cmath>

#include "dynamics/detection/closest.hpp"
#include "dynamics/detection/gjk.hpp"
#include "dynamics/detection/pairs.hpp"
#include "dynamics/detection/rounded.hpp"

namespace stickslip::internal {
namespace {

using Kind = Support::Kind;

/// One body of the pair with the part of it that supports; `sign` is 1 for a and −1 for b: its outward direction
/// is sign·n.
struct Active {
  const Rounded& body;
  double sign;
  Support support;

  Vector outward(const Vector& n) const { return sign * n; }
  Vector base() const {
    return support.kind == Kind::end ? body.ends[support.i] : body.corner(corner_of_support());
  }
  int corner_of_support() const {
    return support.kind == Kind::face ? body.placed->polyhedron.topology->face(support.i)[0] : support.i;
  }
  Vector edge() const { return body.corner(support.j) - body.corner(support.i); }
  Vector edge_of_core() const { return (body.ends[1] - body.ends[0]).normalized(); }
  bool fixes_normal() const { return support.kind == Kind::face || support.kind == Kind::end; }
  Vector fixed_normal() const {
    return sign * (support.kind == Kind::face ? body.placed->polyhedron.normals[support.i]
                                              : Vector(support.i == 0 ? -body.axis : body.axis));
  }
  /// The supporting point with the contact at the start of the edge.
  Vector point(const Vector& n) const { return base() + body.bulge_point(outward(n)); }
  Matrix curvature(const Vector& n) const {
    if (!body.smooth) return Matrix::Zero();
    const double h = body.bulge(n);
    if (!(h > 0)) return Matrix::Zero();
    const Vector m = body.bulge_point(n);
    return (body.A * body.A.transpose() - m * m.transpose()) / h;
  }
};

class Search {
 public:
  Search(const Rounded& a, const Rounded& b, const Vector& start)
      : a_{a, 1, {}}, b_{b, -1, {}}, n_(start), scale_(a.size + b.size) {}

  /// `shallow`: the copies were hardly shrunk. False where the direction of the start is all there is.
  bool run(const Nearest& start, bool shallow, CommonNormal& result) {
    a_.support = first_support(a_, start.id_a, start.point_a, start);
    b_.support = first_support(b_, start.id_b, start.point_b, start);
    if (shallow && may_pass(a_.body, a_.support, b_.body, b_.support, n_) &&
        true_separation() < 1e-4 * scale_ && !take_face()) {
      // No direction is the right one: that of the copies is continuous.
      locate();
      write(result);
      return false;
    }
    // Exchange until nothing is wrong; the best of all directions tried is kept, in case of circles.
    double best = -INFINITY;
    for (int exchange = 0; exchange < 16; ++exchange) {
      choose_normal();
      locate();
      const double s = true_separation();
      const bool better = s > best;
      if (better) {
        best = s;
        write(result);
      }
      if (exchange_supports()) continue;
      if (!better && s > best - 1e-12 * scale_) write(result);
      break;
    }
    return true;
  }

 private:
  void write(CommonNormal& result) const {
    result.normal = n_;
    result.of_a = a_.support;
    result.of_b = b_.support;
    // Supports that are not the farthest in their direction tell nothing of the distance: what is farthest does.
    const double s = true_separation();
    const bool right = std::abs(n_.dot(y_ - x_) - s) <= 1e-9 * scale_;
    const Vector x = right ? x_ : Vector(a_.body.corner(a_.body.extreme(n_)) + a_.body.bulge_point(n_));
    const Vector y = right ? y_ : Vector(b_.body.corner(b_.body.extreme(-n_)) + b_.body.bulge_point(-n_));
    result.point_a = x + a_.body.radius * n_;
    result.point_b = y - b_.body.radius * n_;
    result.gap = n_.dot(y - x) - a_.body.radius - b_.body.radius;
  }

  /// A rim that has entered a hole by less than the copies are shrunk: where the bodies are farther apart along the normal of a
  /// face than along that of the copies, or overlap by less than half, the face supports.
  bool take_face() {
    const double gap = true_separation();
    if (gap > corner_touch * scale_) return false;
    double best = face_holds_from(gap, scale_);
    bool found = false;
    const auto consider = [&](Active& active, Active& other, const Vector& outward, const Support& support) {
      const Vector before = n_;
      n_ = active.sign * outward;
      if (const double s = true_separation(); s > best) {
        best = s;
        found = true;
        active.support = support;
        const Vector along = other.body.corner_count == 2 ? other.edge_of_core() : outward;
        other.support = std::abs(outward.dot(along)) < 1e-9
                            ? Support{Kind::edge, 0, 1, 0}
                            : Support{Kind::corner, other.body.extreme(other.outward(n_)), 0, 0};
      } else {
        n_ = before;
      }
    };
    for (Active* active : {&a_, &b_}) {
      Active& other = active == &a_ ? b_ : a_;
      const Rounded& body = active->body;
      if (body.is_polyhedron())
        for (int f = 0; f < body.placed->polyhedron.face_count(); ++f)
          consider(*active, other, body.placed->polyhedron.normals[f], {Kind::face, f, 0, 0});
      if (body.has_ends)
        for (int end = 0; end < 2; ++end)
          consider(*active, other, end == 0 ? Vector(-body.axis) : body.axis, {Kind::end, end, 0, 0});
    }
    return found;
  }

  /// What supports the body at the nearest points of the copies.
  Support first_support(const Active& active, const int* id, const Vector& x, const Nearest& start) const {
    const Rounded& body = active.body;
    const Vector out = active.outward(n_);
    if (body.has_ends && body.axis.cross(out).norm() < 0.05) {
      // Over the inside of the disc, or at its rim.
      const int end = out.dot(body.axis) > 0 ? 1 : 0;
      if ((body.to_circle() * (x - body.ends[end])).head<2>().norm() < 0.999) return {Kind::end, end, 0, 0};
    }
    if (body.corner_count == 1) return {Kind::corner, 0, 0, 0};
    if (body.corner_count == 2) {
      // Of the point without what bulges out of the core.
      const Vector d = body.ends[1] - body.ends[0];
      const double t = d.dot(x - body.bulge_point(out) - body.ends[0]) / d.squaredNorm();
      if (t < 1e-4) return {Kind::corner, 0, 0, 0};
      if (t > 1 - 1e-4) return {Kind::corner, 1, 0, 0};
      return {Kind::edge, 0, 1, 0};
    }
    // Corners that carry the nearest point: one, the two of an edge, or more: a face.
    const PlacedPolyhedron& p = body.placed->polyhedron;
    const Polyhedron& t = *p.topology;
    int other = -1, count = 1;
    for (int k = 1; k < start.count; ++k)
      if (id[k] != id[0] && id[k] != other) other = id[k], ++count;
    if (count == 1) return {Kind::corner, id[0], 0, 0};
    int face = -1;
    for (int k = t.edges_start[id[0]]; k < t.edges_start[id[0] + 1]; ++k) {
      const auto& e = t.edges[t.corner_edges[k]];
      if (count == 2 && (e.corner[0] == other || e.corner[1] == other))
        return {Kind::edge, e.corner[0], e.corner[1], 0};
      for (const int f : e.face)
        if (face < 0 || out.dot(p.normals[f] - p.normals[face]) > 0) face = f;
    }
    return {Kind::face, face, 0, 0};
  }

  /// Along n, over the whole bodies.
  double true_separation() const {
    return n_.dot(b_.body.corner(b_.body.extreme(-n_)) - a_.body.corner(a_.body.extreme(n_))) -
           a_.body.bulge(n_) - b_.body.bulge(n_);
  }

  double separation(const Vector& n) const {
    return n.dot(b_.base() - a_.base()) - a_.body.bulge(n) - b_.body.bulge(n);
  }

  /// The maximum of s over the directions that the supports leave free.
  void choose_normal() {
    if (a_.fixes_normal() || b_.fixes_normal()) {
      n_ = a_.fixes_normal() ? a_.fixed_normal() : b_.fixed_normal();
      return;
    }
    Vector across[2];
    int constraints = 0;
    for (const Active* active : {&a_, &b_})
      if (active->support.kind == Kind::edge) {
        const Vector d = active->edge().normalized();
        if (constraints == 1 && d.cross(across[0]).norm() < 1e-7) continue;  // along each other
        across[constraints++] = d;
      }
    if (constraints == 2) {
      const Vector c = across[0].cross(across[1]).normalized();
      n_ = c.dot(n_) >= 0 ? c : Vector(-c);
      return;
    }
    if (constraints == 1) n_ = unit_or(n_ - n_.dot(across[0]) * across[0], across[0].unitOrthogonal());
    double s = separation(n_);
    int last_steps = 0;
    for (int iteration = 0; iteration < 60; ++iteration) {
      Eigen::Matrix<double, 3, 2> T;
      if (constraints == 1) {
        T << n_.cross(across[0]), Vector::Zero();
      } else {
        const Vector u = n_.unitOrthogonal();
        T << u, n_.cross(u);
      }
      const Eigen::Vector2d g = T.transpose() * (b_.point(n_) - a_.point(n_));
      if (g.norm() <= 1e-16 * scale_) break;
      Eigen::Matrix2d H =
          T.transpose() * (a_.curvature(n_) + b_.curvature(n_)) * T + s * Eigen::Matrix2d::Identity();
      if (constraints == 1) H(1, 1) = 1;
      // A maximum needs a positive definite matrix: where it is not, the step goes uphill, limited to a tenth.
      const double middle = (H(0, 0) + H(1, 1)) / 2,
                   lowest = middle - std::hypot((H(0, 0) - H(1, 1)) / 2, H(0, 1));
      Eigen::Vector2d step;
      if (lowest > 1e-9 * scale_) {
        const double det = H(0, 0) * H(1, 1) - H(0, 1) * H(1, 0);
        step = {(H(1, 1) * g[0] - H(0, 1) * g[1]) / det, (H(0, 0) * g[1] - H(1, 0) * g[0]) / det};
      } else {
        step = 0.1 * g / g.norm();
      }
      if (step.norm() > 0.5) step *= 0.5 / step.norm();
      Vector next = (n_ + T * step).normalized();
      if (step.norm() < 1e-5 && lowest > 1e-9 * scale_) {
        // Below the root of the precision s tells nothing any more: the residual does.
        n_ = next;
        s = separation(n_);
        if (step.norm() < 1e-15 || ++last_steps > 3) break;
        continue;
      }
      double better = separation(next);
      for (int halving = 0; halving < 40 && better < s; ++halving) {
        step /= 2;
        next = (n_ + T * step).normalized();
        better = separation(next);
      }
      if (better < s) break;
      n_ = next;
      s = better;
    }
  }

  /// Points of contact, positions on edges included: x_B − x_A = s n.
  void locate() {
    Vector x = a_.point(n_), y = b_.point(n_);
    const bool on_a = a_.support.kind == Kind::edge, on_b = b_.support.kind == Kind::edge;
    const Vector d = on_a ? a_.edge() : Vector(Vector::Zero()), e = on_b ? b_.edge() : Vector(Vector::Zero());
    const Vector w = (y - x) - n_.dot(y - x) * n_;
    if (on_a && on_b) {
      const double dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), det = dd * ee - de * de;
      if (d.cross(e).norm() > 1e-7 * std::sqrt(dd * ee)) {
        // w + t_b e − t_a d = 0 in the plane of d and e.
        a_.support.t = (ee * d.dot(w) - de * e.dot(w)) / det;
        b_.support.t = (de * d.dot(w) - dd * e.dot(w)) / det;
      } else {
        // Along each other: the middle of the stretch that they have in common, or the ends that face each other.
        double low = d.dot(w) / dd, high = d.dot(w + e) / dd;
        if (low > high) std::swap(low, high);
        const double from = std::clamp(low, 0.0, 1.0), to = std::clamp(high, 0.0, 1.0);
        a_.support.t = (from + to) / 2;
        b_.support.t = std::clamp((a_.support.t * de - e.dot(w)) / ee, 0.0, 1.0);
      }
    } else if (on_a) {
      a_.support.t = d.dot(w) / d.squaredNorm();
    } else if (on_b) {
      b_.support.t = -e.dot(w) / e.squaredNorm();
    }
    if (on_a) x += a_.support.t * d;
    if (on_b) y += b_.support.t * e;
    // A face or an end supports wherever the other body touches it.
    if (a_.fixes_normal())
      x = y - n_.dot(y - a_.base()) * n_;
    else if (b_.fixes_normal())
      y = x - n_.dot(x - b_.base()) * n_;
    x_ = x;
    y_ = y;
  }

  /// Exchanges a support that is not the right one; false where both may stay. Where one fixes the normal, the
  /// other is settled first.
  bool exchange_supports() {
    if (a_.fixes_normal()) return settle(b_) || leave_flat(a_);
    if (b_.fixes_normal()) return settle(a_) || leave_flat(b_);
    return improve(a_) || improve(b_);
  }

  /// The normal is given: the farthest corner supports, or an edge across the normal.
  bool settle(Active& active) {
    if (active.fixes_normal()) return false;
    const Vector out = active.outward(n_);
    Support& support = active.support;
    const double slack = 1e-12 * scale_;
    if (support.kind == Kind::edge && std::abs(out.dot(active.edge())) <= slack) return false;
    const int farthest = active.body.extreme(out);
    if (support.kind == Kind::corner &&
        out.dot(active.body.corner(farthest) - active.body.corner(support.i)) <= slack)
      return false;
    support = {Kind::corner, farthest, 0, 0};
    return true;
  }

  /// A face, or the end of a cylinder, must have the other body over it.
  bool leave_flat(Active& active) {
    const Rounded& body = active.body;
    Support& support = active.support;
    const Active& other = &active == &a_ ? b_ : a_;
    const Vector& x = &active == &a_ ? y_ : x_;
    if (other.fixes_normal() || other.support.kind == Kind::edge)
      return false;  // flat on flat: see the manifolds
    if (support.kind == Kind::face) {
      const PlacedPolyhedron& p = body.placed->polyhedron;
      const auto loop = p.topology->face(support.i);
      std::size_t side = loop.size();
      double most = 1e-13 * scale_;
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vector from = p.corner(loop[k]), to = p.corner(loop[k + 1 < loop.size() ? k + 1 : 0]);
        const double beyond = -p.normals[support.i].cross(to - from).normalized().dot(x - from);
        if (beyond > most) most = beyond, side = k;
      }
      if (side == loop.size()) return false;
      support = {Kind::edge, loop[side], loop[side + 1 < loop.size() ? side + 1 : 0], 0};
      return true;
    }
    // |coordinates in the axes of the ellipse| ≤ 1; beyond, the normal of the rim leans towards the other body.
    const Vector d = x - body.ends[support.i], flat = d - body.axis.dot(d) * body.axis;
    const Vector c = body.to_circle() * flat;
    if (std::hypot(c[0], c[1]) <= 1 + 1e-13) return false;
    support = {Kind::corner, support.i, 0, 0};
    n_ = (n_ + active.sign * 1e-3 * flat.normalized()).normalized();
    return true;
  }

  bool improve(Active& active) {
    Support& support = active.support;
    const Vector out = active.outward(n_);
    const double slack = 1e-13 * scale_;
    if (const Rounded& body = active.body;
        support.kind == Kind::corner && body.has_ends && body.axis.cross(out).norm() < 1e-2) {
      // Next to the axis s has a kink there, where the other body is over the disc.
      const int end = out.dot(body.axis) > 0 ? 1 : 0;
      const Vector& other = &active == &a_ ? y_ : x_;
      if ((body.to_circle() * (other - body.ends[end])).head<2>().norm() < 1) {
        support = {Kind::end, end, 0, 0};
        return true;
      }
    }
    if (support.kind == Kind::corner) return to_edge(active, out, slack);
    if (support.t < 0 || support.t > 1) {
      support = {Kind::corner, support.t < 0 ? support.i : support.j, 0, 0};
      return true;
    }
    return active.body.is_polyhedron() && to_face(active, out, slack);
  }

  bool to_edge(Active& active, const Vector& out, double slack) {
    const Rounded& body = active.body;
    Support& support = active.support;
    if (body.corner_count == 2) {
      if (out.dot(body.ends[1 - support.i] - body.ends[support.i]) <= slack) return false;
      support = {Kind::edge, 0, 1, 0};
      return true;
    }
    if (!body.is_polyhedron()) return false;
    // Up the steepest edge.
    const PlacedPolyhedron& p = body.placed->polyhedron;
    const Polyhedron& t = *p.topology;
    int other = -1;
    double steepest = 0;
    for (int k = t.edges_start[support.i]; k < t.edges_start[support.i + 1]; ++k) {
      const auto& e = t.edges[t.corner_edges[k]];
      const int to = e.corner[0] == support.i ? e.corner[1] : e.corner[0];
      const Vector d = p.corners[to] - p.corners[support.i];
      const double rise = out.dot(d);
      if (rise > slack && rise / d.norm() > steepest) steepest = rise / d.norm(), other = to;
    }
    if (other < 0) return false;
    support = {Kind::edge, support.i, other, 0};
    return true;
  }

  bool to_face(Active& active, const Vector& out, double slack) {
    const PlacedPolyhedron& p = active.body.placed->polyhedron;
    const Polyhedron& t = *p.topology;
    Support& support = active.support;
    for (int k = t.edges_start[support.i]; k < t.edges_start[support.i + 1]; ++k) {
      const auto& e = t.edges[t.corner_edges[k]];
      if (e.corner[0] != support.j && e.corner[1] != support.j) continue;
      const Vector along = p.corners[e.corner[1]] - p.corners[e.corner[0]];
      for (const int side : {0, 1}) {
        // Into the face, across the edge.
        const Vector inward = (side == 0 ? 1.0 : -1.0) * p.normals[e.face[side]].cross(along).normalized();
        if (out.dot(inward) * active.body.size > slack) {
          support = {Kind::face, e.face[side], 0, 0};
          return true;
        }
      }
    }
    return false;
  }

  Active a_, b_;
  Vector n_, x_, y_;
  double scale_;
};

/// The common normal of two ellipsoids that are scaled about their centres until they touch: where
///   λ(1 − λ) rᵀ G(λ)⁻¹ r,   G = (1 − λ) M_A + λ M_B,   r from centre to centre,
/// is largest, it is along G⁻¹ r (Perram and Wertheim 1985, Journal of Computational Physics 58, 409). A sphere
/// has M = r² I.
///
/// False where a direction on the way separates them by more than `reach`.
bool tangent_direction(const Rounded& a, const Rounded& b, double reach, Vector& direction) {
  const Vector r = b.ends[0] - a.ends[0];
  const auto apart = [&](const Vector& n) {
    return n.dot(r) - a.bulge(n) - b.bulge(n) - a.radius - b.radius > reach;
  };
  if (const double length = r.norm(); length > 0 && apart(r / length)) return false;
  const auto matrix = [](const Rounded& body) {
    return body.smooth ? Matrix(body.A * body.A.transpose())
                       : Matrix(body.radius * body.radius * Matrix::Identity());
  };
  const Matrix A = matrix(a), B = matrix(b);
  Vector v = Vector::Zero();
  // The slope (1 − 2λ) r·v − λ(1 − λ) vᵀ(B − A)v, v = G⁻¹r, falls from positive to negative: a root by bisection and secants.
  double low = 0, high = 1, slope_low = 1, slope_high = -1, lambda = 0.5;
  for (int k = 0; k < 12 && high - low > 1e-3; ++k) {
    const Matrix G = (1 - lambda) * A + lambda * B;
    v = G.inverse() * r;
    direction = unit_or(v, Vector::UnitZ());
    if (apart(direction)) return false;
    const double slope = ((1 - 2 * lambda) * r.dot(v) - lambda * (1 - lambda) * v.dot((B - A) * v)) /
                         std::max(r.dot(v), 1e-300);
    if (slope > 0)
      low = lambda, slope_low = slope;
    else
      high = lambda, slope_high = slope;
    lambda = k % 3 == 2 ? (low + high) / 2 : (low * slope_high - high * slope_low) / (slope_high - slope_low);
  }
  return true;
}

/// Depth, as a share of the size, up to which the flat that the round body looks at is the one that it touches.
constexpr double shallow_share = 1e-3;

enum class Beside { apart, over, elsewhere };

/// A body with one point as its core beside the faces of a polyhedron or the ends of a cylinder: most pairs whose bounds overlap are
/// apart across one of them, or touch it in its inside, and need no search. `sign` is 1 where the flat body is a.
Beside beside_flat(const Rounded& flat, const Rounded& round, double sign, double reach,
                   CommonNormal& result) {
  const PlacedPolyhedron& p = flat.placed->polyhedron;
  const int count = flat.has_ends ? 2 : p.face_count();
  const auto normal = [&](int f) {
    return flat.has_ends ? Vector(f == 0 ? -flat.axis : flat.axis) : p.normals[f];
  };
  int nearest_flat = 0;
  double most = -INFINITY;
  for (int f = 0; f < count; ++f) {
    const Vector n = normal(f);
    const double height =
        flat.has_ends ? n.dot(round.ends[0] - flat.ends[f]) : n.dot(round.ends[0] - p.shift) - p.offsets[f];
    if (const double s = height - round.bulge(n) - round.radius; s > most) most = s, nearest_flat = f;
    if (most > reach) return Beside::apart;
  }
  if (most < -shallow_share * std::min(flat.size, round.size)) return Beside::elsewhere;
  const Vector n = normal(nearest_flat), y = round.ends[0] + round.bulge_point(-n) - round.radius * n;
  if (flat.has_ends ? (flat.to_circle() * (y - flat.ends[nearest_flat])).head<2>().norm() > 1
                    : !over_face(p, nearest_flat, y))
    return Beside::elsewhere;
  const Support of_flat{flat.has_ends ? Kind::end : Kind::face, nearest_flat, 0, 0};
  const Vector x = y - most * n;
  result = {.normal = sign * n,
            .gap = most,
            .point_a = sign > 0 ? x : y,
            .point_b = sign > 0 ? y : x,
            .of_a = sign > 0 ? of_flat : Support{},
            .of_b = sign > 0 ? Support{} : of_flat};
  return Beside::over;
}

/// A start for the search that names no corners of polyhedra but the first.
Nearest a_point(const Rounded& a, const Rounded& b) {
  Nearest any;
  any.count = 1;
  any.id_a[0] = a.extreme(Vector::UnitZ());
  any.id_b[0] = b.extreme(-Vector::UnitZ());
  any.point_a = a.placed->centre;
  any.point_b = b.placed->centre;
  return any;
}

}  // namespace

bool common_normal(const Rounded& a, const Rounded& b, double reach, CommonNormal& result) {
  const double scale = a.size + b.size, size = std::min(a.size, b.size);
  if (a.corner_count == 1 && b.corner_count == 1) {
    // Two ellipsoids: no supports to exchange.
    Vector start;
    if (!tangent_direction(a, b, reach, start)) return false;
    Search(a, b, start).run(a_point(a, b), false, result);
    return result.gap <= reach;
  }
  const auto has_flats = [](const Rounded& body) { return body.is_polyhedron() || body.has_ends; };
  if (a.corner_count == 1 || b.corner_count == 1) {
    const bool flat_first = b.corner_count == 1;
    const Rounded &flat = flat_first ? a : b, &round = flat_first ? b : a;
    const Beside beside =
        has_flats(flat) ? beside_flat(flat, round, flat_first ? 1 : -1, reach, result) : Beside::elsewhere;
    if (beside != Beside::elsewhere) return beside == Beside::over;
  }
  // Newton's method makes up for what the search leaves out. But where there is no normal to be found it must be exact.
  const bool polyhedra_only = !a.smooth && !b.smooth;
  for (const double precision : {polyhedra_only ? 0 : 1e-8, 0.0})
    for (const double shrink : {0.0, 1e-3, 0.03, 0.3, 0.9, 0.999}) {
      const Core core_a(*a.placed, shrink), core_b(*b.placed, shrink);
      Nearest copies =
          nearest(core_a, core_b, scale, reach + a.radius + b.radius + shrink * scale, precision);
      // Too near each other the direction is lost in rounding.
      if (!copies.apart || (shrink == 0 && copies.distance < 1e-4 * size)) continue;
      if (copies.count == 0) return false;
      // Back to full size about the centres.
      copies.point_a = a.placed->centre + (copies.point_a - a.placed->centre) / (1 - shrink);
      copies.point_b = b.placed->centre + (copies.point_b - b.placed->centre) / (1 - shrink);
      if (!Search(a, b, copies.normal).run(copies, shrink <= 1e-3, result) && precision > 0) break;
      return result.gap <= reach;
    }
  // Concentric bodies: any direction, the same at every call.
  Search(a, b, Vector::UnitZ()).run(a_point(a, b), false, result);
  return result.gap <= reach;
}

}  // namespace stickslip::internal
