// Balls in a container: dropped one by one, and the cubic and hexagonal close-packed lattices.
//
// A ball is dropped at the lowest of several random points, falls and rolls down what it touches (W. M.
// Visscher, M. Bolsterli, Nature 239, 1972) to a place where it rests on the floor or on three balls or walls
// whose normals carry its weight.

#include <algorithm>
#include <optional>

#include "base/random.hpp"
#include "generate/scenes.hpp"

namespace stickslip::internal {
namespace {

struct Ball {
  Vector3 centre;
  double radius;
};

/// What a resting ball touches: n·centre = offset for a plane, or another ball.
struct Support {
  double gap;
  Vector3 normal;
  double offset;
  const Ball* ball;
};

class Deposition {
 public:
  Deposition(double side, double largest)
      : side_(side), cell_(2 * largest), columns_(std::max(1, int(side / cell_))) {
    cells_.resize(std::size_t(columns_) * std::size_t(columns_));
  }

  const std::vector<Ball>& balls() const { return balls_; }

  void drop(double radius, Random& random) {
    // Of several random points the lowest is tried, so that the surface stays level;
    // deep wells, where a ball finds no rest, are left open after some tries.
    std::optional<Vector3> best;
    for (int tries = 0; !best && tries < 60; ++tries) {
      double low_x = 0, low_y = 0, low_z = HUGE_VAL;
      for (int k = 0; k < std::max(1, 4 - tries); ++k) {
        const double x = random.uniform(radius, side_ - radius), y = random.uniform(radius, side_ - radius);
        if (const double z = look(x, y, radius, radius + cell_ / 2); z < low_z)
          low_x = x, low_y = y, low_z = z;
      }
      best = settle(low_x, low_y, radius);
    }
    if (!best) return;
    balls_.push_back({*best, radius});
    auto& column = cells_[cell_of(best->x, best->y)];
    const auto above = [&](double z, int i) { return z < balls_[std::size_t(i)].centre.z; };
    column.insert(std::upper_bound(column.begin(), column.end(), best->z, above), int(balls_.size()) - 1);
  }

 private:
  std::size_t cell_of(double x, double y) const {
    const auto at = [&](double t) { return std::clamp(int(t / side_ * columns_), 0, columns_ - 1); };
    return std::size_t(at(x)) * std::size_t(columns_) + std::size_t(at(y));
  }

  /// Collects the balls above `low_z` whose centres lie less than `reach` from (x, y).
  void gather(double x, double y, double reach, double low_z) {
    near_.clear();
    highest_ = 0;
    const int low_x = int(cell_of(x - reach, 0)) / columns_, high_x = int(cell_of(x + reach, 0)) / columns_;
    const int low_y = int(cell_of(0, y - reach)) % columns_, high_y = int(cell_of(0, y + reach)) % columns_;
    for (int i = low_x; i <= high_x; ++i)
      for (int j = low_y; j <= high_y; ++j) {
        const auto& column = cells_[std::size_t(i) * std::size_t(columns_) + std::size_t(j)];
        if (!column.empty()) highest_ = std::max(highest_, balls_[std::size_t(column.back())].centre.z);
        for (auto k = column.rbegin(); k != column.rend(); ++k) {
          const Ball& ball = balls_[std::size_t(*k)];
          if (ball.centre.z <= low_z) break;
          const double dx = ball.centre.x - x, dy = ball.centre.y - y;
          if (dx * dx + dy * dy < reach * reach) near_.push_back(ball);
        }
      }
  }

  /// Collects the balls that matter around (x, y), down to two cells below the surface there; the height.
  double look(double x, double y, double radius, double reach) {
    gather(x, y, reach, HUGE_VAL);
    for (low_z_ = highest_ - 2 * cell_;; low_z_ -= 2 * cell_) {
      gather(x, y, reach, low_z_);
      const double z = height(x, y, radius);
      if (z >= low_z_ + cell_ || low_z_ <= 0) {
        gather(x, y, reach, low_z_ = std::min(low_z_, z - 2 * cell_));
        return z;
      }
    }
  }

  /// The height of the centre above (x, y).
  double height(double x, double y, double radius) const {
    double z = radius;
    for (const Ball& b : near_) {
      const double dx = x - b.centre.x, dy = y - b.centre.y, touch = radius + b.radius;
      if (const double rest = touch * touch - dx * dx - dy * dy; rest > 0)
        z = std::max(z, b.centre.z + std::sqrt(rest));
    }
    return z;
  }

