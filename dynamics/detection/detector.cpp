// A call goes through the shapes three times: bounds, pairs of bounds that overlap, contacts of each pair. Threads share
// the shapes in chunks and every chunk keeps its own contacts, so that their order does not depend on who did what.
#include "dynamics/detection/detector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_set>
#include <utility>

#include "base/text.hpp"
#include "base/thread_team.hpp"
#include "dynamics/detection/box_axes.hpp"
#include "dynamics/detection/broad_phase.hpp"
#include "dynamics/detection/key.hpp"
#include "dynamics/detection/pairs.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

constexpr int chunk_size = 256;  // shapes
constexpr std::uint64_t memory_mark = 0x7374696b736c6970U;

struct ShapeEntry {
  std::shared_ptr<const PreparedShape> shape;
  Mobility mobility;
  int material;
  int first_piece;
  bool present = true;
};

struct PieceEntry {
  const Piece* piece;
  int shape;
  std::ptrdiff_t corners = -1, faces = -1;  // in the arrays of placed polyhedra; −1 where the piece is none
};

/// The axis of a pair of pieces that overlap deeply.
struct Remembered {
  std::uint64_t shapes, pieces, axis;
  bool operator<(const Remembered& other) const {
    return std::pair(shapes, pieces) < std::pair(other.shapes, other.pieces);
  }
};

std::uint64_t two(int a, int b) { return std::uint64_t(a) << 32U | std::uint64_t(b); }

/// Corners, normals and offsets of a polyhedron under F, relative to the origin of its shape.
void place_polyhedron(const Polyhedron& p, const Matrix& F, bool rigid, Vector* corners, Vector* normals,
                      double* offsets) {
  for (std::size_t k = 0; k < p.corners.size(); ++k) corners[k] = F * p.corners[k];
  const Matrix G = rigid ? F : Matrix(F.inverse().transpose());
  for (std::size_t f = 0; f < p.normals.size(); ++f) {
    const Vector n = G * p.normals[f];
    const double length = rigid ? 1 : n.norm();
    normals[f] = n / length;
    offsets[f] = p.offsets[f] / length;
  }
}

/// Room for a placed box.
struct BoxRoom {
  Vector corners[8], normals[6];
  double offsets[6];
};

struct Worker {
  Touches touches;
  PairSpace space;
  BoxRoom room_a, room_b;
};

/// What two rigid balls need of each other, in one cache line.
struct alignas(64) PlacedBall {
  Vector arm, c;  // of the centre from the origin of the shape; of that origin
  double radius;  // −1: the piece is no rigid ball
  std::int32_t shape;
  std::int32_t single;  // 1: the shape has no other piece
};

/// A plane where it is.
struct PlacedPlane {
  int piece;
  Vector normal, origin;
  double reach;
};

struct Chunk {
  std::vector<Contact> contacts;
  std::vector<Remembered> memory;
  std::int64_t candidates = 0, touching = 0;
};

void touch_balls(const PlacedBall& a, const PlacedBall& b, Touches& touches) {
  sphere_and_sphere(a.arm, a.radius, b.arm + (b.c - a.c), b.radius, touches);
}

float below(double x) { return std::nextafter(float(x), -std::numeric_limits<float>::infinity()); }
float above(double x) { return std::nextafter(float(x), std::numeric_limits<float>::infinity()); }

}  // namespace

struct Detector::State {
  DetectionOptions options;
  Polyhedron rim_prism;
  std::vector<ShapeEntry> shapes;
  std::vector<PieceEntry> pieces;
  std::unordered_set<std::uint64_t> excluded;
  std::vector<std::pair<std::uint64_t, ContactPoints>> points;  // by the two materials, the smaller one first

