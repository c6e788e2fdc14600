// Solvers by name: labels, compositions, overrides, refusals with the nearest name, descriptions.
#include "stickslip/catalog.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "base/text.hpp"
#include "problems/refused.hpp"
#include "solvers/gauss_seidel/gauss_seidel.hpp"

namespace stickslip::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using tests::refusal;

std::string refused(const std::string& name) {
  return refusal([&] { Solver solver(name); });
}

TEST(Catalogue, EveryEntryIsComplete) {
  std::set<std::string> labels;
  for (const auto& e : catalogue()) {
    EXPECT_TRUE(labels.insert(e.label).second) << e.label << " twice";
    for (const auto& field : {e.label, e.family, e.composition, e.summary, e.reference, e.needs})
      EXPECT_FALSE(field.empty()) << e.label;
    Solver solver(e.label);
    EXPECT_EQ(solver.label(), e.label);
    EXPECT_EQ(solver.composition(), composition(e.label));
    EXPECT_EQ(composition(e.composition), composition(e.label)) << e.label;
    EXPECT_TRUE(composition(e.label).starts_with(e.family)) << e.label;
  }
  EXPECT_TRUE(labels.contains("auto"));
  EXPECT_TRUE(labels.contains("NSGS-AC"));
}

TEST(Catalogue, CompositionsParseToThemselves) {
  for (const auto& e : catalogue())
    EXPECT_EQ(composition(composition(e.label)), composition(e.label)) << e.label;
}

TEST(Catalogue, RandomOptionsSurviveTheRoundTrip) {
  Random random(1);
  const auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[random.below(words.size())]);
  };
  for (int trial = 0; trial < 1000; ++trial) {
    std::string options;
    const auto add = [&](const std::string& text) { options += (options.empty() ? "" : ", ") + text; };
    if (random.uniform() < 0.5)
      add("order=" + pick({"given", "shuffled", "reshuffled", "symmetric", "bandwidth"}));
    if (random.uniform() < 0.5) add("relaxation=" + shortest(random.uniform(0.01, 2)));
    if (random.uniform() < 0.5) add("seed=" + std::to_string(random.below(1000000)));
    if (random.uniform() < 0.7)
      add(random.uniform() < 0.3
              ? "local=exact"
              : "local=newton(map=" + pick({"ac", "jm"}) + ", search=" + pick({"none", "goldstein_price"}) +
                    ", rho=" + pick({"one", "spectral", "split", "split_conditioned"}) +
                    ", tolerance=" + shortest(random.uniform(1e-15, 1)) +
                    ", iterations=" + std::to_string(1 + random.below(100)) + ")");
    const std::string name = "gs" + (options.empty() ? "" : "(" + options + ")"),
                      canonical = composition(name);
    ASSERT_EQ(composition(canonical), canonical) << name;
    // The same values, whichever way they were written.
    const auto a = describe(name), b = describe(canonical);
    ASSERT_EQ(a.size(), b.size()) << name;
    for (std::size_t k = 0; k < a.size(); ++k)
      ASSERT_EQ(a[k].name + "=" + a[k].value, b[k].name + "=" + b[k].value) << name;
  }
}

TEST(Catalogue, CompositionShowsOnlyWhatDiffers) {
  EXPECT_EQ(composition("gs"), "gs");
  EXPECT_EQ(composition("auto"), "automatic");
  EXPECT_EQ(composition("NSGS-EXACT"), "gs");
  EXPECT_EQ(composition("gs(seed=1, relaxation=1)"), "gs");
  EXPECT_EQ(composition("NSGS-AC"), "gs(local=newton(fallback=none))");
  EXPECT_EQ(composition("gs(local=newton(map=ac, iterations=3))"), "gs(local=newton(iterations=3))");
  EXPECT_EQ(composition("gs(relaxation=0.5, local=newton(map=jm))"),
            "gs(local=newton(map=jm), relaxation=0.5)");
}

TEST(Catalogue, OptionsOfALabelOverrideThoseItStandsFor) {
  EXPECT_EQ(composition("NSGS-AC(order=shuffled)"), "gs(local=newton(fallback=none), order=shuffled)");
  EXPECT_EQ(composition("NSGS-AC(local=newton(iterations=3))"),
            "gs(local=newton(iterations=3, fallback=none))");
  EXPECT_EQ(composition("NSGS-AC(local=newton(map=jm))"), "gs(local=newton(map=jm, fallback=none))");
  EXPECT_EQ(composition("NSGS-AC(local=exact)"), "gs");
  EXPECT_EQ(Solver("NSGS-AC(order=shuffled)").label(), "NSGS-AC(order=shuffled)");
}

TEST(Catalogue, UnknownSolversAreNamedWithTheNearest) {
  EXPECT_EQ(refused("NSGS-EXAKT"),
            "unknown solver 'NSGS-EXAKT'; did you mean 'NSGS-EXACT'? ('stickslip list' shows all)");
  EXPECT_THAT(refused("nsgs-ac"), HasSubstr("did you mean 'NSGS-AC'?"));
  EXPECT_THAT(refused("atuo"), HasSubstr("did you mean 'auto'?"));
  EXPECT_EQ(refused("multigrid_conjugate"),
            "unknown solver 'multigrid_conjugate' ('stickslip list' shows all)");
  EXPECT_THAT(refused(""), HasSubstr("expected a name"));
  EXPECT_THAT(refusal([] { describe("gz"); }), HasSubstr("did you mean 'gs'?"));
  EXPECT_THAT(refusal([] { composition("gz"); }), HasSubstr("did you mean 'gs'?"));
}

