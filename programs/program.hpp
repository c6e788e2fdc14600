// Other programs of the machine: found in PATH, run without a shell, ended when their time is over.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace stickslip::programs {

/// The first of the names that PATH has; empty: none.
std::string find_program(const std::vector<std::string>& names);

/// Starts it in a process group of its own, its output and errors to `log`. 0 where it could not be started.
pid_t start_program(const std::vector<std::string>& words, const std::filesystem::path& log);

/// Starts it and waits at most so long. Returns its exit status, or 128 + the signal that ended it, 127 where it could not be started,
/// −1 where all of its group was ended because the time was over.
int run_program(const std::vector<std::string>& words, const std::filesystem::path& log,
                double seconds = std::numeric_limits<double>::infinity());

/// The last line of a log that is not empty, at most 300 bytes of it, for messages.
std::string last_line(const std::filesystem::path& log);

/// Shows an address in the browser of the desktop, where there is one; says whether it was tried.
bool open_in_browser(const std::string& address);

}  // namespace stickslip::programs