  /// Everything a ball at c might touch, with the gap and the normal towards the ball.
  void find_supports(Vector3 c, double radius) {
    supports_.clear();
    const auto plane = [&](Vector3 n, double offset) {
      supports_.push_back({dot(n, c) - offset, n, offset, nullptr});
    };
    plane({0, 0, 1}, radius);
    plane({1, 0, 0}, radius), plane({-1, 0, 0}, radius - side_);
    plane({0, 1, 0}, radius), plane({0, -1, 0}, radius - side_);
    for (const Ball& b : near_) {
      const Vector3 line = c - b.centre;
      const double far = length(line);
      supports_.push_back({far - radius - b.radius, (1 / far) * line, 0, &b});
    }
  }

  /// The direction in which a ball falls or rolls: −z projected onto { d : n·d ≥ 0 at each touching support
  /// }. `held` is given the supports that carry it.
  Vector3 fall(const std::vector<Support>& touching, std::vector<Support>& held) const {
    const Vector3 down = {0, 0, -1};
    const auto admissible = [&](Vector3 d) {
      return std::all_of(touching.begin(), touching.end(),
                         [&](const Support& s) { return dot(s.normal, d) > -1e-9; });
    };
    held.clear();
    if (admissible(down)) return down;
    const std::size_t count = touching.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Vector3 n = touching[i].normal, d = down + n.z * n;
      held = {touching[i]};
      if (n.z >= 0 && admissible(d)) return d;
    }
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 1; j < count; ++j) {
        const Vector3 a = touching[i].normal, b = touching[j].normal;
        const double c = dot(a, b), det = 1 - c * c;
        if (det < 1e-9) continue;
        const double at_a = (a.z - c * b.z) / det, at_b = (b.z - c * a.z) / det;
        const Vector3 d = down + at_a * a + at_b * b;
        held = {touching[i], touching[j]};
        if (at_a >= 0 && at_b >= 0 && admissible(d)) return d;
      }
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 1; j < count; ++j)
        for (std::size_t k = j + 1; k < count; ++k) {
          held = {touching[i], touching[j], touching[k]};
          if (carries(held)) return {};
        }
    held.clear();
    return {};
  }

  /// Whether λ ≥ 0 exists with Σ λ n = z for three supports that are not nearly in a plane.
  static bool carries(const std::vector<Support>& s) {
    const double det = dot(s[0].normal, cross(s[1].normal, s[2].normal));
    if (std::abs(det) < 0.02) return false;
    for (std::size_t k = 0; k < 3; ++k)
      if (cross(s[(k + 1) % 3].normal, s[(k + 2) % 3].normal).z / det < 0) return false;
    return true;
  }

  /// Falls and rolls from above (x, y) in short straight steps, which cut nothing because gaps are convex
  /// along a line; a place where the ball rests, or nothing.
  std::optional<Vector3> settle(double x, double y, double radius) {
    const double reach = radius + cell_ / 2, stride = cell_ / 3, near = 1e-3 * radius;
    Vector3 c = {x, y, look(x, y, radius, reach)}, from = c;
    gather(c.x, c.y, reach + stride, c.z - reach - stride);
    for (int step = 0; step < 400; ++step) {
      if (length(c - from) > stride) gather(c.x, c.y, reach + stride, c.z - reach - stride), from = c;
      find_supports(c, radius);
      touching_.clear();
      for (const Support& s : supports_)
        if (s.gap < near) touching_.push_back(s);
      const Vector3 d = fall(touching_, held_);
      const double speed = length(d);
      if (speed < 1e-6) break;
      double way = 0.04 * radius / speed;
      for (const Support& s : supports_)
        if (const double rate = -dot(s.normal, d); rate > 1e-12 && s.gap >= near)
          way = std::min(way, s.gap / rate);
      c = c + way * d;
    }
    if (held_.size() == 1 && !held_[0].ball && held_[0].normal.z == 1)
      c.z = radius;
    else if (held_.size() != 3 || !touch(c, radius))
      return {};
    find_supports(c, radius);
    for (const Support& s : supports_)
      if (s.gap < -1e-10 * radius) return {};
    return c;
  }

  /// Newton's method on the gaps to the three supports, then the test that they hold the ball and nothing is
  /// cut.
  bool touch(Vector3& c, double radius) {
    for (int iteration = 0; iteration < 12; ++iteration) {
      double worst = 0;
      for (Support& s : held_) {
        if (s.ball) s.normal = unit(c - s.ball->centre);
        s.gap = s.ball ? length(c - s.ball->centre) - radius - s.ball->radius : dot(s.normal, c) - s.offset;
        worst = std::max(worst, std::abs(s.gap));
      }
      const Vector3 a = held_[0].normal, b = held_[1].normal, n = held_[2].normal;
      const double det = dot(a, cross(b, n));
      if (!carries(held_)) return false;
      if (worst < 1e-13 * radius) return true;
      c = c -
          (1 / det) * (held_[0].gap * cross(b, n) + held_[1].gap * cross(n, a) + held_[2].gap * cross(a, b));
    }
    return false;
  }

  double side_, cell_, low_z_ = 0, highest_ = 0;  // of the balls gathered
  int columns_;
  std::vector<Ball> balls_, near_;
  std::vector<Support> supports_, touching_, held_;
  std::vector<std::vector<int>> cells_;
};

