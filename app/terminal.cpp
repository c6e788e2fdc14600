// Terminal matters: colours, tables, Ctrl-C.

#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "command.hpp"

namespace stickslip::app {

std::atomic<bool> interrupt_requested{false};

void install_interrupt_handler() {
  std::signal(SIGINT, [](int) {
    interrupt_requested.store(true);
    std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C ends the program at once
  });
}

bool is_terminal(int descriptor) { return isatty(descriptor) != 0; }

namespace {

std::string coloured(const char* code, const std::string& text) {
  static const bool wanted = is_terminal(STDOUT_FILENO) && !std::getenv("NO_COLOR");
  return wanted ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
}

}  // namespace

std::string green(const std::string& text) { return coloured("32", text); }
std::string red(const std::string& text) { return coloured("31", text); }
std::string bold(const std::string& text) { return coloured("1", text); }
std::string dim(const std::string& text) { return coloured("2", text); }

std::size_t width(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i < text.size() && text[i] != 'm') ++i;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++count;
    }
  }
  return count;
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c >= widths.size()) widths.push_back(0);
      widths[c] = std::max(widths[c], width(row[c]));
    }
  std::string text;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::string line;
    for (std::size_t c = 0; c < rows[k].size(); ++c) {
      line += rows[k][c];
      if (c + 1 < rows[k].size()) line += std::string(widths[c] - width(rows[k][c]) + 2, ' ');
    }
    text += (k == 0 ? bold(line) : line) + "\n";
  }
  return text;
}

}  // namespace stickslip::app
