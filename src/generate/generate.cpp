#include "stickslip/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "base/text.hpp"
#include "generate/families.hpp"
#include "generate/scenes.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {

using namespace internal;

namespace {

/// Whole numbers in full, others as short as they can be.
std::string shortest_range(double value) {
  return value == std::floor(value) ? std::to_string(long(value)) : shortest(value);
}

struct Entry {
  ProblemFamily about;
  ProblemFile (*make)(const GenerateRequest&);
  std::string (*draw)(const GenerateRequest&) = nullptr;
  Scene (*bodies)(const GenerateRequest&) = nullptr;  ///< where the contacts follow from the shapes
};

/// A family that is a scene of bodies.
template <Scene (*scene)(const GenerateRequest&)>
Entry scene_entry(std::string name, std::string summary, std::string reference,
                  std::vector<std::string> options) {
  return {{std::move(name), std::move(summary), std::move(reference), std::move(options), true},
          [](const GenerateRequest& r) { return problem_file(scene(r)); },
          [](const GenerateRequest& r) { return draw(scene(r)); }};
}

/// The same where the contacts follow from the shapes of the bodies.
template <Scene (*scene)(const GenerateRequest&)>
Entry shape_entry(std::string name, std::string summary, std::string reference,
                  std::vector<std::string> options) {
  Entry entry =
      scene_entry<scene>(std::move(name), std::move(summary), std::move(reference), std::move(options));
  entry.bodies = scene;
  return entry;
}

Scene infeasible_scene(const GenerateRequest& request) { return infeasible(request); }

const std::vector<Entry>& entries() {
  static const std::vector<std::string> masonry = {"size", "mu", "points", "load"},
                                        flat_masonry = {"size", "dimension", "mu", "points", "load"},
                                        packing = {"size", "mu", "load"};
  static const std::vector<Entry> all = {
      {{"manufactured",
        "random bodies, a known solution with open, sticking and slipping contacts",
        "this project",
        {"size", "dimension", "mu"}},
       [](const GenerateRequest& r) { return manufactured(r, false); }},
      {{"manufactured_unsymmetric",
        "the same with gyroscopic terms: W is unsymmetric",
        "this project; RR Remark 1",
        {"size", "dimension", "mu"}},
       [](const GenerateRequest& r) { return manufactured(r, true); }},
      {{"random",
        "random instances with 4 degrees of freedom a contact, global form",
        "CAD 5.2, Tables 1 and 2",
        {"size", "dimension", "mu_min", "mu_max"}},
       random_instance},
      {{"bad_boy", "one contact in the plane on which Newton's method on s can fail", "CAD 5.4"}, bad_boy},
      {{"bead", "a bead in a corner: two isolated solutions", "CAD 5.3", {"mu"}}, bead_in_a_corner},
      {{"incline", "a brick on an incline: sticks up to tan⁻¹ μ", "closed form", {"mu", "angle"}},
       brick_on_incline},
      {{"stack", "boxes of many sizes in one column; an equilibrium is known", "closed form", flat_masonry,
        true},
       stack_file,
       [](const GenerateRequest& r) { return draw(stack(r)); },
       stack},
      shape_entry<tower>("tower", "crossed planks, level upon level", "after RR's KaplasTower", masonry),
      shape_entry<wall>("wall", "bricks in running bond, bed and head joints", "after SSN's WALL",
                        flat_masonry),
      shape_entry<pyramid>("pyramid", "each block on the four (in the plane: two) below", "this project",
                           flat_masonry),
      scene_entry<blocks>("blocks", "a wall with 2c contact points under each block, c the density",
                          "RR (136)", {"size", "mu", "density", "load"}),
      shape_entry<arch>("arch", "a semicircular arch of voussoirs; when large, a barrel vault",
                        "this project", flat_masonry),
      shape_entry<aqueduct>("aqueduct", "arches on pillars between two abutments", "after RR's AqueducPR",
                            flat_masonry),
      shape_entry<dome>("dome", "rings of blocks with an open eye", "after SSN's DOME", masonry),
      shape_entry<boxes>("boxes", "a container with courses of boxes cut at random", "after RR's Box_Stacks",
                         masonry),
      shape_entry<spheres>("spheres", "balls of many sizes dropped into a box one by one",
                           "Visscher, Bolsterli 1972", packing),
      shape_entry<spheres_cubic>("spheres_cubic", "equal balls on a cubic lattice in a box", "this project",
                                 packing),
      shape_entry<spheres_hcp>("spheres_hcp", "equal balls, hexagonal close packing in a box", "this project",
                               packing),
      {{"elastic_cubes",
        "cubes of H8 elements in a bond: M + (h²/4)K is not block diagonal",
        "after RR's Cubes_H8; PQN 2",
        {"size", "mu", "points", "load"},
        true},
       elastic_cubes,
       draw_elastic_cubes},
      {{"local",
        "one contact: spinning top, leaning rod, needle; W may be strongly unsymmetric",
        "after RR's Chute_local_problems",
        {"mu"}},
       local_problem},
      scene_entry<infeasible_scene>("infeasible", "bodies between walls that close in: no solution exists",
                                    "closed form", {"size", "mu"}),
      scene_entry<rover>("rover", "four or six driven wheels on axles, uneven ground", "this project",
                         packing),
      scene_entry<gripper>("gripper", "fingers on slides hold a cylinder", "this project", packing),
  };
  return all;
}

void validate(const ProblemFamily& family, GenerateRequest request) {
  request.visit([&](const char* name, const auto& field, double low, double high, const char*) {
    if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(field)>, std::uint64_t>) {
      if (!field) return;
      const std::string option = name;
      if (std::find(family.options.begin(), family.options.end(), option) == family.options.end())
        throw InputError("family '" + family.name + "' does not use " + option);
      const double value = double(*field);
      if (value >= low && value <= high && std::isfinite(value)) return;
      const std::string rule = option == "dimension"      ? "be 2 or 3"
                               : option.starts_with("mu") ? "be ≥ 0"
                               : option == "angle"
                                   ? "lie in [0, 90) degrees"
                                   : "lie in [" + shortest_range(low) + ", " + shortest_range(high) + "]";
      throw InputError(option + " must " + rule + ", got " + shortest(value));
    }
  });
}

