#include "dynamics/shapes/prepared_shape.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "dynamics/shapes/least_extent.hpp"
#include "dynamics/shapes/pieces.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Longest distance of a point of the piece from x.
double farthest(const Piece& piece, const Vector& x) {
  const Vector d = piece.axes.transpose() * (piece.centre - x);
  const Vector& s = piece.sizes;
  switch (piece.kind) {
    case PieceKind::sphere:
      return d.norm() + s[0];
    case PieceKind::capsule:
      return std::hypot(d.x(), d.y(), std::abs(d.z()) + s[1]) + s[0];
    case PieceKind::cylinder:
      return std::hypot(std::hypot(d.x(), d.y()) + s[0], std::abs(d.z()) + s[1]);
    case PieceKind::ellipsoid:
      return d.norm() == 0 ? s.maxCoeff() : d.norm() + s.maxCoeff();
    case PieceKind::box:
      return (d.cwiseAbs() + s).norm();
    default: {
      double longest = 0;
      for (const Vector& corner : piece.polyhedron->corners) longest = std::max(longest, (corner - x).norm());
      return longest;
    }
  }
}

}  // namespace

PreparedShape::PreparedShape(const Shape& shape) {
  check_shape(shape);
  pieces_ = std::make_unique<const Pieces>(make_pieces(shape));
  const Piece& first = pieces_->list[0];
  if (first.kind == PieceKind::plane) {
    size_ = thickness_ = infinity;
    return;
  }
  if (first.kind == PieceKind::mesh) {
    size_ = 2 * first.radius;
    return;
  }
  Moments moments = moments_of(first);
  for (std::size_t k = 1; k < pieces_->list.size(); ++k) moments = sum(moments, moments_of(pieces_->list[k]));
  mass_ = mass_properties_from(moments);
  thickness_ = infinity;
  for (const Piece& piece : pieces_->list) {
    size_ = std::max(size_, 2 * farthest(piece, moments.centre));
    thickness_ = std::min(thickness_, least_extent(piece));
  }
}

PreparedShape::~PreparedShape() = default;

bool PreparedShape::is_obstacle() const {
  const PieceKind kind = pieces_->list[0].kind;
  return kind == PieceKind::plane || kind == PieceKind::mesh;
}

Bounds PreparedShape::bounds(const Placement& placement) const {
  const Piece& first = pieces_->list[0];
  if (first.kind == PieceKind::plane) return {Vector::Constant(-infinity), Vector::Constant(infinity)};
  Bounds all{Vector::Constant(infinity), Vector::Constant(-infinity)};
  if (first.kind == PieceKind::mesh) {
    for (const auto& triangle : pieces_->mesh->triangles)
      for (const int v : triangle) {
        const Vector x = placement(pieces_->mesh->vertices[v]);
        all.low = all.low.cwiseMin(x);
        all.high = all.high.cwiseMax(x);
      }
    return all;
  }
  for (const Piece& piece : pieces_->list) {
    const Bounds b = internal::bounds(piece, placement);
    all.low = all.low.cwiseMin(b.low);
    all.high = all.high.cwiseMax(b.high);
  }
  return all;
}

Vector PreparedShape::support(const Placement& placement, const Vector& direction) const {
  if (pieces_->mesh) {
    const auto& vertices = pieces_->mesh->vertices;
    std::size_t best = 0;
    for (std::size_t k = 1; k < vertices.size(); ++k)
      if ((placement.F.transpose() * direction).dot(vertices[k] - vertices[best]) > 0) best = k;
    return placement(vertices[best]);
  }
  Vector best = internal::support(pieces_->list[0], placement, direction);
  for (std::size_t k = 1; k < pieces_->list.size(); ++k) {
    const Vector other = internal::support(pieces_->list[k], placement, direction);
    if (direction.dot(other - best) > 0) best = other;
  }
  return best;
}

std::shared_ptr<const PreparedShape> prepare(const Shape& shape) {
  return std::make_shared<const PreparedShape>(shape);
}

}  // namespace stickslip::internal

namespace stickslip {

MassProperties mass_properties(const Shape& shape) {
  const internal::PreparedShape prepared(shape);
  if (prepared.is_obstacle())
    throw InputError(std::string(kind_name(shape)) +
                     ": has no mass; it is for bodies that are fixed or driven");
  return prepared.mass();
}

std::array<Point, 2> bounds(const Shape& shape) {
  const internal::Bounds b = internal::PreparedShape(shape).bounds({});
  return {internal::point(b.low), internal::point(b.high)};
}

}  // namespace stickslip
