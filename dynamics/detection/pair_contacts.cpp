// Contacts of the candidate pairs of one shape, in the order of their identities.
#include <algorithm>

#include "dynamics/detection/box_axes.hpp"
#include "dynamics/detection/detector_state.hpp"
#include "dynamics/detection/key.hpp"

namespace stickslip::internal {
namespace {

/// The order of the contacts of one shape: that of a pair knows no other pairs, which another rank may look at.
bool before(const Contact& x, const Contact& y) {
  if (x.b != y.b) return x.b < y.b;
  if (x.key != y.key) return x.key < y.key;
  if (x.gap != y.gap) return x.gap < y.gap;
  for (int i = 0; i < 3; ++i)
    if (x.point_a[i] != y.point_a[i]) return x.point_a[i] < y.point_a[i];
  for (int i = 0; i < 3; ++i)
    if (x.point_b[i] != y.point_b[i]) return x.point_b[i] < y.point_b[i];
  return false;
}

}  // namespace

void Detector::State::touch_balls(const PlacedBall& a, const PlacedBall& b, Touches& touches) {
  sphere_and_sphere(a.arm, a.radius, b.arm + (b.c - a.c), b.radius, touches);
}

bool Detector::State::near(int piece_a, int piece_b, std::span<const Placement> placements,
                           double reach) const {
  const bool plane_a = pieces[piece_a].piece->kind == PieceKind::plane;
  if (!plane_a && pieces[piece_b].piece->kind != PieceKind::plane)
    return overlap(bounds[piece_a], bounds[piece_b]);
  const int p = plane_a ? piece_a : piece_b, k = plane_a ? piece_b : piece_a;
  const Piece &plane = *pieces[p].piece, &piece = *pieces[k].piece;
  const Placement &at = placements[pieces[p].shape], &there = placements[pieces[k].shape];
  // A deformed piece lies within its radius times the largest stretch.
  const double radius = (rigid[pieces[k].shape] ? 1 : there.F.norm()) * piece.radius;
  return (at.F * plane.axes.col(2)).dot(there(piece.centre) - at(plane.centre)) - radius <=
         reach * (1 + 1e-12) + 1e-12 * piece.radius;
}

ContactPoints Detector::State::points_between(int material_a, int material_b) const {
  if (points.empty()) return options.points;
  const std::uint64_t pair = two(std::min(material_a, material_b), std::max(material_a, material_b));
  for (const auto& entry : points)
    if (entry.first == pair) return entry.second;
  return options.points;
}

void Detector::State::contacts_of_pair(int piece_a, int piece_b, std::span<const Placement> placements,
                                       double reach, Worker& worker, Chunk& chunk) const {
  const int a = pieces[piece_a].shape, b = pieces[piece_b].shape;
  const Piece &p = *pieces[piece_a].piece, &q = *pieces[piece_b].piece;
  const int local_a = piece_a - shapes[a].first_piece, local_b = piece_b - shapes[b].first_piece;
  // Positions relative to one of the bodies, so that nothing is lost far from the from of the world.
  const bool from_b = shapes[a].shape->is_obstacle();
  const Vector& from = placements[from_b ? b : a].c;
  worker.touches.begin(reach);
  if (balls[piece_a].radius >= 0 && balls[piece_b].radius >= 0) {
    touch_balls(balls[piece_a], balls[piece_b], worker.touches);
  } else {
    BoxAxes axes;
    const bool boxes = p.kind == PieceKind::box && q.kind == PieceKind::box && rigid[a] && rigid[b];
    if (boxes) {
      const Placement &at_a = placements[a], &at_b = placements[b];
      const Vector apart = at_b.F * q.centre + (at_b.c - at_a.c) - at_a.F * p.centre;
      const double slack = corner_touch * 2 * std::min(p.radius, q.radius);
      if (!box_axes(apart, at_a.F * p.axes, p.sizes, at_b.F * q.axes, q.sizes, reach, slack, axes)) return;
    }
    const Placed placed_a = place(piece_a, placements[a], from, worker.room_a),
                 placed_b = place(piece_b, placements[b], from, worker.room_b);
    Remembered now{two(a, b), two(local_a, local_b), 0};
    worker.space.axis_before = worker.space.axis_after = 0;
    if (!memory.empty())
      if (const auto found = std::lower_bound(memory.begin(), memory.end(), now);
          found != memory.end() && !(now < *found))
        worker.space.axis_before = found->axis;
    const PairOptions pair_options{points_between(shapes[a].material, shapes[b].material), options.rim_points,
                                   &rim_prism};
    if (boxes)
      box_and_box(placed_a, placed_b, axes, pair_options, worker.space, worker.touches);
    else
      piece_and_piece(placed_a, placed_b, pair_options, worker.space, worker.touches);
    if ((now.axis = worker.space.axis_after) != 0) chunk.memory.push_back(now);
  }
  for (const Touch& t : worker.touches.list())
    chunk.contacts.push_back({a, b, contact_key(a, b, local_a, local_b, t.feature_a, t.feature_b),
                              t.point_a + from, t.point_b + from, t.normal, t.gap, t.area});
  chunk.touching += !worker.touches.list().empty();
}

void Detector::State::contacts_of(int a, std::span<const Placement> placements, std::span<const double> reach,
                                  Worker& worker, Chunk& chunk) const {
  const auto start = pairs.start(), partners = pairs.partners();
  const int first = shapes[a].first_piece,
            last = a + 1 < int(shapes.size()) ? shapes[a + 1].first_piece : int(pieces.size());
  if (start[first] == start[last]) return;
  const std::size_t begin = chunk.contacts.size(), memory_begin = chunk.memory.size();
  const bool many = last - first > 1;
  bool several = many;
  for (int p = first; p < last; ++p)
    for (int k = start[p]; k < start[p + 1]; ++k) {
      if (const PlacedBall& mine = balls[p], &other = balls[partners[k]];
          mine.radius >= 0 && other.radius >= 0 && mine.single && other.single && excluded.empty()) {
        if (!overlap(bounds[p], bounds[partners[k]])) continue;
        ++chunk.candidates;
        worker.touches.begin(reach[a] + reach[other.shape]);
        touch_balls(mine, other, worker.touches);
        for (const Touch& t : worker.touches.list())
          chunk.contacts.push_back({a, other.shape,
                                    contact_key(a, other.shape, 0, 0, t.feature_a, t.feature_b),
                                    t.point_a + mine.c, t.point_b + mine.c, t.normal, t.gap, t.area});
        chunk.touching += !worker.touches.list().empty();
        continue;
      }
      const int b = pieces[partners[k]].shape;
      if (!excluded.empty() && excluded.contains(two(a, b))) continue;
      if (!near(p, partners[k], placements, reach[a] + reach[b])) continue;
      several = several || shapes[b].shape->pieces().list.size() > 1;
      ++chunk.candidates;
      contacts_of_pair(p, partners[k], placements, reach[a] + reach[b], worker, chunk);
    }
  const auto from = chunk.contacts.begin() + std::ptrdiff_t(begin);
  std::sort(from, chunk.contacts.end(), before);
  std::sort(chunk.memory.begin() + std::ptrdiff_t(memory_begin), chunk.memory.end());
  if (several) {
    // Pieces that meet give their common corners twice.
    const auto single = [&](const Contact& c) {
      return !many && shapes[c.b].shape->pieces().list.size() == 1;
    };
    const auto same = [&](const Contact& x, const Contact& y) {
      const double size = std::min(shapes[x.a].shape->size(), shapes[x.b].shape->size());
      return (x.point_a - y.point_a).norm() < same_place * size &&
             (x.point_b - y.point_b).norm() < same_place * size && (x.normal - y.normal).norm() < same_place;
    };
    auto kept = from;
    for (auto c = from; c != chunk.contacts.end(); ++c) {
      auto other = single(*c) ? from : kept;
      while (other != from && (other - 1)->b == c->b && !same(*(other - 1), *c)) --other;
      if (other != from && (other - 1)->b == c->b) continue;
      *kept++ = *c;
    }
    chunk.contacts.erase(kept, chunk.contacts.end());
  }
  for (std::size_t k = begin + 1; k < chunk.contacts.size(); ++k)
    if (const Contact& last_one = chunk.contacts[k - 1];
        last_one.b == chunk.contacts[k].b && chunk.contacts[k].key <= last_one.key)
      chunk.contacts[k].key = last_one.key + 1;
}

void Detector::State::gather() {
  counts = {};
  contacts.clear();
  memory.clear();
  for (const Chunk& chunk : chunks) {
    contacts.insert(contacts.end(), chunk.contacts.begin(), chunk.contacts.end());
    memory.insert(memory.end(), chunk.memory.begin(), chunk.memory.end());
    counts.candidates += chunk.candidates;
    counts.touching += chunk.touching;
  }
}

}  // namespace stickslip::internal
