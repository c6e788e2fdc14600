// A container filled with courses of boxes: each course is cut at random into rectangles of one height.

#include <algorithm>

#include "base/random.hpp"
#include "generate/scenes.hpp"

namespace stickslip::internal {
namespace {

struct Rectangle {
  double low_x, high_x, low_y, high_y;
};

/// Cuts along the longer side until the pieces are small; every other cut leaves a gap.
void cut(const Rectangle& r, double largest, Random& random, std::vector<Rectangle>& pieces) {
  const double width = r.high_x - r.low_x, depth = r.high_y - r.low_y;
  if (std::max(width, depth) <= largest) {
    pieces.push_back(r);
    return;
  }
  const double share = random.uniform(0.35, 0.65), gap = random.uniform() < 0.5 ? 0 : 0.04 * largest;
  Rectangle a = r, b = r;
  if (width >= depth) {
    const double at = r.low_x + share * width;
    a.high_x = at - gap / 2, b.low_x = at + gap / 2;
  } else {
    const double at = r.low_y + share * depth;
    a.high_y = at - gap / 2, b.low_y = at + gap / 2;
  }
  cut(a, largest, random, pieces);
  cut(b, largest, random, pieces);
}

Body fixed_box(Vector3 low, Vector3 high) {
  Body body = make_box(0.5 * (low + high), 0.5 * (high - low));
  body.fixed = body.hollow = true;
  return body;
}

}  // namespace

Scene boxes(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "box packing", "courses of boxes, cut at random, in a container", 0.5);
  Random random(request.seed);
  // A box has about 5.2 common faces of its own, most of them with the course below.
  const double count = std::max(1.0, double(request.size.value_or(400)) / (5.2 * points_on_face(request)));
  const double side = std::max(1.0, std::cbrt(count) * 0.75), height = 0.5;  // boxes are about 0.75 wide
  const double top = height * std::ceil(count / std::pow(side / 0.75, 2)), wall = 0.02 * side;
  scene.bodies.push_back(fixed_box({0, 0, -wall}, {side, side, 0}));
  scene.bodies.push_back(fixed_box({-wall, 0, 0}, {0, side, top}));
  scene.bodies.push_back(fixed_box({side, 0, 0}, {side + wall, side, top}));
  scene.bodies.push_back(fixed_box({0, -wall, 0}, {side, 0, top}));
  scene.bodies.push_back(fixed_box({0, side, 0}, {side, side + wall, top}));
  double z = 0;
  for (long placed = 0; placed < std::lround(count);) {
    std::vector<Rectangle> pieces;
    cut({0, side, 0, side}, 1, random, pieces);
    const double h = height * random.uniform(0.7, 1.3);
    for (const Rectangle& r : pieces) {
      const Vector3 low = {r.low_x, r.low_y, z}, high = {r.high_x, r.high_y, z + h};
      scene.bodies.push_back(make_box(0.5 * (low + high), 0.5 * (high - low)));
    }
    placed += long(pieces.size());
    z += h;
  }
  // Corners of one course repeat a z that is a sum; the walls reach as high as the boxes.
  for (std::size_t k = 1; k <= 4; ++k) {
    Body& body = scene.bodies[k];
    const auto corners = body.corners;
    body = fixed_box(corners[0], {corners[6].x, corners[6].y, z});
  }
  add_face_contacts(scene, request.points.value_or(2));
  return scene;
}

}  // namespace stickslip::internal
