// The catalogue: families with their factories, labels with what they stand for.

#include "stickslip/catalog.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "catalog/option_io.hpp"
#include "catalog/spec.hpp"
#include "solvers/gauss_seidel.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {
namespace {

/// A solver about to be built: its options as a visitable, those of a fresh one, and the way to build it.
struct Draft {
  std::string family;
  Visitable options, defaults;
  std::function<std::unique_ptr<Solver>()> build;
};

template <class Options>
Draft draft(const std::string& family, std::unique_ptr<Solver> (*build)(const Options&)) {
  auto options = std::make_shared<Options>();
  auto defaults = std::make_shared<Options>();
  return {family, [options](OptionVisitor& v) { options->visit(v); },
          [defaults](OptionVisitor& v) { defaults->visit(v); },
          [options, build] { return build(*options); }};
}

struct Family {
  std::string name;
  Draft (*draft)();
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"gs", [] { return draft<GaussSeidelOptions>("gs", make_gauss_seidel); }},
  };
  return all;
}

const std::vector<CatalogEntry>& entries() {
  static const std::vector<CatalogEntry> all = {
      {"auto", "gs", "gs", "automatic choice; for now Gauss–Seidel with the exact local solver", "this project",
       "nothing"},
      {"NSGS-EXACT", "gs", "gs(local=exact)", "Gauss–Seidel, each contact solved exactly",
       "Jourdan, Alart, Jean 1998; RR Algorithm 7", "nothing"},
      {"NSGS-AC", "gs", "gs(local=newton(map=ac))", "Gauss–Seidel, Alart–Curnier Newton at each contact",
       "Jourdan, Alart, Jean 1998; RR Table 3", "nothing"},
  };
  return all;
}

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const auto& entry : entries()) names.push_back(entry.label);
  for (const auto& family : families()) names.push_back(family.name);
  return names;
}

/// Replaces a label by what it stands for, the given options on top.
Spec expand(Spec given) {
  for (const auto& entry : entries())
    if (entry.label == given.word) {
      Spec spec = parse_spec(entry.composition);
      for (const Option& option : given.options) spec.set(option.name, option.value);
      return spec;
    }
  return given;
}

Draft draft_of(std::string_view name) {
  const Spec given = parse_spec(name);
  const Spec spec = expand(given);
  for (const auto& family : families())
    if (family.name == spec.word) {
      Draft result = family.draft();
      read_options(spec, "solver " + given.word, result.options);
      return result;
    }
  const std::string near = nearest(given.word, known_names());
  throw InputError("unknown solver '" + given.word + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?") + " ('stickslip list' shows all)");
}

}  // namespace

std::span<const CatalogEntry> catalogue() { return entries(); }

std::unique_ptr<Solver> make_solver(std::string_view name) {
  const Draft chosen = draft_of(name);
  auto solver = chosen.build();
  solver->set_names(std::string(name), print(write_options(chosen.family, chosen.options, chosen.defaults)));
  return solver;
}

std::vector<OptionDescription> describe(std::string_view name) { return describe_options(draft_of(name).options); }

std::string composition(std::string_view name) {
  const Draft chosen = draft_of(name);
  return print(write_options(chosen.family, chosen.options, chosen.defaults));
}

SolveResult solve(const ReducedProblem& problem, const SolveRequest& request, std::string_view solver) {
  return make_solver(solver)->solve(problem, request);
}

SolveResult solve(const GlobalProblem& problem, const SolveRequest& request, std::string_view solver) {
  return make_solver(solver)->solve(problem, request);
}

SolveResult solve(const ProblemFile& file, const SolveRequest& request, std::string_view solver) {
  return std::visit([&](const auto& problem) { return solve(problem, request, solver); }, file.problem);
}

}  // namespace stickslip