/// The container as one fixed body, first in the scene; its floor and sides touch balls that reach them.
void add_container(Scene& scene, double width, double depth, double height) {
  Body container = make_box({width / 2, depth / 2, height / 2}, {width / 2, depth / 2, height / 2});
  container.fixed = container.hollow = true;
  scene.bodies.insert(scene.bodies.begin(), container);
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    const Vector3 c = scene.bodies[b].centre;
    const double r = scene.bodies[b].radius;
    const auto touch = [&](double gap, Vector3 n) {
      if (gap < 1e-7 * r) scene.contacts.push_back({0, int(b), c - r * n, n});
    };
    touch(c.z - r, {0, 0, 1});
    touch(c.x - r, {1, 0, 0}), touch(width - r - c.x, {-1, 0, 0});
    touch(c.y - r, {0, 1, 0}), touch(depth - r - c.y, {0, -1, 0});
  }
  add_ball_contacts(scene);
}

}  // namespace

Scene spheres(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "sphere packing", "balls of many sizes dropped into a box", 0.5);
  Random random(request.seed);
  // Three contacts a ball, fewer on the floor; a box about as high as it is wide, filled to 0.55.
  const long count = std::max(1L, std::lround(double(request.size.value_or(300)) / 2.85));
  const double side = std::max(1.5, std::cbrt(double(count) * M_PI / 6 / 0.55));
  Deposition deposition(side, 0.6);
  for (long k = 0; k < count; ++k) deposition.drop(random.uniform(0.4, 0.6), random);
  double top = 1;
  for (const Ball& ball : deposition.balls()) {
    scene.bodies.push_back(make_ball(ball.centre, ball.radius));
    top = std::max(top, ball.centre.z + ball.radius);
  }
  add_container(scene, side, side, top);
  return scene;
}

Scene spheres_cubic(const GenerateRequest& request) {
  Scene scene = begin_scene(request, "cubic sphere packing", "equal balls on a cubic lattice in a box", 0.5);
  Random random(request.seed);
  // n³ balls: 3n²(n − 1) contacts among them, 4n² with the sides, n² with the floor.
  const auto contacts = [](long n) { return double(n * n * (3 * n + 2)); };
  long n = 1;
  while (contacts(n + 1) - double(request.size.value_or(300)) <
         double(request.size.value_or(300)) - contacts(n))
    ++n;
  for (long k = 0; k < n; ++k)
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < n; ++i)
        scene.bodies.push_back(
            make_ball({double(i) + 0.5, double(j) + 0.5, double(k) + 0.5}, 0.5, random.uniform(0.8, 1.2)));
  add_container(scene, double(n), double(n), double(n));
  return scene;
}

Scene spheres_hcp(const GenerateRequest& request) {
  Scene scene =
      begin_scene(request, "hexagonal close packing", "equal balls in the densest lattice, in a box", 0.5);
  Random random(request.seed);
  // About 6 contacts a ball inside; fewer at the sides: 6 n³ − 6 n² or so.
  const double wanted = double(request.size.value_or(400));
  long n = 1;
  while (6 * std::pow(double(n) + 0.5, 3) - 6 * std::pow(double(n) + 0.5, 2) < wanted) ++n;
  const double row = std::sqrt(3.0) / 2, layer = std::sqrt(2.0 / 3);
  for (long k = 0; k < n; ++k)
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < n; ++i)
        scene.bodies.push_back(
            make_ball({0.5 + double(i) + 0.5 * double((j + k) % 2),
                       0.5 + row * (double(j) + double(k % 2) / 3), 0.5 + layer * double(k)},
                      0.5, random.uniform(0.8, 1.2)));
  const double shift = n > 1 ? 1 : 0;
  add_container(scene, double(n) + 0.5 * shift, 1 + row * (double(n - 1) + shift / 3),
                1 + layer * double(n - 1));
  return scene;
}

}  // namespace stickslip::internal
