// The frame of every solver: trivial cases, limits, cancellation, history, best iterate. The solvers here
// only show iterates to the monitor: one follows a script, one iterates r ← P_K(r − ρû).
#include "stickslip/solver.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "cone/project.hpp"
#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/refused.hpp"
#include "solve/method.hpp"
#include "solve/monitor/monitor.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;
using tests::Numbers;
using tests::refusal;

/// r ← P_K(r − ρ û); hands its change over when asked to.
class FixedPoint final : public Method {
 public:
  explicit FixedPoint(double rho = 0.5, bool tells_change = true) : rho_(rho), tells_change_(tells_change) {}

 private:
  void iterate(ContactProblem& given, Monitor& monitor) override {
    const ReducedProblem& p = given.matrix();
    r_.assign(monitor.start().begin(), monitor.start().end());
    u_.resize(r_.size());
    monitor.setup_done();
    for (bool done = false; !done;) {
      p.W().multiply(r_, p.q(), u_);
      double change = 0, size = 0;
      for (std::size_t i = 0; i < std::size_t(p.contacts()); ++i) {
        Vec<3> z = desaxce_shift<3>({u_[3 * i], u_[3 * i + 1], u_[3 * i + 2]}, p.mu()[i]);
        for (std::size_t c = 0; c < 3; ++c) z[c] = r_[3 * i + c] - rho_ * z[c];
        z = project_on_cone<3>(z, p.mu()[i]);
        for (std::size_t c = 0; c < 3; ++c) {
          change += (z[c] - r_[3 * i + c]) * (z[c] - r_[3 * i + c]);
          size += z[c] * z[c];
          r_[3 * i + c] = z[c];
        }
      }
      done = tells_change_ ? monitor.show(r_, size > 0 ? std::sqrt(change / size) : std::sqrt(change))
                           : monitor.show(r_);
    }
  }
  double rho_;
  bool tells_change_;
  Numbers r_, u_;
};

/// Shows the iterates it was given, then ends as told.
class Script final : public Method {
 public:
  explicit Script(std::vector<Numbers> iterates, std::function<void(Monitor&)> end = {})
      : iterates_(std::move(iterates)), end_(std::move(end)) {}

 private:
  void iterate(ContactProblem&, Monitor& monitor) override {
    monitor.setup_done();
    for (const Numbers& r : iterates_)
      if (monitor.show(r)) return;
    if (end_) end_(monitor);
  }
  std::vector<Numbers> iterates_;
  std::function<void(Monitor&)> end_;
};

/// Ten contacts with one solution by diagonal dominance; the fixed point converges linearly.
ReducedProblem dominant(int contacts = 10, std::uint64_t seed = 1) {
  Random random(seed);
  const int n = 3 * contacts;
  tests::Dense W(n, n);
  for (int i = 0; i < n; ++i) {
    W(i, i) = 1;
    const int j = int(random.below(std::uint64_t(n)));
    if (j != i) W(i, j) = W(j, i) = 0.05;
  }
  Numbers q = tests::random_numbers(std::size_t(n), random);
  for (int i = 0; i < contacts; i += 2) q[std::size_t(3 * i)] = -1;
  return {BlockMatrix(tests::sparse(W), 3), q, Numbers(std::size_t(contacts), 0.4)};
}

/// A single contact with W = I, q = (−1, 0, 0), μ = ½: the error of r = (x, 0, 0) is |x − 1|.
ReducedProblem single() { return {BlockMatrix(tests::sparse(tests::identity(3)), 3), {-1, 0, 0}, {0.5}}; }

TEST(Solver, ConvergesAndAgreesWithTheChecker) {
  const ReducedProblem p = dominant();
  for (bool tells : {true, false}) {
    const SolveResult result = FixedPoint(0.5, tells).solve(p);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_LE(result.error(), 1e-8);
    EXPECT_TRUE(result.message.empty());
    const auto report = tests::judge(p, result.r);
    EXPECT_NEAR(result.error(), report.error, 1e-6 * report.error + 1e-15);
    EXPECT_LE(tests::difference(result.u, report.u), 1e-13);  // sums of a few terms of order 1
    EXPECT_EQ(result.count(ContactStatus::open) + result.count(ContactStatus::stick) +
                  result.count(ContactStatus::slip),
              10u);
    EXPECT_EQ(result.tolerance, 1e-8);
    EXPECT_GT(result.iterations, 1);
  }
}

