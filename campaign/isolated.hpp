// Work in a process of its own, within hard limits: what it does there harms nobody else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace stickslip::campaign {

struct Limits {
  double first_word = 10;       ///< seconds until the first output, or the end, must be there
  double seconds = 10;          ///< wall-clock seconds in all
  std::int64_t memory = 0;      ///< bytes on top of what the process has when it begins; 0: no limit
  std::vector<int> cores = {};  ///< to be pinned to; empty: none
};

struct Ended {
  enum class How { exited, signalled, killed_time, killed_memory };
  How how = How::exited;
  int code = 0;             ///< exit status or signal
  double seconds = 0;       ///< wall clock
  std::int64_t memory = 0;  ///< peak, bytes
  std::string output;       ///< what it wrote
};

/// Forks and calls `work` with a descriptor to write to; everything written is in the result. The child dies
/// with its parent. To be called in a process with one thread.
Ended run_isolated(const std::function<void(int)>& work, const Limits& limits);

/// The same for a program: its standard output is collected, its standard error goes to the file given. It is
/// the leader of a process group of its own, which is killed as a whole. Exit status 127 when it cannot be
/// started.
Ended run_program(const std::vector<std::string>& words, const std::string& program,
                  const std::string& error_file, const Limits& limits);

/// Kills the child that runs at the moment, if any: for signal handlers.
void kill_isolated() noexcept;

/// Writes all of it; false when the other end is gone.
bool write_all(int descriptor, const void* data, std::size_t bytes);

/// What to say of an end that is not an exit with status 0: "ended by signal 11 (Segmentation fault)".
std::string describe(const Ended& ended);

}  // namespace stickslip::campaign
