#include "dynamics/shapes/least_extent.hpp"

#include <algorithm>
#include <limits>

namespace stickslip::internal {

double least_extent(const Piece& piece) {
  const Vector& s = piece.sizes;
  switch (piece.kind) {
    case PieceKind::sphere:
    case PieceKind::capsule:
      return 2 * s[0];
    case PieceKind::cylinder:
      return 2 * std::min(s[0], s[1]);
    case PieceKind::ellipsoid:
    case PieceKind::box:
      return 2 * s.minCoeff();
    case PieceKind::polyhedron: {
      double least = std::numeric_limits<double>::infinity();
      const Polyhedron& p = *piece.polyhedron;
      for (std::size_t f = 0; f < p.normals.size(); ++f) {
        double deepest = 0;
        for (const Vector& corner : p.corners)
          deepest = std::max(deepest, p.offsets[f] - p.normals[f].dot(corner));
        least = std::min(least, deepest);
      }
      return least;
    }
    default:
      return 0;
  }
}

}  // namespace stickslip::internal
