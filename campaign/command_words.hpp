// The command of an external solver as words: 'adapter "two words" {problem}'. There is no shell in between.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace stickslip::campaign {

/// Splits at blanks; 'a b' and "a b" are one word. Throws InputError on a quote that does not end.
std::vector<std::string> split_command(const std::string& command);

/// Replaces {name} by its value; an unknown {name} throws InputError with those known.
std::string fill_in(const std::string& text, const std::map<std::string, std::string>& values);

/// The program a word names: by a path (relative ones as seen from `folder`) or along PATH. Empty when there
/// is none that can be run.
std::filesystem::path find_program(const std::string& word, const std::filesystem::path& folder);

}  // namespace stickslip::campaign