TEST(Solver, AnExactGuessTakesNoIteration) {
  const ReducedProblem p = dominant();
  FixedPoint solver;
  const SolveResult first = solver.solve(p, {.tolerance = 1e-12});
  ASSERT_TRUE(first.converged());
  const SolveResult again = solver.solve(p, {.tolerance = 1e-12, .guess = first.r});
  EXPECT_TRUE(again.converged());
  EXPECT_EQ(again.iterations, 0);
  EXPECT_EQ(again.r, first.r);
  EXPECT_EQ(again.error(), first.error());
}

TEST(Solver, ZeroContacts) {
  const SolveResult result = FixedPoint().solve(ReducedProblem(BlockMatrix{}, {}, {}));
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.error(), 0);
  EXPECT_TRUE(result.contacts.empty());
}

TEST(Solver, WithoutLoadNothingMoves) {
  const ReducedProblem p(BlockMatrix(tests::sparse(tests::identity(6)), 3), Numbers(6), {0.5, 0});
  const SolveResult result = FixedPoint().solve(p);
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.r, Numbers(6));
  // A guess away from it is led back.
  const SolveResult back = FixedPoint().solve(p, {.guess = Numbers{1, 0.2, 0, 1, 0, 0}});
  EXPECT_TRUE(back.converged());
  EXPECT_LE(largest(tests::column(back.r)),
            1e-7);  // the error is absolute here, and ≥ ‖r‖/√2 or so for W = I
}

TEST(Solver, IterationLimit) {
  const ReducedProblem p = dominant();
  for (long limit : {0L, 1L, 7L}) {
    const SolveResult result = FixedPoint().solve(p, {.tolerance = 1e-14, .max_iterations = limit});
    EXPECT_EQ(result.status, Status::iteration_limit);
    EXPECT_EQ(result.iterations, limit);
    EXPECT_NEAR(result.error(), tests::judge(p, result.r).error, 1e-12);
  }
}

TEST(Solver, TimeLimit) {
  // It never gets there: the tolerance is below rounding. Small problems look at the clock every 16th
  // iteration.
  for (int contacts : {10, 100}) {
    const ReducedProblem p = dominant(contacts);
    Random random(1);
    const SolveResult result = FixedPoint(1e-4).solve(p, {.tolerance = 1e-300, .time_limit = 1e-4});
    EXPECT_EQ(result.status, Status::time_limit) << name(result.status);
    EXPECT_GE(result.timing.total, 1e-4);
    EXPECT_LT(result.timing.total, 5) << "far beyond the limit";
    EXPECT_GT(result.iterations, 0);
  }
}

TEST(Solver, CancelledBeforeItBegins) {
  std::atomic<bool> cancel = true;
  const ReducedProblem p = dominant();
  const SolveResult result = FixedPoint().solve(p, {.cancel = &cancel});
  EXPECT_EQ(result.status, Status::cancelled);
  EXPECT_LE(result.iterations, 1);
  EXPECT_TRUE(std::isfinite(result.error()));
  EXPECT_EQ(result.r.size(), 30u);
}

TEST(Solver, CancelledByItsObserver) {
  std::atomic<bool> cancel = false;
  const ReducedProblem p = dominant();
  const SolveResult result = FixedPoint().solve(
      p, {.tolerance = 1e-14, .history = true, .cancel = &cancel, .observer = [&](const Progress& progress) {
            if (progress.iteration == 5) cancel = true;
          }});
  EXPECT_EQ(result.status, Status::cancelled);
  EXPECT_EQ(result.iterations, 5);
}

