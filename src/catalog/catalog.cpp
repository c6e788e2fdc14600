// The catalogue: families with their factories, labels with what they stand for.

#include "stickslip/catalog.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "catalog/option_io.hpp"
#include "catalog/spec.hpp"
#include "solvers/admm.hpp"
#include "solvers/automatic.hpp"
#include "solvers/cadoux.hpp"
#include "solvers/convex_relaxation.hpp"
#include "solvers/gauss_seidel.hpp"
#include "solvers/hybrid.hpp"
#include "solvers/newton.hpp"
#include "solvers/nipm.hpp"
#include "solvers/panagiotopoulos.hpp"
#include "solvers/proximal.hpp"
#include "solvers/quasi_newton.hpp"
#include "solvers/successive.hpp"
#include "solvers/variational.hpp"
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
          [defaults](OptionVisitor& v) { defaults->visit(v); }, [options, build] { return build(*options); }};
}

struct Family {
  std::string name;
  Draft (*draft)();
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"automatic", [] { return draft<AutomaticOptions>("automatic", make_automatic); }},
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
      {"hybrid", [] { return draft<HybridOptions>("hybrid", make_hybrid); }},
      {"quasi_newton", [] { return draft<QuasiNewtonOptions>("quasi_newton", make_quasi_newton); }},
  };
  return all;
}

