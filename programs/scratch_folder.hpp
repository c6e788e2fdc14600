// A folder that goes with its object.
#pragma once

#include <filesystem>

namespace stickslip::programs {

class ScratchFolder {
 public:
  /// A new folder in `where`, which is made too. Throws OutputError.
  explicit ScratchFolder(const std::filesystem::path& where);
  /// Removes it with all that is in it; a program that has just ended may write a moment longer.
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace stickslip::programs
