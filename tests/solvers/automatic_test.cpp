// auto: guesses, repetition, verdicts that depend neither on units nor on how the contacts are written down.
#include "solvers/automatic/automatic.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/tiny.hpp"
#include "solvers/automatic/stages.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using tests::Numbers;

struct Small {
  std::string family;
  GenerateRequest request;
};

/// Problems of some thirty contacts, hyperstatic ones among them.
const std::vector<Small>& small_problems() {
  static const std::vector<Small> all = {
      {"stack", {.size = 30}},
      {"wall", {.size = 40}},
      {"arch", {.size = 32}},
      {"tower", {.size = 32}},
      {"spheres", {.size = 40}},
      {"boxes", {.size = 40}},
      {"pyramid", {.size = 36}},
      {"rover", {}},
      {"gripper", {}},
      {"local", {}},
      {"elastic_cubes", {.size = 12}},
      {"manufactured_unsymmetric", {.size = 20}},
  };
  return all;
}

ReducedProblem make(const Small& small) { return tests::reduced(generate(small.family, small.request)); }

/// Generous: each takes milliseconds.
SolveRequest within_limits() { return {.time_limit = 20}; }

/// The verdict of `auto`, the error recomputed by independent code.
void expect_solved(const ReducedProblem& p, const std::string& what) {
  const SolveResult result = solve(p, within_limits());
  EXPECT_TRUE(result.converged()) << what << ": " << name(result.status) << ' ' << result.error() << ' '
                                  << result.message;
  EXPECT_LE(tests::judge(p, result.r).error, 1.001e-8) << what;
}

/// α·(P W Pᵀ), β·(P q) with the contacts `from` in turn: permutations, duplicates, other units.
ReducedProblem rewritten(const ReducedProblem& p, const std::vector<Index>& from, double alpha = 1,
                         double beta = 1) {
  const Index d = p.dimension(), rows = Index(from.size()) * d;
  const tests::Dense W(p.W().to_sparse());
  std::vector<Triplet> entries;
  Numbers q, mu;
  for (Index i = 0; i < rows; ++i) {
    const Index a = from[std::size_t(i / d)] * d + i % d;
    q.push_back(beta * p.q()[std::size_t(a)]);
    if (i % d == 0) mu.push_back(p.mu()[std::size_t(a / d)]);
    for (Index j = 0; j < rows; ++j)
      if (const double x = double(W(a, from[std::size_t(j / d)] * d + j % d)); x != 0)
        entries.push_back({i, j, alpha * x});
  }
  return {BlockMatrix(SparseMatrix(rows, rows, entries), p.dimension()), q, mu};
}

std::vector<Index> all_contacts(const ReducedProblem& p) {
  std::vector<Index> contacts(std::size_t(p.contacts()));
  std::iota(contacts.begin(), contacts.end(), 0);
  return contacts;
}

TEST(Automatic, SolvesTheSmallFamilies) {
  for (const Small& small : small_problems()) expect_solved(make(small), small.family);
}

TEST(Automatic, IsNotTrappedByTheBestError) {
  // A thin arch pushed sideways: the proximal point solves it from zero, but not from a point of small error.
  const ProblemFile file = generate("arch", {.size = 700, .load = 0.4, .seed = 6});
  for (const char* solver : {"auto", "auto(lease=10, lease_per_contact=0)"}) {
    const SolveResult result = solve(file, {.max_iterations = 10000}, solver);
    EXPECT_TRUE(result.converged()) << solver << ": " << result.error();
    EXPECT_LE(tests::judge(file, result.r).error, 1.001e-8);
  }
}

TEST(Automatic, DoesNotDependOnUnits) {
  // Masses by 1/α, lengths over times by β.
  for (const Small& small : small_problems()) {
    const ReducedProblem p = make(small);
    for (const double alpha : {1e-6, 1e6})
      for (const double beta : {1e-6, 1e6})
        expect_solved(rewritten(p, all_contacts(p), alpha, beta),
                      small.family + ", W·" + std::to_string(alpha) + ", q·" + std::to_string(beta));
  }
}

