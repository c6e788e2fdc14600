#include "dynamics/stepping/body_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "dynamics/stepping/contact_order.hpp"

namespace stickslip::internal {
namespace {

std::string name_of(const Scene& scene, std::size_t b) {
  return scene.bodies[b].name.empty() ? fmt::format("body{}", b) : scene.bodies[b].name;
}

/// A name as it is sorted: its text without numbers, and the numbers.
struct SortedName {
  enum class Kind { plane, obstacle, moves } kind;
  std::string words;
  std::vector<double> numbers;
  std::string whole;

  bool operator<(const SortedName& other) const {
    if (kind != other.kind) return kind < other.kind;
    if (words != other.words) return (words < other.words) == (kind != Kind::moves);
    if (numbers != other.numbers) return numbers < other.numbers;
    return whole < other.whole;  // 1 and 01
  }
};

SortedName::Kind kind_of(const SceneBody& body) {
  if (body.kind != BodyKind::fixed && body.kind != BodyKind::driven) return SortedName::Kind::moves;
  return std::holds_alternative<Plane>(body.shape) ? SortedName::Kind::plane : SortedName::Kind::obstacle;
}

SortedName sorted_name(const Scene& scene, std::size_t b) {
  SortedName name{.kind = kind_of(scene.bodies[b]), .words = {}, .numbers = {}, .whole = name_of(scene, b)};
  bool in_number = false;
  for (const char c : name.whole) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || !in_number) name.words += digit ? '0' : c;
    if (digit && !in_number) name.numbers.push_back(0);
    if (digit) name.numbers.back() = 10 * name.numbers.back() + (c - '0');
    in_number = digit;
  }
  return name;
}

}  // namespace

BodyOrder::BodyOrder(const Scene& scene) : listed(scene.bodies.size()) {
  std::iota(listed.begin(), listed.end(), 0);
  std::vector<SortedName> names;
  names.reserve(listed.size());
  for (std::size_t b = 0; b < listed.size(); ++b) names.push_back(sorted_name(scene, b));
  as_listed = std::is_sorted(names.begin(), names.end());
  if (!as_listed)
    std::stable_sort(listed.begin(), listed.end(),
                     [&](int a, int b) { return names[std::size_t(a)] < names[std::size_t(b)]; });
  place = places_in(listed);
}

Scene BodyOrder::apply(Scene scene) const {
  std::vector<SceneBody> bodies;
  bodies.reserve(listed.size());
  for (const int b : listed) {
    bodies.push_back(std::move(scene.bodies[std::size_t(b)]));
    if (bodies.back().name.empty()) bodies.back().name = fmt::format("body{}", b);
  }
  scene.bodies = std::move(bodies);
  const auto map = [&](BodyIndex& body) {
    if (body >= 0 && body < BodyIndex(place.size())) body = place[std::size_t(body)];  // others are refused
  };
  for (Joint& joint : scene.joints) map(joint.first), map(joint.second);
  for (Force& force : scene.forces) map(force.body);
  return scene;
}

}  // namespace stickslip::internal