TEST(Solver, CancelledFromAnotherThread) {
  std::atomic<bool> cancel = false, running = false;
  const ReducedProblem p = dominant(100);
  std::thread other([&] {
    while (!running) std::this_thread::yield();
    cancel = true;
  });
  const SolveResult result = FixedPoint(1e-6).solve(
      p, {.tolerance = 1e-300, .time_limit = 60, .cancel = &cancel, .observer = [&](const Progress&) {
            running = true;
          }});
  other.join();
  EXPECT_EQ(result.status, Status::cancelled);
}

TEST(Solver, HistoryHoldsEveryIteration) {
  const ReducedProblem p = dominant();
  long calls = 0;
  double smallest = HUGE_VAL;
  const SolveResult result =
      FixedPoint().solve(p, {.history = true, .observer = [&](const Progress& progress) {
                               ++calls;
                               smallest = std::min(smallest, progress.error);
                             }});
  ASSERT_EQ(result.history.size(), std::size_t(result.iterations) + 1) << "the start and each iteration";
  EXPECT_EQ(calls, long(result.history.size()));
  for (std::size_t k = 0; k < result.history.size(); ++k) {
    EXPECT_EQ(result.history[k].iteration, long(k));
    if (k > 0) {
      EXPECT_GE(result.history[k].seconds, result.history[k - 1].seconds);
    }
  }
  EXPECT_LE(result.error(), smallest * (1 + 1e-12));
  EXPECT_TRUE(FixedPoint().solve(p).history.empty());
}

TEST(Solver, ObserverIsCalledOnlyWhereTheErrorWasMeasured) {
  const ReducedProblem p = dominant();
  std::vector<long> seen;
  const SolveResult result = FixedPoint(0.02).solve(
      p, {.observer = [&](const Progress& progress) { seen.push_back(progress.iteration); }});
  ASSERT_GT(result.iterations, 100);
  EXPECT_EQ(seen.front(), 0);
  EXPECT_EQ(seen.back(), result.iterations);
  EXPECT_LT(seen.size(), std::size_t(result.iterations) / 2)
      << "the true error costs a sweep: not at each iteration";
  for (std::size_t k = 1; k < seen.size(); ++k) {
    EXPECT_GT(seen[k], seen[k - 1]);
    EXPECT_LE(seen[k] - seen[k - 1], 50) << "but at least every fifty";
  }
}

TEST(Solver, TheBestIterateIsReturned) {
  // Errors 1 (the start), 0.5, 0.1, 0.7, 3.
  const SolveResult result =
      Script({{0.5, 0, 0}, {1.1, 0, 0}, {1.7, 0, 0}, {4, 0, 0}}).solve(single(), {.history = true});
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_EQ(result.message, "the solver gave up");
  EXPECT_EQ(result.iterations, 4);
  EXPECT_EQ(result.r, (Numbers{1.1, 0, 0}));
  EXPECT_NEAR(result.error(), 0.1, 1e-15);
  ASSERT_EQ(result.history.size(), 5u);
  for (const Progress& p : result.history) EXPECT_LE(result.error(), p.error);
  // When all are worse the start is returned.
  const SolveResult worse = Script({{5, 0, 0}, {6, 0, 0}}).solve(single(), {.guess = Numbers{0.9, 0, 0}});
  EXPECT_EQ(worse.r, (Numbers{0.9, 0, 0}));
}

TEST(Solver, ConvergenceEndsTheIteration) {
  const SolveResult result = Script({{0.5, 0, 0}, {1, 0, 0}, {9, 0, 0}}).solve(single());
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.iterations, 2);
  EXPECT_EQ(result.r, (Numbers{1, 0, 0}));
}

