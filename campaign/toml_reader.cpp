#include "campaign/toml_reader.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "base/toml_text.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::campaign {

using namespace internal;

toml::table parse_toml(std::string_view text, const std::string& file) {
  if (const std::size_t line = line_beyond_ascii(text))
    throw InputError(file + ":" + std::to_string(line) + ": " + beyond_ascii);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError(file + ":" + std::to_string(error.source().begin.line) + ": " +
                     std::string(error.description()));
  }
}

TableReader::TableReader(const toml::table& table, std::string file, std::string what,
                         std::initializer_list<const char*> keys)
    : table_(table), file_(std::move(file)), what_(std::move(what)) {
  const std::vector<std::string> known(keys.begin(), keys.end());
  for (const auto& [key, value] : table_) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest(name, known);
    std::string all;
    for (const auto& k : known) all += (all.empty() ? "" : ", ") + k;
    throw InputError(file_ + ":" + std::to_string(key.source().begin.line) + ": unknown key '" + name +
                     "' in " + what_ +
                     (near.empty() ? " (known: " + all + ")" : "; did you mean '" + near + "'?"));
  }
}

void TableReader::refuse(const toml::node& where, const std::string& message) const {
  throw InputError(file_ + ":" + std::to_string(where.source().begin.line) + ": " + message);
}

void TableReader::refuse(std::string_view key, const std::string& message) const {
  refuse(table_.contains(key) ? *table_.get(key) : static_cast<const toml::node&>(table_), message);
}

std::string TableReader::text(const toml::node& node, std::string_view key) const {
  const auto value = node.value_exact<std::string>();
  if (!value || value->empty()) refuse(node, "'" + std::string(key) + "' must be a text in quotes");
  return *value;
}

double TableReader::number(const toml::node& node, std::string_view key, double above) const {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value) || !(*value > above))
    refuse(node, "'" + std::string(key) + "' must be a number > " + shortest(above));
  return *value;
}

std::int64_t TableReader::count(const toml::node& node, std::string_view key, std::int64_t least) const {
  const auto value = node.value_exact<std::int64_t>();
  if (!value || *value < least)
    refuse(node, "'" + std::string(key) + "' must be a whole number ≥ " + std::to_string(least));
  return *value;
}

std::optional<std::string> TableReader::text(std::string_view key) const {
  return has(key) ? std::optional(text(*table_.get(key), key)) : std::nullopt;
}

std::optional<double> TableReader::number(std::string_view key, double above) const {
  return has(key) ? std::optional(number(*table_.get(key), key, above)) : std::nullopt;
}

std::optional<std::int64_t> TableReader::count(std::string_view key, std::int64_t least) const {
  return has(key) ? std::optional(count(*table_.get(key), key, least)) : std::nullopt;
}

std::optional<bool> TableReader::flag(std::string_view key) const {
  if (!has(key)) return {};
  const auto value = table_.get(key)->value_exact<bool>();
  if (!value) refuse(key, "'" + std::string(key) + "' must be true or false");
  return value;
}

template <class Take>
auto TableReader::list(std::string_view key, Take&& take) const {
  std::vector<decltype(take(table_))> all;
  if (!has(key)) return all;
  const toml::node& node = *table_.get(key);
  if (const auto* array = node.as_array())
    for (const auto& entry : *array) all.push_back(take(entry));
  else
    all.push_back(take(node));
  if (all.empty()) refuse(key, "'" + std::string(key) + "' is an empty list");
  return all;
}

std::vector<std::string> TableReader::texts(std::string_view key) const {
  return list(key, [&](const toml::node& node) { return text(node, key); });
}

std::vector<double> TableReader::numbers(std::string_view key, double above) const {
  return list(key, [&](const toml::node& node) { return number(node, key, above); });
}

std::vector<std::int64_t> TableReader::counts(std::string_view key, std::int64_t least) const {
  return list(key, [&](const toml::node& node) { return count(node, key, least); });
}

std::vector<const toml::table*> TableReader::tables(std::string_view key) const {
  return list(key, [&](const toml::node& node) {
    const auto* table = node.as_table();
    if (!table) refuse(node, "'" + std::string(key) + "' must be a table: [[" + std::string(key) + "]]");
    return table;
  });
}

}  // namespace stickslip::campaign
