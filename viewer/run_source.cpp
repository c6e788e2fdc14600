#include "viewer/run_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <span>

#include "dynamics/record/record_reader.hpp"
#include "stickslip/errors.hpp"
#include "viewer/element_surface.hpp"
#include "viewer/geometry.hpp"
#include "viewer/json_text.hpp"
#include "viewer/packed.hpp"
#include "viewer/shown_bodies.hpp"

namespace stickslip::viewer {

using namespace internal;
namespace fs = std::filesystem;

namespace {

/// An answer grows no larger than this and one frame more.
constexpr std::uint64_t most_bytes = 16u << 20;
constexpr std::uint64_t contact_width = 4 * (2 + 2 + 3 + 3 + 3 + 3 + 1 + 1 + 1 + 1 + 1);

/// What a file looked like when it was opened: another look means that it was written to or replaced.
struct Look {
  std::uintmax_t size = 0;
  fs::file_time_type time = {};
  bool operator==(const Look&) const = default;
};

Look look_at(const fs::path& path) {
  std::error_code failure;
  Look look{fs::file_size(path, failure), {}};
  if (!failure) look.time = fs::last_write_time(path, failure);
  if (failure) throw InputError(fmt::format("{}: there is no such record", path.string()));
  return look;
}

/// Every so many of `count` frames, so that there are at most `points`; the last one too.
std::vector<std::uint64_t> chosen(std::uint64_t count, std::uint64_t points) {
  std::vector<std::uint64_t> frames;
  points = std::clamp<std::uint64_t>(points, 2, 2000);
  const std::uint64_t stride = std::max<std::uint64_t>(1, (count + points - 1) / points);
  for (std::uint64_t k = 0; k < count; k += stride) frames.push_back(k);
  if (count > 0 && frames.back() != count - 1) frames.push_back(count - 1);
  return frames;
}

}  // namespace

struct RunSource::State {
  fs::path path;
  mutable std::mutex mutex;
  mutable std::unique_ptr<RecordReader> reader;
  mutable Look look;
  mutable std::vector<double> times;
  mutable std::vector<std::int64_t> start;  // of the contacts of each frame

  // What does not change while a record grows.
  std::string title, scene_text;
  double step = 0;
  std::vector<ShownBody> shown;
  std::optional<ElementSurface> skin;  // of bodies of elements
  std::size_t moving = 0, driven = 0;
  bool deforms = false;
  Vector origin = Vector::Zero(), gravity = {0, 0, -9.81};

  void open() const;
  void refresh() const;
  void load();
  void place_origin();
  std::size_t frame_bodies() const { return moving + driven; }
  std::size_t skin_vertices() const { return skin ? skin->vertices() : 0; }

  /// A file that is written to meanwhile may show half of a change: once more from the start.
  template <class Work>
  auto read(const Work& work) const {
    const std::lock_guard lock(mutex);
    refresh();
    try {
      return work();
    } catch (const InputError&) {
      open();
      return work();
    }
  }
};

void RunSource::State::open() const {
  look = look_at(path);
  reader.reset();
  reader = std::make_unique<RecordReader>(path);
  times = reader->doubles("/stickslip/time");
  start = reader->integers("/stickslip/contact/start");
  // Of a frame that is being added, both or nothing.
  if (start.size() < times.size() + 1) times.resize(start.empty() ? 0 : start.size() - 1);
}

void RunSource::State::refresh() const {
  if (!reader || !(look_at(path) == look)) open();
}

void RunSource::State::load() {
  title = reader->text("title");
  scene_text = reader->text("scene");
  step = reader->number("step");
  deforms = reader->has("/stickslip/deformation");
  skin.emplace(*reader);
  shown = shown_bodies(*reader);
  for (const ShownBody& body : shown) {
    moving += body.kind != "fixed" && body.kind != "driven";
    driven += body.kind == "driven";
  }
  const std::vector<double> g = reader->doubles("/stickslip/gravity");
  if (g.size() == 3) gravity = {g[0], g[1], g[2]};
}

/// Numbers of the page have 24 bits: they are counted from the middle of the first frame where that is far from the origin.
void RunSource::State::place_origin() {
  if (times.empty() || moving == 0) return;
  const std::vector<double> x = reader->rows("/stickslip/position", 0, 1);
  Eigen::AlignedBox3d box;
  for (std::size_t b = 0; b < moving; ++b) box.extend(Vector(x[3 * b], x[3 * b + 1], x[3 * b + 2]));
  if (box.center().norm() > 100 * std::max(box.diagonal().norm(), shown[0].radius)) {
    origin = box.center();
    bring_near(shown, origin);
  }
}

RunSource::RunSource(const fs::path& path) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->open();
  state_->load();
  state_->place_origin();
}

