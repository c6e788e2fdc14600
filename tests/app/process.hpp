// Runs the built command line as a user does: a process with its own standard output and error.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace stickslip::tests {

struct Outcome {
  int status = -1;  ///< exit status; 128 + n when a signal n ended it
  std::string out, err;
};

struct Call {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment = {};  ///< on top of the test's own
  std::string output = {};                              ///< a file that standard output goes to instead
  /// Called with the process id while it runs.
  std::function<void(int)> meanwhile = {};
};

/// Waits at most two minutes, then kills it.
Outcome run(const Call& call);
Outcome run(std::vector<std::string> arguments);

/// Whether a running process catches SIGINT by now.
bool catches_interrupt(int pid);

std::string read_file(const std::filesystem::path& path);

/// An empty folder that is removed in the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  /// Names of what it holds, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

}  // namespace stickslip::tests
