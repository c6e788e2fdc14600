#include "dynamics/detection/core.hpp"

namespace stickslip::internal {

Core::Core(const Placed& placed, double shrink) : placed_(&placed), keep_(1 - shrink) {
  switch (placed.kind()) {
    case PieceKind::sphere:
    case PieceKind::capsule:
      if (placed.rigid) radius_ = placed.sizes()[0];
      break;
    case PieceKind::box:
    case PieceKind::polyhedron:
      // centre + keep (corner + shift − centre)
      corners_ = placed.polyhedron.corners;
      count_ = placed.polyhedron.corner_count();
      base_ = placed.centre + keep_ * (placed.polyhedron.shift - placed.centre);
      break;
    default:
      break;
  }
}

Vector Core::curved_support(const Vector& d, int& id) const {
  const Placed& p = *placed_;
  const Vector& s = p.sizes();
  const Vector own = p.axes.transpose() * d;
  id = -1;
  Vector x = Vector::Zero();
  switch (p.kind()) {
    case PieceKind::sphere:
      if (radius_ > 0)
        id = 0;
      else
        x = s[0] / own.norm() * own;
      break;
    case PieceKind::capsule:
      x.z() = own.z() < 0 ? -s[1] : s[1];
      if (radius_ > 0)
        id = own.z() < 0 ? 0 : 1;
      else
        x += s[0] / own.norm() * own;
      break;
    case PieceKind::ellipsoid: {
      const Vector scaled = s.cwiseProduct(own);
      x = s.cwiseProduct(scaled) / scaled.norm();
      break;
    }
    default: {
      const double across = std::hypot(own.x(), own.y()), scale = across > 0 ? s[0] / across : 0;
      x = {scale * own.x(), scale * own.y(), own.z() < 0 ? -s[1] : s[1]};
      break;
    }
  }
  return p.centre + keep_ * (p.axes * x);
}

}  // namespace stickslip::internal
