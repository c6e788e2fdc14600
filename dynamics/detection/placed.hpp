// A piece in the world, as the pairs of kinds see it.
#pragma once

#include <cmath>

#include "dynamics/shapes/pieces.hpp"

namespace stickslip::internal {

/// Corners, planes and an inner point of a polyhedron in the world. `corners` and `offsets` are relative to the origin of
/// its own shape; `shift` takes them to the origin that a pair agrees on.
struct PlacedPolyhedron {
  const Polyhedron* topology = nullptr;
  const Vector* corners = nullptr;
  const Vector* normals = nullptr;
  const double* offsets = nullptr;
  Vector centre = Vector::Zero();  ///< shifted
  Vector shift = Vector::Zero();

  int corner_count() const { return int(topology->corners.size()); }
  int face_count() const { return topology->face_count(); }
  Vector corner(int k) const { return corners[k] + shift; }
  double offset(int f) const { return offsets[f] + normals[f].dot(shift); }
};

/// A piece under the placement of its shape, relative to the origin of the pair.
struct Placed {
  const Piece* piece = nullptr;
  Vector centre;
  Matrix axes;                       ///< F times the axes of the piece; orthonormal where `rigid`
  bool rigid = true;                 ///< F is a rotation
  PlacedPolyhedron polyhedron = {};  ///< where the piece has one
  const MeshSurface* mesh = nullptr;
  Vector shift;  ///< origin of the shape

  PieceKind kind() const { return piece->kind; }
  const Vector& sizes() const { return piece->sizes; }
  Vector axis(int k) const { return axes.col(k); }
};

/// Whether F is a rotation, but for rounding.
inline bool is_rotation(const Matrix& F) {
  return (F.transpose() * F - Matrix::Identity()).cwiseAbs().maxCoeff() < 1e-12 && F.determinant() > 0;
}

}  // namespace stickslip::internal
