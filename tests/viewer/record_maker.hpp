// A small record, and a folder that goes with its test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "stickslip/record.hpp"

namespace stickslip::viewer::tests {

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / ("stickslip-viewer-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Two balls and a box fall onto a floor beside a table that turns.
inline const char* scene_text() {
  return R"(
title = "three <bodies>"
step = 1e-2
[[body]]
name = "floor"
kind = "fixed"
shape = { kind = "plane", normal = [0, 0, 1], offset = 0 }
[[body]]
name = "ball"
kind = "rigid"
density = 1000
shape = { kind = "sphere", radius = 0.1 }
position = [0, 0, 0.1]
count = [2, 1, 1]
pitch = [0.5, 0, 0]
[[body]]
name = "box"
kind = "rigid"
density = 1000
shape = { kind = "box", size = [0.2, 0.2, 0.2] }
position = [0, 1, 0.1]
[[body]]
name = "table"
kind = "driven"
shape = { kind = "cylinder", radius = 0.3, length = 0.1 }
position = [3, 0, 0.5]
angular_velocity = [0, 0, "2*t"]
)";
}

/// Records every step.
inline void make_record(const std::filesystem::path& path, int steps) {
  Scene scene = parse_scene(scene_text());
  scene.every = 1;
  Simulation simulation(scene);
  Recorder recorder(path, simulation);
  for (int k = 0; k < steps; ++k) {
    simulation.step();
    recorder.after_step(simulation);
  }
}

}  // namespace stickslip::viewer::tests
