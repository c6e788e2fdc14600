#include "dynamics/record/surface.hpp"

#include <cmath>

#include "dynamics/shapes/pieces.hpp"

namespace stickslip::internal {
namespace {

class Builder {
 public:
  Surface surface;

  int add(const Vector& v) {
    surface.vertices.push_back(v);
    return int(surface.vertices.size()) - 1;
  }

  /// A body of revolution about the third axis from its profile (radius, height), from the lowest point to the highest; each ring is
  /// scaled by `sizes` across.
  void revolve(const Piece& piece, const std::vector<Eigen::Vector2d>& profile, const Eigen::Vector2d& across,
               int n) {
    std::vector<std::vector<int>> rings;
    for (const Eigen::Vector2d& p : profile) {
      std::vector<int> ring;
      for (int k = 0; k < (p[0] > 0 ? n : 1); ++k) {
        const double a = 2 * M_PI * k / n;
        ring.push_back(add(piece.centre + piece.axes * Vector(p[0] * across[0] * std::cos(a),
                                                              p[0] * across[1] * std::sin(a), p[1])));
      }
      rings.push_back(ring);
    }
    const auto at = [&](std::size_t r, int k) { return rings[r][std::size_t(k) % rings[r].size()]; };
    for (std::size_t r = 0; r + 1 < rings.size(); ++r)
      for (int k = 0; k < n; ++k) {
        if (rings[r].size() == 1)
          surface.faces.push_back({at(r, 0), at(r + 1, k + 1), at(r + 1, k)});
        else if (rings[r + 1].size() == 1)
          surface.faces.push_back({at(r, k), at(r, k + 1), at(r + 1, 0)});
        else
          surface.faces.push_back({at(r, k), at(r, k + 1), at(r + 1, k + 1), at(r + 1, k)});
      }
    // Flat ends.
    for (std::size_t end : {std::size_t(0), rings.size() - 1}) {
      if (rings[end].size() == 1) continue;
      std::vector<int> lid = rings[end];
      if (end == 0) lid.assign(rings[end].rbegin(), rings[end].rend());
      surface.faces.push_back(lid);
    }
  }
};

/// Points of a quarter of a circle and back: from the south pole to the north pole, the middle stretched by `gap`.
std::vector<Eigen::Vector2d> meridian(double radius, double height, double gap, int n) {
  std::vector<Eigen::Vector2d> profile;
  const int half = std::max(2, n / 4);
  for (int side : {-1, 1})
    for (int k = 0; k <= half; ++k) {
      if (side == 1 && k == 0 && gap == 0) continue;
      const double a = M_PI / 2 * (side < 0 ? -1 + double(k) / half : double(k) / half);
      const bool pole = (side < 0 && k == 0) || (side > 0 && k == half);
      profile.emplace_back(pole ? 0 : radius * std::cos(a), height * std::sin(a) + side * gap);
    }
  return profile;
}

void add_piece(Builder& builder, const Piece& piece, int n, double extent) {
  switch (piece.kind) {
    case PieceKind::sphere:
      builder.revolve(piece, meridian(piece.sizes[0], piece.sizes[0], 0, n), {1, 1}, n);
      break;
    case PieceKind::ellipsoid:
      builder.revolve(piece, meridian(1, piece.sizes[2], 0, n), {piece.sizes[0], piece.sizes[1]}, n);
      break;
    case PieceKind::capsule:
      builder.revolve(piece, meridian(piece.sizes[0], piece.sizes[0], piece.sizes[1], n), {1, 1}, n);
      break;
    case PieceKind::cylinder:
      builder.revolve(piece, {{piece.sizes[0], -piece.sizes[1]}, {piece.sizes[0], piece.sizes[1]}}, {1, 1},
                      n);
      break;
    case PieceKind::box:
    case PieceKind::polyhedron: {
      const int first = int(builder.surface.vertices.size());
      for (const Vector& corner : piece.polyhedron->corners) builder.add(corner);
      for (int f = 0; f < piece.polyhedron->face_count(); ++f) {
        std::vector<int> face;
        for (int corner : piece.polyhedron->face(f)) face.push_back(first + corner);
        builder.surface.faces.push_back(face);
      }
      break;
    }
    case PieceKind::plane: {
      std::vector<int> face;
      for (const auto& [x, y] : {std::pair{-1, -1}, std::pair{1, -1}, std::pair{1, 1}, std::pair{-1, 1}})
        face.push_back(builder.add(piece.centre + piece.axes * Vector(x * extent / 2, y * extent / 2, 0)));
      builder.surface.faces.push_back(face);
      break;
    }
    case PieceKind::mesh:
      break;
  }
}

}  // namespace

Surface surface_of(const Shape& shape, int segments, double extent) {
  Builder builder;
  if (const auto* mesh = std::get_if<Mesh>(&shape)) {
    for (const Point& p : mesh->vertices) builder.add(vector(p));
    for (const auto& t : mesh->triangles) builder.surface.faces.push_back({t[0], t[1], t[2]});
    return builder.surface;
  }
  const Pieces pieces = make_pieces(shape);
  for (const Piece& piece : pieces.list) add_piece(builder, piece, segments, extent);
  return builder.surface;
}

}  // namespace stickslip::internal