RunSource::~RunSource() = default;

std::uint64_t RunSource::records() const {
  return state_->read([&] { return state_->times.size(); });
}

double RunSource::time(std::uint64_t record) const {
  return state_->read([&] { return state_->times.at(record); });
}

std::uint64_t RunSource::body_bytes() const {
  return 8 + 4 * (state_->frame_bodies() * (state_->deforms ? 22 : 13) + 4 * state_->skin_vertices());
}

std::uint64_t RunSource::contact_bytes(std::uint64_t record) const {
  return state_->read(
      [&] { return 4 + contact_width * std::uint64_t(state_->start[record + 1] - state_->start[record]); });
}

std::string RunSource::info() const {
  return state_->read([&] {
    const State& s = *state_;
    // Where bodies are, at some of the frames.
    Eigen::AlignedBox3d box;
    double largest = 0;
    for (std::size_t b = 0; b < s.moving; ++b) largest = std::max(largest, s.shown[b].radius);
    for (std::uint64_t k : chosen(s.times.size(), 8)) {
      const std::vector<double> x = s.reader->rows("/stickslip/position", k, 1);
      for (std::size_t b = 0; b < s.moving; ++b)
        box.extend(Vector(Vector(x[3 * b], x[3 * b + 1], x[3 * b + 2]) - s.origin));
    }
    if (box.isEmpty()) box.extend(Vector(Vector::Zero()));
    // Obstacles that are not much larger than all the bodies together belong to the picture.
    const double reach = 0.65 * (box.diagonal().norm() + 2 * largest);
    for (std::size_t b = s.moving; b < s.shown.size(); ++b) {
      const ShownBody& obstacle = s.shown[b];
      const auto [lowest, highest] = stickslip::bounds(obstacle.shape);
      const Vector a = vector(lowest) - obstacle.centre, e = vector(highest) - obstacle.centre;
      if (!((e - a).norm() <= 2 * reach)) continue;
      for (int corner = 0; corner < 8; ++corner) {
        const Vector x(corner & 1 ? e[0] : a[0], corner & 2 ? e[1] : a[1], corner & 4 ? e[2] : a[2]);
        box.extend(Vector(obstacle.position + obstacle.rotation * x - s.origin));
      }
    }
    const Vector low = box.min().array() - largest, high = box.max().array() + largest;
    const auto three = [](const Vector& v) { return list_text(std::span(v.data(), 3), 9); };
    return fmt::format(
        "{{\"kind\":\"record\",\"name\":{},\"title\":{},\"scene\":{},\"step\":{},\"time\":{},"
        "\"moving\":{},\"driven\":{},\"deforms\":{},\"origin\":{},\"gravity\":{},\"low\":{},\"high\":{},{}}}",
        json_string(s.path.filename().string()), json_string(s.title), json_string(s.scene_text),
        number_text(s.step, 17), list_text(s.times, 12), s.moving, s.driven, s.deforms ? "true" : "false",
        three(s.origin), three(s.gravity), three(low), three(high),
        geometry_json(s.shown, s.origin) +
            (s.skin_vertices() > 0 ? fmt::format(",\"skin\":{}", s.skin->json()) : ""));
  });
}

std::string RunSource::progress(std::uint64_t first) const {
  return state_->read([&] {
    const State& s = *state_;
    const std::size_t from = std::min<std::size_t>(first, s.times.size());
    return fmt::format("{{\"records\":{},\"steps\":{},\"time\":{}}}", s.times.size(),
                       s.reader->shape("/stickslip/step/contacts").at(0),
                       list_text(std::span(s.times).subspan(from), 12));
  });
}

