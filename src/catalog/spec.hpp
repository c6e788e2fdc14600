// The grammar of solver names: word or word(option=value, …), values being of the same form.
//
//   spec   = word [ "(" [ option { "," option } ] ")" ]
//   option = word "=" spec
//   word   = letters, digits and _ - + .
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stickslip::internal {

struct Option;

/// A word with options. A plain value such as 1e-8 is a word without options.
struct Spec {
  std::string word;
  std::vector<Option> options;

  Spec();
  Spec(std::string word);
  Spec(std::string word, std::vector<Option> options);
  /// The option of that name, or nullptr.
  const Spec* find(std::string_view name) const;
  /// Sets or replaces; options of the same part are merged when the word is the same.
  void set(const std::string& name, const Spec& value);
  bool operator==(const Spec&) const = default;
};

struct Option {
  std::string name;
  Spec value;
  bool operator==(const Option&) const = default;
};

inline Spec::Spec() = default;
inline Spec::Spec(std::string w) : word(std::move(w)) {}
inline Spec::Spec(std::string w, std::vector<Option> o) : word(std::move(w)), options(std::move(o)) {}

/// Throws InputError with the place and what was expected.
Spec parse_spec(std::string_view text);
/// The inverse of parse_spec.
std::string print(const Spec& spec);

}  // namespace stickslip::internal
