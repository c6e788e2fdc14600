// Springs between bodies solve (W + B) x = b without W or K, for every kind of body with a symmetric M, and whatever the chunks.
#include "bodies/spring_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "problems/random_bodies.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::internal {
namespace {

using Numbers = std::vector<double>;
using tests::Bodies;

double length(const Numbers& a) {
  double sum = 0;
  for (const double x : a) sum += x * x;
  return std::sqrt(sum);
}

class Springs : public ::testing::TestWithParam<Bodies> {
 protected:
  GlobalProblem problem = tests::random_problem(GetParam(), 12, 40, 3);
  BodyGraph graph{problem};
  std::size_t d = std::size_t(problem.dimension()), n = std::size_t(problem.contacts());
  Random random{5};

  Numbers numbers(std::size_t count) {
    Numbers x(count);
    for (double& value : x) value = random.uniform() - 0.5;
    return x;
  }
  /// A Aᵀ + I/10 of each contact.
  Numbers definite_blocks() {
    Numbers blocks(n * d * d, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const Numbers A = numbers(d * d);
      for (std::size_t r = 0; r < d; ++r)
        for (std::size_t c = 0; c < d; ++c) {
          double& to = blocks[(i * d + c) * d + r];
          for (std::size_t k = 0; k < d; ++k) to += A[k * d + r] * A[k * d + c];
          if (r == c) to += 0.1;
        }
    }
    return blocks;
  }
  /// ‖S W S x + B x − b‖/‖b‖, without the tangents of idle contacts in W.
  double left(VelocitySweep& sweep, const Numbers& scale, const std::vector<std::uint8_t>& idle,
              const Numbers& blocks, const Numbers& x, const Numbers& b) const {
    const auto pushed = [&](Numbers y) {
      for (std::size_t k = 0; k < y.size(); ++k)
        y[k] *= !idle.empty() && idle[k / d] && k % d > 0 ? 0 : scale[k / d];
      return y;
    };
    Numbers rest(n * d);
    sweep.product(pushed(x), rest);
    rest = pushed(rest);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t r = 0; r < d; ++r) {
        rest[i * d + r] -= b[i * d + r];
        for (std::size_t c = 0; c < d; ++c) rest[i * d + r] += blocks[(i * d + c) * d + r] * x[i * d + c];
      }
    return length(rest) / length(b);
  }
};
INSTANTIATE_TEST_SUITE_P(Bodies, Springs, ::testing::ValuesIn(tests::kinds_of_bodies),
                         [](const auto& test) { return test.param.name; });

TEST_P(Springs, SolveTheSystemOfTheContacts) {
  if (!graph.symmetric()) GTEST_SKIP() << "M is not symmetric";
  const auto sweep = VelocitySweep::make(graph, {});
  const Colouring layout = one_chunk(problem.contacts());
  Numbers scale = numbers(n);
  for (double& s : scale) s += 1;
  std::vector<std::uint8_t> idle(n, 0);
  idle[3] = idle[17] = 1;
  const auto springs = SpringSystem::make({graph, *sweep, layout}, scale, idle);
  const Numbers blocks = definite_blocks(), b = numbers(n * d);
  ASSERT_TRUE(springs->prepare(blocks.data()));
  Numbers x = b;
  EXPECT_GT(springs->solve(x, {1e-9}, 500), 1);
  EXPECT_LE(left(*sweep, scale, idle, blocks, x, b), 1e-5);

  Numbers y = b;
  EXPECT_EQ(springs->solve(y, {1e-9}, 1), -1) << "one iteration is not enough";

  // One right-hand side after the other: what single precision lost in the first solve the second one finds.
  const auto twice = [&](Numbers z, double energy) {
    for (int round = 0; round < 2; ++round) {
      z = b;
      EXPECT_EQ(springs->go_on(z, energy, 500), 0);
    }
    return z;
  };
  const Numbers well = twice(b, 0), roughly = twice(b, 1e-2);
  Numbers apart(n * d), off(n * d);
  for (std::size_t k = 0; k < apart.size(); ++k) apart[k] = well[k] - x[k], off[k] = roughly[k] - well[k];
  EXPECT_LE(length(apart), 1e-5 * length(x));
  EXPECT_LE(length(off), 0.2 * length(x));  // (1e-2 / B)^½ and more, B ≥ 0.1
}

