#include "stickslip/generate.hpp"

#include <cmath>
#include <vector>

#include "base/text.hpp"
#include "generate/scenes.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {
namespace {

/// Which fields of a request a family uses, by their letters: s(ize), d(imension), m(u), a(ngle).
struct Entry {
  ProblemFamily about;
  std::string_view uses;
  ProblemFile (*make)(const GenerateRequest&);
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {{"manufactured", "random bodies, a known solution with open, sticking and slipping contacts",
        "this project"},
       "sdm",
       [](const GenerateRequest& r) { return manufactured(r, false); }},
      {{"manufactured_unsymmetric", "the same with gyroscopic terms: W is unsymmetric",
        "this project; RR Remark 1"},
       "sdm",
       [](const GenerateRequest& r) { return manufactured(r, true); }},
      {{"random", "random instances with 4 degrees of freedom a contact, global form",
        "CAD 5.2, Tables 1 and 2"},
       "sd",
       random_instance},
      {{"bad_boy", "one contact in the plane on which Newton's method on s can fail", "CAD 5.4"},
       "",
       bad_boy},
      {{"bead", "a bead in a corner: two isolated solutions", "CAD 5.3"}, "m", bead_in_a_corner},
      {{"incline", "a brick on an incline: sticks up to tan⁻¹ μ", "closed form"}, "ma", brick_on_incline},
  };
  return all;
}

void validate(const Entry& entry, const GenerateRequest& request) {
  const auto used = [&](char letter) { return entry.uses.find(letter) != std::string_view::npos; };
  const auto refuse = [&](const char* option) {
    throw InputError("family '" + entry.about.name + "' does not use " + option);
  };
  if (request.size && !used('s')) refuse("size");
  if (request.dimension && !used('d')) refuse("dimension");
  if (request.mu && !used('m')) refuse("mu");
  if (request.angle && !used('a')) refuse("angle");
  if (request.size && (*request.size < 1 || *request.size > 10'000'000))
    throw InputError("size must lie in [1, 10000000], got " + std::to_string(*request.size));
  if (request.dimension && *request.dimension != 2 && *request.dimension != 3)
    throw InputError("dimension must be 2 or 3, got " + std::to_string(*request.dimension));
  if (request.mu && !(*request.mu >= 0 && std::isfinite(*request.mu)))
    throw InputError("mu must be ≥ 0, got " + shortest(*request.mu));
  if (request.angle && !(*request.angle >= 0 && *request.angle < 90))
    throw InputError("angle must lie in [0, 90) degrees, got " + shortest(*request.angle));
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
  std::vector<std::string> names;
  for (const auto& entry : entries()) {
    if (entry.about.name == family) {
      validate(entry, request);
      return entry.make(request);
    }
    names.push_back(entry.about.name);
  }
  const std::string near = nearest(family, names);
  throw InputError("unknown problem family '" + std::string(family) + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?") +
                   " ('stickslip generate --list' shows all)");
}

}  // namespace stickslip
