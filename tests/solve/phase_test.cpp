// Phases of the monitor: a solve made of several methods, each with limits of its own.
#include <gmock/gmock.h>

#include <cmath>

#include "problems/dense.hpp"
#include "solve/method.hpp"
#include "solve/monitor/monitor.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

using tests::Numbers;

/// A solver that is what it is told to be.
class Told final : public Method {
 public:
  explicit Told(std::function<void(Monitor&)> work) : work_(std::move(work)) {}

 private:
  void iterate(ContactProblem&, Monitor& monitor) override { work_(monitor); }
  std::function<void(Monitor&)> work_;
};

/// W = I, q = (−1, 0, 0), μ = ½: the error of r = (1 + e, 0, 0) is |e|.
SolveResult solve(const std::function<void(Monitor&)>& work, const SolveRequest& request = {}) {
  return Told(work).solve(
      ReducedProblem(BlockMatrix(tests::sparse(tests::identity(3)), 3), {-1, 0, 0}, {0.5}), request);
}
Numbers off_by(double e) { return {1 + e, 0, 0}; }

/// Shows errors that fall by `factor` an iteration until the monitor says stop; how many it took.
long show_falling(Monitor& monitor, double factor, long most = 1000) {
  double e = 0.5;
  for (long k = 1; k <= most; ++k, e *= factor)
    if (monitor.show(off_by(e))) return k;
  return most + 1;
}

TEST(Finer, GoesOnWhileIterationsHalveTheError) {
  const SolveRequest request{.tolerance = 1e-2, .finer_iterations = 3, .finer_tolerance = 1e-6};
  // Down to the finer tolerance; to where it stands; and to the tolerance where it stood above that.
  EXPECT_LE(solve([](Monitor& m) { show_falling(m, 0.5); }, request).error(), 1e-6);
  const auto standing_at = [&](double e, double later) {
    return solve(
        [&](Monitor& m) {
          long k = 0;
          while (!m.show(off_by(++k > 9 ? later : e))) ASSERT_LT(k, 20);
        },
        request);
  };
  const SolveResult below = standing_at(5e-3, 0), above = standing_at(2e-2, 9e-3);
  EXPECT_TRUE(below.converged());
  EXPECT_EQ(below.iterations, 4);  // three after the one that halved it last
  EXPECT_NEAR(below.error(), 5e-3, 1e-12);
  EXPECT_TRUE(above.converged());
  EXPECT_EQ(above.iterations, 10);
  EXPECT_NEAR(above.error(), 9e-3, 1e-12);
}

TEST(Finer, HoldsTheToleranceWhereALimitEndsIt) {
  const auto ended = [](double e) {
    return solve([&](Monitor& m) { m.show(off_by(e)), m.show(off_by(e)); },
                 {.tolerance = 1e-2, .max_iterations = 2, .finer_iterations = 50, .finer_tolerance = 1e-6});
  };
  EXPECT_EQ(ended(5e-3).status, Status::converged);
  EXPECT_EQ(ended(2e-2).status, Status::iteration_limit);
  EXPECT_THROW(solve([](Monitor&) {}, {.finer_iterations = 1}), InputError);
}

TEST(Phase, EndsAfterItsIterationsAndTheSolveGoesOnFromTheBestIterate) {
  const SolveResult result = solve([](Monitor& m) {
    m.start_phase({.iterations = 3});
    EXPECT_FALSE(m.show(off_by(0.4)));
    EXPECT_FALSE(m.show(off_by(0.1)));
    EXPECT_TRUE(m.show(off_by(0.7)));
    EXPECT_TRUE(m.stopped());
    EXPECT_FALSE(m.end_phase());
    EXPECT_FALSE(m.stopped());
    EXPECT_EQ(Numbers(m.start().begin(), m.start().end()), off_by(0.1));
    m.start_phase({.iterations = 5});
    EXPECT_FALSE(m.show(off_by(0.05))) << "counted from the start of the phase";
    EXPECT_TRUE(m.show(off_by(0)));
    EXPECT_TRUE(m.end_phase()) << "converged inside a phase: over";
  });
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.iterations, 5);
  EXPECT_EQ(result.r, off_by(0));
  EXPECT_TRUE(result.message.empty());
}

