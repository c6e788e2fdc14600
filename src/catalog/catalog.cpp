// The catalogue: families with their factories; the labels are in labels_*.cpp.

#include "stickslip/catalog.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "catalog/labels.hpp"
#include "catalog/make_method.hpp"
#include "catalog/option_io.hpp"
#include "catalog/spec.hpp"
#include "solvers/admm/admm.hpp"
#include "solvers/automatic/automatic.hpp"
#include "solvers/automatic/relaxed.hpp"
#include "solvers/convex/convex_relaxation.hpp"
#include "solvers/convex/panagiotopoulos.hpp"
#include "solvers/convex/tresca_aclm.hpp"
#include "solvers/gauss_seidel/gauss_seidel.hpp"
#include "solvers/interior_point/cadoux.hpp"
#include "solvers/interior_point/nipm.hpp"
#include "solvers/newton/newton.hpp"
#include "solvers/projection/projection_method.hpp"
#include "solvers/proximal/proximal.hpp"
#include "solvers/quasi_newton/quasi_newton.hpp"
#include "solvers/semismooth/semismooth.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {

using namespace internal;

namespace {

/// A solver about to be built: its options as a visitable, those of a fresh one, and the way to build it.
struct Draft {
  std::string family;
  Visitable options, defaults;
  std::function<std::unique_ptr<Method>()> build;
  bool changed = false;  ///< options were given
};

template <class Options>
Draft draft(const std::string& family, std::unique_ptr<Method> (*build)(const Options&)) {
  auto options = std::make_shared<Options>();
  auto defaults = std::make_shared<Options>();
  return {family, [options](OptionVisitor& v) { options->visit(v); },
          [defaults](OptionVisitor& v) { defaults->visit(v); }, [options, build] { return build(*options); }};
}

struct Family {
  std::string name;
  Draft (*draft)();
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"automatic", [] { return draft<AutomaticOptions>("automatic", make_automatic); }},
      {"relaxed", [] { return draft<RelaxedOptions>("relaxed", make_relaxed); }},
      {"gs", [] { return draft<GaussSeidelOptions>("gs", make_gauss_seidel); }},
      {"fixed_point", [] { return draft<VariationalOptions>("fixed_point", make_fixed_point); }},
      {"extragradient", [] { return draft<ExtragradientOptions>("extragradient", make_extragradient); }},
      {"admm", [] { return draft<AdmmOptions>("admm", make_admm); }},
      {"panagiotopoulos",
       [] { return draft<PanagiotopoulosOptions>("panagiotopoulos", make_panagiotopoulos); }},
      {"tresca", [] { return draft<SuccessiveOptions>("tresca", make_tresca); }},
      {"aclm", [] { return draft<SuccessiveOptions>("aclm", make_aclm); }},
      {"convex_relaxation",
       [] { return draft<ConvexRelaxationOptions>("convex_relaxation", make_convex_relaxation); }},
      {"newton", [] { return draft<NewtonOptions>("newton", make_newton); }},
      {"proximal", [] { return draft<ProximalOptions>("proximal", make_proximal); }},
      {"cadoux", [] { return draft<CadouxOptions>("cadoux", make_cadoux); }},
      {"nipm", [] { return draft<NipmOptions>("nipm", make_nipm); }},
      {"semismooth", [] { return draft<SemismoothOptions>("semismooth", make_semismooth); }},
      {"quasi_newton", [] { return draft<QuasiNewtonOptions>("quasi_newton", make_quasi_newton); }},
  };
  return all;
}

/// auto first, then family by family.
const std::vector<CatalogEntry>& entries() {
  static const std::vector<CatalogEntry> all = [] {
    std::vector<CatalogEntry> list = {
        {"auto", "automatic", "automatic",
         "automatic choice: the cheapest method first, the next one in time", "this project", "nothing"},
    };
    for (const auto& group : {first_order_labels(), newton_labels(), optimisation_labels()})
      list.insert(list.end(), group.begin(), group.end());
    return list;
  }();
  return all;
}

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const auto& entry : entries()) names.push_back(entry.label);
  for (const auto& family : families()) names.push_back(family.name);
  return names;
}

/// Replaces a label by what it stands for, the given options on top, and another word for a family by its name.
Spec expand(Spec given) {
  if (given.word == "hybrid") given.word = "semismooth";  // SSN's name for its linearisation
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
      result.changed = !spec.options.empty();
      if (result.changed) read_options(spec, "solver " + given.word, result.options);
      return result;
    }
  const std::string near = nearest(given.word, known_names());
  throw InputError("unknown solver '" + given.word + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?") + " ('stickslip list' shows all)");
}

/// The family with the options that are not its defaults.
std::string written(const Draft& draft) {
  return draft.changed ? print(write_options(draft.family, draft.options, draft.defaults)) : draft.family;
}

}  // namespace

std::span<const CatalogEntry> catalogue() { return entries(); }

std::unique_ptr<Method> internal::make_method(std::string_view name) {
  const Draft chosen = draft_of(name);
  auto method = chosen.build();
  method->set_names(std::string(name), written(chosen));
  return method;
}

Solver::Solver(std::string_view name) : method_(make_method(name)) {}

std::vector<OptionDescription> describe(std::string_view name) {
  return describe_options(draft_of(name).options);
}

std::vector<StageDescription> describe_stages(std::string_view name) {
  return draft_of(name).family == "automatic" ? automatic_stages() : std::vector<StageDescription>{};
}

std::string composition(std::string_view name) {
  const Draft chosen = draft_of(name);
  return written(chosen);
}

SolveResult solve(const ReducedProblem& problem, const SolveRequest& request, std::string_view solver) {
  return Solver(solver).solve(problem, request);
}

SolveResult solve(const GlobalProblem& problem, const SolveRequest& request, std::string_view solver) {
  return Solver(solver).solve(problem, request);
}

SolveResult solve(const ProblemFile& file, const SolveRequest& request, std::string_view solver) {
  return std::visit([&](const auto& problem) { return solve(problem, request, solver); }, file.problem);
}

}  // namespace stickslip