const std::vector<CatalogEntry>& entries() {
  const char* const factors = "memory for a factorisation of W";
  static const std::vector<CatalogEntry> all = {
      {"auto", "automatic", "automatic", "automatic choice: the cheapest method first, the next one in time",
       "this project", "nothing"},
      {"NSGS-EXACT", "gs", "gs(local=exact)", "Gauss–Seidel, each contact solved exactly",
       "Jourdan, Alart, Jean 1998; RR Algorithm 7", "nothing"},
      {"NSGS-AC", "gs", "gs(local=newton(map=ac))", "Gauss–Seidel, Alart–Curnier Newton at each contact",
       "Jourdan, Alart, Jean 1998; RR Table 3", "nothing"},
      {"NSGS-JM", "gs", "gs(local=newton(map=jm))", "Gauss–Seidel, Jean–Moreau Newton at each contact",
       "RR Table 3", "nothing"},
      {"NSGS-AC-GP", "gs", "gs(local=newton(map=ac, search=goldstein_price))",
       "NSGS-AC with a Goldstein–Price search in the local Newton", "RR Table 3", "nothing"},
      {"NSGS-JM-GP", "gs", "gs(local=newton(map=jm, search=goldstein_price))",
       "NSGS-JM with a Goldstein–Price search in the local Newton", "RR Table 3", "nothing"},
      {"NSGS-FP-DS-One", "gs", "gs(local=fixed_point(step=fixed, iterations=1))",
       "Gauss–Seidel, one step of De Saxcé's fixed point at each contact", "De Saxcé, Feng 1991; RR Table 3",
       "nothing"},
      {"NSGS-FP-VI-UPK", "gs", "gs(local=fixed_point(step=khobotov))",
       "Gauss–Seidel, a fixed point with adapted step at each contact", "RR Table 3", "nothing"},
      {"PSOR-AC", "gs", "gs(local=newton(map=ac), relaxation=1.2)",
       "NSGS-AC with relaxation; any ω in (0, 2]", "RR Table 3", "nothing"},
      {"NSGS-ANDERSON", "gs", "gs(anderson=8, islands=on)",
       "NSGS-EXACT with safeguarded Anderson mixing, by islands", "Walker, Ni 2011; this project", "nothing"},
      {"FP-DS", "fixed_point", "fixed_point(step=fixed(rho=1), scaling=off)",
       "De Saxcé's fixed point with ρ = 1; converges on well scaled problems only",
       "De Saxcé, Feng 1991; RR Table 1", "W of about unit size"},
      {"FP-VI-UPK", "fixed_point", "fixed_point(step=khobotov)", "fixed point, Khobotov's step rule",
       "Khobotov 1987; RR Table 1", "nothing"},
      {"FP-VI-UPTS", "fixed_point", "fixed_point(step=solodov_tseng)",
       "fixed point, Solodov and Tseng's step rule", "Solodov, Tseng 1996; RR Table 1", "nothing"},
      {"EG-VI-UPK", "extragradient", "extragradient(step=khobotov)", "extragradient, Khobotov's step rule",
       "Korpelevich 1976, Khobotov 1987; RR Table 1", "nothing"},
      {"EG-VI-UPTS", "extragradient", "extragradient(step=solodov_tseng)",
       "extragradient, Solodov and Tseng's step rule", "Korpelevich 1976, Solodov, Tseng 1996; RR Table 1",
       "nothing"},
      {"ADMM", "admm", "admm", "alternating directions, one factorisation reused, adaptive penalty, mixing",
       "Boyd and others 2011; Acary, Brémond, Huber", "memory for a factorisation of W"},
      {"PANA-PGS-FP-VI-UPK", "panagiotopoulos",
       "panagiotopoulos(normal=pgs, tangent=fixed_point(step=khobotov))",
       "alternating optimisation, normal problem by projected Gauss–Seidel, tangential by the fixed point",
       "Panagiotopoulos 1975; RR Algorithm 10, Table 4", "nothing"},
      {"PANA-PGS-EG-VI-UPK", "panagiotopoulos",
       "panagiotopoulos(normal=pgs, tangent=extragradient(step=khobotov))",
       "alternating optimisation, normal problem by projected Gauss–Seidel, tangential by extragradient",
       "Panagiotopoulos 1975; RR Algorithm 10, Table 4", "nothing"},
      {"PANA-PGS-CONVEXQP-PG", "panagiotopoulos", "panagiotopoulos(normal=pgs, tangent=projected_gradient)",
       "alternating optimisation, normal problem by projected Gauss–Seidel, tangential by the projected "
       "gradient",
       "Panagiotopoulos 1975; RR Algorithms 10, 9", "W symmetric, or nearly"},
      {"PANA-CONVEXQP-PG", "panagiotopoulos",
       "panagiotopoulos(normal=projected_gradient, tangent=projected_gradient)",
       "alternating optimisation, both problems by the projected gradient",
       "Panagiotopoulos 1975; RR Algorithms 10, 9", "W symmetric, or nearly"},
      {"TRESCA-NSGS-FP-VI-UPK", "tresca", "tresca(inner=gs(local=fixed_point(step=khobotov)))",
       "friction bounds frozen (cylinders), each program by Gauss–Seidel",
       "Haslinger 1983; RR Algorithm 11, Table 4", "nothing"},
      {"TRESCA-FP-VI-UPK", "tresca", "tresca(inner=fixed_point(step=khobotov))",
       "friction bounds frozen (cylinders), each program by the fixed point",
       "Haslinger 1983; RR Algorithm 11, Table 4", "nothing"},
      {"TRESCA-EG-VI-UPK", "tresca", "tresca(inner=extragradient(step=khobotov))",
       "friction bounds frozen (cylinders), each program by extragradient",
       "Haslinger 1983; RR Algorithm 11, Table 4", "nothing"},
      {"TRESCA-CONVEXQP-PG", "tresca", "tresca(inner=projected_gradient)",
       "friction bounds frozen (cylinders), each program by the projected gradient",
       "Haslinger 1983; RR Algorithm 11, Table 4", "W symmetric, or nearly"},
      {"ACLM-NSGS-FP-VI-UPK", "aclm", "aclm(inner=gs(local=fixed_point(step=khobotov)))",
       "De Saxcé's shift frozen (cones), each program by Gauss–Seidel",
       "Acary, Cadoux, Lemaréchal, Malick 2011; RR Algorithm 12, Table 4", "nothing"},
      {"ACLM-FP-VI-UPK", "aclm", "aclm(inner=fixed_point(step=khobotov))",
       "De Saxcé's shift frozen (cones), each program by the fixed point",
       "Acary, Cadoux, Lemaréchal, Malick 2011; RR Algorithm 12, Table 4", "nothing"},
      {"ACLM-EG-VI-UPK", "aclm", "aclm(inner=extragradient(step=khobotov))",
       "De Saxcé's shift frozen (cones), each program by extragradient",
       "Acary, Cadoux, Lemaréchal, Malick 2011; RR Algorithm 12, Table 4", "nothing"},
      {"ACLM-CONVEXQP-PG", "aclm", "aclm(inner=projected_gradient)",
       "De Saxcé's shift frozen (cones), each program by the projected gradient",
       "Acary, Cadoux, Lemaréchal, Malick 2011; RR Algorithm 12, Table 4", "W symmetric, or nearly"},
      {"SOCLCP-NSGS-PLI", "convex_relaxation",
       "convex_relaxation(inner=gs(local=fixed_point(step=khobotov)))",
       "another law: convex relaxation without De Saxcé's shift, sliding contacts lift off",
       "Tasora, Anitescu 2009; RR 7.4", "a user who wants that law"},
      {"NSN-NM", "newton", "newton(map=nm)", "nonsmooth Newton on the natural map", "RR Table 2", factors},
      {"NSN-NM-GP", "newton", "newton(map=nm, search=goldstein_price)",
       "nonsmooth Newton on the natural map, Goldstein–Price search", "RR Table 2", factors},
      {"NSN-NM-A", "newton", "newton(map=nm, search=armijo)",
       "nonsmooth Newton on the natural map, Armijo search", "RR Table 2", factors},
      {"NSN-AC", "newton", "newton(map=ac)", "nonsmooth Newton on the Alart–Curnier map",
       "Alart, Curnier 1991; RR Table 2", factors},
      {"NSN-AC-GP", "newton", "newton(map=ac, search=goldstein_price)",
       "nonsmooth Newton on the Alart–Curnier map, Goldstein–Price search", "Alart, Curnier 1991; RR Table 2",
       factors},
      {"NSN-AC-A", "newton", "newton(map=ac, search=armijo)",
       "nonsmooth Newton on the Alart–Curnier map, Armijo search", "Alart, Curnier 1991; RR Table 2",
       factors},
      {"NSN-JM", "newton", "newton(map=jm)", "nonsmooth Newton on the Jean–Moreau map",
       "Jean, Moreau 1987; RR Table 2", factors},
      {"NSN-JM-GP", "newton", "newton(map=jm, search=goldstein_price)",
       "nonsmooth Newton on the Jean–Moreau map, Goldstein–Price search", "Jean, Moreau 1987; RR Table 2",
       factors},
      {"NSN-JM-A", "newton", "newton(map=jm, search=armijo)",
       "nonsmooth Newton on the Jean–Moreau map, Armijo search", "Jean, Moreau 1987; RR Table 2", factors},
      {"NSN-FB", "newton", "newton(map=fb)", "nonsmooth Newton on the Fischer–Burmeister map",
       "Fukushima, Luo, Tseng 2001; RR Table 2", factors},
      {"NSN-FB-GP", "newton", "newton(map=fb, search=goldstein_price)",
       "nonsmooth Newton on the Fischer–Burmeister map, Goldstein–Price search",
       "Fukushima, Luo, Tseng 2001; RR Table 2", factors},
      {"NSN-FB-A", "newton", "newton(map=fb, search=armijo)",
       "nonsmooth Newton on the Fischer–Burmeister map, Armijo search",
       "Fukushima, Luo, Tseng 2001; RR Table 2", factors},
      {"NSN-HSW", "newton", "newton(map=hsw)", "nonsmooth Newton on the Hüeber–Stadler–Wohlmuth map",
       "Hüeber, Stadler, Wohlmuth 2008; RR (66)", factors},
      {"NSN-HSW-GP", "newton", "newton(map=hsw, search=goldstein_price)",
       "nonsmooth Newton on the Hüeber–Stadler–Wohlmuth map, Goldstein–Price search",
       "Hüeber, Stadler, Wohlmuth 2008; RR (66)", factors},
      {"NSN-HSW-A", "newton", "newton(map=hsw, search=armijo)",
       "nonsmooth Newton on the Hüeber–Stadler–Wohlmuth map, Armijo search",
       "Hüeber, Stadler, Wohlmuth 2008; RR (66)", factors},
      {"NSN-XSW", "newton", "newton(map=xsw)", "nonsmooth Newton on the Xuewen–Soh–Wanji map",
       "Li, Soh, Chen 2000; RR (65)", factors},
      {"NSN-XSW-GP", "newton", "newton(map=xsw, search=goldstein_price)",
       "nonsmooth Newton on the Xuewen–Soh–Wanji map, Goldstein–Price search", "Li, Soh, Chen 2000; RR (65)",
       factors},
      {"NSN-XSW-A", "newton", "newton(map=xsw, search=armijo)",
       "nonsmooth Newton on the Xuewen–Soh–Wanji map, Armijo search", "Li, Soh, Chen 2000; RR (65)", factors},
      {"NSN-AC-HYBRID", "newton", "newton(map=ac, start=extragradient(iterations=100))",
       "NSN-AC after 100 iterations of EG-VI-UPK", "RR Table 2", factors},
      {"PPA-NSN-AC", "proximal", "proximal(inner=newton(map=ac))",
       "proximal point, Alart–Curnier Newton inside", "Rockafellar 1976; RR Table 3", factors},
      {"PPA-NSN-AC-GP", "proximal", "proximal(inner=newton(map=ac, search=goldstein_price))",
       "PPA-NSN-AC with a Goldstein–Price search", "RR 9.4", factors},
      {"PPA-NSN-FB-GP", "proximal", "proximal(inner=newton(map=fb, search=goldstein_price))",
       "proximal point, Fischer–Burmeister Newton with Goldstein–Price search inside", "RR 9.4", factors},
      {"PPA-NSGS-AC", "proximal", "proximal(inner=gs(local=newton(map=ac)))",
       "proximal point, Gauss–Seidel inside", "RR Table 3", "nothing"},
      {"CADOUX", "cadoux", "cadoux",
       "damped Newton on the slip speeds, F(s) = s, a convex program at each step", "Cadoux 2009",
       "memory for a factorisation of W"},
      {"CADOUX-FP", "cadoux", "cadoux(method=fixed_point)",
       "the fixed point s ← F(s), a convex program at each step", "Cadoux 2009",
       "memory for a factorisation of W"},
      {"NIPM", "nipm", "nipm",
       "interior point with the slip speeds as unknowns, polished by semismooth Newton",
       "this project; after Acary, Armand, Nguyen", "memory for a factorisation of W"},
      {"SSN-NEWT-A", "hybrid", "hybrid(linearisation=newt, search=armijo)",
       "semismooth Newton, consistent linearisation, monotone search", "Koziara, Bićanić 2008, NEWT, J = 0",
       factors},
      {"SSN-NEWT-G", "hybrid", "hybrid(linearisation=newt, search=nonmonotone(memory=10))",
       "semismooth Newton, consistent linearisation, nonmonotone search",
       "Koziara, Bićanić 2008, NEWT, J = 10", factors},
      {"SSN-HYB-A", "hybrid", "hybrid(linearisation=hyb, search=armijo)",
       "semismooth Newton, hybrid linearisation, monotone search", "Koziara, Bićanić 2008, HYB, J = 0",
       factors},
      {"SSN-HYB-G", "hybrid", "hybrid(linearisation=hyb, search=nonmonotone(memory=10))",
       "semismooth Newton, hybrid linearisation, nonmonotone search", "Koziara, Bićanić 2008, HYB, J = 10",
       factors},
      {"SSN-FIX", "hybrid", "hybrid(linearisation=fix, search=none)",
       "Newton for Tresca's friction, its bounds renewed at convergence", "Koziara, Bićanić 2008, FIX",
       factors},
      {"SSN-UNIL", "hybrid", "hybrid(linearisation=unil, search=none)",
       "primal–dual active set for contact without friction", "Koziara, Bićanić 2008, UNIL", "μ = 0"},
      {"PQN", "quasi_newton", "quasi_newton",
       "projected quasi-Newton on the smoothed natural map, GMRES inside", "Koziara 2019, Algorithm 1",
       "nothing"},
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

std::vector<OptionDescription> describe(std::string_view name) {
  return describe_options(draft_of(name).options);
}

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
