// Takes values out of a TOML table and holds it to its keys: each complaint names the file, the line and the
// rule.
#pragma once

#include <toml++/toml.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip::campaign {

class TableReader {
 public:
  /// `what` names the table in messages, e.g. "[[set]]". Throws InputError on a key that is not among `keys`.
  TableReader(const toml::table& table, std::string file, std::string what,
              std::initializer_list<const char*> keys);

  bool has(std::string_view key) const { return table_.contains(key); }
  /// Whether it is there and no list.
  bool is_single(std::string_view key) const { return has(key) && !table_.get(key)->is_array(); }
  std::optional<std::string> text(std::string_view key) const;
  std::optional<double> number(std::string_view key, double above) const;  ///< > above, finite
  std::optional<std::int64_t> count(std::string_view key, std::int64_t least) const;
  std::optional<bool> flag(std::string_view key) const;
  /// One or a list of them.
  std::vector<std::string> texts(std::string_view key) const;
  std::vector<double> numbers(std::string_view key, double above) const;
  std::vector<std::int64_t> counts(std::string_view key, std::int64_t least) const;
  /// [[key]] or key = [{…}]
  std::vector<const toml::table*> tables(std::string_view key) const;

  /// Throws InputError: file:line: message.
  [[noreturn]] void refuse(const toml::node& where, const std::string& message) const;
  [[noreturn]] void refuse(std::string_view key, const std::string& message) const;
  [[noreturn]] void refuse(const std::string& message) const { refuse(table_, message); }

 private:
  template <class Take>
  auto list(std::string_view key, Take&& take) const;
  double number(const toml::node& node, std::string_view key, double above) const;
  std::int64_t count(const toml::node& node, std::string_view key, std::int64_t least) const;
  std::string text(const toml::node& node, std::string_view key) const;

  const toml::table& table_;
  std::string file_, what_;
};

/// Throws InputError with the place where the text is no TOML.
toml::table parse_toml(std::string_view text, const std::string& file);

}  // namespace stickslip::campaign
