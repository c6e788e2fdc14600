// Threads: the team and its barrier, and solves whose bits do not depend on their number. The thread sanitizer runs this program.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "base/thread_team.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

TEST(ThreadTeam, EveryThreadWorksOnceARound) {
  for (int size : {1, 2, 3, 7}) {
    ThreadTeam team(size);
    std::vector<int> calls(std::size_t(size), 0);
    for (int round = 0; round < 200; ++round) team.run([&](int thread) { ++calls[std::size_t(thread)]; });
    EXPECT_EQ(calls, std::vector<int>(std::size_t(size), 200));
  }
}

TEST(ThreadTeam, NobodyPassesABarrierBeforeAllHaveCome) {
  constexpr int size = 4, steps = 100;
  ThreadTeam team(size);
  // Each adds up what all wrote in the step before: plain numbers, so that a barrier that leaks is a race.
  std::vector<long> numbers(size, 1), sums(size, 0);
  team.run([&](int thread) {
    for (int step = 0; step < steps; ++step) {
      long sum = 0;
      for (long x : numbers) sum += x;
      sums[std::size_t(thread)] = sum;
      team.barrier();
      numbers[std::size_t(thread)] = sums[std::size_t(thread)] % 1000 + thread;
      team.barrier();
    }
  });
  std::vector<long> expected(size, 1);
  for (int step = 0; step < steps; ++step) {
    long sum = 0;
    for (long x : expected) sum += x;
    for (int thread = 0; thread < size; ++thread) expected[std::size_t(thread)] = sum % 1000 + thread;
  }
  EXPECT_EQ(numbers, expected);
}

TEST(Threads, TheirNumberChangesNoBit) {
  for (int dimension : {2, 3}) {
    const ProblemFile file = generate("manufactured", {.size = 600, .dimension = dimension, .seed = 6});
    for (const char* solver :
         {"gs(order=coloured)", "gs(order=coloured, relaxation=0.8)",
          "gs(order=coloured, local=newton, anderson=5)", "gs(order=coloured, freeze=5)"}) {
      const SolveResult one = solve(file, {.tolerance = 1e-6, .max_iterations = 150}, solver);
      EXPECT_GT(one.iterations, 3) << solver;
      for (int threads : {2, 3, 8}) {
        const SolveResult more =
            solve(file, {.tolerance = 1e-6, .max_iterations = 150, .threads = threads}, solver);
        EXPECT_EQ(more.r, one.r) << solver << ", " << threads << " threads";
        EXPECT_EQ(more.iterations, one.iterations) << solver << ", " << threads << " threads";
      }
    }
  }
}

TEST(Threads, TheirNumberChangesNoBitOfLargeProblems) {
  // From 10,000 contacts on sweeps, sums, the system of the bodies and its fronts are shared out. Cut off early: a step that differs shows at
  // once, and the thread sanitizer is slow. That of the packing has its relaxed path behind it.
  struct Case {
    const char *family, *solver;
    long iterations;
  };
  for (const Case& c : {Case{"wall", "auto", 40}, Case{"arch", "auto", 45},
                        Case{"spheres", "auto(dear_horizon=1, dear_patience=1)", 50},
                        Case{"dome", "admm", 12}, Case{"wall", "proximal", 6}, Case{"tower", "nipm", 4},
                        Case{"blocks", "gs(form=velocity, anderson=5)", 20}}) {
    const ProblemFile file = generate(c.family, {.size = 12500, .load = 0.1, .seed = 85});
    const SolveResult one = solve(file, {.tolerance = 1e-9, .max_iterations = c.iterations}, c.solver);
    ASSERT_GE(one.r.size(), 30000u) << c.family;
    EXPECT_GT(one.iterations, 3) << c.family << ", " << c.solver;
    for (int threads : {2, 3}) {
      const SolveResult more =
          solve(file, {.tolerance = 1e-9, .max_iterations = c.iterations, .threads = threads}, c.solver);
      ASSERT_EQ(more.r.size(), one.r.size());
      EXPECT_EQ(std::memcmp(more.r.data(), one.r.data(), one.r.size() * sizeof(double)), 0)
          << c.family << ", " << c.solver << ", " << threads << " threads";
      EXPECT_EQ(more.iterations, one.iterations)
          << c.family << ", " << c.solver << ", " << threads << " threads";
    }
  }
}

TEST(Threads, SolversOfTheirOwnWorkSideBySide) {
  // No global state: each thread has a solver, all read one problem.
  const ProblemFile file = generate("wall", {.size = 40});
  const SolveResult expected = solve(file);
  std::vector<SolveResult> results(4);
  std::vector<std::thread> threads;
  for (SolveResult& result : results) threads.emplace_back([&] { result = solve(file, {.threads = 2}); });
  for (std::thread& thread : threads) thread.join();
  for (const SolveResult& result : results) EXPECT_EQ(result.r, expected.r);
}

TEST(Threads, ASolveIsCancelledFromAnotherThread) {
  // An error that is never reached, so that the solve would go on; the other thread waits for the first sweeps.
  const ProblemFile file = generate("manufactured", {.size = 400});
  std::atomic<bool> cancel = false, running = false;
  std::thread other([&] {
    while (!running) std::this_thread::yield();
    cancel = true;
  });
  const SolveResult result = solve(file,
                                   {.tolerance = 1e-300,
                                    .threads = 3,
                                    .cancel = &cancel,
                                    .observer = [&](const Progress&) { running = true; }},
                                   "gs(order=coloured)");
  other.join();
  // A solve that stalls at rounding may end before it is told to.
  EXPECT_TRUE(result.status == Status::cancelled || result.status == Status::stalled) << name(result.status);
}

}  // namespace
}  // namespace stickslip::internal