  std::vector<Vector> corners, normals;
  std::vector<double> offsets;
  std::vector<char> rigid;
  std::vector<FlatBounds> bounds;
  std::vector<PlacedBall> balls;  // of all pieces
  std::vector<int> planes;        // pieces
  std::vector<PlacedPlane> flats;
  std::vector<std::pair<int, int>> plane_pairs;
  std::vector<double> sample;
  BroadPhase broad_phase;
  std::vector<Worker> workers;
  std::vector<Chunk> chunks;
  std::vector<Contact> contacts;
  std::vector<Remembered> memory;
  DetectionCounts counts;

  void check(std::span<const Placement> placements, std::span<const double> reach) const;
  Vector middle(std::span<const Placement> placements);
  void place_shape(int s, const Placement& placement, double reach, const Vector& origin);
  void pair_with_planes(std::span<const Placement> placements, std::span<const double> reach);
  Placed place(int piece, const Placement& placement, const Vector& origin, BoxRoom& room) const;
  ContactPoints points_between(int material_a, int material_b) const;
  void contacts_of(int a, std::span<const Placement> placements, std::span<const double> reach,
                   Worker& worker, Chunk& chunk) const;
  void contacts_of_pair(int piece_a, int piece_b, std::span<const Placement> placements, double reach,
                        Worker& worker, Chunk& chunk) const;
  void gather();
};

Detector::Detector(const DetectionOptions& options) : state_(std::make_unique<State>()) {
  if (options.rim_points < 3 || options.rim_points > 1024)
    throw InputError(
        fmt::format("detection: rim_points is {}, it must be from 3 to 1024", options.rim_points));
  state_->options = options;
  std::vector<Eigen::Vector2d> rim;
  for (int k = 0; k < options.rim_points; ++k) {
    const double angle = 2 * std::numbers::pi * k / options.rim_points;
    rim.emplace_back(std::cos(angle), std::sin(angle));
  }
  state_->rim_prism = prism(rim, 1, "detection");
}
Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

int Detector::add(std::shared_ptr<const PreparedShape> shape, Mobility mobility, int material) {
  if (!shape) throw InputError("detection: no shape");
  if (shape->is_obstacle() && mobility == Mobility::moving)
    throw InputError("detection: planes and meshes are for bodies that are fixed or driven");
  State& s = *state_;
  const int index = size();
  s.shapes.push_back({std::move(shape), mobility, material, int(s.pieces.size())});
  for (const Piece& piece : s.shapes.back().shape->pieces().list) {
    PieceEntry entry{&piece, index};
    if (piece.kind == PieceKind::plane) s.planes.push_back(int(s.pieces.size()));
    if (piece.kind == PieceKind::polyhedron) {
      entry.corners = std::ptrdiff_t(s.corners.size());
      entry.faces = std::ptrdiff_t(s.normals.size());
      s.corners.resize(s.corners.size() + piece.polyhedron->corners.size());
      s.normals.resize(s.normals.size() + piece.polyhedron->normals.size());
      s.offsets.resize(s.normals.size());
    }
    s.pieces.push_back(entry);
  }
  return index;
}

void Detector::remove(int shape) {
  if (shape < 0 || shape >= size()) throw InputError(fmt::format("detection: no shape {}", shape));
  state_->shapes[shape].present = false;
}

void Detector::exclude(int a, int b) {
  if (std::min(a, b) < 0 || std::max(a, b) >= size())
    throw InputError(fmt::format("detection: no pair of shapes {} and {}", a, b));
  state_->excluded.insert(two(std::min(a, b), std::max(a, b)));
}

void Detector::set_points(int material_a, int material_b, ContactPoints points) {
  const std::uint64_t pair = two(std::min(material_a, material_b), std::max(material_a, material_b));
  for (auto& entry : state_->points)
    if (entry.first == pair) {
      entry.second = points;
      return;
    }
  state_->points.emplace_back(pair, points);
}

int Detector::size() const { return int(state_->shapes.size()); }

const DetectionCounts& Detector::counts() const { return state_->counts; }