std::string RunSource::bodies(std::uint64_t first, std::uint64_t count) const {
  const std::uint64_t each = body_bytes();
  return state_->read([&] {
    const State& s = *state_;
    const std::uint64_t T = s.times.size(), B = s.frame_bodies();
    first = std::min(first, T);
    count = std::min({count, T - first, std::max<std::uint64_t>(1, most_bytes / each)});
    Packed out;
    out.bytes.reserve(16 + count * each);
    for (std::uint64_t x :
         {count, first, B, std::uint64_t((s.deforms ? 1 : 0) + (s.skin_vertices() > 0 ? 2 : 0))})
      out.number(std::uint32_t(x));
    for (std::uint64_t k = 0; k < count; ++k) out.number(s.times[first + k]);
    for (std::uint64_t k = first; k < first + count; ++k) {
      std::vector<double> x = s.reader->rows("/stickslip/position", k, 1),
                          q = s.reader->rows("/stickslip/orientation", k, 1),
                          v = s.reader->rows("/stickslip/velocity", k, 1), F;
      if (s.deforms) F = s.reader->rows("/stickslip/deformation", k, 1);
      if (s.driven > 0) {
        const auto behind = [&](std::vector<double>& all, const char* name) {
          const std::vector<double> more = s.reader->rows(std::string("/stickslip/driven/") + name, k, 1);
          all.insert(all.end(), more.begin(), more.end());
        };
        behind(x, "position");
        behind(q, "orientation");
        behind(v, "velocity");
      }
      for (std::size_t b = s.moving; s.deforms && b < s.frame_bodies(); ++b) {
        const Matrix R =
            Rotation(q.at(4 * b), q.at(4 * b + 1), q.at(4 * b + 2), q.at(4 * b + 3)).toRotationMatrix();
        for (int i = 0; i < 9; ++i) F.push_back(R(i / 3, i % 3));
      }
      for (std::size_t i = 0; i < x.size(); ++i) x[i] -= s.origin[Eigen::Index(i % 3)];
      out.all<float>(x);
      out.all<float>(q);
      out.all<float>(v);
      out.all<float>(F);
      if (s.skin_vertices() == 0) continue;
      std::vector<double> vertices = s.skin->positions(*s.reader, k);
      for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] -= s.origin[Eigen::Index(i % 3)];
      out.all<float>(vertices);
      out.all<float>(s.skin->stresses(*s.reader, k));
    }
    return std::move(out.bytes);
  });
}

std::string RunSource::contacts(std::uint64_t first, std::uint64_t count) const {
  return state_->read([&] {
    const State& s = *state_;
    const std::uint64_t T = s.times.size();
    first = std::min(first, T);
    std::uint64_t frames = 0;
    const auto size = [&](std::uint64_t k) { return std::uint64_t(s.start[k + 1] - s.start[k]); };
    for (std::uint64_t bytes = 0; frames < std::min(count, T - first) && bytes < most_bytes; ++frames)
      bytes += contact_width * size(first + frames);
    Packed out;
    for (std::uint64_t x : {frames, first, std::uint64_t(0), std::uint64_t(0)}) out.number(std::uint32_t(x));
    for (std::uint64_t k = 0; k < frames; ++k) out.number(std::uint32_t(size(first + k)));
    const std::string contact = "/stickslip/contact/";
    for (std::uint64_t k = first; k < first + frames; ++k) {
      const std::uint64_t n = size(k), at = std::uint64_t(s.start[k]);
      if (n == 0) continue;
      out.all<std::int32_t>(s.reader->integer_rows(contact + "body", at, n));
      for (std::uint64_t key : s.reader->natural_rows(contact + "key", at, n)) out.number(key);
      std::vector<double> points = s.reader->rows(contact + "point", at, n);
      for (std::size_t i = 0; i < points.size(); ++i) points[i] -= s.origin[Eigen::Index(i % 3)];
      out.all<float>(points);
      for (const char* name : {"normal", "impulse", "velocity", "gap", "work", "area", "friction"})
        out.all<float>(s.reader->rows(contact + name, at, n));
      out.all<float>(s.reader->integer_rows(contact + "status", at, n));
    }
    return std::move(out.bytes);
  });
}