TEST(Automatic, DoesNotDependOnTheOrderOfContacts) {
  for (const Small& small : small_problems()) {
    const ReducedProblem p = make(small);
    auto order = all_contacts(p);
    std::reverse(order.begin(), order.end());
    expect_solved(rewritten(p, order), small.family + ", reversed");
    Random random(3);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    expect_solved(rewritten(p, order), small.family + ", shuffled");
  }
}

TEST(Automatic, DoesNotDependOnTheTangents) {
  for (const Small& small : small_problems()) {
    const ReducedProblem p = make(small);
    if (p.dimension() != 3) continue;
    const int n = int(p.q().size());
    Random random(4);
    tests::Dense Q(n, n);
    for (int i = 0; i < n; i += 3) {
      const double angle = random.uniform(0, 2 * M_PI), c = std::cos(angle), s = std::sin(angle);
      Q(i, i) = 1;
      Q(i + 1, i + 1) = Q(i + 2, i + 2) = c;
      Q(i + 1, i + 2) = -s, Q(i + 2, i + 1) = s;
    }
    const tests::Dense Qt = transpose(Q);
    expect_solved({BlockMatrix(tests::sparse(Qt * tests::Dense(p.W().to_sparse()) * Q), 3),
                   tests::numbers(Qt * tests::column(p.q())),
                   {p.mu().begin(), p.mu().end()}},
                  small.family);
  }
}

TEST(Automatic, TakesDuplicatedContacts) {
  for (const Small& small : small_problems()) {
    const ReducedProblem p = make(small);
    auto contacts = all_contacts(p);
    const auto once = contacts;
    contacts.insert(contacts.end(), once.begin(), once.end());
    expect_solved(rewritten(p, contacts), small.family + ", each contact twice");
    contacts.insert(contacts.end(), 3, once[0]);
    expect_solved(rewritten(p, contacts), small.family + ", the first five times");
  }
}

TEST(Automatic, TakesFrictionFromNoneToTen) {
  for (const char* family : {"stack", "wall", "arch", "tower", "spheres", "boxes", "rover", "gripper"})
    for (const double mu : {0.0, 1e-3, 0.1, 1.0, 3.0, 10.0}) {
      GenerateRequest request{.mu = mu};
      if (std::string(family) != "rover" && std::string(family) != "gripper") request.size = 32;
      expect_solved(make({family, request}), std::string(family) + ", μ = " + std::to_string(mu));
    }
}

TEST(Automatic, TakesMassRatiosToAMillion) {
  // Bodies have six degrees of freedom; M is block diagonal, f = M·v_free goes with it.
  for (const char* family : {"stack", "wall", "arch", "tower", "spheres", "boxes"}) {
    const ProblemFile file = generate(family, {.size = 32});
    const auto& p = std::get<GlobalProblem>(file.problem);
    for (const double ratio : {1e-6, 1e-3, 1e3, 1e6}) {
      const auto factor = [&](Index dof) { return dof / 6 % 2 == 0 ? 1.0 : ratio; };
      auto M = p.M().triplets();
      Numbers f(p.f().begin(), p.f().end());
      for (Triplet& e : M) e.value *= factor(e.row);
      for (std::size_t i = 0; i < f.size(); ++i) f[i] *= factor(Index(i));
      const GlobalProblem other(p.dimension(), SparseMatrix(p.M().rows(), p.M().columns(), M), p.H(), f,
                                {p.w().begin(), p.w().end()}, {p.mu().begin(), p.mu().end()});
      expect_solved(Reduction(other).reduced(),
                    std::string(family) + ", every other mass times " + std::to_string(ratio));
    }
  }
}

