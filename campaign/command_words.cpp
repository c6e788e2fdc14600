#include "campaign/command_words.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "stickslip/errors.hpp"

namespace stickslip::campaign {

std::vector<std::string> split_command(const std::string& command) {
  std::vector<std::string> words;
  char quote = 0;
  bool inside = false;
  for (const char c : command) {
    if (quote ? c == quote : (c == '\'' || c == '"')) {
      if (!inside) words.emplace_back();
      inside = true;
      quote = quote ? 0 : c;
    } else if (!quote && (c == ' ' || c == '\t' || c == '\n')) {
      inside = false;
    } else {
      if (!inside) words.emplace_back();
      inside = true;
      words.back() += c;
    }
  }
  if (quote) throw InputError("command '" + command + "': a quote does not end");
  return words;
}

std::string fill_in(const std::string& text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at), close = text.find('}', open);
    if (open == std::string::npos || close == std::string::npos) return out + text.substr(at);
    const auto value = values.find(text.substr(open + 1, close - open - 1));
    if (value == values.end()) {
      std::string known;
      for (const auto& [name, ignored] : values) known += (known.empty() ? "{" : ", {") + name + "}";
      throw InputError("unknown " + text.substr(open, close - open + 1) + " (known: " + known + ")");
    }
    out += text.substr(at, open - at) + value->second;
    at = close + 1;
  }
  return out;
}

std::filesystem::path find_program(const std::string& word, const std::filesystem::path& folder) {
  const auto runs = [](const std::filesystem::path& path) {
    return std::filesystem::is_regular_file(path) && ::access(path.c_str(), X_OK) == 0;
  };
  if (word.find('/') != std::string::npos) {
    const auto path = std::filesystem::weakly_canonical(folder / word);
    return runs(path) ? path : std::filesystem::path();
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string one; std::getline(folders, one, ':');)
    if (runs(std::filesystem::path(one) / word)) return std::filesystem::path(one) / word;
  return {};
}

}  // namespace stickslip::campaign
