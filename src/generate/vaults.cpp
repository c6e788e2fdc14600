// Voussoirs: arch (and barrel vault), aqueduct, dome.

#include <algorithm>

#include "base/random.hpp"
#include "generate/scenes.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

constexpr double inner = 1, outer = 1.25;  // t/R = 0.22; a semicircular arch stands above 0.107 (Heyman)

/// A voussoir between two angles of a semicircle about (x, z), from y = low to y = high.
Body voussoir(double x, double z, double from, double to, double low, double high) {
  std::array<Vector3, 8> corners;
  for (std::size_t k = 0; k < 8; ++k) {
    const double angle = k < 4 ? from : to, radius = k % 4 == 0 || k % 4 == 3 ? inner : outer;
    corners[k] = {x + radius * std::cos(angle), k % 4 < 2 ? low : high, z + radius * std::sin(angle)};
  }
  // Feet lie on their support to the last bit.
  if (from == 0)
    for (std::size_t k = 0; k < 4; ++k) corners[k].z = z;
  if (to == M_PI)
    for (std::size_t k = 4; k < 8; ++k) corners[k].z = z;
  return make_block(corners);
}

/// The angles of n voussoirs, a little off by the seed.
std::vector<double> joints(long n, Random& random) {
  std::vector<double> angles;
  for (long k = 0; k <= n; ++k)
    angles.push_back(M_PI * (double(k) + (k == 0 || k == n ? 0.0 : random.uniform(-0.05, 0.05))) / double(n));
  angles.back() = M_PI;
  return angles;
}

}  // namespace

Scene arch(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "arch", "a semicircular arch of voussoirs on the ground", 0.7);
  Random random(request.seed);
  const double faces = double(request.size.value_or(64)) / points_on_face(request);
  // One arch up to 41 joints; then arches side by side with joints of their own, about two common faces of a
  // voussoir with the next arch, many with five corners.
  const long most = 40;
  const bool vault = scene.dimension == 3 && faces > double(most + 1);
  const long arches = vault ? std::max(2L, std::lround((faces + 2.85 * most) / (3.85 * most))) : 1;
  const long n = vault ? most : std::max(3L, std::lround(faces) - 1);
  if (n > 2000)  // voussoirs as thin as paper
    throw InputError("arch: in the plane it has at most 2000 voussoirs; 'aqueduct' has as many as you like");
  const double width = vault ? 0.15 : 0.5;
  scene.bodies.push_back(make_ground(-1.6, 1.6, -0.4, width * double(arches) + 0.4));
  for (long a = 0; a < arches; ++a) {
    const std::vector<double> angles = joints(n - (vault ? a % 2 : 0), random);
    for (std::size_t k = 0; k + 1 < angles.size(); ++k)
      scene.bodies.push_back(
          voussoir(0, 0, angles[k], angles[k + 1], width * double(a), width * double(a + 1)));
  }
  add_face_contacts(scene, request.points.value_or(2));
  return scene;
}

Scene aqueduct(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "aqueduct", "arches on pillars between two fixed abutments", 0.7);
  Random random(request.seed);
  const long stones = 9, drums = 3;
  // A bay has its arch with stones + 1 joints and a pillar with `drums` joints.
  const double faces = double(request.size.value_or(200)) / points_on_face(request);
  const long bays = std::max(1L, std::lround((faces + drums) / double(stones + 1 + drums)));
  const double gap = 0.1, pitch = 2 * outer + gap, height = 0.5, spring = height * drums, half_width = 0.3,
               half_pillar = outer - inner + gap / 2;
  scene.bodies.push_back(make_ground(-0.8, pitch * double(bays) + 0.8, -1, 1));
  for (const long end : {0L, bays}) {
    Body abutment = make_box({pitch * double(end), 0, spring / 2}, {half_pillar, half_width, spring / 2});
    abutment.fixed = true;
    scene.bodies.push_back(std::move(abutment));
  }
  for (long b = 0; b < bays; ++b) {
    const std::vector<double> angles = joints(stones, random);
    const double x = pitch * (double(b) + 0.5);
    for (std::size_t k = 0; k + 1 < angles.size(); ++k)
      scene.bodies.push_back(voussoir(x, spring, angles[k], angles[k + 1], -half_width, half_width));
    if (b == 0) continue;
    double low = 0;
    for (long k = 0; k < drums; ++k) {
      const double high = k + 1 == drums ? spring : height * (double(k + 1) + random.uniform(-0.1, 0.1));
      scene.bodies.push_back(
          make_box({pitch * double(b), 0, (low + high) / 2}, {half_pillar, half_width, (high - low) / 2}));
      low = high;
    }
  }
  add_face_contacts(scene, request.points.value_or(2));
  return scene;
}

Scene dome(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "dome", "rings of blocks on the ground, an open eye at the top", 0.7);
  Random random(request.seed);
  // A block has a common face below it and one beside it; 4.8 times as many blocks in a ring as rings.
  const double blocks = double(request.size.value_or(400)) / (2 * points_on_face(request));
  const long rings = std::max(1L, std::lround(std::sqrt(blocks / 4.8)));
  const long around = std::max(6L, std::lround(blocks / double(rings)));
  std::vector<double> turn, rise;
  for (long k = 0; k <= around; ++k)
    turn.push_back(2 * M_PI * (double(k) + (k % around == 0 ? 0.0 : random.uniform(-0.1, 0.1))) /
                   double(around));
  for (long k = 0; k <= rings; ++k)
    rise.push_back(75 * M_PI / 180 * (double(k) + (k % rings == 0 ? 0.0 : random.uniform(-0.1, 0.1))) /
                   double(rings));
  turn.back() = 0;  // the ring closes to the last bit
  scene.bodies.push_back(make_ground(-1.5, 1.5, -1.5, 1.5));
  for (std::size_t ring = 0; ring + 1 < rise.size(); ++ring)
    for (std::size_t k = 0; k + 1 < turn.size(); ++k) {
      std::array<Vector3, 8> corners;
      for (std::size_t c = 0; c < 8; ++c) {
        const double up = rise[ring + (c < 4 ? 0 : 1)], at = turn[k + (c % 4 < 2 ? 0 : 1)];
        const double radius = c % 4 == 0 || c % 4 == 3 ? inner : outer;
        corners[c] = {radius * std::cos(up) * std::cos(at), radius * std::cos(up) * std::sin(at),
                      radius * std::sin(up)};
      }
      scene.bodies.push_back(make_block(corners));
    }
  add_face_contacts(scene, request.points.value_or(2));
  return scene;
}

}  // namespace stickslip::internal
