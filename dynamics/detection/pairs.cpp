#include "dynamics/detection/pairs.hpp"

namespace stickslip::internal {
namespace {

bool is_round(const Placed& p) {
  return p.rigid && (p.kind() == PieceKind::sphere || p.kind() == PieceKind::capsule);
}

bool is_polyhedron(const Placed& p) {
  return p.kind() == PieceKind::box || p.kind() == PieceKind::polyhedron;
}

}  // namespace

void piece_and_piece(const Placed& a, const Placed& b, const PairOptions& options, PairSpace& space,
                     Touches& touches) {
  if (a.kind() == PieceKind::plane) return plane_and_piece(a, b, options, space, touches);
  if (b.kind() == PieceKind::plane) {
    touches.swap();
    plane_and_piece(b, a, options, space, touches);
    return touches.swap();
  }
  if (a.kind() == PieceKind::mesh) return mesh_and_piece(a, b, options, space, touches);
  if (b.kind() == PieceKind::mesh) {
    touches.swap();
    mesh_and_piece(b, a, options, space, touches);
    return touches.swap();
  }
  if (is_round(a) && is_round(b)) return round_and_round(a, b, touches);
  if (is_polyhedron(a) && is_polyhedron(b)) return polyhedron_and_polyhedron(a, b, options, space, touches);
  if (a.rigid && b.rigid && a.kind() == PieceKind::sphere && b.kind() == PieceKind::box)
    return sphere_and_box(a, b, touches);
  if (a.rigid && b.rigid && b.kind() == PieceKind::sphere && a.kind() == PieceKind::box) {
    touches.swap();
    sphere_and_box(b, a, touches);
    return touches.swap();
  }
  return rounded_and_piece(a, b, options, space, touches);
}

}  // namespace stickslip::internal
