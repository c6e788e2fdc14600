// A file that is written at addresses, by system calls whose failures are told.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace stickslip::internal {

class OutputFile {
 public:
  /// A new file beside `path`, which appear() moves to its name; with `existing` the file itself. Throws OutputError.
  enum class Mode { fresh, existing };
  OutputFile(std::filesystem::path path, Mode mode);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws OutputError, `PATH: cannot be written: REASON`.
  void write(std::uint64_t address, const void* data, std::size_t size);
  void read(std::uint64_t address, void* data, std::size_t size) const;
  /// A place of so many bytes behind everything else, a multiple of 8.
  std::uint64_t take(std::uint64_t size);
  /// Writes zeros up to the end of what was taken.
  void fill_to_end();
  /// A fresh file gets its name.
  void appear();

  std::uint64_t end = 0;  ///< behind everything that was taken

 private:
  [[noreturn]] void fail(int reason) const;

  std::filesystem::path path_, temporary_;
  int descriptor_ = -1;
  std::uint64_t filled_ = 0;
};

}  // namespace stickslip::internal
