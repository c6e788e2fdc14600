// Runs a program and waits for it, without a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip::campaign {

/// Whether PATH has it.
bool has_program(const std::string& name);

/// Output and errors go to the file `log`. Returns the exit status, or 128 + the signal that ended it, or 127
/// where it could not be started.
int run_program(const std::vector<std::string>& words, const std::filesystem::path& log);

}  // namespace stickslip::campaign
