#include "viewer/shown_bodies.hpp"

#include <cmath>

#include "dynamics/record/recorded_bodies.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::viewer {

using namespace internal;

std::vector<ShownBody> shown_bodies(const RecordReader& record) {
  const std::vector<double> masses = record.doubles("/stickslip/body/mass"),
                            radii = record.doubles("/VTKHDF/PointData/radius");
  std::vector<ShownBody> shown;
  for (RecordedBody& body : read_bodies(record)) {
    const std::size_t b = shown.size();
    ShownBody one{.name = body.name, .kind = body.kind, .material = body.material};
    if (!body.is_obstacle()) {
      if (b >= masses.size() || b >= radii.size())
        throw InputError("the columns of its bodies do not fit each other");
      one.mass = masses[b];
      one.radius = radii[b];
      one.volume = 4.0 / 3.0 * M_PI * std::pow(radii[b], 3);
      one.young = body.young;
      one.poisson = body.poisson;
    }
    if (!std::holds_alternative<Plane>(body.shape) && !std::holds_alternative<Mesh>(body.shape))
      one.centre = vector(mass_properties(body.shape).centre);
    one.position = vector(body.position);
    one.rotation = rotation(body.rotation).normalized();
    one.shape = std::move(body.shape);
    shown.push_back(std::move(one));
  }
  return shown;
}

void bring_near(std::vector<ShownBody>& bodies, const Vector& origin) {
  for (ShownBody& body : bodies) {
    if (body.kind != "fixed") continue;
    if (const auto* mesh = std::get_if<Mesh>(&body.shape)) {
      Eigen::AlignedBox3d box;
      for (const Point& p : mesh->vertices) box.extend(vector(p));
      body.centre = box.center();
      body.position += body.rotation * body.centre;
    }
    if (auto* plane = std::get_if<Plane>(&body.shape)) {
      const Vector normal = vector(plane->normal).normalized(), n = body.rotation * normal;
      const Vector on = body.position + plane->offset / vector(plane->normal).norm() * n;
      body.position = origin - n.dot(origin - on) * n;
      *plane = {point(normal), 0};
    }
  }
}

}  // namespace stickslip::viewer
