// Domains: a part of a global problem is a block of the whole, and sweeps between domains arrive.
#include "solvers/parts/domain_sweeps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "bodies/body_part.hpp"
#include "problems/judge.hpp"
#include "solve/memory.hpp"
#include "solve/monitor/monitor.hpp"
#include "solvers/automatic/automatic.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using Numbers = std::vector<double>;

GlobalProblem packing(long size, std::uint64_t seed) {
  return std::get<GlobalProblem>(generate("spheres", {.size = size, .load = 0.2, .seed = seed}).problem);
}

Numbers velocity(const GlobalProblem& problem, const Numbers& r) {
  ContactProblem contact(problem);
  contact.open();
  Numbers u(r.size());
  contact.velocity(r, u);
  return u;
}

TEST(BodyPart, HasTheVelocitiesOfTheWholeWhereItsOwnImpulsesChange) {
  const GlobalProblem whole = packing(200, 1);
  ContactProblem contact(whole);
  contact.open();
  Random random(7);
  Numbers r(whole.w().size());
  for (double& number : r) number = random.uniform(-1, 1);
  const std::vector<Index> inside = Neighbourhood(contact.bodies()).around(std::vector<Index>{17}, 2);
  contact.velocity_sweep().start(r);
  const GlobalProblem part = part_of(contact.bodies(), inside, r, contact.velocity_sweep().v());
  for (const double change : {0.0, 0.5}) {
    Numbers own;
    for (const Index i : inside)
      for (std::size_t k = std::size_t(i) * 3; k < std::size_t(i) * 3 + 3; ++k) {
        r[k] += change;
        own.push_back(r[k]);
      }
    const Numbers all = velocity(whole, r), some = velocity(part, own);
    double size = 0, difference = 0;
    for (std::size_t s = 0; s < own.size(); ++s) {
      const double expected = all[std::size_t(inside[s / 3]) * 3 + s % 3];
      size = std::max(size, std::abs(expected));
      difference = std::max(difference, std::abs(some[s] - expected));
    }
    EXPECT_LE(difference, 1e-12 * size) << "some hundred additions, each rounded";
  }
}

TEST(BodyPart, RingsGrowByTheContactsOfTheBodiesTouched) {
  const GlobalProblem whole = packing(200, 1);
  const BodyGraph graph(whole);
  const Neighbourhood neighbourhood(graph);
  const std::vector<Index> seed = {17};
  EXPECT_EQ(neighbourhood.around(seed, 0), seed);
  std::vector<Index> expected;
  for (Index i = 0; i < whole.contacts(); ++i) {
    bool shares = false;
    for (const Index a : graph.bodies_of(17))
      for (const Index b : graph.bodies_of(i)) shares = shares || (a == b && a != BodyGraph::none);
    if (shares) expected.push_back(i);
  }
  EXPECT_EQ(neighbourhood.around(seed, 1), expected);
  EXPECT_GT(neighbourhood.around(seed, 2).size(), expected.size());
}

/// Little patience, so that domains are needed.
std::unique_ptr<Method> impatient(std::vector<double>* parts = nullptr) {
  return make_domain_sweeps(
      {.patience = 40, .patience_between = 40, .seeds = 20, .largest = 0.9, .turns = 40},
      [parts](DomainEffort, double part) {
        if (parts) parts->push_back(part);
        return make_automatic({.domains = 0});
      });
}

TEST(DomainSweeps, ArriveWhereMixingAloneIsNotLetTo) {
  const GlobalProblem problem = packing(700, 103);
  Numbers parts;
  const SolveResult result = impatient(&parts)->solve(problem, {.time_limit = 60, .explain = true});
  ASSERT_TRUE(result.converged()) << result.error() << ' ' << result.message;
  ASSERT_FALSE(parts.empty());
  for (const double part : parts) EXPECT_LT(part, 1);
  EXPECT_THAT(result.explanation, Contains(HasSubstr("domain of")));
  EXPECT_LE(tests::judge(Reduction(problem).reduced(), result.r).error, 1.001e-8);
  const SolveResult watched = impatient()->solve(problem, {.time_limit = 60, .history = true});
  EXPECT_EQ(watched.r, result.r) << "a watched solve makes the same steps";
}

TEST(DomainSweeps, EndStalledWhenTheTurnsAreUsedUp) {
  const GlobalProblem problem = packing(700, 103);
  const auto method = make_domain_sweeps({.patience = 20, .turns = 1}, [](DomainEffort, double) {
    return make_automatic({.rounds = 1, .domains = 0, .body_rounds = 1});
  });
  const SolveResult result = method->solve(problem, {.tolerance = 1e-15, .time_limit = 60});
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_THAT(result.message, HasSubstr("domains"));
}

TEST(DomainSweeps, AfterADomainThatWasNotSolvedTheOthersAreWorthAllEffort) {
  const GlobalProblem problem = packing(700, 103);
  std::vector<DomainEffort> efforts;
  const auto method =
      make_domain_sweeps({.patience = 20, .largest = 1, .turns = 3}, [&](DomainEffort effort, double) {
        efforts.push_back(effort);
        return make_automatic({.horizon = 0, .rounds = 1, .domains = 0, .body_rounds = 1, .brief = 1});
      });
  // Nothing is solved to a part of this tolerance.
  const SolveResult result = method->solve(problem, {.tolerance = 1e-15, .time_limit = 60});
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_LT(result.error(), 1) << "what sweeps reached is kept";
  ASSERT_EQ(efforts.size(), 3U);
  EXPECT_EQ(efforts.front(), DomainEffort::brief);
  EXPECT_EQ(efforts.back(), DomainEffort::whole);
}

/// Gives up at once, and says how much memory it was given.
class Modest final : public Method {
 public:
  explicit Modest(double& limit) : limit_(limit) {}

 private:
  bool needs_matrix(ContactProblem&) const override { return false; }
  void iterate(ContactProblem&, Monitor& monitor) override {
    limit_ = monitor.memory_limit();
    monitor.end(Status::stalled, "modest");
  }
  double& limit_;
};

TEST(DomainSweeps, ADomainHasTheMemoryThatTheWholeLeaves) {
  const GlobalProblem problem = packing(700, 103);
  double limit = 0;
  const auto method =
      make_domain_sweeps({.patience = 20, .largest = 1, .turns = 1},
                         [&](DomainEffort, double) { return std::make_unique<Modest>(limit); });
  method->solve(problem, {.tolerance = 1e-15, .time_limit = 60, .memory_limit = 1e8});
  EXPECT_LT(limit, 1e8 - problem_bytes(problem) - sweep_bytes(problem));
  EXPECT_GT(limit, 0.97e8) << "some 2 kB a contact";
  method->solve(problem, {.tolerance = 1e-15, .time_limit = 60});
  EXPECT_LE(limit, 1e9) << "and no more than is counted for it";
}

}  // namespace
}  // namespace stickslip::internal
