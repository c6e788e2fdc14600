#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

namespace stickslip::internal {

std::string shortest(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

int edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> choices) {
  std::string best;
  int fewest = static_cast<int>(std::max<std::size_t>(3, word.size() / 2));
  for (const auto& choice : choices)
    if (const int edits = edit_distance(word, choice); edits < fewest) {
      fewest = edits;
      best = choice;
    }
  return best;
}

}  // namespace stickslip::internal