TEST(Phase, KeepsTheLimitsOfTheRequest) {
  const SolveResult result = solve(
      [](Monitor& m) {
        m.start_phase({.iterations = 2});
        show_falling(m, 0.9);
        EXPECT_FALSE(m.end_phase());
        m.start_phase({.iterations = 2});
        EXPECT_EQ(show_falling(m, 0.9), 1);
        EXPECT_TRUE(m.end_phase());
      },
      {.max_iterations = 3});
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_EQ(result.iterations, 3);

  const SolveResult late = solve(
      [](Monitor& m) {
        m.start_phase({.seconds = 1e9});
        show_falling(m, 1);
        EXPECT_TRUE(m.end_phase());
      },
      {.time_limit = 1e-9});
  EXPECT_EQ(late.status, Status::time_limit);
}

TEST(Phase, EndsAfterItsSeconds) {
  const SolveResult result = solve([](Monitor& m) {
    m.start_phase({.seconds = 1e-9});
    EXPECT_LE(show_falling(m, 1), 16) << "a small problem looks at the clock every 16 iterations";
    EXPECT_FALSE(m.end_phase());
    m.start_phase({.seconds = 1e-9});
    EXPECT_TRUE(m.over());
    EXPECT_FALSE(m.end_phase());
    EXPECT_TRUE(m.show(off_by(0))) << "no deadline is left behind";
  });
  EXPECT_TRUE(result.converged());
}

TEST(Phase, EndsWhenTheRatePromisesNoEndWithinTheHorizon) {
  const SolveResult result = solve([](Monitor& m) {
    m.start_phase({.horizon = 100});
    EXPECT_EQ(show_falling(m, 0.99), 8) << "some 1800 iterations to 1e-8";
    EXPECT_FALSE(m.end_phase());
    m.start_phase({.horizon = 100});
    EXPECT_EQ(show_falling(m, 1.2), 8) << "no rate at all";
    EXPECT_FALSE(m.end_phase());
    m.start_phase({.horizon = 100});
    EXPECT_EQ(show_falling(m, 0.5), 27) << "0.5·2⁻²⁶ < 1e-8: stays to the end";
    EXPECT_TRUE(m.end_phase());
  });
  EXPECT_TRUE(result.converged());
}

TEST(Phase, AMethodThatGivesUpEndsItsPhaseOnly) {
  const SolveResult result = solve([](Monitor& m) {
    m.start_phase({});
    m.show(off_by(0.2));
    m.end(Status::stalled, "no way");
    EXPECT_FALSE(m.end_phase());
    m.start_phase({});
    m.show(Numbers{std::nan(""), 0, 0});
    EXPECT_TRUE(m.stopped());
    EXPECT_FALSE(m.end_phase());
    EXPECT_EQ(Numbers(m.start().begin(), m.start().end()), off_by(0.2));
    m.end(Status::stalled, "tried both");
  });
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_EQ(result.message, "tried both");
  EXPECT_EQ(result.r, off_by(0.2));
  EXPECT_EQ(result.worst_contacts, std::vector<Index>{0});
}

TEST(Phase, CancellationAndACertificateEndTheSolve) {
  std::atomic<bool> cancel = false;
  const SolveResult cancelled = solve(
      [&](Monitor& m) {
        m.start_phase({.iterations = 10});
        cancel = true;
        EXPECT_TRUE(m.show(off_by(0.3)));
        EXPECT_TRUE(m.end_phase());
      },
      {.cancel = &cancel});
  EXPECT_EQ(cancelled.status, Status::cancelled);
  const SolveResult none = solve([](Monitor& m) {
    m.start_phase({});
    m.infeasible({1, 0, 0});
    EXPECT_TRUE(m.end_phase());
  });
  EXPECT_EQ(none.status, Status::infeasible);
  EXPECT_EQ(none.certificate, (Numbers{1, 0, 0}));
}

TEST(Phase, ZeroIsPreferredToAGuessThatIsWorse) {
  const auto start_for = [](double e) {
    Numbers start;
    const Numbers guess = off_by(e);
    solve(
        [&](Monitor& m) {
          m.prefer_zero();
          start.assign(m.start().begin(), m.start().end());
        },
        {.guess = guess});
    return start;
  };
  EXPECT_EQ(start_for(5), Numbers(3));     // zero has the error 1
  EXPECT_EQ(start_for(1.5), off_by(1.5));  // worse, but not by a factor of two
  EXPECT_EQ(start_for(0.5), off_by(0.5));
}

TEST(Phase, NotesAreKeptWhereTheyWereAskedFor) {
  const auto work = [](Monitor& m) { m.note("a line"), m.used("a method"), m.show(off_by(0)); };
  EXPECT_EQ(solve(work, {.explain = true}).explanation, std::vector<std::string>{"a line"});
  EXPECT_TRUE(solve(work).explanation.empty());
  EXPECT_EQ(solve(work).stage, "a method");
}

}  // namespace
}  // namespace stickslip::internal
