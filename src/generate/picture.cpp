// A scene as an SVG drawing: parallel projection, far bodies first, contacts as dots on top.

#include <fmt/format.h>

#include <algorithm>
#include <queue>

#include "generate/scene.hpp"

namespace stickslip::internal {
namespace {

/// Picture axes: across, up, and towards the viewer.
struct View {
  Vector3 across, up, towards;
};

View view_of(const Scene& scene) {
  if (scene.dimension == 2) return {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
  const Vector3 towards = unit({0.65, -1, 0.62}), across = unit(cross({0, 0, 1}, towards));
  return {across, cross(towards, across), towards};
}

/// The order in which bodies are painted: of two that touch, the one behind first; otherwise by depth.
std::vector<int> painting_order(const Scene& scene, const View& view) {
  const std::size_t n = scene.bodies.size();
  std::vector<std::vector<int>> in_front(n);
  std::vector<int> waiting(n, 0);
  for (const ContactPoint& c : scene.contacts) {
    const double towards = dot(c.normal, view.towards);
    if (c.first == c.second || std::abs(towards) < 1e-6) continue;
    if (scene.bodies[std::size_t(c.first)].hollow || scene.bodies[std::size_t(c.second)].hollow) continue;
    const int behind = towards > 0 ? c.first : c.second, front = towards > 0 ? c.second : c.first;
    in_front[std::size_t(behind)].push_back(front);
    ++waiting[std::size_t(front)];
  }
  const auto depth = [&](int b) {
    const Body& body = scene.bodies[std::size_t(b)];
    return body.hollow ? -HUGE_VAL : dot(body.centre, view.towards);
  };
  std::vector<int> order;
  std::vector<bool> done(n, false);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  for (std::size_t b = 0; b < n; ++b)
    if (waiting[b] == 0) ready.push({depth(int(b)), int(b)});
  while (order.size() < n) {
    if (ready.empty()) {  // bodies that lie behind each other in a ring: break it at the farthest
      int farthest = -1;
      for (std::size_t b = 0; b < n; ++b)
        if (!done[b] && (farthest < 0 || depth(int(b)) < depth(farthest))) farthest = int(b);
      ready.push({depth(farthest), farthest});
    }
    const int b = ready.top().second;
    ready.pop();
    if (done[std::size_t(b)]) continue;
    done[std::size_t(b)] = true;
    order.push_back(b);
    for (const int front : in_front[std::size_t(b)])
      if (--waiting[std::size_t(front)] == 0) ready.push({depth(front), front});
  }
  return order;
}

class Painter {
 public:
  Painter(const Scene& scene, const View& view) : scene_(scene), view_(view) {
    const auto include = [&](Vector3 p, double r) {
      low_x_ = std::min(low_x_, dot(p, view.across) - r),
      high_x_ = std::max(high_x_, dot(p, view.across) + r);
      low_y_ = std::min(low_y_, dot(p, view.up) - r), high_y_ = std::max(high_y_, dot(p, view.up) + r);
    };
    for (const Body& body : scene.bodies) {
      for (const Vector3& p : body.corners) include(p, 0);
      if (body.radius > 0) include(body.centre, body.radius + length(body.axle));
    }
    for (const ContactPoint& c : scene.contacts) include(c.point, 0);
    // Room for plates and arrows.
    const double room = std::any_of(scene.contacts.begin(), scene.contacts.end(),
                                    [](const ContactPoint& c) { return c.approach != 0; })
                            ? 0.16 * (high_x_ - low_x_)
                            : 0;
    low_x_ -= room, high_x_ += room, low_y_ -= room, high_y_ += room;
    scale_ = std::min(480 / (high_x_ - low_x_), 400 / (high_y_ - low_y_));
  }

  std::string paint() {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" "
        "role=\"img\">"
        "<title>{}</title>\n<style>",
        scale_ * (high_x_ - low_x_) + 20, scale_ * (high_y_ - low_y_) + 20, scale_ * (high_x_ - low_x_) + 20,
        scene_.title);
    svg += ".k{fill:#d6225f;fill-opacity:.75}";
    const int tints[tints_][3] = {
        {222, 203, 170}, {208, 186, 150}, {230, 214, 186}, {198, 176, 146}, {148, 160, 172}};
    for (int tint = 0; tint < tints_; ++tint)
      for (int light = 0; light < lights_; ++light) {
        const double share = 0.62 + 0.38 * light / (lights_ - 1);
        svg += fmt::format(".{}{}{{fill:#{:02x}{:02x}{:02x}}}", char('a' + tint), light,
                           int(tints[tint][0] * share), int(tints[tint][1] * share),
                           int(tints[tint][2] * share));
      }
    svg +=
        "path,circle{stroke:#4d4334;stroke-width:.6;stroke-linejoin:round}.k{stroke:none}"
        "path.n{stroke:#1f4fbf;stroke-width:2;fill:none}</style>\n";
    if (std::any_of(scene_.contacts.begin(), scene_.contacts.end(),
                    [](const auto& c) { return c.approach != 0; }))
      svg +=
          "<marker id=\"t\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"5\" markerHeight=\"5\" "
          "orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" style=\"fill:#1f4fbf;stroke:none\"/></marker>\n";
    // Plates behind their bodies first, those in front of them last.
    for (const ContactPoint& c : scene_.contacts)
      if (dot(c.normal, view_.towards) > 0) paint_plate(svg, c);
    for (const int b : painting_order(scene_, view_)) paint_body(svg, scene_.bodies[std::size_t(b)], b);
    const double dot_radius = std::clamp(40 / std::sqrt(double(scene_.contacts.size()) + 1), 1.3, 3.5);
    for (const ContactPoint& c : scene_.contacts) {
      if (dot(c.normal, view_.towards) <= 0) paint_plate(svg, c);
      paint_drive(svg, c);
      svg += fmt::format("<circle class=\"k\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>", x(c.point),
                         y(c.point), dot_radius);
    }
    return svg + "</svg>\n";
  }

 private:
  static constexpr int tints_ = 5, lights_ = 6;

  double x(Vector3 p) const { return 10 + scale_ * (dot(p, view_.across) - low_x_); }
  double y(Vector3 p) const { return 10 + scale_ * (high_y_ - dot(p, view_.up)); }

  static int light(Vector3 normal) {
    const double share = 0.5 + 0.5 * dot(normal, unit({-0.25, -0.5, 1}));
    return std::clamp(int(std::lround(share * (lights_ - 1))), 0, lights_ - 1);
  }
  static char tint(const Body& body, int index) {
    const int own = body.group < 0 ? index : body.group;
    return char('a' + (body.fixed ? tints_ - 1 : (own * 7 + own / 5) % (tints_ - 1)));
  }

  void paint_polygon(std::string& svg, const std::vector<Vector3>& corners, Vector3 normal, char shade,
                     const char* more = "") const {
    svg += fmt::format("<path class=\"{}{}\"{} d=\"", shade, light(normal), more);
    for (std::size_t k = 0; k < corners.size(); ++k)
      svg += fmt::format("{}{:.1f} {:.1f}", k == 0 ? "M" : "L", x(corners[k]), y(corners[k]));
    svg += "z\"/>\n";
  }

  void paint_body(std::string& svg, const Body& body, int index) const {
    if (!body.corners.empty()) {
      for (const auto& face : block_faces) {
        std::vector<Vector3> corners;
        for (const int k : face) corners.push_back(body.corners[std::size_t(k)]);
        const Vector3 n = unit(cross(corners[2] - corners[0], corners[3] - corners[1]));
        const double towards = dot(n, view_.towards);
        if (body.hollow ? towards < -1e-9 : towards > 1e-9)
          paint_polygon(svg, corners, body.hollow ? -1.0 * n : n, tint(body, index),
                        body.hollow ? " fill-opacity=\".35\"" : "");
      }
    } else if (body.radius > 0 && length(body.axle) > 0) {
      paint_wheel(svg, body, index);
    } else if (body.radius > 0) {
      svg += fmt::format("<circle class=\"{}3\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>",
                         tint(body, index), x(body.centre), y(body.centre), scale_ * body.radius);
      const Vector3 shine = body.centre + body.radius * 0.3 * (view_.up - view_.across);
      svg += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#fff\" fill-opacity=\".3\" "
          "style=\"stroke:none\"/>\n",
          x(shine), y(shine), scale_ * body.radius * 0.45);
    }
  }

