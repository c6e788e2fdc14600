// Two boxes along the fifteen axes that can hold them apart (Gottschalk, Lin, Manocha 1996).
#pragma once

#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

/// The best face axis and the best axis across two edges.
struct BoxAxes {
  double face_separation, edge_separation;
  int face;            ///< 0, 1, 2: axis of a; 3, 4, 5: axis of b
  int edge_a, edge_b;  ///< the axes along which the edges run; −1 where all are nearly parallel
};

/// Boxes about the origin and about d, with orthonormal axes in the columns of A and B, and half edges. False where an axis
/// holds them farther apart than `reach`, and where two axes of one box do not let them overlap by more than `slack`: then they
/// lie diagonally, edge at edge or corner at corner, and are free to pass.
bool box_axes(const Vector& d, const Matrix& A, const Vector& half_a, const Matrix& B, const Vector& half_b,
              double reach, double slack, BoxAxes& axes);

}  // namespace stickslip::internal
