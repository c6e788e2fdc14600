// Takes values out of the tables of a scene file. Numbers may be expressions; each complaint names file, line, object and rule.
#pragma once

// Its assertions meet texts that are not TOML, which it then refuses as it should; no file may end the process.
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include <array>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamics/scene/expression.hpp"
#include "stickslip/scene.hpp"

namespace stickslip::internal {

/// The names that expressions may use, with their values.
struct Scope {
  std::string file, folder;
  std::vector<std::string> names;
  std::vector<double> values;
  /// Expressions that were compiled already, by their names and text: copies of a body use the same ones.
  std::shared_ptr<std::map<std::string, std::shared_ptr<const Expression>>> compiled =
      std::make_shared<std::map<std::string, std::shared_ptr<const Expression>>>();

  /// Throws InputError as Expression does.
  std::shared_ptr<const Expression> expression(const std::string& text) const;
  double value(const std::string& text) const { return expression(text)->value(values); }

  /// The same with another name.
  Scope with(const std::string& name, double value) const {
    Scope scope = *this;
    scope.names.push_back(name);
    scope.values.push_back(value);
    return scope;
  }
};

class SceneTable {
 public:
  /// `what` names the table in messages ("body 'brick'"); empty: the scene itself.
  SceneTable(const toml::table& table, const Scope& scope, std::string what);

  /// Throws on a key that is not among these, with the nearest one.
  void allow(const std::vector<const char*>& keys) const;

  bool has(std::string_view key) const { return table_.contains(key); }
  std::optional<std::string> text(std::string_view key) const;
  std::optional<bool> flag(std::string_view key) const;
  std::optional<double> number(std::string_view key) const;
  std::optional<long> whole(std::string_view key) const;
  std::optional<Point> point(std::string_view key) const;
  std::optional<std::vector<Point>> points(std::string_view key) const;
  std::optional<std::vector<double>> numbers(std::string_view key, std::size_t count) const;
  /// Numbers or expressions of t too.
  std::optional<SignalVector> signals(std::string_view key) const;
  std::optional<std::array<std::string, 2>> pair_of_texts(std::string_view key) const;
  /// The word's place among `words`; throws with the nearest one.
  std::optional<int> choice(std::string_view key, std::initializer_list<const char*> words) const;
  /// What a key held, or a refusal: the owner needs it.
  template <class T>
  T needed(std::optional<T> found, std::string_view key, std::string_view owner) const {
    if (!found) refuse_missing(key, owner);
    return *std::move(found);
  }
  const toml::table* table(std::string_view key) const;
  std::vector<const toml::table*> tables(std::string_view key) const;

  /// A number or an expression.
  double value(const toml::node& node, std::string_view key) const;
  /// The same table, its expressions seen in another scope, which must outlive it.
  SceneTable in(const Scope& scope) const { return {table_, scope, what_}; }
  const Scope& scope() const { return scope_; }
  const std::string& what() const { return what_; }
  /// FILE:LINE of the table.
  std::string where() const { return place(table_); }
  /// FILE:LINE of a key, or of the table where it has no such key.
  std::string where(std::string_view key) const {
    const toml::node* node = table_.get(key);
    return node ? place(*node) : where();
  }

  [[noreturn]] void refuse(std::string_view key, const std::string& message) const;
  [[noreturn]] void refuse(const toml::node& node, const std::string& message) const;

 private:
  std::string place(const toml::node& node) const;
  [[noreturn]] void refuse_missing(std::string_view key, std::string_view owner) const;
  const toml::array& array(std::string_view key, std::size_t count) const;

  const toml::table& table_;
  const Scope& scope_;
  std::string what_;
};

/// The shape of a body, or of a part of a compound: keys of the shape are read from `table`, others are not looked at when
/// `extra` names them.
Shape read_shape(const SceneTable& table, std::initializer_list<const char*> extra);
/// The mesh of a body of elements: copies with the same numbers share one, found in `known` by what they were made of.
using KnownMeshes = std::map<std::string, std::shared_ptr<const ElementMesh>>;
std::shared_ptr<const ElementMesh> read_element_table(const SceneTable& table, KnownMeshes& known);
/// strain, axes, modes, mass_matrix, mass_damping, hold of a body of elements.
ElementOptions read_element_options(const SceneTable& body);
/// The bodies of a family of `stickslip generate`, before those of the file.
void add_family(const SceneTable& table, Scene& scene);
/// { axis, angle } in degrees, or { quaternion }.
Quaternion read_rotation(const SceneTable& owner, std::string_view key);

}  // namespace stickslip::internal
