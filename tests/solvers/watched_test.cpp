// Looking must not change the path: a solve that somebody watches makes the same steps to the same bits.
#include <gtest/gtest.h>

#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/side_by_side.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

struct Case {
  const char* name;
  ProblemFile file;
};

/// Three islands, one of a single contact; contacts that stand alone; one contact; bodies.
std::vector<Case> cases() {
  const auto tiny = [](const char* name) { return tests::reduced(tests::tiny_problem(name)); };
  std::vector<Case> all;
  all.push_back({"islands",
                 {tests::side_by_side(tests::side_by_side(tiny("manufactured_3d"), tiny("slip_3d")),
                                      tests::reduced(generate("manufactured", {.size = 9})))}});
  all.push_back({"alone", {tests::side_by_side(tiny("slip_3d"), tiny("slip_3d"))}});
  all.push_back({"one contact", tests::tiny_problem("slip_3d")});
  all.push_back({"manufactured", generate("manufactured", {.size = 12, .dimension = 2})});
  all.push_back({"bodies", generate("wall", {.size = 16, .dimension = 2})});
  return all;
}

SolveResult solve_case(const ProblemFile& file, const SolveRequest& request, const std::string& label) {
  return solve(file, request, label);
}

/// No time limit: where the clock decides, no two solves are the same.
SolveRequest plain() {
  SolveRequest request;
  request.max_iterations = 120;
  return request;
}

void expect_same(const SolveResult& watched, const SolveResult& unwatched, const std::string& what) {
  EXPECT_EQ(watched.r, unwatched.r) << what;
  EXPECT_EQ(watched.iterations, unwatched.iterations) << what;
  EXPECT_EQ(watched.status, unwatched.status) << what;
  EXPECT_EQ(watched.stage, unwatched.stage) << what;
}

TEST(Watched, SolvesMakeTheSameStepsToTheSameBits) {
  const std::atomic<bool> cancel = false;
  for (const auto& [name, file] : cases())
    for (const auto& entry : catalogue()) {
      const SolveResult unwatched = solve_case(file, plain(), entry.label);
      SolveRequest all = plain();
      long seen = 0;
      all.cancel = &cancel;
      all.history = all.explain = true;
      all.observer = [&](const Progress&) { ++seen; };
      const SolveResult watched = solve_case(file, all, entry.label);
      expect_same(watched, unwatched, entry.label + " on " + name);
      if (watched.iterations > 0) {
        EXPECT_GT(seen, 0) << entry.label << " on " << name;
        EXPECT_FALSE(watched.history.empty()) << entry.label << " on " << name;
      }
    }
}

TEST(Watched, EachWayOfLookingAlone) {
  const std::atomic<bool> cancel = false;
  for (const auto& [name, file] : cases())
    for (const char* solver : {"auto", "gs", "gs(islands=on)", "gs(anderson=5)", "newton", "admm"}) {
      const SolveResult unwatched = solve_case(file, plain(), solver);
      const auto with = [&](const char* how, auto&& change) {
        SolveRequest request = plain();
        change(request);
        expect_same(solve_case(file, request, solver), unwatched,
                    std::string(solver) + " on " + name + " with " + how);
      };
      with("a way to cancel", [&](SolveRequest& request) { request.cancel = &cancel; });
      with("a history", [](SolveRequest& request) { request.history = true; });
      with("explanations", [](SolveRequest& request) { request.explain = true; });
      with("an observer", [](SolveRequest& request) { request.observer = [](const Progress&) {}; });
      with("a time limit far away", [](SolveRequest& request) { request.time_limit = 1e6; });
    }
}

TEST(Watched, AnObserverSeesTheErrorOfTheWholeFallInsideIslands) {
  const ReducedProblem one = tests::reduced(generate("manufactured", {.size = 30, .seed = 4})),
                       other = tests::reduced(generate("manufactured", {.size = 40, .seed = 5}));
  const ReducedProblem p = tests::side_by_side(one, other);
  for (const char* solver : {"gs(islands=on)", "gs(islands=on, anderson=5)", "auto"}) {
    std::vector<Progress> seen;
    const SolveResult result =
        solve(p, {.tolerance = 1e-9, .observer = [&](const Progress& progress) { seen.push_back(progress); }},
              solver);
    ASSERT_TRUE(result.converged()) << solver;
    ASSERT_GT(seen.size(), 4u) << solver;  // more than the start and the end
    // The error of the whole: that of r = 0 at first, and the other island's part stays while one is solved.
    std::vector<double> u(p.q().size());
    const double at_zero = natural_error(p, std::vector<double>(p.q().size()), u);
    EXPECT_NEAR(seen.front().error, at_zero, 1e-12 * at_zero) << solver;
    EXPECT_NEAR(seen.back().error, result.error(), 0.01 * result.error()) << solver;
    long within = 0;
    double least = seen.front().error;
    for (std::size_t k = 1; k < seen.size(); ++k) {
      EXPECT_GE(seen[k].iteration, seen[k - 1].iteration) << solver;
      EXPECT_GE(seen[k].seconds, seen[k - 1].seconds) << solver;
      EXPECT_LE(seen[k].error, 3 * least) << solver << ": it may rise on the way, but not leave the way down";
      least = std::min(least, seen[k].error);
      within += seen[k].error < 0.99 * at_zero && seen[k].error > 1e-9;
    }
    EXPECT_GE(within, 3) << solver << ": seen on the way";
  }
}

TEST(Watched, AnObserverInsideAnIslandCanStop) {
  const ReducedProblem one = tests::reduced(generate("manufactured", {.size = 30, .seed = 4}));
  const ReducedProblem p = tests::side_by_side(one, one);
  for (const char* solver : {"gs(islands=on)", "auto"}) {
    int calls = 0;
    const SolveResult result =
        solve(p, {.tolerance = 1e-12, .observer = [&](const Progress&) { return ++calls >= 3; }}, solver);
    EXPECT_EQ(name(result.status), "cancelled") << solver;
    EXPECT_LE(calls, 4) << solver;
  }
}

}  // namespace
}  // namespace stickslip::internal
