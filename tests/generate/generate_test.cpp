// The built-in problems: known solutions that are solutions, the same bytes for the same seed, exact values,
// refusals.
#include "stickslip/generate.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/refused.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;
using tests::Numbers;
using tests::refusal;

/// Every number of a problem, in order, for comparisons to the last bit.
Numbers all_numbers(const ProblemFile& file) {
  Numbers all;
  const auto add = [&](std::span<const double> x) { all.insert(all.end(), x.begin(), x.end()); };
  const auto add_matrix = [&](const SparseMatrix& A) {
    for (const Triplet& e : A.triplets()) all.insert(all.end(), {double(e.row), double(e.column), e.value});
  };
  if (file.is_global()) {
    const auto& p = std::get<GlobalProblem>(file.problem);
    add_matrix(p.M()), add_matrix(p.H()), add(p.f()), add(p.w()), add(p.mu());
  } else {
    const auto& p = std::get<ReducedProblem>(file.problem);
    add_matrix(p.W().to_sparse()), add(p.q()), add(p.mu());
  }
  if (file.solution) add(file.solution->r), add(file.solution->u);
  return all;
}

TEST(Generate, FamiliesAreDescribed) {
  std::set<std::string> names;
  for (const auto& f : problem_families()) {
    EXPECT_TRUE(names.insert(f.name).second);
    EXPECT_FALSE(f.summary.empty() || f.reference.empty()) << f.name;
    const ProblemFile file = generate(f.name);
    EXPECT_FALSE(file.info.title.empty()) << f.name;
  }
  EXPECT_TRUE(names.contains("manufactured"));
}

TEST(Generate, StoredSolutionsAreSolutionsToRounding) {
  for (const auto& f : problem_families()) {
    const ProblemFile file = generate(f.name);
    if (!file.solution) continue;
    const auto report = tests::judge(file, file.solution->r);
    // Some dozens of roundings of numbers of order 1 to 10; the stack adds up ten weights.
    EXPECT_LE(report.error, f.name == "stack" ? 1e-13 : 1e-14) << f.name;
    EXPECT_LE(tests::difference(report.u, file.solution->u), 1e-12) << f.name;
    for (const auto& guess : file.guesses) EXPECT_LE(tests::judge(file, guess.r).error, 1e-14) << f.name;
  }
}

TEST(Generate, ManufacturedSolutionsOfEverySizeAndKind) {
  for (const char* family : {"manufactured", "manufactured_unsymmetric"})
    for (int dimension : {2, 3})
      for (long size : {1L, 2L, 7L, 60L})
        for (std::uint64_t seed : {1u, 2u, 3u}) {
          const ProblemFile file = generate(family, {.size = size, .dimension = dimension, .seed = seed});
          const auto& p = std::get<ReducedProblem>(file.problem);
          EXPECT_EQ(p.contacts(), size);
          EXPECT_EQ(p.dimension(), dimension);
          EXPECT_LE(tests::judge(p, file.solution->r).error, 1e-13)
              << family << ' ' << dimension << ' ' << size << ' ' << seed;
          if (size == 60) {
            EXPECT_EQ(p.W().asymmetry() > 1e-6, std::string(family) != "manufactured");
          }
        }
}

TEST(Generate, ManufacturedContactsAreOfEveryStatus) {
  const ProblemFile file = generate("manufactured", {.size = 200, .seed = 1});
  const auto report = tests::judge(file, file.solution->r);
  // Drawn with the probabilities 0.2, 0.5, 0.3: five standard deviations, √(200 p (1 − p)) ≤ 7.1.
  EXPECT_NEAR(report.open, 40, 5 * 5.7);
  EXPECT_NEAR(report.stick, 100, 5 * 7.1);
  EXPECT_NEAR(report.slip, 60, 5 * 6.5);
}

TEST(Generate, FrictionCanBeChosen) {
  const ProblemFile file = generate("manufactured", {.size = 5, .mu = 0.0});
  for (double mu : std::get<ReducedProblem>(file.problem).mu()) EXPECT_EQ(mu, 0);
  EXPECT_LE(tests::judge(file, file.solution->r).error, 1e-14);
}

TEST(Generate, TheSameSeedGivesTheSameNumbersAndAnotherOneOthers) {
  for (const auto& f : problem_families()) {
    EXPECT_EQ(all_numbers(generate(f.name, {.seed = 9})), all_numbers(generate(f.name, {.seed = 9})))
        << f.name;
  }
  for (const char* f : {"manufactured", "manufactured_unsymmetric", "random"})
    EXPECT_NE(all_numbers(generate(f, {.seed = 9})), all_numbers(generate(f, {.seed = 10}))) << f;
}

TEST(Generate, TheBadBoyIsThatOfTheSeed) {
  // CAD 5.4, tangent first: M = [2 −3; −3 5], H = I, f = (1, 0), μ = 1. Here the contact has the normal
  // first.
  const ProblemFile file = generate("bad_boy");
  const auto& p = std::get<GlobalProblem>(file.problem);
  EXPECT_EQ(p.dimension(), 2);
  const tests::Dense M(p.M()), H(p.H());
  EXPECT_EQ(numbers(M), (Numbers{2, -3, -3, 5}));
  EXPECT_EQ(numbers(H), (Numbers{0, 1, 1, 0}));
  EXPECT_EQ(p.f()[0], 1);
  EXPECT_EQ(p.f()[1], 0);
  EXPECT_EQ(p.mu()[0], 1);
  // Take-off with u = (5, 3) tangent first.
  ASSERT_TRUE(file.solution);
  EXPECT_EQ(file.solution->u, (Numbers{3, 5}));
  EXPECT_EQ(file.solution->r, (Numbers{0, 0}));
  const auto report = tests::judge(file, file.solution->r);
  EXPECT_LE(report.error, 1e-14);
  EXPECT_EQ(report.open, 1);
}