TEST(Automatic, AnswersContactsThatDoNotFeelEachOtherAtOnce) {
  // Blocks of W along the diagonal only: stick, slip, take-off; the same answer as by sweeps.
  for (int d : {2, 3}) {
    std::vector<Triplet> entries;
    std::vector<double> q;
    for (Index i = 0; i < 40; ++i)
      for (Index a = 0; a < d; ++a) {
        entries.push_back({i * d + a, i * d + a, 1.0 + 0.3 * a + 0.01 * i});
        q.push_back(a == 0 ? (i % 5 == 0 ? 1.0 : -1.0) : 0.05 * double(i));
      }
    const ReducedProblem problem(BlockMatrix(SparseMatrix(40 * d, 40 * d, entries), d), q,
                                 std::vector<double>(40, 0.5));
    const SolveResult at_once = solve(problem), by_sweeps = solve(problem, {}, "NSGS-EXACT");
    EXPECT_EQ(at_once.stage, "direct");
    EXPECT_EQ(at_once.solver, "auto");
    EXPECT_TRUE(at_once.converged() && at_once.error() <= 1e-14);
    EXPECT_EQ(at_once.contacts, by_sweeps.contacts);
    for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(at_once.r[k], by_sweeps.r[k], 1e-14);
    long shown = 0;
    const SolveResult watched =
        solve(problem, {.history = true, .observer = [&](const Progress&) { ++shown; }});
    EXPECT_EQ(watched.stage, "direct") << "whoever looks on";
    EXPECT_EQ(watched.r, at_once.r);
    EXPECT_EQ(shown, 1);
    EXPECT_EQ(watched.history.size(), 1u);
  }
}

TEST(Automatic, TheDirectAnswerLeavesNothingOfAnEarlierSolve) {
  Solver solver("auto");
  SolveResult result;
  solver.solve(tests::reduced(generate("infeasible")), {.explain = true}, result);
  ASSERT_EQ(result.status, Status::infeasible);
  const double A[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1};
  solver.solve(ReducedProblem(BlockMatrix(3, {0, 0}, {}, {}, {A, A + 9}), {-1, 0, 0}, {0.5}), {}, result);
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.r, (std::vector<double>{0.5, 0, 0}));
  EXPECT_EQ(result.u.size(), 3u);
  EXPECT_EQ(result.contacts.size(), 1u);
  EXPECT_TRUE(result.certificate.empty() && result.explanation.empty() && result.message.empty() &&
              result.worst_contacts.empty());
}

TEST(Automatic, AnExactGuessTakesNoIteration) {
  for (const Small& small : small_problems()) {
    const ReducedProblem p = make(small);
    const SolveResult first = solve(p, within_limits());
    ASSERT_TRUE(first.converged()) << small.family;
    const SolveResult again = solve(p, {.guess = first.r});
    EXPECT_TRUE(again.converged()) << small.family;
    EXPECT_EQ(again.iterations, 0) << small.family;
    EXPECT_EQ(again.r, first.r) << small.family;
  }
}

TEST(Automatic, ANearGuessGains) {
  // The next time step: the free velocities changed by some 1e-4, which leaves q where bodies can bring it.
  long cold = 0, warm = 0;
  for (const Small& small : small_problems()) {
    const ProblemFile file = generate(small.family, small.request);
    if (!file.is_global()) continue;
    const auto& p = std::get<GlobalProblem>(file.problem);
    Random random(5);
    Numbers f(p.f().begin(), p.f().end());
    for (double& x : f) x *= 1 + 1e-4 * random.uniform(-1, 1);
    const GlobalProblem next(p.dimension(), p.M(), p.H(), f, {p.w().begin(), p.w().end()},
                             {p.mu().begin(), p.mu().end()}, p.G(), {p.b().begin(), p.b().end()});
    const SolveResult before = solve(p, within_limits()), a = solve(next, within_limits()),
                      b = solve(next, {.time_limit = 20, .guess = before.r});
    EXPECT_TRUE(a.converged() && b.converged()) << small.family << ' ' << a.error() << ' ' << b.error();
    cold += a.iterations;
    warm += b.iterations;
  }
  EXPECT_LT(warm, cold) << "over all families";
}

TEST(Automatic, ZeroIsPreferredToAGuessThatIsWorse) {
  for (const Small& small : small_problems()) {
    const ReducedProblem p = make(small);
    Random random(6);
    Numbers guess(p.q().size());
    for (double& x : guess) x = 1e6 * p.q_norm() * random.uniform(0.5, 1);
    const SolveResult cold = solve(p, within_limits()),
                      led_astray = solve(p, {.time_limit = 20, .guess = guess});
    EXPECT_EQ(led_astray.r, cold.r) << small.family;
    EXPECT_EQ(led_astray.iterations, cold.iterations) << small.family;
  }
}