TEST_P(Springs, HoldStiffContactsBesideMotionsThatLoadNone) {
  if (!graph.symmetric()) GTEST_SKIP() << "M is not symmetric";
  const auto sweep = VelocitySweep::make(graph, {});
  const Colouring layout = one_chunk(problem.contacts());
  const Numbers scale(n, 1.0);
  const auto springs = SpringSystem::make({graph, *sweep, layout}, scale, {});
  // Eight stiff contacts leave most motions free.
  Numbers blocks = definite_blocks();
  for (std::size_t k = 0; k < blocks.size(); ++k) blocks[k] *= k / (d * d) % 5 == 0 ? 1e-8 : 1e3;
  const Numbers b = numbers(n * d);
  ASSERT_TRUE(springs->prepare(blocks.data()));
  Numbers x = b;
  EXPECT_GT(springs->solve(x, {1e-30, 1e-6}, 2000), 1);
  EXPECT_LE(left(*sweep, scale, {}, blocks, x, b), 2e-5);
}

TEST_P(Springs, RefuseABlockThatIsNotDefinite) {
  if (!graph.symmetric()) GTEST_SKIP() << "M is not symmetric";
  const auto sweep = VelocitySweep::make(graph, {});
  const Colouring layout = one_chunk(problem.contacts());
  const Numbers scale(n, 1.0);
  const auto springs = SpringSystem::make({graph, *sweep, layout}, scale, {});
  Numbers blocks = definite_blocks();
  blocks[7 * d * d] = -1;
  EXPECT_FALSE(springs->prepare(blocks.data()));
}

TEST(Admm, NeedsNoFactors) {
  for (const char* family : {"wall", "boxes", "tower"}) {
    const auto problem = std::get<GlobalProblem>(generate(family, {.size = 400, .seed = 411}).problem);
    const SolveResult result =
        Solver("admm(form=velocity)").solve(problem, {.tolerance = 1e-8, .max_iterations = 300});
    EXPECT_TRUE(result.converged()) << family << ": " << result.measures.error;
  }
  const auto turning = tests::random_problem({.name = "unsymmetric", .symmetric = false}, 12, 40, 3);
  const SolveResult refused = Solver("admm(form=velocity)").solve(turning);
  EXPECT_EQ(refused.status, Status::not_applicable);
  EXPECT_NE(refused.message.find("not symmetric"), std::string::npos) << refused.message;
}

TEST(Relaxed, SolvesPackingsAndMixesElsewhere) {
  for (const double load : {0.0, 0.2}) {
    const auto problem =
        std::get<GlobalProblem>(generate("spheres", {.size = 2500, .load = load, .seed = 411}).problem);
    const SolveResult result = Solver("relaxed").solve(problem, {.tolerance = 1e-4, .max_iterations = 5000});
    EXPECT_TRUE(result.converged()) << load << ": " << result.measures.error;
  }
  const auto wall = std::get<GlobalProblem>(generate("wall", {.size = 300, .seed = 411}).problem);
  const SolveResult mixed = Solver("relaxed").solve(wall, {.tolerance = 1e-4, .explain = true});
  EXPECT_TRUE(mixed.converged());
  EXPECT_EQ(mixed.stage, "mixing");
  const auto reduced = Reduction(wall).reduced();
  const SolveResult on_W = Solver("relaxed").solve(reduced, {.tolerance = 1e-4, .explain = true});
  EXPECT_TRUE(on_W.converged());
  ASSERT_FALSE(on_W.explanation.empty());
  EXPECT_EQ(on_W.explanation[0],
            "bodies of at most twelve rows are not known: sweeps with and without mixing only");
}

TEST(Relaxed, PlainSweepsTakeTurnsWithMixingWhereThereAreNoPaths) {
  const auto arch = std::get<GlobalProblem>(generate("arch", {.size = 300, .load = 0.1, .seed = 5}).problem);
  const SolveResult result =
      Solver("relaxed(turn=20)").solve(arch, {.tolerance = 1e-8, .max_iterations = 100, .explain = true});
  const auto begins = [&](std::size_t line, std::string_view word) {
    return line < result.explanation.size() && result.explanation[line].starts_with(word);
  };
  EXPECT_TRUE(begins(0, "contacts are redundant") && begins(1, "mixing: ") && begins(2, "sweeps: ") &&
              begins(3, "mixing: "))
      << testing::PrintToString(result.explanation);
}

}  // namespace
}  // namespace stickslip::internal