  /// A cylinder: its side in strips, then the end that faces the viewer.
  void paint_wheel(std::string& svg, const Body& body, int index) const {
    const Vector3 axis = unit(body.axle);
    const auto axes = frame(axis);
    const int pieces = 24;
    const auto rim = [&](int k) {
      const double angle = 2 * M_PI * k / pieces;
      return std::cos(angle) * axes[1] + std::sin(angle) * axes[2];
    };
    for (int k = 0; k < pieces; ++k) {
      const Vector3 n = unit(rim(k) + rim(k + 1));
      if (dot(n, view_.towards) < 0) continue;
      const Vector3 a = body.centre + body.radius * rim(k), b = body.centre + body.radius * rim(k + 1);
      paint_polygon(svg, {a - body.axle, b - body.axle, b + body.axle, a + body.axle}, n, tint(body, index));
    }
    const double sign = dot(axis, view_.towards) > 0 ? 1 : -1;
    std::vector<Vector3> end;
    for (int k = 0; k < pieces; ++k) end.push_back(body.centre + sign * body.axle + body.radius * rim(k));
    paint_polygon(svg, end, sign * axis, tint(body, index));
  }

  /// Ground without a shape shows as a small plate across the normal.
  void paint_plate(std::string& svg, const ContactPoint& c) const {
    const Body& first = scene_.bodies[std::size_t(c.first)];
    if (!first.fixed || !first.corners.empty()) return;
    const double half = 0.05 * (high_x_ - low_x_);
    const auto axes = frame(c.normal);
    std::vector<Vector3> corners;
    for (const auto& [s, t] : {std::pair{-1, -1}, std::pair{1, -1}, std::pair{1, 1}, std::pair{-1, 1}})
      corners.push_back(c.point + half * s * axes[1] + half * t * axes[2]);
    paint_polygon(svg, corners, c.normal, 'e', " fill-opacity=\".55\"");
  }

  /// Surfaces that are driven against each other: an arrow along the motion of the fixed one.
  void paint_drive(std::string& svg, const ContactPoint& c) const {
    if (c.approach == 0) return;
    const bool first_moves = scene_.bodies[std::size_t(c.first)].fixed;
    const Vector3 way = (first_moves == (c.approach > 0) ? 1.0 : -1.0) * c.normal;
    const Vector3 tail = c.point - 0.12 * (high_x_ - low_x_) * way;
    svg += fmt::format("<path class=\"n\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" marker-end=\"url(#t)\"/>\n",
                       x(tail), y(tail), x(c.point), y(c.point));
  }

  const Scene& scene_;
  View view_;
  double low_x_ = HUGE_VAL, high_x_ = -HUGE_VAL, low_y_ = HUGE_VAL, high_y_ = -HUGE_VAL, scale_ = 1;
};

}  // namespace

std::string draw(const Scene& scene) { return Painter(scene, view_of(scene)).paint(); }

}  // namespace stickslip::internal