TEST(Solver, ImpulsesThatAreNotFiniteAreAFailureAndNotTheAnswer) {
  for (double bad : {std::nan(""), HUGE_VAL, 1e300}) {
    const SolveResult result = Script({{0.9, 0, 0}, {bad, bad, 0}}).solve(single());
    if (bad == 1e300) {  // finite, but its square is not
      EXPECT_NE(result.status, Status::converged);
    } else {
      EXPECT_EQ(result.status, Status::numerical_failure);
      EXPECT_THAT(result.message, HasSubstr("no longer finite"));
    }
    EXPECT_EQ(result.r, (Numbers{0.9, 0, 0}));
    EXPECT_NEAR(result.error(), 0.1, 1e-15);
  }
}

TEST(Solver, StalledWhenNothingChanges) {
  // Step 0: the impulses stay where they are.
  const SolveResult result = FixedPoint(0).solve(dominant(), {.time_limit = 20});
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_THAT(result.message, HasSubstr("no longer change"));
  EXPECT_LE(result.iterations, 2);
}

TEST(Solver, StalledWhenNothingImproves) {
  // ρ = 2.5 for W = I jumps to and fro for ever.
  const SolveResult result = FixedPoint(2.5).solve(single(), {.time_limit = 60});
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_THAT(result.message, HasSubstr("no progress"));
  EXPECT_LE(result.iterations, 4 * 32768);
}

TEST(Solver, ASolverMayEndWithAReasonOfItsOwn) {
  const SolveResult result = Script({{0.5, 0, 0}}, [](Monitor& m) {
                               m.end(Status::not_applicable, "W must be symmetric");
                             }).solve(single());
  EXPECT_EQ(result.status, Status::not_applicable);
  EXPECT_EQ(result.message, "W must be symmetric");
  EXPECT_EQ(result.r, (Numbers{0.5, 0, 0}));
}

TEST(Solver, ItsOwnEndComesTooLateAfterConvergence) {
  const SolveResult result =
      Script({{1, 0, 0}}, [](Monitor& m) { m.end(Status::numerical_failure, "too late"); }).solve(single());
  EXPECT_TRUE(result.converged());
  EXPECT_TRUE(result.message.empty());
}

TEST(Solver, RefusesBadRequests) {
  const ReducedProblem p = single();
  FixedPoint solver;
  const auto refused = [&](const SolveRequest& request) {
    return refusal([&] { solver.solve(p, request); });
  };
  for (double bad : {0.0, -1e-8, std::nan(""), HUGE_VAL})
    EXPECT_THAT(refused({.tolerance = bad}), HasSubstr("tolerance must be a finite number > 0, got ")) << bad;
  for (double bad : {0.0, -1.0, std::nan("")})
    EXPECT_THAT(refused({.time_limit = bad}), HasSubstr("time limit must be > 0"));
  EXPECT_EQ(refused({.max_iterations = -1}), "max iterations must be ≥ 0, got -1");
  EXPECT_EQ(refused({.threads = 0}), "threads must be ≥ 1, got 0");
  EXPECT_EQ(refused({.guess = Numbers(4)}), "the guess has 4 numbers, expected 3");
  EXPECT_EQ(refused({.guess = Numbers{0, std::nan(""), 0}}), "the guess holds nan; it must be finite");
  EXPECT_EQ(refused({.guess = Numbers{0, 0, HUGE_VAL}}), "the guess holds inf; it must be finite");
  EXPECT_TRUE(solver.solve(p).converged()) << "a refusal does no harm to the solver";
}

TEST(Solver, TheSameObjectGivesTheSameBitsAgain) {
  const ReducedProblem p = dominant(), other = dominant(17, 2);
  FixedPoint solver;
  const SolveResult first = solver.solve(p);
  solver.solve(other);
  const SolveResult again = solver.solve(p);
  EXPECT_EQ(again.r, first.r);
  EXPECT_EQ(again.u, first.u);
  EXPECT_EQ(again.iterations, first.iterations);
  EXPECT_EQ(again.error(), first.error());
}

