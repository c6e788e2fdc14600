// The loop that bench/python_overhead.py has in Python: many small problems with a kept solver.
//
//   bench_python_loop [PROBLEMS] [CONTACTS]     prints microseconds of the processor a problem, the least of several rounds: solving problems that are
//                                               there, other numbers on one problem (set_q), making problems from arrays and solving them

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace {

using namespace stickslip;

/// As scipy has them: block rows with the diagonal, blocks by rows.
struct Arrays {
  std::vector<Index> start = {0}, column;
  std::vector<double> blocks, q, mu;
};

Arrays arrays_of(const ReducedProblem& p) {
  Arrays out;
  const BlockMatrix& W = p.W();
  const auto d = std::size_t(W.dimension());
  const auto add = [&](Index j, const double* block) {
    out.column.push_back(j);
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b < d; ++b) out.blocks.push_back(block[a + d * b]);
  };
  for (Index i = 0; i < W.size(); ++i) {
    bool diagonal = false;
    for (Index k = W.row_start()[std::size_t(i)]; k < W.row_start()[std::size_t(i) + 1]; ++k) {
      if (!diagonal && W.column()[std::size_t(k)] > i) {
        add(i, W.diagonal(i));
        diagonal = true;
      }
      add(W.column()[std::size_t(k)], W.block(k));
    }
    if (!diagonal) add(i, W.diagonal(i));
    out.start.push_back(Index(out.column.size()));
  }
  out.q.assign(p.q().begin(), p.q().end());
  out.mu.assign(p.mu().begin(), p.mu().end());
  return out;
}

/// Of this process, so that other programs do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Microseconds a problem, the least of eleven rounds.
template <class Round>
double measured(std::size_t problems, Round&& round) {
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 11; ++k) {
    const double start = processor_seconds();
    round();
    best = std::min(best, processor_seconds() - start);
  }
  return 1e6 * best / double(problems);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::size_t(std::atol(argv[1])) : 1000;
  const long contacts = argc > 2 ? std::atol(argv[2]) : 10;
  std::vector<ReducedProblem> problems;
  std::vector<Arrays> arrays;
  for (std::size_t k = 0; k < count; ++k) {
    auto file = generate("manufactured", {.size = contacts, .seed = k + 1});
    problems.push_back(std::get<ReducedProblem>(std::move(file.problem)));
    arrays.push_back(arrays_of(problems.back()));
  }
  Solver solver("auto");
  const SolveRequest request{.tolerance = 1e-8};
  std::size_t solved = 0;
  const double solving = measured(count, [&] {
    for (const auto& p : problems) solved += solver.solve(p, request).converged();
  });
  ReducedProblem one = problems.front();
  const double other_numbers = measured(count, [&] {
    for (const auto& a : arrays) {
      one.set_q(a.q);
      solved += solver.solve(one, request).converged();
    }
  });
  const double making = measured(count, [&] {
    for (const auto& a : arrays) {
      const ReducedProblem p(BlockMatrix::from_bsr(3, a.start, a.column, a.blocks), a.q, a.mu);
      solved += solver.solve(p, request).converged();
    }
  });
  fmt::print("{{\"solve\": {:.3f}, \"set_q\": {:.3f}, \"make\": {:.3f}, \"solved\": {}}}\n", solving,
             other_numbers, making, solved);
}