void Detector::State::check(std::span<const Placement> placements, std::span<const double> reach) const {
  if (placements.size() != shapes.size() || reach.size() != shapes.size())
    throw InputError(fmt::format("detection: {} placements and {} reaches for {} shapes", placements.size(),
                                 reach.size(), shapes.size()));
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    if (!shapes[s].present) continue;
    const Placement& p = placements[s];
    if (!p.c.allFinite() || !p.F.allFinite())
      throw InputError(fmt::format("detection: the placement of shape {} is not finite", s));
    if (!(p.F.determinant() > 0))
      throw InputError(fmt::format("detection: the placement of shape {} has det F = {}, it must be positive",
                                   s, shortest(p.F.determinant())));
    if (!(reach[s] >= 0) || !std::isfinite(reach[s]))
      throw InputError(
          fmt::format("detection: the reach of shape {} is {}, it must be finite and not negative", s,
                      shortest(reach[s])));
  }
}

Vector Detector::State::middle(std::span<const Placement> placements) {
  // The median of some of them: one body far away must not cost the others their precision.
  Vector m = Vector::Zero();
  const std::size_t step = placements.size() / 255 + 1;
  for (int axis = 0; axis < 3; ++axis) {
    sample.clear();
    for (std::size_t s = 0; s < placements.size(); s += step) sample.push_back(placements[s].c[axis]);
    if (sample.empty()) continue;
    std::nth_element(sample.begin(), sample.begin() + std::ptrdiff_t(sample.size() / 2), sample.end());
    m[axis] = sample[sample.size() / 2];
  }
  return m;
}

void Detector::State::place_shape(int s, const Placement& placement, double reach, const Vector& origin) {
  const ShapeEntry& entry = shapes[s];
  rigid[s] = is_rotation(placement.F);
  const Placement local{placement.F, placement.c - origin};
  const int last = s + 1 < int(shapes.size()) ? shapes[s + 1].first_piece : int(pieces.size());
  for (int k = entry.first_piece; k < last; ++k) {
    FlatBounds& flat = bounds[k];
    flat.owner = s;
    flat.moving = entry.mobility == Mobility::moving;
    const Piece& piece = *pieces[k].piece;
    const bool ball = piece.kind == PieceKind::sphere && rigid[s];
    balls[k].radius = -1;
    if (ball)
      balls[k] = {placement.F * piece.centre, placement.c, piece.sizes[0], s, last - entry.first_piece == 1};
    if (!entry.present || piece.kind == PieceKind::plane) {
      flat.low = {1, 1, 1};
      flat.high = {-1, -1, -1};
      continue;
    }
    Bounds b;
    if (ball) {
      const Vector centre = local(piece.centre);
      b = {centre.array() - piece.sizes[0], centre.array() + piece.sizes[0]};
    } else if (piece.kind == PieceKind::mesh) {
      const Vector half = local.F.cwiseAbs() * entry.shape->pieces().mesh->half_extent(),
                   centre = local(piece.centre);
      b = {centre - half, centre + half};
    } else {
      b = internal::bounds(piece, local);
    }
    for (int axis = 0; axis < 3; ++axis) {
      flat.low[axis] = below(b.low[axis] - reach);
      flat.high[axis] = above(b.high[axis] + reach);
    }
    if (pieces[k].corners >= 0)
      place_polyhedron(*piece.polyhedron, placement.F, rigid[s], &corners[pieces[k].corners],
                       &normals[pieces[k].faces], &offsets[pieces[k].faces]);
  }
}

