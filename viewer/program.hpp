// Programs of the machine that the viewer calls: a browser.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip::viewer {

/// The first of the names that PATH has; empty: none.
std::string find_program(const std::vector<std::string>& names);

/// Starts it without a shell, its output to `log`, and waits at most so long. Returns its exit status, 127 where it could not be started,
/// −1 where it was ended because the time was over.
int run_program(const std::vector<std::string>& words, const std::filesystem::path& log, double seconds);

/// Shows an address in the browser of the desktop, where there is one; says whether it was tried.
bool open_in_browser(const std::string& address);

}  // namespace stickslip::viewer
