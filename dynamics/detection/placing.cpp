// Where the shapes of a detector are: bounds, corners of polyhedra, balls and planes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "dynamics/detection/detector_state.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

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

constexpr double farthest_origin = 1e4;  // slacks

float below(double x) { return std::nextafter(float(x), -std::numeric_limits<float>::infinity()); }
float above(double x) { return std::nextafter(float(x), std::numeric_limits<float>::infinity()); }

}  // namespace

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

void Detector::State::choose_origin(std::span<const Placement> placements) {
  // Kept while bounds in single precision lose nothing of the slack.
  const Vector m = middle(placements);
  if ((m - origin).norm() <= farthest_origin * pairs.slack()) return;
  origin = m;
  pairs.forget();
}

void Detector::State::place_shape(int s, const Placement& placement, double reach) {
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

void Detector::State::place_planes(std::span<const Placement> placements, std::span<const double> reach) {
  flats.clear();
  for (const int p : planes) {
    const int s = pieces[p].shape;
    if (shapes[s].present)
      flats.push_back({p, placements[s].F * pieces[p].piece->axes.col(2),
                       placements[s](pieces[p].piece->centre) - origin, reach[s]});
  }
}

Placed Detector::State::place(int piece, const Placement& placement, const Vector& from,
                              BoxRoom& room) const {
  const PieceEntry& entry = pieces[piece];
  const Piece& p = *entry.piece;
  Placed placed;
  placed.piece = &p;
  placed.rigid = rigid[entry.shape];
  placed.shift = placement.c - from;
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

}  // namespace stickslip::internal
