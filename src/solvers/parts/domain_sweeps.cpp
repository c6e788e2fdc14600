#include "solvers/parts/domain_sweeps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/pieces.hpp"
#include "bodies/body_part.hpp"
#include "residual/operator_measures.hpp"
#include "solve/memory.hpp"
#include "solve/monitor/monitor.hpp"
#include "solvers/parts/anderson.hpp"

namespace stickslip::internal {
namespace {

/// Sweeps from one look at the error to the next.
constexpr long between_looks = 20;
/// A domain is solved to this part of its error, and no better than this part of the tolerance of the whole.
constexpr double part_of_error = 1e-3, part_of_tolerance = 0.1;
/// What a domain may take that is less than counted before, in bytes.
constexpr double least_memory = 512 << 20;
/// What a domain that is not solved must have gained at least.
constexpr double least_gain = 0.5;

/// The memory that the whole keeps while a domain is solved.
double held_bytes(const ContactProblem& problem) {
  const GlobalProblem& whole = *problem.global();
  return problem_bytes(whole) + sweep_bytes(whole) + body_system_bytes(whole);
}

class DomainSweeps final : public Method {
 public:
  DomainSweeps(const DomainOptions& options, const DomainSolver& make_inner)
      : options_(options), make_inner_(make_inner), mixing_(options.window) {}

 private:
  bool needs_matrix(ContactProblem& problem) const override { return !problem.bodies().applies(); }

  std::string refusal(ContactProblem& problem) const override {
    return problem.formed() ? "domains are cut out of the bodies of a global problem" : "";
  }

  void iterate(ContactProblem& problem, Monitor& monitor) override {
    r_.assign(monitor.start().begin(), monitor.start().end());
    u_.resize(r_.size());
    const Neighbourhood neighbourhood(problem.bodies());
    monitor.setup_done();
    const int cycle = options_.last_rings - options_.first_rings + 1;
    bool moved = true;
    effort_ = DomainEffort::brief;
    for (long turn = 0; turn < options_.turns; ++turn) {
      if (moved && mix(problem, monitor, turn == 0 ? options_.patience : options_.patience_between)) return;
      moved = solve_domain(problem, monitor, neighbourhood, options_.first_rings + int(turn % cycle));
      if (monitor.stopped()) return;
    }
    if (moved && mix(problem, monitor, options_.patience_between)) return;
    monitor.end(Status::stalled, "domains and sweeps by turns did not arrive");
  }

  /// r_ ← the best of sweeps with mixing from r_, as long as they halve the error. True: the solve is over.
  bool mix(ContactProblem& problem, Monitor& monitor, long patience) {
    Sweep& sweep = problem.velocity_sweep();
    mixing_.start(problem);
    sweep.start(r_);
    best_.clear();
    double least = std::numeric_limits<double>::infinity(), halved = least;
    long waited = 0;
    for (long k = 1; waited < patience; ++k, ++waited) {
      before_.resize(r_.size());
      copy_in_pieces(problem.team(), r_, before_);
      const Change change = sweep.sweep({}, 1, r_.data());
      if (k % between_looks != 0) {
        if (monitor.show(r_, change.relative())) return true;
      } else {
        problem.velocity(r_, u_);
        if (monitor.show(r_, u_)) return true;
        const double error = natural_error(problem, r_, u_);
        if (error < least) least = error, best_ = r_;
        if (error < 0.5 * halved) halved = error, waited = 0;
      }
      const bool mixed = mixing_.next(before_, r_);
      std::swap(before_, r_);
      if (mixed) sweep.start(r_);
    }
    if (!best_.empty()) r_ = best_;
    return false;
  }

  /// The contacts with the largest errors, rising.
  std::vector<Index> worst_contacts(const ContactProblem& problem) {
    problem.velocity(r_, u_);
    contact_errors(problem.dimension(), problem.mu(), r_, u_, errors_);
    std::vector<Index> order(errors_.size());
    std::iota(order.begin(), order.end(), 0);
    const auto most = std::min(order.size(), std::max(std::size_t(options_.seeds), order.size() / 100));
    std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(most), order.end(),
                      [&](Index a, Index b) {
                        const double x = errors_[std::size_t(a)], y = errors_[std::size_t(b)];
                        return x > y || (x == y && a < b);
                      });
    const auto square = [](double sum, double error) { return sum + error * error; };
    const double enough = options_.share * std::accumulate(errors_.begin(), errors_.end(), 0.0, square);
    double sum = 0;
    std::size_t count = 0;
    while (count < most && sum < enough) sum = square(sum, errors_[std::size_t(order[count++])]);
    order.resize(count);
    std::sort(order.begin(), order.end());
    return order;
  }

  /// Puts the solution of a domain into r_. False: it was not solved, and r_ is as it was. Where one was not solved the next ones get
  /// more effort.
  bool solve_domain(ContactProblem& problem, Monitor& monitor, const Neighbourhood& neighbourhood,
                    int rings) {
    const std::vector<Index> seeds = worst_contacts(problem), inside = neighbourhood.around(seeds, rings);
    const auto d = std::size_t(problem.dimension());
    const double part_of_all = double(inside.size()) / double(problem.contacts());
    if (part_of_all > options_.largest) return false;
    const auto method = make_inner_(effort_, part_of_all);
    VelocitySweep& sweep = problem.velocity_sweep();
    sweep.start(r_);
    const GlobalProblem part = part_of(problem.bodies(), inside, r_, sweep.v());
    guess_.clear();
    for (const Index i : inside)
      guess_.insert(guess_.end(), &r_[std::size_t(i) * d], &r_[std::size_t(i) * d] + d);
    ContactProblem opened(part);
    opened.open();
    std::vector<double> u(guess_.size());
    opened.velocity(guess_, u);
    const double error = natural_error(opened, guess_, u);
    SolveRequest request = monitor.remaining();
    request.tolerance = std::max(
        {part_of_error * error, part_of_tolerance * monitor.tolerance() * problem.q_norm() / opened.q_norm(),
         std::numeric_limits<double>::epsilon()});
    request.memory_limit = std::clamp(request.memory_limit - held_bytes(problem), 1.0,
                                      std::max(least_memory, domain_bytes(*problem.global())));
    request.guess = guess_;
    request.history = monitor.keeps_history();
    if (monitor.watched())
      request.observer = [&](const Progress& inner) {
        monitor.progress(inner.iteration, monitor.best_error());
        return monitor.stopped();
      };
    const SolveResult result = method->solve(part, request);
    monitor.count(result.iterations);
    if (monitor.explaining())
      monitor.note(fmt::format("domain of {} contacts around {}: error {:.1e} → {:.1e}, {}", inside.size(),
                               seeds.size(), error, result.error(), name(result.status)));
    if (monitor.over()) return false;
    if (!result.converged()) {
      effort_ = DomainEffort::whole;
      if (!(result.error() <= least_gain * error)) return false;
    }
    for (std::size_t s = 0; s < inside.size(); ++s)
      std::copy_n(&result.r[s * d], d, &r_[std::size_t(inside[s]) * d]);
    monitor.check(r_);
    return true;
  }

  DomainOptions options_;
  DomainSolver make_inner_;
  Anderson mixing_;
  DomainEffort effort_ = DomainEffort::brief;
  std::vector<double> r_, u_, before_, best_, errors_, guess_;
};

}  // namespace

std::unique_ptr<Method> make_domain_sweeps(const DomainOptions& options, const DomainSolver& make_inner) {
  return std::make_unique<DomainSweeps>(options, make_inner);
}

}  // namespace stickslip::internal