TEST(Solver, AResultMayBeUsedAgain) {
  const ReducedProblem p = dominant(), smaller = dominant(4, 3);
  FixedPoint solver;
  const SolveResult fresh = solver.solve(p);
  SolveResult used;
  solver.solve(smaller, {.tolerance = 1e-300, .max_iterations = 3, .history = true}, used);
  used.certificate = {1, 2}, used.v = {3}, used.lambda = {4}, used.message = "old";
  solver.solve(p, {}, used);
  EXPECT_EQ(used.r, fresh.r);
  EXPECT_EQ(used.u, fresh.u);
  EXPECT_EQ(used.contacts, fresh.contacts);
  EXPECT_EQ(used.status, fresh.status);
  EXPECT_TRUE(used.history.empty() && used.certificate.empty() && used.v.empty() && used.lambda.empty() &&
              used.message.empty());
  // Its own impulses may be the next guess.
  solver.solve(p, {.guess = used.r}, used);
  EXPECT_EQ(used.iterations, 0);
  EXPECT_EQ(used.r, fresh.r);
}

TEST(Solver, CarriesItsNames) {
  FixedPoint solver;
  solver.set_names("FP", "fixed_point(rho=0.5)");
  const SolveResult result = solver.solve(single());
  EXPECT_EQ(result.solver, "FP");
  EXPECT_EQ(result.solver_used, "fixed_point(rho=0.5)");
  const std::string report = result.report();
  EXPECT_THAT(report, HasSubstr("converged in "));
  EXPECT_THAT(report, HasSubstr("FP = fixed_point(rho=0.5)"));
  EXPECT_THAT(report, HasSubstr("0 open, 1 stick, 0 slip"));
}

TEST(Solver, GlobalFormGivesVelocitiesToo) {
  // A unit mass falls on the ground with (−1, 0.1, 0): it stays.
  const GlobalProblem p(3, tests::sparse(tests::identity(3)), tests::sparse(tests::identity(3)), {-1, 0.1, 0},
                        Numbers(3), {0.5});
  const SolveResult result = FixedPoint().solve(p, {.tolerance = 1e-12});
  EXPECT_TRUE(result.converged());
  ASSERT_EQ(result.v.size(), 3u);
  EXPECT_LE(largest(tests::column(result.v)), 1e-11);  // u = v here, and the error bounds u
  EXPECT_TRUE(result.lambda.empty());
  EXPECT_GE(result.timing.total, result.timing.setup + result.timing.factorisation);
  EXPECT_THAT(refusal([&] { FixedPoint().solve(p, {.time_limit = -1}); }),
              HasSubstr("time limit must be > 0"));
}

TEST(Status, HasANameForEachValue) {
  for (Status s : {Status::converged, Status::converged_reduced, Status::stalled, Status::iteration_limit,
                   Status::time_limit, Status::infeasible, Status::not_applicable, Status::numerical_failure,
                   Status::cancelled})
    EXPECT_NE(name(s), "?");
  EXPECT_EQ(name(Status::iteration_limit), "iteration_limit");
}

// A problem without solution: as r grows along d, W r + q rounds q away, and the computed error with it.
TEST(RoundingGuard, AHugeGuessIsNotAccepted) {
  const ReducedProblem p = tests::squeezed(3);
  const Numbers huge = {1e17, 0, 0, 1e17, 0, 0};
  const SolveResult result = Script({huge}).solve(p, {.guess = huge});
  EXPECT_FALSE(result.converged());
  EXPECT_GT(result.error(), 1e-8);
  EXPECT_THAT(result.message, ::testing::Not(::testing::IsEmpty()));
}

TEST(RoundingGuard, WhatRoundingHidesIsNotTheBestIterate) {
  // The honest start has the error 1; at 1e17·d the computed error is 0, but rounding hides more than 10.
  const ReducedProblem p = tests::squeezed(3);
  const SolveResult result = Script({{1e17, 0, 0, 1e17, 0, 0}}).solve(p, {.history = true});
  EXPECT_FALSE(result.converged());
  EXPECT_NEAR(result.error(), 1, 1e-12);
  for (const Progress& seen : result.history) EXPECT_LE(result.error(), seen.error * (1 + 1e-12));
}

}  // namespace
}  // namespace stickslip::internal