void Detector::State::pair_with_planes(std::span<const Placement> placements, std::span<const double> reach) {
  flats.clear();
  for (const int p : planes) {
    const int s = pieces[p].shape;
    if (shapes[s].present)
      flats.push_back({p, placements[s].F * pieces[p].piece->axes.col(2),
                       placements[s](pieces[p].piece->centre), reach[s]});
  }
  plane_pairs.clear();
  if (flats.empty()) return;
  for (int k = 0; k < int(pieces.size()); ++k) {
    const int t = pieces[k].shape;
    if (shapes[t].mobility != Mobility::moving || !shapes[t].present) continue;
    // A deformed piece lies within its radius times the largest stretch.
    const Piece& piece = *pieces[k].piece;
    const double radius = (rigid[t] ? 1 : placements[t].F.norm()) * piece.radius;
    const Vector centre = placements[t](piece.centre);
    for (const PlacedPlane& flat : flats)
      if (flat.normal.dot(centre - flat.origin) - radius <=
          (flat.reach + reach[t]) * (1 + 1e-12) + 1e-12 * piece.radius)
        plane_pairs.emplace_back(std::min(flat.piece, k), std::max(flat.piece, k));
  }
}

Placed Detector::State::place(int piece, const Placement& placement, const Vector& origin,
                              BoxRoom& room) const {
  const PieceEntry& entry = pieces[piece];
  const Piece& p = *entry.piece;
  Placed placed;
  placed.piece = &p;
  placed.rigid = rigid[entry.shape];
  placed.shift = placement.c - origin;
  placed.centre = placement.F * p.centre + placed.shift;
  placed.axes = placement.F * p.axes;
  if (p.kind == PieceKind::mesh) placed.mesh = shapes[entry.shape].shape->pieces().mesh.get();
  if (!p.polyhedron) return placed;
  placed.polyhedron.topology = p.polyhedron.get();
  placed.polyhedron.shift = placed.shift;
  placed.polyhedron.centre = placed.centre;
  if (entry.corners >= 0) {
    placed.polyhedron.corners = &corners[entry.corners];
    placed.polyhedron.normals = &normals[entry.faces];
    placed.polyhedron.offsets = &offsets[entry.faces];
  } else {
    place_polyhedron(*p.polyhedron, placement.F, placed.rigid, room.corners, room.normals, room.offsets);
    placed.polyhedron.corners = room.corners;
    placed.polyhedron.normals = room.normals;
    placed.polyhedron.offsets = room.offsets;
  }
  return placed;
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
  // Positions relative to one of the bodies, so that nothing is lost far from the origin of the world.
  const bool from_b = shapes[a].shape->is_obstacle();
  const Vector& origin = placements[from_b ? b : a].c;
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
    const Placed placed_a = place(piece_a, placements[a], origin, worker.room_a),
                 placed_b = place(piece_b, placements[b], origin, worker.room_b);
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
                              t.point_a + origin, t.point_b + origin, t.normal, t.gap, t.area});
  chunk.touching += !worker.touches.list().empty();
}

