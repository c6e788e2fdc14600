// A solver that is kept for a problem with other numbers: it goes on with what it knows of the bodies, and answers like a new one, bit by bit.
#include <gtest/gtest.h>

#include <variant>

#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip {
namespace {

/// One solver for all steps, and a new one at each.
class Steps {
 public:
  explicit Steps(GlobalProblem& problem) : problem_(problem) {}

  void solve(const char* what, int threads = 1) {
    // Some of these problems are hard: what counts is that both go the same way.
    SolveRequest request{
        .tolerance = 1e-8, .max_iterations = 300, .guess = r_, .guess_velocity = u_, .threads = threads};
    const SolveResult fresh = Solver("auto").solve(problem_, request);
    kept_.solve(problem_, request, result_);
    EXPECT_EQ(result_.status, fresh.status) << what;
    EXPECT_EQ(result_.iterations, fresh.iterations) << what;
    EXPECT_EQ(result_.r, fresh.r) << what;
    EXPECT_EQ(result_.v, fresh.v) << what;
    r_ = result_.r;
    u_ = result_.u;
  }
  const SolveResult& last() const { return result_; }

 private:
  GlobalProblem& problem_;
  Solver kept_{"auto"};
  SolveResult result_;
  std::vector<double> r_, u_;
};

std::vector<double> times(double factor, std::span<const double> numbers) {
  std::vector<double> scaled(numbers.begin(), numbers.end());
  for (double& number : scaled) number *= factor;
  return scaled;
}

class KeptSolver : public testing::TestWithParam<const char*> {};

TEST_P(KeptSolver, AnswersLikeANewOne) {
  ProblemFile file = generate(GetParam(), {.size = 700, .load = 0.05, .seed = 5});
  ProblemFile loaded = generate(GetParam(), {.size = 700, .load = 0.1, .seed = 5});
  auto& problem = std::get<GlobalProblem>(file.problem);
  Steps steps(problem);
  steps.solve("first");
  EXPECT_TRUE(steps.last().converged());
  problem.set_f(std::get<GlobalProblem>(loaded.problem).f());
  steps.solve("other f");
  std::vector<double> w(problem.w().begin(), problem.w().end());
  for (std::size_t k = 0; k < w.size(); k += 3) w[k] += 1e-4;  // room at every contact
  problem.set_w(w);
  steps.solve("other w");
  problem.set_mu(times(0.9, problem.mu()));
  steps.solve("other mu");
  problem.set_H_values(times(0.5, problem.H().value()));
  steps.solve("other H");
  problem.set_M_values(times(2, problem.M().value()));
  steps.solve("other M");
}

INSTANTIATE_TEST_SUITE_P(Families, KeptSolver, testing::Values("wall", "arch", "spheres"));

TEST(Kept, KnowsAnotherProblemAtTheSamePlace) {
  ProblemFile file = generate("wall", {.size = 700, .seed = 5});
  auto& problem = std::get<GlobalProblem>(file.problem);
  Steps(problem).solve("first");
  Solver kept("auto");
  kept.solve(problem, {});
  problem = std::get<GlobalProblem>(generate("wall", {.size = 700, .seed = 6}).problem);
  EXPECT_EQ(kept.solve(problem, {}).r, Solver("auto").solve(problem, {}).r);
}

TEST(Kept, MayChangeItsThreads) {
  ProblemFile file = generate("tower", {.size = 12000, .seed = 5});
  auto& problem = std::get<GlobalProblem>(file.problem);
  Steps steps(problem);
  for (const int threads : {1, 2, 3, 1}) {
    problem.set_f(times(1.01, problem.f()));
    steps.solve("threads", threads);
  }
}

TEST(Kept, NeedsFewerIterationsFromTheLastStep) {
  ProblemFile file = generate("wall", {.size = 3000, .seed = 5});
  auto& problem = std::get<GlobalProblem>(file.problem);
  Steps steps(problem);
  steps.solve("first");
  problem.set_f(times(1.001, problem.f()));
  const long cold = Solver("auto").solve(problem, {}).iterations;
  steps.solve("a thousandth more");
  EXPECT_LT(steps.last().iterations, cold) << "three of eight digits are there";
}

}  // namespace
}  // namespace stickslip
