#include "solvers/automatic/island_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "problem/islands.hpp"
#include "solve/monitor.hpp"

namespace stickslip {
namespace {

class IslandSolver final : public Solver {
 public:
  explicit IslandSolver(std::unique_ptr<Solver> inner) : inner_(std::move(inner)) {}

 private:
  void do_solve(const ReducedProblem& problem, Monitor& monitor) override {
    // A history is that of the whole: island by island there is no error of the whole to be kept.
    if (monitor.remaining().history) return inner_->iterate_within(problem, monitor);
    islands_.find(problem.W());
    if (islands_.count() == 1) return inner_->iterate_within(problem, monitor);
    r_.assign(monitor.start().begin(), monitor.start().end());
    share_ = monitor.tolerance() * problem.q_norm() / std::sqrt(double(islands_.count()));
    pending_.resize(islands_.count());
    std::iota(pending_.begin(), pending_.end(), 0);
    Status worst = Status::stalled;
    std::string trouble;
    monitor.setup_done();
    do {
      // Each island gets its part of the time; those that need more wait for the next round.
      std::size_t left = 0, waiting = 0;
      for (std::size_t k : pending_) left += islands_[k].size();
      for (std::size_t k : pending_) {
        const auto island = islands_[k];
        solve_island(problem, island, double(island.size()) / double(left), monitor);
        left -= island.size();
        const Status status = result_.status;
        if (status == Status::infeasible)
          return monitor.infeasible(whole(problem, island, result_.certificate));
        if (status == Status::time_limit)
          pending_[waiting++] = k;
        else if (status != Status::converged && trouble.empty())
          worst = status, trouble = describe(island, result_);
        if (status == Status::cancelled || status == Status::iteration_limit) {
          waiting = 0;
          break;
        }
      }
      pending_.resize(waiting);
    } while (!pending_.empty() && !monitor.interrupted());
    if (trouble.empty() && !pending_.empty()) {
      result_.status = worst = Status::time_limit;
      result_.message.clear();
      trouble = describe(islands_[pending_[0]], result_);
    }
    if (!monitor.check(r_))
      monitor.end(worst, trouble.empty() ? "islands solved, but not the whole" : trouble);
  }

  /// The certificate of an island proves as much for the whole.
  static std::vector<double> whole(const ReducedProblem& problem, std::span<const Index> island,
                                   std::span<const double> part) {
    const auto d = std::size_t(problem.dimension());
    std::vector<double> all(problem.q().size(), 0.0);
    for (std::size_t k = 0; k < island.size(); ++k)
      std::copy_n(&part[k * d], d, &all[std::size_t(island[k]) * d]);
    return all;
  }

  static std::string describe(std::span<const Index> island, const SolveResult& result) {
    return "the island of contact " + std::to_string(island[0]) + " (" + std::to_string(island.size()) +
           " contacts): " + std::string(name(result.status)) +
           (result.message.empty() ? "" : ", " + result.message);
  }

  /// Improves the part of r_ that belongs to an island, within this part of the time that is left.
  void solve_island(const ReducedProblem& problem, std::span<const Index> island, double time,
                    Monitor& monitor) {
    ReducedProblem part = extract(problem, island, std::move(parts_));
    result_.status = Status::converged;
    if (part.q_norm() > 0) improve(part, island, time, monitor);
    parts_ = std::move(part).release();
  }

  void improve(const ReducedProblem& part, std::span<const Index> island, double time, Monitor& monitor) {
    const auto d = std::size_t(part.dimension());
    guess_.clear();
    for (Index i : island) guess_.insert(guess_.end(), &r_[std::size_t(i) * d], &r_[std::size_t(i) * d] + d);
    SolveRequest request = monitor.remaining();
    request.time_limit *= time;
    request.tolerance = share_ / part.q_norm();
    request.guess = guess_;
    request.explain = monitor.explaining();
    inner_->solve(part, request, result_);
    for (std::size_t k = 0; k < island.size(); ++k)
      std::copy_n(&result_.r[k * d], d, &r_[std::size_t(island[k]) * d]);
    monitor.count(result_.iterations);
    // The largest island comes first: what solved it is named, where the inner solver chooses.
    if (island.data() == islands_[0].data() && result_.solver_used != inner_->composition())
      monitor.used(result_.solver_used);
    for (const auto& line : result_.explanation)
      monitor.note("island of contact " + std::to_string(island[0]) + " (" + std::to_string(island.size()) +
                   " contacts): " + line);
  }

  std::unique_ptr<Solver> inner_;
  Islands islands_;
  std::vector<std::size_t> pending_;  // islands that are not solved yet
  std::vector<double> r_, guess_;
  ReducedProblem::Parts parts_;
  SolveResult result_;
  double share_ = 0;  // of the absolute error
};

}  // namespace

std::unique_ptr<Solver> make_island_solver(std::unique_ptr<Solver> inner) {
  return std::make_unique<IslandSolver>(std::move(inner));
}

}  // namespace stickslip
