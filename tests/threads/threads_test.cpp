// Threads: the team and its barrier, and solves whose bits do not depend on their number. The thread sanitizer runs this program.
#include <gtest/gtest.h>

#include <atomic>
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