const Entry& find_entry(std::string_view family) {
  std::vector<std::string> names;
  for (const auto& entry : entries()) {
    if (entry.about.name == family) return entry;
    names.push_back(entry.about.name);
  }
  const std::string near = nearest(family, names);
  throw InputError("unknown problem family '" + std::string(family) + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?") +
                   " ('stickslip generate --list' shows all)");
}

}  // namespace

std::span<const ProblemFamily> problem_families() {
  static const std::vector<ProblemFamily> all = [] {
    std::vector<ProblemFamily> families;
    for (const auto& entry : entries()) families.push_back(entry.about);
    return families;
  }();
  return all;
}

ProblemFile generate(std::string_view family, const GenerateRequest& request) {
  const Entry& entry = find_entry(family);
  validate(entry.about, request);
  return entry.make(request);
}

std::vector<std::string> families_of_bodies() {
  std::vector<std::string> names;
  for (const auto& entry : entries())
    if (entry.bodies) names.push_back(entry.about.name);
  return names;
}

FamilyBodies family_bodies(std::string_view family, const GenerateRequest& request) {
  const Entry& entry = find_entry(family);
  validate(entry.about, request);
  if (!entry.bodies)
    throw InputError(fmt::format("family '{}' says its contacts itself; those made of shapes alone are {}",
                                 entry.about.name, fmt::join(families_of_bodies(), ", ")));
  if (request.dimension.value_or(3) != 3 || request.points.value_or(2) != 2)
    throw InputError(
        "family '" + entry.about.name +
        "' as bodies has the corners of common faces in space: no dimension 2, no points other than 2");
  return bodies_of(entry.bodies(request));
}

std::string picture(std::string_view family, const GenerateRequest& request) {
  const Entry& entry = find_entry(family);
  validate(entry.about, request);
  if (!entry.draw)
    throw InputError("family '" + entry.about.name + "' has no picture: it has no bodies to draw");
  return entry.draw(request);
}

}  // namespace stickslip
