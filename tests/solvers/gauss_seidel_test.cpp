// Gauss–Seidel's options: orders, relaxation, seeds; and what it says of a problem without solution.
#include "solvers/gauss_seidel/gauss_seidel.hpp"

#include <gmock/gmock.h>

#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/refused.hpp"
#include "problems/tiny.hpp"
#include "solvers/parts/contact_order.hpp"
#include "stickslip/catalog.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;
using tests::Numbers;

class GaussSeidelOption : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, GaussSeidelOption,
                         ::testing::Values("gs(order=given)", "gs(order=shuffled)", "gs(order=reshuffled)",
                                           "gs(order=symmetric)", "gs(order=bandwidth)", "gs(relaxation=0.5)",
                                           "gs(relaxation=0.9, order=shuffled)", "gs(relaxation=1.2)",
                                           "gs(order=reshuffled, seed=77)", "gs(local=newton(map=jm))",
                                           "gs(local=newton(map=ac, search=goldstein_price))",
                                           "gs(local=newton(map=jm, search=goldstein_price, rho=spectral))",
                                           "gs(local=newton(rho=one, iterations=2))",
                                           "gs(extrapolation=aitken)"));

TEST_P(GaussSeidelOption, Converges) {
  for (const char* name : {"manufactured_3d", "manufactured_2d", "mixed_friction", "incline_slip"}) {
    const ProblemFile file = tests::tiny_problem(name);
    const SolveResult result = solve(file, {.time_limit = 20}, GetParam());
    ASSERT_TRUE(result.converged()) << name << ", " << result.message << ", error " << result.error();
    const auto report = tests::judge(file, result.r);
    EXPECT_NEAR(result.error(), report.error, 1e-6 * report.error + 1e-15) << name;
    EXPECT_EQ(result.solver, GetParam());
  }
}

TEST(GaussSeidel, RelaxationOutOfRangeIsRefused) {
  for (const char* bad : {"0", "-0.5", "2.5", "nan", "inf"})
    EXPECT_THAT(tests::refusal([&] { Solver("gs(relaxation=" + std::string(bad) + ")"); }),
                HasSubstr("option 'relaxation' must lie in (0, 2], got "))
        << bad;
}

TEST(GaussSeidel, OrdersDifferAndSeedsRepeat) {
  const auto file = tests::tiny_problem("manufactured_3d");
  const SolveRequest three{.tolerance = 1e-300, .max_iterations = 3};
  const auto r = [&](const char* solver) { return solve(file, three, solver).r; };
  EXPECT_EQ(r("gs(order=shuffled, seed=5)"), r("gs(order=shuffled, seed=5)"));
  EXPECT_NE(r("gs(order=shuffled, seed=5)"), r("gs(order=shuffled, seed=6)"));
  EXPECT_NE(r("gs(order=given)"), r("gs(order=symmetric)"));
  EXPECT_NE(r("gs(order=shuffled)"), r("gs(order=reshuffled)"));
  EXPECT_NE(r("gs(order=given)"), r("gs(relaxation=0.9)"));
}

TEST(GaussSeidel, ExtrapolationSavesSweepsWhereChangesShrinkEvenly) {
  long plain = 0, jumping = 0;
  for (const char* name : {"manufactured_3d", "manufactured_2d", "incline_stick", "incline_slip"}) {
    const ProblemFile file = tests::tiny_problem(name);
    const long one = solve(file, {}, "gs").iterations,
               two = solve(file, {}, "gs(extrapolation=aitken)").iterations;
    EXPECT_LE(two, one) << name;
    plain += one, jumping += two;
  }
  EXPECT_LE(4 * jumping, 3 * plain);
}

TEST(GaussSeidel, OneSweepIsOnePassOverTheContacts) {
  // A chain of unit couplings: after one sweep in the given order contact i has seen all before it.
  const SolveResult once =
      solve(tests::tiny_problem("chain_stick"), {.tolerance = 1e-300, .max_iterations = 1});
  EXPECT_EQ(once.iterations, 1);
  EXPECT_GT(once.r[0], 0);
}

TEST(ContactOrder, BandwidthIsAPermutationThatBringsNeighboursTogether) {
  // A path whose contacts were shuffled: reverse Cuthill–McKee finds the path, bandwidth 1.
  Random random(1);
  std::vector<Index> label(30);
  for (Index i = 0; i < 30; ++i) label[std::size_t(i)] = i;
  shuffle(label, random);
  std::vector<Triplet> entries;
  for (Index i = 0; i < 60; ++i) entries.push_back({i, i, 1});
  for (std::size_t i = 1; i < 30; ++i)
    entries.insert(entries.end(),
                   {{2 * label[i], 2 * label[i - 1], 0.1}, {2 * label[i - 1], 2 * label[i], 0.1}});
  const BlockMatrix W(SparseMatrix(60, 60, entries), 2);
  const auto order = bandwidth_order(W);
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (Index i = 0; i < 30; ++i) ASSERT_EQ(sorted[std::size_t(i)], i);
  std::vector<Index> place(30);
  for (std::size_t k = 0; k < 30; ++k) place[std::size_t(order[k])] = Index(k);
  for (std::size_t i = 1; i < 30; ++i)
    EXPECT_EQ(std::abs(place[std::size_t(label[i])] - place[std::size_t(label[i - 1])]), 1);
}

TEST(ContactOrder, ShuffleIsAPermutation) {
  Random random(3);
  std::vector<Index> order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, before = order;
  shuffle(order, random);
  EXPECT_NE(order, before);
  EXPECT_THAT(order, ::testing::UnorderedElementsAreArray(before));
  std::vector<Index> none;
  shuffle(none, random);
  EXPECT_TRUE(none.empty());
}

TEST(Infeasible, IsNeverReportedConverged) {
  // Two walls close in on one body: r grows by one with every sweep for ever. d proves it.
  for (int d : {2, 3}) {
    const ReducedProblem p = tests::squeezed(d);
    Numbers certificate(p.q().size(), 0.0);
    certificate[0] = certificate[std::size_t(d)] = 1;
    EXPECT_TRUE(
        stickslip_verify::check_certificate(d, tests::raw(p.W().to_sparse()), p.q(), p.mu(), certificate)
            .proves_infeasible());
    for (const auto& entry : catalogue()) {
      // The default goes on until it is told that nothing improves, the others for a while.
      const bool patient = entry.label == "auto";
      const SolveResult result =
          solve(p, {.time_limit = 30, .max_iterations = patient ? 1000000 : 3000}, entry.label);
      EXPECT_FALSE(result.converged()) << entry.label;
      EXPECT_GT(result.error(), 0.1) << entry.label;
      if (patient) {
        EXPECT_TRUE(result.status == Status::stalled || result.status == Status::infeasible)
            << name(result.status);
      }
      // Started where rounding hides the load.
      Numbers huge = certificate;
      for (double& x : huge) x *= 1e17;
      const SolveResult fooled =
          solve(p, {.time_limit = 30, .max_iterations = 3000, .guess = huge}, entry.label);
      EXPECT_FALSE(fooled.converged()) << entry.label;
      EXPECT_GT(fooled.error(), 1e-8) << entry.label;
    }
  }
}

}  // namespace
}  // namespace stickslip::internal
