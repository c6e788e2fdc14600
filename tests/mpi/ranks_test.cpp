// Run by mpirun with any number of processes: MPI's messages and sums, and solves with the bits of one process. Every process runs every test.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "distributed/together.hpp"
#include "mpi/mpi_ranks.hpp"
#include "problems/random_cut.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

TEST(MpiRanks, SumsAndMaxima) {
  MpiRanks ranks(MPI_COMM_WORLD);
  const std::int64_t n = ranks.size();
  std::int64_t x[2] = {ranks.rank(), -1};
  ranks.add(x);
  EXPECT_EQ(x[0], n * (n - 1) / 2);
  EXPECT_EQ(x[1], -n);
  double y[2] = {double(ranks.rank()), -double(ranks.rank())};
  ranks.largest(y);
  EXPECT_EQ(y[0], double(n - 1));
  EXPECT_EQ(y[1], 0);
}

/// Long enough that all meet first.
TEST(MpiRanks, LongSumsAndMaxima) {
  MpiRanks ranks(MPI_COMM_WORLD);
  const std::int64_t n = ranks.size();
  std::vector<std::int64_t> x(10000, ranks.rank());
  std::vector<double> y(10000, -double(ranks.rank()));
  x[9999] = 1;
  y[0] = double(ranks.rank());
  ranks.add(x);
  ranks.largest(y);
  EXPECT_EQ(x[0], n * (n - 1) / 2);
  EXPECT_EQ(x[9999], n);
  EXPECT_EQ(y[0], double(n - 1));
  EXPECT_EQ(y[9999], 0);
}

TEST(MpiRanks, ExactSumsOfAllRanks) {
  // 1, 1e300 and −1e300 from three ranks, or from those there are.
  MpiRanks ranks(MPI_COMM_WORLD);
  ExactSum sum;
  const double numbers[3] = {1, 1e300, -1e300};
  for (int k = 0; k < 3; ++k)
    if (k % ranks.size() == ranks.rank()) sum.add(numbers[k]);
  add_up(&ranks, {&sum});
  EXPECT_EQ(sum.value(), 1);
}

TEST(MpiRanks, EverybodyWritesToEverybody) {
  MpiRanks ranks(MPI_COMM_WORLD);
  const int n = ranks.size();
  std::vector<std::vector<double>> out, in;
  std::vector<Ranks::Outgoing> leaving;
  std::vector<Ranks::Incoming> arriving;
  for (int other = 0; other < n; ++other) {
    // Long enough that MPI waits for the receiver, and that they go in pieces.
    out.emplace_back(200000 + other, double(100 * ranks.rank() + other));
    in.emplace_back(200000 + ranks.rank());
  }
  for (int other = 0; other < n; ++other) {
    leaving.push_back({other, std::as_bytes(std::span(out[std::size_t(other)]))});
    arriving.push_back({other, std::as_writable_bytes(std::span(in[std::size_t(other)]))});
  }
  ranks.exchange(leaving, arriving);
  for (int other = 0; other < n; ++other)
    EXPECT_EQ(in[std::size_t(other)],
              std::vector<double>(std::size_t(200000 + ranks.rank()), double(100 * other + ranks.rank())));
  EXPECT_EQ(ranks.traffic().messages, n);
}

TEST(MpiRanks, TheirNumberChangesNoBit) {
  MpiRanks ranks(MPI_COMM_WORLD);
  if (ranks.rank() != 0) return serve(ranks);
  Random random(9);
  Together together(ranks, tests::random_cut(random));
  struct Case {
    const char *family, *solver;
    long iterations;
  };
  // Few iterations: each of them adds up over all ranks, GMRES once for every direction, and ranks may be more than cores.
  for (const auto& [family, solver, iterations] :
       {Case{"spheres", "gs(form=velocity)", 25}, Case{"wall", "gs(form=velocity)", 25},
        Case{"spheres", "relaxed(horizon=0, patience=1)", 20},
        Case{"spheres", "extragradient(form=velocity)", 4}, Case{"wall", "quasi_newton(form=velocity)", 2}}) {
    const auto problem =
        std::get<GlobalProblem>(generate(family, {.size = 12500, .load = 0.1, .seed = 7}).problem);
    const SolveRequest request{.tolerance = 1e-9, .max_iterations = iterations};
    const SolveResult one = Solver(solver).solve(problem, request);
    for (int round = 0; round < 2; ++round) {
      const SolveResult all = together.solve(problem, solver, request);
      EXPECT_EQ(all.iterations, one.iterations);
      EXPECT_EQ(all.measures.error, one.measures.error);
      EXPECT_TRUE(all.r == one.r && all.u == one.u && all.v == one.v && all.contacts == one.contacts)
          << solver << ", " << family << ", cut " << round;
    }
  }
  const TogetherReport& report = together.report();
  EXPECT_EQ(report.planned.messages, report.solving.traffic.messages);
  EXPECT_EQ(report.planned.bytes, report.solving.traffic.bytes);
}

}  // namespace
}  // namespace stickslip::internal
