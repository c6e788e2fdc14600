// A good FCLIB file that a test spoils in one place.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>

#include "io/hdf5_edit.hpp"
#include "io/samples.hpp"

namespace stickslip::internal::io_test {

/// A good file that a test spoils.
class Hostile : public testing::Test {
 protected:
  const std::filesystem::path& local(int d = 3) { return good(full_file(local_problem(d, 4))); }
  const std::filesystem::path& global(bool bilateral = true) {
    return good(full_file(global_problem(3, bilateral)));
  }

  /// Spoils the file and returns the message without the file's name, which must come first.
  std::string after(const std::function<void(const Hdf5Edit&)>& spoil) {
    {
      const Hdf5Edit edit(path_);
      spoil(edit);
    }
    return message();
  }
  std::string message() {
    const std::string text = input_error([&] { read_problem(path_); });
    const std::string prefix = path_.string() + ": ";
    EXPECT_THAT(text, testing::StartsWith(prefix));
    return text.substr(std::min(prefix.size(), text.size()));
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "stack.hdf5";

 private:
  const std::filesystem::path& good(const ProblemFile& file) {
    write_fclib(path_, file);
    return path_;
  }
};

}  // namespace stickslip::internal::io_test
