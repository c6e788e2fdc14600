// The last state of a record as a picture: faces painted from the back to the front, lit from above.
//
// The eye looks along −d, d = (1, −1.6, 0.9)/|…|, without perspective. Faces are sorted by the depth of their centres, which is right for
// bodies that do not interlock; those that look away are left out.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/record/record_view.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

constexpr double width = 900, height = 640, rim = 24;

struct Painted {
  std::vector<Eigen::Vector2d> corners;
  double depth = 0;
  std::array<int, 3> colour{};
};

/// A quiet hue for each body, grey for what does not move.
std::array<double, 3> hue(int place) {
  if (place < 0) return {205, 205, 200};
  static constexpr std::array<std::array<double, 3>, 6> hues = {
      {{214, 160, 100}, {120, 158, 190}, {190, 120, 110}, {140, 170, 120}, {176, 150, 186}, {220, 196, 120}}};
  return hues[std::size_t(place) % hues.size()];
}

}  // namespace

void export_svg(const RecordView& record, const std::filesystem::path& target) {
  if (record.times.empty()) throw InputError(fmt::format("{}: it has no states", record.path.string()));
  const Vector eye = Vector(1, -1.6, 0.9).normalized(), right = Vector(1.6, 1, 0).normalized(),
               up = eye.cross(right);
  const Vector light = Vector(0.3, -0.5, 1).normalized();
  const RecordView::State state = record.state(record.times.size() - 1);
  // Planes are drawn as large as what moves needs.
  Eigen::AlignedBox3d box;
  for (std::size_t b = 0; b < record.bodies(); ++b)
    box.extend(Vector(state.position[3 * b], state.position[3 * b + 1], state.position[3 * b + 2]));
  const double extent = box.isEmpty() ? 1 : std::max(1.4 * box.diagonal().norm(), 1e-9);
  std::vector<Painted> faces;
  Eigen::AlignedBox2d seen;
  for (const RecordView::Drawn& body : record.drawn) {
    const bool plane = std::holds_alternative<Plane>(body.shape);
    const Surface surface = surface_of(body.shape, 20, extent);
    Placement placement = record.placement(body, state);
    if (plane && !box.isEmpty()) {
      // Its square under the bodies, not under the origin.
      const Vector n = (placement.F * vector(std::get<Plane>(body.shape).normal)).normalized();
      placement.c += (Matrix::Identity() - n * n.transpose()) * box.center();
    }
    std::vector<Vector> placed = record.vertices(body, surface, state);
    if (plane)
      for (std::size_t k = 0; k < placed.size(); ++k) placed[k] = placement(surface.vertices[k]);
    for (const std::vector<int>& face : surface.faces) {
      Vector centre = Vector::Zero(), normal = Vector::Zero();
      std::vector<Vector> corners;
      for (int v : face) corners.push_back(placed[std::size_t(v)]);
      for (std::size_t k = 0; k < corners.size(); ++k) {
        centre += corners[k] / double(corners.size());
        normal += corners[k].cross(corners[(k + 1) % corners.size()]);
      }
      if (!(normal.norm() > 0) || normal.dot(eye) <= 0) continue;
      Painted painted;
      painted.depth = plane ? -1e300 : centre.dot(eye);
      const double shade = 0.62 + 0.38 * std::max(0.0, normal.normalized().dot(light));
      const auto colour = hue(body.place);
      for (std::size_t c = 0; c < 3; ++c) painted.colour[c] = int(std::lround(shade * colour[c]));
      for (const Vector& p : corners) {
        painted.corners.emplace_back(p.dot(right), -p.dot(up));
        seen.extend(painted.corners.back());
      }
      faces.push_back(std::move(painted));
    }
  }
  if (seen.isEmpty()) throw InputError(fmt::format("{}: there is nothing to draw", record.path.string()));
  std::stable_sort(faces.begin(), faces.end(),
                   [](const Painted& a, const Painted& b) { return a.depth < b.depth; });
  const Eigen::Vector2d size = seen.sizes();
  const double scale =
      std::min((width - 2 * rim) / std::max(size[0], 1e-300), (height - 2 * rim) / std::max(size[1], 1e-300));
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\">\n"
      "<title>{}, t = {:.6g} s</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<g stroke=\"#333\" stroke-width=\"0.6\" stroke-linejoin=\"round\">\n",
      width, height, width, height, xml_text(record.title), record.times.back());
  for (const Painted& face : faces) {
    text += fmt::format("<polygon fill=\"#{:02x}{:02x}{:02x}\" points=\"", face.colour[0], face.colour[1],
                        face.colour[2]);
    for (const Eigen::Vector2d& p : face.corners) {
      const Eigen::Vector2d at = 0.5 * Eigen::Vector2d(width, height) + scale * (p - seen.center());
      text += fmt::format("{:.1f},{:.1f} ", at[0], at[1]);
    }
    text.back() = '"';
    text += "/>\n";
  }
  write_text(target, text + "</g>\n</svg>\n");
}

}  // namespace stickslip::internal
