// Words and numbers out of a text file, with the line where each stands. Allocates nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip::internal::io {

/// Walks over a text, word by word; words are separated by blanks and line ends. Every failure is an
/// InputError of the form `line 12: wanted ..., got ...`.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  /// The next word, empty at the end of the text.
  std::string_view word();
  /// The rest of the current line, without its end.
  std::string_view rest_of_line();
  /// True when nothing but blanks is left.
  bool at_end();
  /// The next character that is not blank, '\0' at the end.
  char peek();

  /// A whole number from `lowest` to `highest`; `what` names it in the message.
  std::int32_t integer(std::string_view what, std::int32_t lowest, std::int32_t highest);
  /// A finite number.
  double real(std::string_view what);
  /// `count` finite numbers; nothing is allocated ahead of the text that holds them.
  std::vector<double> reals(std::string_view what, std::int64_t count);
  /// Exactly this word.
  void expect(std::string_view text);

  [[noreturn]] void fail(const std::string& rule) const;
  /// How far the text was read, in bytes.
  std::size_t position() const { return at_; }
  std::size_t left() const { return text_.size() - at_; }

 private:
  void skip_blanks();
  [[noreturn]] void fail_at_word(std::string_view wanted, std::string_view got) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace stickslip::internal::io