std::string RunSource::steps(std::uint64_t points) const {
  return state_->read([&] {
    const State& s = *state_;
    const std::uint64_t count = s.reader->shape("/stickslip/step/contacts").at(0);
    points = std::clamp<std::uint64_t>(points, 2, 5000);
    const std::uint64_t piece = std::max<std::uint64_t>(1, (count + points - 1) / points);
    std::string out = "{\"time\":[";
    const auto last_of = [&](std::uint64_t k) { return std::min(k + piece, count) - 1; };
    for (std::uint64_t k = 0; k < count; k += piece)
      out += fmt::format("{}{:.9g}", k > 0 ? "," : "", double(last_of(k) + 1) * s.step);
    out += "]";
    const auto column = [&](const char* name, const auto& pick) {
      const std::vector<double> all = s.reader->rows(
          std::string("/stickslip/step/") + (name == std::string("dissipated") ? "contact_work" : name), 0,
          count);
      std::vector<double> thinned;
      double sum = 0;
      for (std::uint64_t k = 0; k < count; k += piece)
        thinned.push_back(pick(std::span(all).subspan(k, last_of(k) + 1 - k), sum));
      out += fmt::format(",\"{}\":{}", name, list_text(thinned, 7));
    };
    const auto at_end = [](std::span<const double> x, double&) { return x.back(); };
    const auto largest = [](std::span<const double> x, double&) {
      return *std::max_element(x.begin(), x.end());
    };
    for (const char* name : {"kinetic", "potential", "elastic"}) column(name, at_end);
    column("dissipated", [](std::span<const double> x, double& sum) {
      for (double work : x) sum -= work;
      return sum;
    });
    for (const char* name : {"contacts", "iterations", "error", "penetration"}) column(name, largest);
    return out + "}";
  });
}

std::string RunSource::body_history(std::uint64_t body, std::uint64_t points) const {
  return state_->read([&] {
    const State& s = *state_;
    if (body >= s.moving) throw InputError(fmt::format("there is no body {}", body));
    std::vector<double> times, x, v;
    for (std::uint64_t k : chosen(s.times.size(), std::min<std::uint64_t>(points, 400))) {
      times.push_back(s.times[k]);
      for (double one : s.reader->at("/stickslip/position", k, body)) x.push_back(one);
      for (double one : s.reader->at("/stickslip/velocity", k, body)) v.push_back(one);
    }
    return fmt::format("{{\"time\":{},\"position\":{},\"velocity\":{}}}", list_text(times, 12),
                       list_text(x, 12), list_text(v, 12));
  });
}

std::string RunSource::contact_history(std::uint64_t key, std::uint64_t points) const {
  return state_->read([&] {
    const State& s = *state_;
    std::vector<double> times, impulse, normal, velocity, gap, status;
    const std::string contact = "/stickslip/contact/";
    const auto add = [&](std::vector<double>& to, const char* name, std::uint64_t row) {
      for (double one : s.reader->rows(contact + name, row, 1)) to.push_back(one);
    };
    for (std::uint64_t k : chosen(s.times.size(), std::min<std::uint64_t>(points, 400))) {
      const auto at = std::uint64_t(s.start[k]), n = std::uint64_t(s.start[k + 1]) - at;
      if (n == 0) continue;
      const std::vector<std::uint64_t> keys = s.reader->natural_rows(contact + "key", at, n);
      const auto found = std::find(keys.begin(), keys.end(), key);
      if (found == keys.end()) continue;
      const std::uint64_t row = at + std::uint64_t(found - keys.begin());
      times.push_back(s.times[k]);
      add(impulse, "impulse", row);
      add(normal, "normal", row);
      add(velocity, "velocity", row);
      add(gap, "gap", row);
      add(status, "status", row);
    }
    return fmt::format(
        "{{\"time\":{},\"impulse\":{},\"normal\":{},\"velocity\":{},\"gap\":{},\"status\":{}}}",
        list_text(times, 12), list_text(impulse, 9), list_text(normal, 9), list_text(velocity, 9),
        list_text(gap, 9), list_text(status, 1));
  });
}

}  // namespace stickslip::viewer
