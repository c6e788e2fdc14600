// Built-in problems: useful with no data at all, the same on every machine for the same seed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/export.hpp"
#include "stickslip/problem_file.hpp"

namespace stickslip {

struct ProblemFamily {
  std::string name;
  std::string summary;
  std::string reference;
  /// The fields of GenerateRequest that it uses beside the seed, by the names that `visit` gives them.
  std::vector<std::string> options = {};
  bool has_picture = false;  ///< whether picture() can draw it
};

/// What may be asked of a family; what is not set takes the family's own value, what a family does not use is
/// refused.
struct GenerateRequest {
  std::optional<long> size = {};      ///< contacts; scenes made of bodies come as near as they can; ≥ 1
  std::optional<int> dimension = {};  ///< 2 or 3
  std::optional<double> mu = {};      ///< coefficient of friction; ≥ 0
  std::optional<double> mu_min = {},
                        mu_max = {};   ///< between which coefficients are drawn; 0 ≤ mu_min ≤ mu_max
  std::optional<double> angle = {};    ///< of an incline, degrees in [0, 90)
  std::optional<double> density = {};  ///< c = d·contacts/degrees of freedom, in [0.5, 8]
  std::optional<int> points = {};  ///< contact points along the edge of a face: 2 are its corners; in [2, 20]
  std::optional<double> load = {};  ///< horizontal acceleration as a share of gravity, in [−10, 10]
  std::uint64_t seed = 1;           ///< of the random numbers

  /// Shows each field in turn: visitor(name, field, low, high, meaning). A field is an optional number, or
  /// the seed, an unsigned 64-bit number; low and high bound what is accepted. For command lines, plans and
  /// other languages.
  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor("size", size, 1.0, 1e7, "number of contacts, about, where the scene is made of bodies");
    visitor("dimension", dimension, 2.0, 3.0, "2 or 3");
    visitor("mu", mu, 0.0, 1e300, "coefficient of friction");
    visitor("mu_min", mu_min, 0.0, 1e300, "least coefficient of friction that is drawn");
    visitor("mu_max", mu_max, 0.0, 1e300, "largest coefficient of friction that is drawn");
    visitor("angle", angle, 0.0, 89.99999999999999, "of the incline, in degrees");
    visitor("density", density, 0.5, 8.0, "contact unknowns per degree of freedom");
    visitor("points", points, 2.0, 20.0, "contact points along the edge of a face");
    visitor("load", load, -10.0, 10.0, "horizontal acceleration as a share of gravity");
    visitor("seed", seed, 0.0, 18446744073709551615.0, "of the random numbers");
  }
};

STICKSLIP_EXPORT std::span<const ProblemFamily> problem_families();

/// Throws InputError on an unknown name (with the nearest one) or a request that the family cannot meet.
STICKSLIP_EXPORT ProblemFile generate(std::string_view family, const GenerateRequest& request = {});

/// A body of a family: a ball (radius > 0), the half space behind a wall (normal not zero), or the hull of its corners.
struct FamilyBody {
  bool fixed = false;
  std::array<double, 3> centre = {};                ///< of mass
  double mass = 0;                                  ///< kg; of what is fixed: without meaning
  double radius = 0;                                ///< m
  std::array<double, 3> normal = {};                ///< of a wall, towards the free side
  double offset = 0;                                ///< normal·x on it
  std::vector<std::array<double, 3>> corners = {};  ///< m
};

/// What the problem of a family was made of: its first step from rest is the step of generate(family).
struct FamilyBodies {
  std::string title;
  double friction = 0.5;
  double step = 0.01;                             ///< s
  std::array<double, 3> gravity = {0, 0, -9.81};  ///< m/s², with the load
  std::vector<FamilyBody> bodies = {};
};

/// The bodies of a family whose contacts follow from its shapes alone. Throws InputError as generate does, and for families that say their
/// contacts themselves (points, density, joints), or in the plane.
STICKSLIP_EXPORT FamilyBodies family_bodies(std::string_view family, const GenerateRequest& request = {});
/// The names that family_bodies takes.
STICKSLIP_EXPORT std::vector<std::string> families_of_bodies();

/// The bodies and contacts of the same problem as an SVG drawing. Throws InputError as generate does, and for
/// a family without bodies.
STICKSLIP_EXPORT std::string picture(std::string_view family, const GenerateRequest& request = {});

}  // namespace stickslip
