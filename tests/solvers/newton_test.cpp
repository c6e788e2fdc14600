// Newton's method: its step against the definition, its rate, the full-rank sets, and that nothing breaks it.
#include "solvers/newton/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/data_folder.hpp"
#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/solvers.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/io.hpp"

namespace stickslip::internal {
namespace {

using tests::Numbers;

constexpr Map maps[] = {Map::natural,
                        Map::alart_curnier,
                        Map::jean_moreau,
                        Map::fischer_burmeister,
                        Map::hueber_stadler_wohlmuth,
                        Map::xuewen_soh_wanji};

/// The maps and searches of the family, with more options.
std::vector<std::string> newton_solvers(const std::string& options) {
  std::vector<std::string> solvers;
  for (const char* map : {"nm", "ac", "jm", "fb", "hsw", "xsw", "normal"})
    for (const char* search : {"none", "goldstein_price", "armijo"})
      solvers.push_back("newton(map=" + std::string(map) + ", search=" + search + ", " + options + ")");
  return solvers;
}

TEST(NewtonSystem, TheStepReducesEveryMapToFirstOrder) {
  // Φ(r + tδ) = (1 − t)Φ(r) + O(t²) where Φ is smooth: ½‖Φ‖² falls by the factor (1 − t)². With and without
  // the proximal term, open contacts eliminated or not.
  for (const char* name :
       {"manufactured_3d", "manufactured_2d", "manufactured_unsymmetric", "mixed_friction"}) {
    const ReducedProblem p = tests::reduced(tests::tiny_problem(name));
    Random random(7);
    for (Map map : maps)
      for (double alpha : why_not(map, p.dimension()).empty() ? std::vector{0.0, 0.3} : std::vector<double>())
        for (auto scaled : {Scaled::on, Scaled::off}) {
          const ContactProblem contact(p);
          ScaledProblem problem;
          problem.prepare(contact, scaled);
          ContactSystem linear;
          linear.analyse(problem);
          NewtonSystem system;
          system.bind(problem, linear, map, RhoRule::split);
          Numbers r = tests::random_numbers(p.q().size(), random), u(r.size()), delta(r.size());
          for (std::size_t k = 0; k < r.size(); k += std::size_t(p.dimension())) r[k] += 0.8;
          const Numbers centre = tests::random_numbers(r.size(), random);
          system.set_proximal(alpha, centre);
          problem.velocity(r, u);
          const double before = system.linearise(r, u);
          EXPECT_NEAR(system.merit(r, u), before, 1e-13 * before);  // two codes, rounding apart
          ASSERT_TRUE(system.step(0, delta));
          double size = 1;
          for (double x : delta) size = std::max(size, std::abs(x));
          const double t = 1e-7 / size;  // short enough to stay on the same side of every kink
          for (std::size_t k = 0; k < r.size(); ++k) r[k] += t * delta[k];
          problem.velocity(r, u);
          // The quotient of differences: rounding 1e-16/t·before, curvature t·size².
          EXPECT_NEAR((system.merit(r, u) - before) / (-2 * t * before), 1, 1e-3 * size)
              << name << " map " << int(map) << " alpha " << alpha;
        }
  }
}

TEST(NewtonSystem, LeavesOpenContactsOut) {
  const ReducedProblem p = tests::reduced(tests::tiny_problem("manufactured_3d"));
  const ContactProblem contact(p);
  ScaledProblem problem;
  problem.prepare(contact, Scaled::on);
  ContactSystem linear;
  linear.analyse(problem);
  NewtonSystem system;
  system.bind(problem, linear, Map::alart_curnier, RhoRule::split);
  Numbers r(p.q().size()), u(r.size(), 1.0), delta(r.size());  // u_N > 0 and r = 0: all open
  system.linearise(r, u);
  EXPECT_EQ(system.active_contacts(), 0);
  ASSERT_TRUE(system.step(0, delta));
  EXPECT_EQ(system.factorisations(), 0);
  EXPECT_EQ(delta, r);
}

TEST(NewtonRate, IsSuperlinearNearASolution) {
  // From 1e-3 beside the solution: errors of about 1e-3, 1e-6, 1e-12 leave 5 steps for a quadratic method
  // that may have to find the right zone first; a linear one with factor ½ would need 30.
  for (const char* name : {"manufactured_3d", "manufactured_2d", "manufactured_unsymmetric"}) {
    const ProblemFile file = tests::tiny_problem(name);
    Numbers guess = file.solution->r;
    Random random(9);
    for (double& x : guess) x += 1e-3 * random.uniform(-1, 1);
    for (const auto& label : newton_solvers("sweeps=0")) {
      if (tests::in_space_only(label) && tests::reduced(file).dimension() == 2) continue;
      const SolveResult result = solve(file, {.tolerance = 1e-12, .guess = guess}, label);
      EXPECT_TRUE(result.converged()) << label << " on " << name << ": " << result.error();
      EXPECT_LE(result.iterations, 6) << label << " on " << name;
    }
  }
}

TEST(NewtonRate, ErrorsFallFasterAndFaster) {
  const ProblemFile file = tests::tiny_problem("manufactured_3d");
  for (const char* map : {"nm", "ac", "jm", "fb"}) {
    const SolveResult result =
        solve(file, {.tolerance = 1e-13, .history = true}, "newton(map=" + std::string(map) + ")");
    ASSERT_TRUE(result.converged()) << map;
    ASSERT_GE(result.history.size(), 3u);
    // The last two factors: the second is smaller than the square root of the first would make it, down to
    // rounding.
    const auto& h = result.history;
    const double last = h[h.size() - 1].error, one = h[h.size() - 2].error, two = h[h.size() - 3].error;
    EXPECT_LE(last, std::max(one * std::sqrt(one / two), 1e-13)) << map;
  }
}

TEST(NewtonOptions, EveryRuleSearchAndStartSolvesARegularProblem) {
  const ProblemFile file = tests::tiny_problem("manufactured_3d");
  for (const char* rho : {"auto", "one", "spectral", "split", "split_conditioned", "norm"})
    for (const char* search : {"none", "goldstein_price", "armijo", "nonmonotone(memory=5)"})
      for (const char* start : {"none", "extragradient(iterations=20)"}) {
        const std::string name =
            std::string("newton(rho=") + rho + ", search=" + search + ", start=" + start + ")";
        const SolveResult result = solve(file, {.tolerance = 1e-10, .time_limit = 20}, name);
        EXPECT_TRUE(result.converged()) << name;
        EXPECT_LE(tests::judge(file, result.r).error, 1.001e-10) << name;
      }
  EXPECT_TRUE(solve(file, {.time_limit = 20}, "newton(scaling=off)").converged());
}

TEST(NewtonOptions, WithoutSweepsItEndsAsStalledWithTheBestIterate) {
  // Rank 0.5 and more contacts than it takes: plain Newton need not converge, but must end, finite.
  for (const auto& problem : tests::tiny_problems())
    for (const auto& label : newton_solvers("sweeps=0, patience=5")) {
      const ProblemFile file = problem.make();
      const SolveResult result = solve(file, {.max_iterations = 2000}, label);
      EXPECT_TRUE(result.converged() || result.status == Status::stalled ||
                  result.status == Status::iteration_limit || result.status == Status::not_applicable)
          << problem.name << " " << label << " " << name(result.status);
      for (double x : result.r) ASSERT_TRUE(std::isfinite(x)) << problem.name << " " << label;
    }
}

TEST(NewtonForms, BodiesAndMatrixMakeTheSameSteps) {
  int compared = 0;
  const auto compare = [&](const ProblemFile& file, const std::string& name) {
    const auto& problem = std::get<GlobalProblem>(file.problem);
    const SolveResult a = solve(problem, {.tolerance = 1e-10, .time_limit = 60},
                                "newton(form=matrix, sweeps=0, regularisation=1e-8)"),
                      b = solve(problem, {.tolerance = 1e-10, .time_limit = 60},
                                "newton(form=bodies, regularisation=1e-8)");
    ++compared;
    EXPECT_EQ(a.status, b.status) << name;
    if (!a.converged()) return;
    EXPECT_EQ(a.iterations, b.iterations) << name;
    EXPECT_LE(tests::judge(file, b.r).error, 1.001e-10) << name;
    EXPECT_NEAR(a.measures.energy, b.measures.energy, 1e-6 * a.measures.energy + 1e-15) << name;
    // Regular problems: the velocities agree to the tolerance times a modest condition.
    EXPECT_LE(tests::difference(a.v, b.v), 1e-7 * (1 + largest(tests::column(a.v)))) << name;
  };
  for (const char* name : {"incline_stick", "incline_slip", "chain_stick", "chain_slip"})
    compare(tests::tiny_problem(name), name);
  for (const auto& path : tests::data_files("CubesH8_2"))
    if (const ProblemFile file = read_problem(path); file.is_global()) compare(file, path.string());
  EXPECT_GE(compared, 4);
}

TEST(NewtonOnInfeasibleProblems, EndsWithoutASolution) {
  for (int d : {2, 3})
    for (const char* label : {"NSN-AC", "NSN-FB-GP", "NSN-JM-A", "PPA-NSN-AC", "PPA-NSGS-AC"}) {
      const SolveResult result = solve(tests::squeezed(d), {.max_iterations = 3000}, label);
      EXPECT_FALSE(result.converged()) << label;
      for (double x : result.r) EXPECT_TRUE(std::isfinite(x)) << label;
    }
}

TEST(FullRankSets, AreSolvedByNewton) {
  int files = 0;
  for (const char* set : {"CubesH8", "LowWallH8"})
    for (const auto& path : tests::data_files(set)) {
      const ProblemFile file = read_problem(path);
      const ReducedProblem p = tests::reduced(file);
      if (p.contacts() > 400)
        continue;  // one dense problem of 435 contacts takes seconds without optimisation
      ++files;
      for (const char* label : {"NSN-AC", "NSN-JM", "NSN-AC-HYBRID"}) {
        const SolveResult result = solve(p, {.tolerance = 1e-8, .time_limit = 60}, label);
        EXPECT_TRUE(result.converged()) << path << " " << label << " " << result.error();
        EXPECT_LE(tests::judge(p, result.r).error, 1.001e-8) << path << " " << label;
        // Measured: 9 at most without sweeps, 41 with; the hybrid's hundred come first.
        EXPECT_LE(result.iterations, 150) << path << " " << label;
      }
    }
  if (files == 0) GTEST_SKIP() << "no problem files in " << tests::data_folder() << " (set STICKSLIP_DATA)";
}

}  // namespace
}  // namespace stickslip::internal
