#include "solvers/island_solver.hpp"

#include <algorithm>
#include <cmath>

#include "problem/islands.hpp"
#include "solve/monitor.hpp"

namespace stickslip {
namespace {

class IslandSolver final : public Solver {
 public:
  explicit IslandSolver(std::unique_ptr<Solver> inner) : inner_(std::move(inner)) {}

 private:
  void do_solve(const ReducedProblem& problem, Monitor& monitor) override {
    const auto islands = find_islands(problem.W());
    if (islands.size() == 1) return inner_->iterate_within(problem, monitor);
    const auto d = std::size_t(problem.dimension());
    const double share = monitor.tolerance() * problem.q_norm() / std::sqrt(double(islands.size()));
    std::vector<double> r(monitor.start().begin(), monitor.start().end()), guess;
    SolveResult result;
    std::string trouble;
    Status worst = Status::stalled;
    monitor.setup_done();
    for (const auto& island : islands) {
      const ReducedProblem part = extract(problem, island);
      if (part.q_norm() == 0) continue;
      guess.clear();
      for (Index i : island) guess.insert(guess.end(), &r[std::size_t(i) * d], &r[std::size_t(i) * d] + d);
      SolveRequest request = monitor.remaining();
      request.tolerance = share / part.q_norm();
      request.guess = guess;
      inner_->solve(part, request, result);
      for (std::size_t k = 0; k < island.size(); ++k)
        std::copy_n(&result.r[k * d], d, &r[std::size_t(island[k]) * d]);
      monitor.count(result.iterations);
      if (!result.converged() && trouble.empty()) {
        worst = result.status;
        trouble = "the island of contact " + std::to_string(island[0]) + " (" +
                  std::to_string(island.size()) + " contacts): " + std::string(name(result.status));
      }
      if (result.status == Status::time_limit || result.status == Status::cancelled ||
          result.status == Status::iteration_limit)
        break;
    }
    if (!monitor.check(r))
      monitor.end(worst, trouble.empty() ? "islands solved, but not the whole" : trouble);
  }

  std::unique_ptr<Solver> inner_;
};

}  // namespace

std::unique_ptr<Solver> make_island_solver(std::unique_ptr<Solver> inner) {
  return std::make_unique<IslandSolver>(std::move(inner));
}

}  // namespace stickslip