TEST(Catalogue, UnknownOptionsAreNamedWithTheNearest) {
  EXPECT_EQ(refused("gs(relaxtion=0.9)"), "solver gs has no option 'relaxtion'; did you mean 'relaxation'?");
  EXPECT_THAT(refused("NSGS-AC(odrer=given)"),
              AllOf(HasSubstr("solver NSGS-AC has no option 'odrer'"), HasSubstr("'order'")));
  EXPECT_THAT(refused("gs(preconditioner=ilu)"),
              HasSubstr("solver gs has no option 'preconditioner'; it has local, "));
  EXPECT_EQ(refused("gs(local=newton(itrations=4))"),
            "solver gs local=newton has no option 'itrations'; did you mean 'iterations'?");
  EXPECT_EQ(refused("gs(local=exact(map=ac))"), "solver gs local=exact has no option 'map'; it has none");
}

TEST(Catalogue, UnknownChoicesAreNamedWithTheNearest) {
  EXPECT_THAT(refused("gs(order=shufled)"),
              AllOf(HasSubstr("solver gs: option 'order' must be one of "), HasSubstr("given | shuffled | "),
                    HasSubstr(", got shufled; did you mean 'shuffled'?")));
  EXPECT_THAT(refused("gs(local=newtn)"),
              HasSubstr("option 'local' must be one of exact | newton | fixed_point | hybrid, got newtn; did "
                        "you mean 'newton'?"));
  EXPECT_THAT(refused("gs(local=newton(map=fb))"), HasSubstr("option 'map' must be one of ac | jm, got fb"));
  EXPECT_THAT(refused("gs(order=given(seed=2))"), HasSubstr("option 'order' takes no options of its own"));
}

TEST(Catalogue, NumbersOutOfRangeAreRefused) {
  EXPECT_EQ(refused("gs(relaxation=0)"), "solver gs: option 'relaxation' must lie in (0, 2], got 0");
  EXPECT_THAT(refused("gs(relaxation=2.1)"), HasSubstr("must lie in (0, 2], got 2.1"));
  EXPECT_THAT(refused("gs(relaxation=nan)"), HasSubstr("must lie in (0, 2], got nan"));
  EXPECT_THAT(refused("gs(relaxation=fast)"), HasSubstr("must be a number, got fast"));
  EXPECT_THAT(refused("gs(relaxation=1x)"), HasSubstr("must be a number, got 1x"));
  EXPECT_THAT(refused("gs(relaxation=1(a=2))"), HasSubstr("must be a number, got 1(a=2)"));
  EXPECT_THAT(refused("gs(relaxation=1e999)"), HasSubstr("relaxation"));
  EXPECT_THAT(refused("gs(seed=1.5)"), HasSubstr("option 'seed' must be a whole number, got 1.5"));
  EXPECT_THAT(refused("gs(seed=-1)"), HasSubstr("must lie in [0, 1e+15], got -1"));
  EXPECT_THAT(refused("gs(local=newton(iterations=0))"),
              HasSubstr("option 'iterations' must lie in [1, 1e+06], got 0"));
  EXPECT_THAT(refused("gs(local=newton(tolerance=0))"),
              HasSubstr("option 'tolerance' must lie in (0, 1], got 0"));
  EXPECT_NO_THROW(Solver("gs(relaxation=2, seed=1e15, local=newton(iterations=1e6, tolerance=1))"));
}

/// The names of the fields as the options themselves tell them.
class Names final : public OptionVisitor {
 public:
  std::vector<std::string> all;
  void real(std::string_view name, double&, Range, std::string_view) override { all.emplace_back(name); }
  void integer(std::string_view name, long&, Range, std::string_view) override { all.emplace_back(name); }
  void choice(std::string_view name, int&, std::span<const std::string_view>, std::string_view) override {
    all.emplace_back(name);
  }
  void part(std::string_view name, int&, std::span<const std::string_view>, std::string_view,
            const std::function<void(OptionVisitor&)>& inner) override {
    all.emplace_back(name);
    Names of_part;
    inner(of_part);
    for (const auto& each : of_part.all) all.push_back(std::string(name) + "." + each);
  }
};

TEST(Catalogue, DescribeListsEveryField) {
  for (const bool newton : {false, true}) {
    GaussSeidelOptions fields;
    if (newton) fields.local.kind = LocalOptions::Kind::newton;
    Names names;
    fields.visit(names);
    std::vector<std::string> described;
    for (const auto& o : describe(newton ? "NSGS-AC" : "gs")) {
      described.push_back(o.name);
      EXPECT_FALSE(o.meaning.empty() || o.range.empty() || o.value.empty()) << o.name;
    }
    EXPECT_EQ(described, names.all);
    EXPECT_EQ(std::ranges::count(described, "local.iterations"), newton ? 1 : 0);
  }
  const auto options = describe("NSGS-AC(relaxation=0.5)");
  const auto find = [&](const char* name) {
    return *std::ranges::find(options, name, &OptionDescription::name);
  };
  EXPECT_EQ(find("relaxation").value, "0.5");
  EXPECT_EQ(find("relaxation").range, "(0, 2]");
  EXPECT_THAT(find("order").range, HasSubstr("given | shuffled | reshuffled"));
  EXPECT_EQ(find("local").value, "newton");
  EXPECT_EQ(find("local.iterations").range, "[1, 1e+06], whole");
}

TEST(Catalogue, SolveByName) {
  const ReducedProblem p({2, {0, 0}, {}, {}, {1, 0, 0, 1}}, {-1, 0.2}, {0.5});
  const SolveResult result = solve(p, {}, "NSGS-AC(order=symmetric)");
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.solver, "NSGS-AC(order=symmetric)");
  EXPECT_EQ(result.solver_used, "gs(local=newton(fallback=none), order=symmetric)");
  EXPECT_EQ(solve(p).solver, "auto");
}

}  // namespace
}  // namespace stickslip::internal
