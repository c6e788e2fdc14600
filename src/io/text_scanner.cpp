// Words and numbers out of a text file.
#include "io/text_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/message.hpp"

namespace stickslip::internal::io {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

/// The number that makes up the whole word; from_chars knows no leading plus.
template <class Number>
bool parse(std::string_view word, Number& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  if (word.starts_with('+') || word.empty()) return false;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size();
}

}  // namespace

void TextScanner::skip_blanks() {
  for (; at_ < text_.size() && is_blank(text_[at_]); ++at_)
    if (text_[at_] == '\n') ++line_;
}

std::string_view TextScanner::word() {
  skip_blanks();
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view TextScanner::rest_of_line() {
  const std::size_t begin = at_, end = std::min(text_.find('\n', at_), text_.size());
  at_ = std::min(end + 1, text_.size());
  if (end < text_.size()) ++line_;
  std::string_view line = text_.substr(begin, end - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool TextScanner::at_end() {
  skip_blanks();
  return at_ == text_.size();
}

char TextScanner::peek() { return at_end() ? '\0' : text_[at_]; }

std::int32_t TextScanner::integer(std::string_view what, std::int32_t lowest, std::int32_t highest) {
  const std::string_view text = word();
  std::int64_t value = 0;
  if (!parse(text, value)) fail_at_word("a whole number for " + std::string(what), text);
  if (value < lowest || value > highest)
    fail(std::string(what) + " is " + std::to_string(value) + ", must be " +
         (lowest == highest ? "" : "from " + std::to_string(lowest) + " to ") + std::to_string(highest));
  return static_cast<std::int32_t>(value);
}

double TextScanner::real(std::string_view what) {
  const std::string_view text = word();
  double value = 0;
  if (!parse(text, value)) fail_at_word("a number for " + std::string(what), text);
  if (!std::isfinite(value)) fail(std::string(what) + " has " + shown(text) + ", must be finite");
  return value;
}

std::vector<double> TextScanner::reals(std::string_view what, std::int64_t count) {
  std::vector<double> values;
  values.reserve(
      static_cast<std::size_t>(std::min<std::int64_t>(count, static_cast<std::int64_t>(left() / 2 + 1))));
  for (std::int64_t k = 0; k < count; ++k) values.push_back(real(what));
  return values;
}

void TextScanner::expect(std::string_view text) {
  const std::string_view got = word();
  if (got != text) fail_at_word("'" + std::string(text) + "'", got);
}

void TextScanner::fail(const std::string& rule) const { refuse("line " + std::to_string(line_), rule); }

void TextScanner::fail_at_word(std::string_view wanted, std::string_view got) const {
  fail("wanted " + std::string(wanted) + ", got " +
       (got.empty() ? "the end of the file" : "'" + shown(got) + "'"));
}

}  // namespace stickslip::internal::io