TEST(Generate, BothPointsOfTheBeadAreSolutions) {
  const ProblemFile file = generate("bead");
  ASSERT_TRUE(file.solution && file.guesses.size() == 1);
  const auto wedged = tests::judge(file, file.solution->r), away = tests::judge(file, file.guesses[0].r);
  EXPECT_LE(wedged.error, 1e-14);
  EXPECT_LE(away.error, 1e-14);
  EXPECT_EQ(wedged.open, 0);
  EXPECT_EQ(away.open, 2);
  EXPECT_GT(tests::difference(file.solution->r, file.guesses[0].r), 0.1);
  // Wedging needs μ > tan α = ½.
  const ProblemFile slippery = generate("bead", {.mu = 0.4});
  EXPECT_TRUE(slippery.guesses.empty());
  EXPECT_EQ(tests::judge(slippery, slippery.solution->r).open, 2);
  EXPECT_LE(tests::judge(slippery, slippery.solution->r).error, 1e-14);
}

TEST(Generate, RandomInstancesHaveFourDegreesOfFreedomAContact) {
  for (int dimension : {2, 3}) {
    const ProblemFile file = generate("random", {.size = 12, .dimension = dimension, .seed = 3});
    const auto& p = std::get<GlobalProblem>(file.problem);
    EXPECT_EQ(p.contacts(), 12);
    EXPECT_EQ(p.degrees_of_freedom(), 48);
    EXPECT_EQ(p.dimension(), dimension);
    EXPECT_NO_THROW(Reduction{p}) << "M must be positive definite";
    for (double mu : p.mu()) EXPECT_TRUE(mu >= 0.5 && mu <= 2);
    // CAD's other range: the same problem but for μ.
    const ProblemFile wide_file =
        generate("random", {.size = 12, .dimension = dimension, .mu_min = 0.2, .mu_max = 3, .seed = 3});
    const auto& wide = std::get<GlobalProblem>(wide_file.problem);
    EXPECT_TRUE(std::ranges::equal(wide.f(), p.f()));
    for (std::size_t i = 0; i < 12; ++i)
      EXPECT_NEAR((wide.mu()[i] - 0.2) / 2.8, (p.mu()[i] - 0.5) / 1.5, 1e-14);  // the same draw
  }
}

TEST(Generate, ManySeedsOfRandomInstancesAreValid) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const ProblemFile file = generate("random", {.size = 5, .seed = seed});
    EXPECT_NO_THROW(Reduction(std::get<GlobalProblem>(file.problem)).reduced()) << "seed " << seed;
  }
}

TEST(Generate, TheInclineCarriesTheWeight) {
  const ProblemFile file = generate("incline", {.mu = 0.7, .angle = 30});
  const auto& p = std::get<GlobalProblem>(file.problem);
  EXPECT_EQ(p.contacts(), 4);
  EXPECT_EQ(p.mu()[2], 0.7);
  EXPECT_NEAR(p.f()[0], 0.0981 / 2, 1e-15);
  EXPECT_NEAR(p.f()[2], -0.0981 * std::sqrt(0.75), 1e-15);
  // The free fall: every corner approaches with the same normal velocity and none turns.
  const Reduction reduction(p);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(reduction.q()[3 * i], p.f()[2], 1e-15);
    EXPECT_NEAR(reduction.q()[3 * i + 1], p.f()[0], 1e-15);
    EXPECT_NEAR(reduction.q()[3 * i + 2], 0, 1e-15);
  }
}

TEST(Generate, RefusesWhatAFamilyCannotDo) {
  const auto refused = [](const char* family, const GenerateRequest& request) {
    return refusal([&] { generate(family, request); });
  };
  EXPECT_THAT(refused("manufactued", {}),
              HasSubstr("unknown problem family 'manufactued'; did you mean 'manufactured'?"));
  EXPECT_EQ(refused("no_such_thing_at_all", {}),
            "unknown problem family 'no_such_thing_at_all' ('stickslip generate --list' shows all)");
  EXPECT_EQ(refused("bad_boy", {.size = 3}), "family 'bad_boy' does not use size");
  EXPECT_EQ(refused("bead", {.dimension = 3}), "family 'bead' does not use dimension");
  EXPECT_EQ(refused("random", {.mu = 0.5}), "family 'random' does not use mu");
  EXPECT_EQ(refused("manufactured", {.angle = 10}), "family 'manufactured' does not use angle");
  EXPECT_EQ(refused("manufactured", {.size = 0}), "size must lie in [1, 10000000], got 0");
  EXPECT_THAT(refused("random", {.size = 20000000}), HasSubstr("size must lie in [1, 10000000]"));
  EXPECT_EQ(refused("manufactured", {.dimension = 4}), "dimension must be 2 or 3, got 4");
  EXPECT_EQ(refused("manufactured", {.mu = -0.5}), "mu must be ≥ 0, got -0.5");
  EXPECT_EQ(refused("manufactured", {.mu = std::nan("")}), "mu must be ≥ 0, got nan");
  EXPECT_EQ(refused("incline", {.angle = 90}), "angle must lie in [0, 90) degrees, got 90");
  EXPECT_EQ(refused("incline", {.angle = -1}), "angle must lie in [0, 90) degrees, got -1");
}

}  // namespace
}  // namespace stickslip::internal
