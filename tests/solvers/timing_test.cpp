// Where the time goes: the phases of a result never add up to more than the whole, for every entry of the catalogue.
#include <gtest/gtest.h>

#include <chrono>

#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

/// Phases are told apart from 64 contacts on.
void expect_sums_to_fit(const ProblemFile& file, const std::string& label) {
  using Clock = std::chrono::steady_clock;
  Solver solver(label);
  SolveResult result;
  const SolveRequest request{.tolerance = 1e-9, .time_limit = 0.4, .max_iterations = 400};
  const auto start = Clock::now();
  std::visit([&](const auto& problem) { solver.solve(problem, request, result); }, file.problem);
  const double outside = std::chrono::duration<double>(Clock::now() - start).count();
  const Timing& t = result.timing;
  const double sum = t.setup + t.factorisation + t.iterations + t.measuring;
  for (double part : {t.setup, t.factorisation, t.iterations, t.measuring}) EXPECT_GE(part, 0) << label;
  EXPECT_LE(sum, t.total * (1 + 1e-12)) << label;  // rounding of four terms
  EXPECT_LE(t.total, 1.001 * outside + 1e-6)
      << label;  // two clocks: the processor's counter and the system's
  EXPECT_GT(t.setup, 0) << label;
  if (result.status == Status::not_applicable) return;
  EXPECT_GT(t.measuring, 0) << label;
  // Iterations that found nothing to do are none.
  if (result.iterations > 0) {
    EXPECT_GT(t.iterations + t.factorisation, 0) << label;
  }
}

TEST(Timing, PhasesNeverAddUpToMoreThanTheWhole) {
  const ProblemFile reduced = generate("manufactured", {.size = 100, .seed = 3}),
                    global = generate("wall", {.size = 90});
  ASSERT_TRUE(!reduced.is_global() && global.is_global());
  ASSERT_GE(std::get<GlobalProblem>(global.problem).contacts(), 64);
  for (const auto& entry : catalogue()) {
    expect_sums_to_fit(reduced, entry.label);
    expect_sums_to_fit(global, entry.label);
  }
}

TEST(Timing, OfASolverMadeOfSeveral) {
  // Islands, phases one after the other, a start that is computed: set-up was once counted again at each of them.
  const ProblemFile islands = generate("stack", {.size = 150});
  for (const char* name : {"auto", "gs(islands=on)", "gs(islands=on, anderson=5)"})
    expect_sums_to_fit(islands, name);
}

}  // namespace
}  // namespace stickslip::internal
