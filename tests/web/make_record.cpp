// make_record OUT.h5 BODIES FRAMES [CONTACTS A BODY]: a synthetic record of balls on waves, with everything that the viewer reads. For records
// that are too large to be simulated.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "dynamics/record/growing_file.hpp"
#include "dynamics/record/recorded_bodies.hpp"

using namespace stickslip::internal;

namespace {

struct Columns {
  std::vector<double> position, orientation, velocity;
};

/// Balls of radius 1 on a cubic grid that is as high as it is wide; layers slide over each other in waves.
Columns at_time(std::uint64_t bodies, double t) {
  const auto side = std::uint64_t(std::ceil(std::cbrt(double(bodies))));
  Columns out;
  for (std::uint64_t b = 0; b < bodies; ++b) {
    const double i = double(b % side), j = double(b / side % side), k = double(b / side / side);
    const double phase = 0.3 * i + 2 * t, shift = 0.4 * std::sin(phase);
    out.position.insert(out.position.end(), {2 * i, 2 * j + shift, 1 + 2 * k});
    out.orientation.insert(out.orientation.end(), {std::cos(phase / 2), std::sin(phase / 2), 0, 0});
    out.velocity.insert(out.velocity.end(), {0, 0.8 * std::cos(phase), 0, 2, 0, 0});
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) {
    std::cerr << "usage: make_record OUT.h5 BODIES FRAMES [CONTACTS]\n";
    return 2;
  }
  const auto B = std::uint64_t(std::atoll(argv[2])), T = std::uint64_t(std::atoll(argv[3]));
  const auto side = std::uint64_t(std::ceil(std::cbrt(double(B))));
  const bool touching = argc < 5 || std::atoi(argv[4]) > 0;
  GrowingFile file(argv[1]);
  const std::string root = "/stickslip", contact = root + "/contact/", step = root + "/step/";
  const Element f64{ElementType::f64}, i64{ElementType::i64}, i32{ElementType::i32}, u64{ElementType::u64},
      u8{ElementType::u8};
  file.attribute(root, "version", std::string("synthetic"));
  file.attribute(root, "title", std::string("balls on waves"));
  file.attribute(root, "scene", std::string());
  file.attribute(root, "step", 1e-2);
  // What the bodies are is said as recorders say it.
  stickslip::Scene scene;
  scene.allow_overlap = true;
  const Columns first = at_time(B, 0);
  for (std::uint64_t b = 0; b < B; ++b) {
    const double* x = &first.position[3 * b];
    scene.add_rigid(stickslip::Sphere{1},
                    {.name = "ball[" + std::to_string(b) + "]", .mass = 1.0, .position = {x[0], x[1], x[2]}});
  }
  std::vector<stickslip::BodyIndex> moving(B);
  std::iota(moving.begin(), moving.end(), 0);
  lay_out_bodies(file, stickslip::Simulation(scene), moving);
  const std::vector<double> ones(B, 1.0);
  file.fixed("/VTKHDF/PointData/radius", f64, {B}, ones.data());
  const int time = file.growing(root + "/time", f64, {}),
            position = file.growing(root + "/position", f64, {B, 3}),
            orientation = file.growing(root + "/orientation", f64, {B, 4}),
            velocity = file.growing(root + "/velocity", f64, {B, 6});
  const int start = file.growing(contact + "start", i64, {}), body = file.growing(contact + "body", i32, {2}),
            key = file.growing(contact + "key", u64, {});
  std::vector<int> vectors, numbers;
  for (const char* name : {"point", "normal", "impulse", "velocity"})
    vectors.push_back(file.growing(contact + name, f64, {3}));
  for (const char* name : {"gap", "work", "area", "friction"})
    numbers.push_back(file.growing(contact + name, f64, {}));
  const int status = file.growing(contact + "status", u8, {});
  std::vector<int> counts, figures;
  for (const char* name : {"contacts", "iterations"}) counts.push_back(file.growing(step + name, i64, {}));
  for (const char* name : {"error", "kinetic", "potential", "elastic", "contact_work", "penetration"})
    figures.push_back(file.growing(step + name, f64, {}));

  std::int64_t total = 0;
  file.append(start, &total, 1);
  for (std::uint64_t f = 0; f < T; ++f) {
    const double t = 0.01 * double(f);
    const Columns c = at_time(B, t);
    file.append(time, &t, 1);
    file.append(position, c.position.data(), 1);
    file.append(orientation, c.orientation.data(), 1);
    file.append(velocity, c.velocity.data(), 1);
    // Each ball on the one below it and beside the one before it; forces grow downwards and vary.
    std::vector<std::int32_t> pairs;
    std::vector<std::uint64_t> keys;
    std::vector<double> point, normal, impulse, slip, small;
    std::vector<std::uint8_t> statuses;
    const auto add = [&](std::int64_t a, std::uint64_t b, int axis, double force) {
      pairs.insert(pairs.end(), {std::int32_t(a), std::int32_t(b)});
      keys.push_back(8 * b + std::uint64_t(axis));
      for (int i = 0; i < 3; ++i) {
        point.push_back(c.position[3 * b + std::size_t(i)] - (i == axis ? 1 : 0));
        normal.push_back(i == axis ? 1 : 0);
        impulse.push_back(1e-2 * force * (i == axis ? 1 : 0.2));
        slip.push_back(0);
      }
      small.push_back(0.4);
      statuses.push_back(std::uint8_t((b + f / 10) % 3));
    };
    for (std::uint64_t b = 0; touching && b < B; ++b) {
      const double depth = double(side - b / side / side);
      add(b >= side * side ? std::int64_t(b - side * side) : -1, b, 2,
          depth * (1 + std::sin(0.7 * double(b) + t)));
      if (b % side > 0) add(std::int64_t(b - 1), b, 0, 0.3 * depth);
    }
    file.append(body, pairs.data(), keys.size());
    file.append(key, keys.data(), keys.size());
    const std::vector<double>* three[] = {&point, &normal, &impulse, &slip};
    for (std::size_t k = 0; k < 4; ++k) file.append(vectors[k], three[k]->data(), keys.size());
    for (int one : numbers) file.append(one, small.data(), keys.size());
    file.append(status, statuses.data(), keys.size());
    total += std::int64_t(keys.size());
    file.append(start, &total, 1);
    const std::int64_t n = std::int64_t(keys.size());
    for (int one : counts) file.append(one, &n, 1);
    const double x = 1e-9 + t;
    for (int one : figures) file.append(one, &x, 1);
    file.commit();
  }
  return 0;
}