void Detector::State::contacts_of(int a, std::span<const Placement> placements, std::span<const double> reach,
                                  Worker& worker, Chunk& chunk) const {
  const auto start = broad_phase.start(), partners = broad_phase.partners();
  const int first = shapes[a].first_piece,
            last = a + 1 < int(shapes.size()) ? shapes[a + 1].first_piece : int(pieces.size());
  const std::size_t begin = chunk.contacts.size(), memory_begin = chunk.memory.size();
  bool several = last - first > 1;
  for (int p = first; p < last; ++p)
    for (int k = start[p]; k < start[p + 1]; ++k) {
      if (const PlacedBall& mine = balls[p], &other = balls[partners[k]];
          mine.radius >= 0 && other.radius >= 0 && mine.single && other.single && excluded.empty()) {
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
      several = several || shapes[b].shape->pieces().list.size() > 1;
      ++chunk.candidates;
      contacts_of_pair(p, partners[k], placements, reach[a] + reach[b], worker, chunk);
    }
  const auto from = chunk.contacts.begin() + std::ptrdiff_t(begin);
  std::sort(from, chunk.contacts.end(), [](const Contact& x, const Contact& y) {
    if (x.b != y.b) return x.b < y.b;
    return x.key != y.key ? x.key < y.key : x.gap < y.gap;
  });
  std::sort(chunk.memory.begin() + std::ptrdiff_t(memory_begin), chunk.memory.end());
  if (several) {
    // Pieces that meet give their common corners twice.
    const auto same = [&](const Contact& x, const Contact& y) {
      const double size = std::min(shapes[x.a].shape->size(), shapes[x.b].shape->size());
      return (x.point_a - y.point_a).norm() < same_place * size &&
             (x.point_b - y.point_b).norm() < same_place * size && (x.normal - y.normal).norm() < same_place;
    };
    auto kept = from;
    for (auto c = from; c != chunk.contacts.end(); ++c) {
      auto other = kept;
      while (other != from && (other - 1)->b == c->b && !same(*(other - 1), *c)) --other;
      if (other != from && (other - 1)->b == c->b) continue;
      *kept++ = *c;
    }
    chunk.contacts.erase(kept, chunk.contacts.end());
  }
  for (std::size_t k = begin + 1; k < chunk.contacts.size(); ++k)
    if (const Contact& before = chunk.contacts[k - 1];
        before.b == chunk.contacts[k].b && chunk.contacts[k].key <= before.key)
      chunk.contacts[k].key = before.key + 1;
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

std::span<const Contact> Detector::detect(std::span<const Placement> placements,
                                          std::span<const double> reach, ThreadTeam* team) {
  State& s = *state_;
  s.check(placements, reach);
  const int count = size(), threads = team ? team->size() : 1;
  s.rigid.resize(count);
  s.bounds.resize(s.pieces.size());
  s.balls.resize(s.pieces.size());
  if (int(s.workers.size()) < threads) s.workers.resize(threads);
  s.chunks.resize(std::size_t(count + chunk_size - 1) / chunk_size);

  // work(first shape, last shape, chunk, thread) for all chunks, whoever comes first.
  const auto in_chunks = [&](auto&& work) {
    std::atomic<int> next{0};
    const auto serve = [&](int thread) {
      for (int c = next++; c < int(s.chunks.size()); c = next++)
        work(c * chunk_size, std::min(count, (c + 1) * chunk_size), s.chunks[c], s.workers[thread]);
    };
    if (threads > 1)
      team->run(serve);
    else
      serve(0);
  };

  const Vector origin = s.middle(placements);
  in_chunks([&](int first, int last, Chunk&, Worker&) {
    for (int k = first; k < last; ++k) s.place_shape(k, placements[k], reach[k], origin);
  });
  s.pair_with_planes(placements, reach);
  s.broad_phase.find(s.bounds, s.plane_pairs, team);
  in_chunks([&](int first, int last, Chunk& chunk, Worker& worker) {
    chunk.contacts.clear();
    chunk.memory.clear();
    chunk.candidates = chunk.touching = 0;
    for (int k = first; k < last; ++k) s.contacts_of(k, placements, reach, worker, chunk);
  });
  s.gather();
  return s.contacts;
}

std::vector<std::uint64_t> Detector::memory() const {
  std::vector<std::uint64_t> words = {memory_mark};
  for (const Remembered& r : state_->memory) words.insert(words.end(), {r.shapes, r.pieces, r.axis});
  return words;
}

void Detector::restore(std::span<const std::uint64_t> words) {
  std::vector<Remembered> memory;
  if (words.empty() || words[0] != memory_mark || words.size() % 3 != 1)
    throw InputError(fmt::format("detection: {} words are no memory of a detector", words.size()));
  for (std::size_t k = 1; k < words.size(); k += 3) memory.push_back({words[k], words[k + 1], words[k + 2]});
  if (!std::is_sorted(memory.begin(), memory.end()))
    throw InputError("detection: the memory of the detector is out of order");
  state_->memory = std::move(memory);
}

}  // namespace stickslip::internal
