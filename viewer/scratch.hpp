// A folder for files that nobody keeps.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "stickslip/errors.hpp"

namespace stickslip::viewer {

/// A folder that goes with its object.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "stickslip-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw OutputError(name + ": cannot be created");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    for (int k = 0; k < 5 && std::filesystem::remove_all(path_, ignored) == static_cast<std::uintmax_t>(-1);
         ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace stickslip::viewer