TEST(Automatic, TheSameBitsEachTimeWithAnyNumberOfThreads) {
  for (const Small& small : small_problems()) {
    const ReducedProblem p = make(small);
    Solver solver("auto");
    const SolveResult first = solver.solve(p, within_limits());
    for (const int threads : {1, 2, 4}) {
      const SolveRequest request{.time_limit = 20, .threads = threads};
      for (const SolveResult& again : {solver.solve(p, request), solve(p, request)}) {
        EXPECT_EQ(again.r, first.r) << small.family << ' ' << threads;
        EXPECT_EQ(again.iterations, first.iterations) << small.family << ' ' << threads;
      }
    }
  }
}

TEST(Automatic, ProblemsWithoutASolutionAreProvedToHaveNone) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ReducedProblem p = make({"infeasible", {.seed = seed}});
    const SolveResult result = solve(p, within_limits());
    ASSERT_EQ(result.status, Status::infeasible) << seed << ' ' << result.message;
    EXPECT_TRUE(stickslip_verify::check_certificate(p.dimension(), tests::raw(p.W().to_sparse()), p.q(),
                                                    p.mu(), result.certificate)
                    .proves_infeasible())
        << seed;
  }
}

TEST(Automatic, SaysWhatItTriedWhereItStalls) {
  // No method gets below rounding; leases are short so that it gives up at once.
  const SolveRequest request{.tolerance = 1e-18, .time_limit = 60, .explain = true};
  const ReducedProblem p = make({"arch", {.size = 32}});
  const SolveResult result = solve(p, request, "automatic(lease=1, rounds=1)");
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_THAT(result.message, StartsWith("tried sweeps, newton, mixing, proximal"));
  EXPECT_EQ(result.worst_contacts.size(), 3u);
  EXPECT_THAT(result.report(), HasSubstr("largest at       contacts "));
  EXPECT_LE(result.error(), 1e-8) << "the best point all the same";
  ASSERT_GE(result.explanation.size(), 3u);
  EXPECT_THAT(result.explanation[0], StartsWith("sweeps: 8 iterations"));
  EXPECT_THAT(result.explanation[1], StartsWith("newton: "));

  // Two islands: the message is that of the island, the contacts are those of the whole.
  const Index n = p.contacts();
  std::vector<Triplet> entries;
  Numbers q, mu;
  for (const Index shift : {0, 3 * n}) {
    for (const Triplet& e : p.W().to_sparse().triplets())
      entries.push_back({e.row + shift, e.column + shift, e.value});
    q.insert(q.end(), p.q().begin(), p.q().end());
    mu.insert(mu.end(), p.mu().begin(), p.mu().end());
  }
  const SolveResult both = solve(ReducedProblem(BlockMatrix(SparseMatrix(6 * n, 6 * n, entries), 3), q, mu),
                                 request, "automatic(lease=1, rounds=1)");
  EXPECT_EQ(both.status, Status::stalled);
  EXPECT_THAT(both.message, StartsWith("the island of contact "));
  EXPECT_THAT(both.message, HasSubstr("stalled, tried sweeps"));
  ASSERT_GE(both.explanation.size(), 2u);
  EXPECT_THAT(both.explanation[0], StartsWith("sweeps: ")) << "over the whole";
  EXPECT_THAT(both.explanation[1], StartsWith("island of contact "));
}

TEST(Automatic, ExplainsItselfOnlyWhenAsked) {
  const ReducedProblem p = make({"stack", {.size = 30}});
  EXPECT_TRUE(solve(p).explanation.empty());
  const SolveResult result = solve(p, {.explain = true});
  ASSERT_FALSE(result.explanation.empty());
  EXPECT_THAT(result.explanation[0], StartsWith("sweeps: "));
  EXPECT_THAT(result.explanation.back(), StartsWith(result.stage + ": "));
}

TEST(Automatic, YieldingThatHalvesTheErrorGoesOn) {
  // In the round where it began, from where it ended, and as long as in the next round.
  const internal::AutomaticOptions options;
  internal::Situation situation{.options = options, .contacts = 733, .formed = true, .lease = 1000};
  situation.round = 2;
  const auto goes_on = [&](const internal::Stage& stage) {
    return stage.part == internal::Stage::Part::yielding && stage.first_round <= situation.round &&
           situation.round <= stage.last_round && stage.start == internal::Stage::Start::resume &&
           stage.when(situation);
  };
  const auto stages = internal::stages();
  EXPECT_EQ(std::ranges::count_if(stages, goes_on), 0);
  situation.yielded = true;
  const auto found = std::ranges::find_if(stages, goes_on);
  ASSERT_NE(found, stages.end());
  EXPECT_EQ(found->phase(situation).iterations, situation.lease * options.growth * options.yielding);
  ASSERT_NE(found, stages.begin());
  EXPECT_EQ(std::prev(found)->part, internal::Stage::Part::yielding) << "nothing comes between";
}

