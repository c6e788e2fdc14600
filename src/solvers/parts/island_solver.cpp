#include "solvers/parts/island_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "problem/islands.hpp"
#include "residual/operator_measures.hpp"
#include "solve/monitor/monitor.hpp"

namespace stickslip::internal {
namespace {

class IslandSolver final : public Method {
 public:
  explicit IslandSolver(std::unique_ptr<Method> inner) : inner_(std::move(inner)) {}

 private:
  void iterate(ContactProblem& given, Monitor& monitor) override {
    const ReducedProblem& problem = given.matrix();
    islands_.find(problem.W());
    if (islands_.count() == 1) return inner_->iterate_within(given, monitor);
    r_.assign(monitor.start().begin(), monitor.start().end());
    if (monitor.watched()) measure_islands(problem);
    // Squares of errors add up: a contact may have the same part of them in every island, so that a large island among many small ones
    // need not be solved better than the whole.
    share_ = monitor.tolerance() * problem.q_norm() / std::sqrt(double(problem.contacts()));
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
        solve_island(problem, k, double(island.size()) / double(left), monitor);
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

  /// Σ‖r_i − P_K(r_i − û_i)‖² of each island, for those who look on.
  void measure_islands(const ReducedProblem& problem) {
    std::vector<double> u(r_.size()), errors;
    problem.W().multiply(r_, problem.q(), u);
    contact_errors(problem.dimension(), problem.mu(), r_, u, errors);
    squares_.assign(islands_.count(), 0.0);
    for (std::size_t k = 0; k < squares_.size(); ++k)
      for (Index i : islands_[k]) squares_[k] += errors[std::size_t(i)] * errors[std::size_t(i)];
  }

  /// Improves the part of r_ that belongs to island k, within this part of the time that is left.
  void solve_island(const ReducedProblem& problem, std::size_t k, double time, Monitor& monitor) {
    ReducedProblem part = extract(problem, islands_[k], std::move(parts_));
    result_.status = Status::converged;
    if (part.q_norm() > 0) improve(part, k, problem.q_norm(), time, monitor);
    parts_ = std::move(part).release();
  }

  void improve(const ReducedProblem& part, std::size_t k, double load, double time, Monitor& monitor) {
    const auto island = islands_[k];
    const auto d = std::size_t(part.dimension());
    guess_.clear();
    for (Index i : island) guess_.insert(guess_.end(), &r_[std::size_t(i) * d], &r_[std::size_t(i) * d] + d);
    SolveRequest request = monitor.remaining();
    request.time_limit *= time;
    request.tolerance = share_ * std::sqrt(double(island.size())) / part.q_norm();
    request.guess = guess_;
    request.explain = monitor.explaining();
    request.history = monitor.keeps_history();
    if (monitor.watched())  // the error of the whole follows from those of the islands
      request.observer = [&](const Progress& inside) {
        squares_[k] = std::pow(inside.error * part.q_norm(), 2);
        monitor.progress(inside.iteration,
                         std::sqrt(std::accumulate(squares_.begin(), squares_.end(), 0.0)) / load);
        return monitor.stopped();
      };
    inner_->solve(part, request, result_);
    for (std::size_t i = 0; i < island.size(); ++i)
      std::copy_n(&result_.r[i * d], d, &r_[std::size_t(island[i]) * d]);
    monitor.count(result_.iterations);
    // The largest island comes first: what solved it is named, where the inner solver chooses.
    if (k == 0 && !result_.stage.empty()) monitor.used(result_.stage);
    for (const auto& line : result_.explanation)
      monitor.note("island of contact " + std::to_string(island[0]) + " (" + std::to_string(island.size()) +
                   " contacts): " + line);
  }

  std::unique_ptr<Method> inner_;
  Islands islands_;
  std::vector<std::size_t> pending_;  // islands that are not solved yet
  std::vector<double> r_, guess_, squares_;
  ReducedProblem::Parts parts_;
  SolveResult result_;
  double share_ = 0;  // of a contact in the absolute error
};

}  // namespace

std::unique_ptr<Method> make_island_solver(std::unique_ptr<Method> inner) {
  return std::make_unique<IslandSolver>(std::move(inner));
}

}  // namespace stickslip::internal
