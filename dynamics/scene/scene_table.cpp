#include "dynamics/scene/scene_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  return near.empty() ? fmt::format(" (known: {})", fmt::join(known, ", "))
                      : fmt::format("; did you mean '{}'?", near);
}

}  // namespace

std::shared_ptr<const Expression> Scope::expression(const std::string& text) const {
  std::string key;
  for (const std::string& name : names) key += name + ' ';
  key += '=' + text;
  std::shared_ptr<const Expression>& entry = (*compiled)[key];
  if (!entry) entry = std::make_shared<const Expression>(text, names);
  return entry;
}

SceneTable::SceneTable(const toml::table& table, const Scope& scope, std::string what)
    : table_(table), scope_(scope), what_(std::move(what)) {}

std::string SceneTable::place(const toml::node& node) const {
  return fmt::format("{}:{}", scope_.file, node.source().begin.line);
}

void SceneTable::refuse(const toml::node& node, const std::string& message) const {
  throw InputError(fmt::format("{}: {}{}{}", place(node), what_, what_.empty() ? "" : ": ", message));
}

void SceneTable::refuse_missing(std::string_view key, std::string_view owner) const {
  refuse(key, fmt::format("the {} needs '{}'", owner, key));
}

void SceneTable::refuse(std::string_view key, const std::string& message) const {
  const toml::node* node = table_.get(key);
  refuse(node ? *node : static_cast<const toml::node&>(table_), message);
}

void SceneTable::allow(const std::vector<const char*>& keys) const {
  const std::vector<std::string> known(keys.begin(), keys.end());
  for (const auto& [key, value] : table_) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InputError(fmt::format("{}:{}: {}{}unknown key '{}'{}", scope_.file, key.source().begin.line, what_,
                                 what_.empty() ? "" : ": ", name, suggestion(name, known)));
  }
}

double SceneTable::value(const toml::node& node, std::string_view key) const {
  if (const auto text = node.value_exact<std::string>()) {
    try {
      return scope_.value(*text);
    } catch (const InputError& error) {
      refuse(node, fmt::format("'{}': {}", key, error.what()));
    }
  }
  const auto number = node.is_number() ? node.value<double>() : std::nullopt;
  if (!number || !std::isfinite(*number))
    refuse(node, fmt::format("'{}' must be a finite number or an expression in quotes", key));
  return *number;
}

std::optional<std::string> SceneTable::text(std::string_view key) const {
  if (!has(key)) return {};
  auto text = table_.get(key)->value_exact<std::string>();
  if (!text) refuse(key, fmt::format("'{}' must be a text in quotes", key));
  return text;
}

std::optional<bool> SceneTable::flag(std::string_view key) const {
  if (!has(key)) return {};
  const auto flag = table_.get(key)->value_exact<bool>();
  if (!flag) refuse(key, fmt::format("'{}' must be true or false", key));
  return flag;
}

std::optional<double> SceneTable::number(std::string_view key) const {
  return has(key) ? std::optional(value(*table_.get(key), key)) : std::nullopt;
}

std::optional<long> SceneTable::whole(std::string_view key) const {
  const auto x = number(key);
  if (!x) return {};
  if (*x != std::round(*x) || std::abs(*x) > 1e15)
    refuse(key, fmt::format("'{}' must be a whole number, got {}", key, shortest(*x)));
  return long(*x);
}

const toml::array& SceneTable::array(std::string_view key, std::size_t count) const {
  const auto* array = table_.get(key)->as_array();
  if (!array || array->size() != count)
    refuse(key, fmt::format("'{}' must be a list of {} numbers or expressions", key, count));
  return *array;
}

std::optional<std::vector<double>> SceneTable::numbers(std::string_view key, std::size_t count) const {
  if (!has(key)) return {};
  std::vector<double> all;
  for (const auto& entry : array(key, count)) all.push_back(value(entry, key));
  return all;
}

std::optional<Point> SceneTable::point(std::string_view key) const {
  const auto all = numbers(key, 3);
  return all ? std::optional(Point{(*all)[0], (*all)[1], (*all)[2]}) : std::nullopt;
}

std::optional<std::vector<Point>> SceneTable::points(std::string_view key) const {
  if (!has(key)) return {};
  const auto* list = table_.get(key)->as_array();
  if (!list) refuse(key, fmt::format("'{}' must be a list of points [x, y, z]", key));
  std::vector<Point> all;
  for (const auto& entry : *list) {
    const auto* three = entry.as_array();
    if (!three || three->size() != 3)
      refuse(entry, fmt::format("'{}' must be a list of points [x, y, z]", key));
    all.push_back({value((*three)[0], key), value((*three)[1], key), value((*three)[2], key)});
  }
  return all;
}

std::optional<SignalVector> SceneTable::signals(std::string_view key) const {
  if (!has(key)) return {};
  SignalVector all;
  const toml::array& list = array(key, 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto text = list[k].value_exact<std::string>();
    if (!text) {
      all[k] = value(list[k], key);
      continue;
    }
    try {
      const Scope timed = scope_.with("t", 0);
      const auto expression = timed.expression(*text);
      if (expression->uses("t"))
        all[k] = [expression, values = timed.values,
                  whose = fmt::format("{}: {}: '{}'", place(list[k]), what_, key)](double t) {
          try {
            return expression->value(values, t);
          } catch (const InputError& error) {
            throw InputError(fmt::format("{} at t = {:.6g} s: {}", whose, t, error.what()));
          }
        };
      else
        all[k] = expression->value(timed.values);
    } catch (const InputError& error) {
      refuse(list[k], fmt::format("'{}': {}", key, error.what()));
    }
  }
  return all;
}

std::optional<std::array<std::string, 2>> SceneTable::pair_of_texts(std::string_view key) const {
  if (!has(key)) return {};
  const auto* list = table_.get(key)->as_array();
  std::array<std::string, 2> both;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto text = list && list->size() == 2 ? (*list)[k].value_exact<std::string>() : std::nullopt;
    if (!text) refuse(key, fmt::format("'{}' must be a list of two names", key));
    both[k] = *text;
  }
  return both;
}

std::optional<int> SceneTable::choice(std::string_view key, std::initializer_list<const char*> words) const {
  const auto word = text(key);
  if (!word) return {};
  const std::vector<std::string> known(words.begin(), words.end());
  const auto found = std::find(known.begin(), known.end(), *word);
  if (found == known.end())
    refuse(key, fmt::format("unknown {} '{}'{}", key, *word, suggestion(*word, known)));
  return int(found - known.begin());
}

const toml::table* SceneTable::table(std::string_view key) const {
  if (!has(key)) return nullptr;
  const auto* table = table_.get(key)->as_table();
  if (!table) refuse(key, fmt::format("'{}' must be a table", key));
  return table;
}

std::vector<const toml::table*> SceneTable::tables(std::string_view key) const {
  std::vector<const toml::table*> all;
  if (!has(key)) return all;
  const auto* list = table_.get(key)->as_array();
  if (!list) refuse(key, fmt::format("'{}' must be a list of tables: [[{}]]", key, key));
  for (const auto& entry : *list) {
    if (!entry.is_table()) refuse(entry, fmt::format("'{}' must be a list of tables: [[{}]]", key, key));
    all.push_back(entry.as_table());
  }
  return all;
}

}  // namespace stickslip::internal