TEST(Automatic, MixingGoesOnWhereFactorsCostMoreThanItsSweeps) {
  const internal::AutomaticOptions options;
  internal::Situation situation{
      .options = options, .contacts = 100000, .formed = false, .lease = 0, .redundant = true};
  const auto stages = internal::stages();
  const auto taken = [&](internal::Stage::Part part) {
    return std::ranges::find_if(stages, [&](const internal::Stage& stage) {
      return stage.part == part && stage.route == internal::Stage::Route::bodies &&
             stage.first_round == stage.last_round && stage.first_round < 0 && stage.when(situation);
    });
  };
  situation.step_in_sweeps = situation.factorisation_in_sweeps = options.penalty_factors;
  EXPECT_NE(taken(internal::Stage::Part::penalty), stages.end());
  const auto short_patience = taken(internal::Stage::Part::mixing)->phase(situation).horizon;
  situation.step_in_sweeps = situation.factorisation_in_sweeps = 1.01 * options.penalty_factors;
  EXPECT_EQ(taken(internal::Stage::Part::penalty), stages.end());
  EXPECT_GT(taken(internal::Stage::Part::mixing)->phase(situation).horizon, 2 * short_patience);
  // Unless conjugate gradients take the place of the factors.
  situation.by_products = true;
  situation.direct = false;
  situation.product_in_sweeps = 0.05;
  EXPECT_NE(taken(internal::Stage::Part::penalty), stages.end());
  EXPECT_LT(taken(internal::Stage::Part::mixing)->phase(situation).horizon, options.penalty_factors);
}

TEST(Automatic, HeapsWhoseFactorsAreLargeTakeAlternatingDirectionsByProducts) {
  const ProblemFile file = generate("boxes", {.size = 100000, .load = 0.2, .seed = 5});
  const SolveResult result = solve(file, {.tolerance = 1e-6, .max_iterations = 200});
  EXPECT_EQ(result.stage, "admm");
  EXPECT_LE(tests::judge(file, result.r).error, 1e-6);
}

TEST(Automatic, IsTheDefault) {
  EXPECT_EQ(solve(make({"stack", {.size = 8}})).solver, "auto");
  EXPECT_EQ(solve(generate("incline")).solver, "auto");
}

TEST(Automatic, StartsLargeProblemsFromTheCentreOfTheRelaxation) {
  // A packing, whose path goes by conjugate gradients, and an arch, whose path has factors. Sweeps and mixing alone need tens of
  // thousands of sweeps for either.
  for (const auto& [family, size] : {std::pair<std::string, Index>{"spheres", 1500}, {"arch", 800}}) {
    const ProblemFile file = generate(family, {.size = size, .load = 0.2, .seed = 64});
    SolveRequest request{.tolerance = 1e-8, .max_iterations = 20000};
    request.explain = true;
    const SolveResult result = solve(file, request);
    EXPECT_TRUE(result.converged()) << family << ": " << result.error();
    EXPECT_THAT(result.explanation, testing::Contains(StartsWith("relaxed: "))) << family;
  }
}

TEST(Automatic, LooksForAProofAfterTheDomainsOfAPacking) {
  // For want of digits the path of this packing does not arrive. The proof would cost more than all the rest, and there is none.
  const ProblemFile file = generate("spheres", {.size = 5000, .load = 0.2, .seed = 171});
  SolveRequest request{.tolerance = 1e-8, .max_iterations = 20000};
  request.explain = true;
  const SolveResult result = solve(file, request);
  EXPECT_LE(tests::judge(file, result.r).error, 1e-8);
  EXPECT_THAT(result.explanation, testing::Contains(StartsWith("domains: ")));
  EXPECT_THAT(result.explanation, testing::Not(testing::Contains(StartsWith("proof: "))));
}

}  // namespace
}  // namespace stickslip::internal
