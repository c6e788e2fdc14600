// The judge's chair of a solve: solvers only iterate, and show what they have. Composed of the limits, the measure of the
// error, and the watch on its rate.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/stopwatch.hpp"
#include "solve/contact_problem.hpp"
#include "solve/monitor/judge.hpp"
#include "solve/monitor/limits.hpp"
#include "solve/monitor/rate_watch.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::internal {

/// A solver shows each iterate here and stops when told to; it never decides that it has converged.
///
/// The true error (RR (131)) costs a pass over W, as much as a sweep. Methods that know the size of their last change (RR (132))
/// hand it over, and the monitor measures the true error only when the two, whose ratio it learns, make the end likely, at
/// powers of two of the iteration from four on, and at least every fifty iterations. A history holds every iteration; what is
/// measured for it alone decides nothing, so that a watched solve makes the same steps. An iteration whose best error did not
/// fall by a hundredth while the number of iterations doubled, from 32768 on, is stalled.
class Monitor {
 public:
  // The life of a solve.

  /// The clock runs and the limits count from here on. `timed`: whether the phases are told apart.
  void open(const SolveRequest& request, SolveResult& result, bool timed);
  /// Binds to the problem and measures the start, the guess or zero; not where the method has a start of its own.
  void begin(const ContactProblem& problem, bool own_start);
  /// Final measures of the best iterate, contact statuses, times.
  void finish();

  bool stopped() const { return stopped_; }
  bool converged() const { return stopped_ && result_->status == Status::converged; }
  /// The impulses to start from.
  std::span<const double> start() const { return start_; }
  /// The velocities that came with the guess; empty where none did.
  std::span<const double> start_velocity() const { return request_->guess_velocity; }
  bool has_guess() const { return !request_->guess.empty(); }
  /// Whether any rank has one: shares without contacts have none. Called by all of them.
  bool any_guess() const;
  /// What ends the solve now: finer in its first iterations, where that was asked for.
  double tolerance() const { return goal_; }
  int threads() const { return request_->threads; }
  double memory_limit() const { return request_->memory_limit; }
  /// The true error of the best iterate so far.
  double best_error() const { return judge_.best(); }
  long iterations() const { return result_->iterations; }
  double seconds() const { return watch_.seconds(); }

  // Iterates. Each says whether to stop now.

  /// Measures r without counting an iteration.
  bool check(std::span<const double> r) { return stopped_ || measure_now(r, false); }
  /// Counts an iteration and measures r.
  bool show(std::span<const double> r);
  /// Counts an iteration whose change relative to r was `change`; measures r when that may matter.
  bool show(std::span<const double> r, double change) { return show_change(r, change, nullptr); }
  /// The same where a sweep made r: what it has at hand makes measures cheaper, and the tolerance is held by a measure from scratch all the same.
  bool show(std::span<const double> r, const Change& change, Sweep& sweep) {
    return show_change(r, change.relative(), &sweep);
  }
  /// Counts an iteration whose u = W r + q is known, so that measuring costs no product.
  bool show(std::span<const double> r, std::span<const double> u);
  /// Makes r the iterate to return, whatever its error; it may come after the end.
  void answer(std::span<const double> r) { judge_.answer(r); }

  // Limits.

  /// Stops where a limit is reached: after work that was not shown. True: stop now.
  bool over();
  /// Whether a loop inside an iteration must end: the time is over or someone cancelled. What the loop has is then shown as
  /// usual, and the monitor stops.
  bool interrupted() const {
    return stopped_ || limits_.pressed([&] { return watch_.seconds(); }).has_value();
  }
  /// A request for a solve inside this one: what is left of time and iterations, and the same way to cancel.
  SolveRequest remaining() const;
  /// Counts iterations made in such a solve.
  void count(long iterations) { result_->iterations += iterations; }
  /// Whether somebody wants to know of progress made in such a solve (of every iteration, for a history), and tells them:
  /// `iterations` beside those counted, and the error of the whole.
  bool watched() const { return request_->history || request_->observer; }
  bool keeps_history() const { return request_->history; }
  void progress(long iterations, double error);

  // Ends.

  /// The solver's own end: stalled, not_applicable, numerical_failure, infeasible … with the reason.
  void end(Status status, std::string_view message);
  /// No solution exists: the certificate d proves it.
  void infeasible(std::vector<double> d);

  // Phases: a solve made of several methods.

  /// The next iterates belong to a phase: it ends like a solve, but `end_phase` may take the solve up again.
  void start_phase(const Phase& phase);
  /// Ends the phase. True: the whole solve is over (converged, a limit of the request, cancelled, infeasible). False: it goes
  /// on, from the best iterate.
  bool end_phase();
  /// Iterations to the tolerance at the rate that was seen last in a phase with a horizon.
  double expected() const { return rate_.expected(); }
  /// The next method starts from r = 0, whatever is known.
  void start_from_zero() { std::fill(start_.begin(), start_.end(), 0.0); }
  /// That of the request; empty where none was given.
  std::span<const double> guess() const { return request_->guess; }
  /// The next method starts from these impulses.
  void start_from(std::span<const double> r) { std::copy(r.begin(), r.end(), start_.begin()); }
  /// Takes r = 0 as the start where its error is less than half that of the guess: with about the same error a guess is nearer, since
  /// it knows how impulses spread through the bodies. Returns whether the guess is kept.
  bool prefer_zero();

  // What people want to know.

  /// For those who ask how a result came about (SolveRequest::explain): one line.
  bool explaining() const { return request_->explain; }
  void note(std::string line) {
    if (request_->explain) result_->explanation.push_back(std::move(line));
  }
  /// The stage that ended the solve, of a solver made of several.
  void used(std::string_view stage) { result_->stage = stage; }
  /// Preparation ends, iterations begin.
  void setup_done() { watch_.enter(Activity::iterations); }
  /// The clock, for parts that spend time on something else than iterations.
  Stopwatch* watch() { return &watch_; }

 private:
  bool count_iteration();
  /// Whether a finer tolerance is asked for, and no longer comes nearer.
  bool finer_is_over() const {
    return goal_ < request_->tolerance && result_->iterations - halved_at_ >= request_->finer_iterations;
  }
  /// It is no longer asked for. True: the best iterate holds the other one.
  bool holds_after_all();
  /// Where there are ranks, a limit that one of them has reached is reached by all.
  std::optional<Status> agreed(std::optional<Status> mine) const;
  /// The first measure after iteration k: one contact is solved by one iteration.
  long next_after(long k) const;
  bool show_change(std::span<const double> r, double change, Sweep* sweep);
  bool measure_now(std::span<const double> r, bool fully, Sweep* sweep = nullptr);
  /// What follows from the error of an iterate.
  bool conclude(bool solved, double error);
  void tell(const Progress& progress);
  void stop(Status status) { result_->status = status, stopped_ = true; }

  const ContactProblem* problem_ = nullptr;
  const SolveRequest* request_ = nullptr;
  SolveResult* result_ = nullptr;
  Stopwatch watch_;
  Limits limits_;
  Judge judge_;
  RateWatch rate_;
  std::vector<double> start_;
  bool stopped_ = false;
  double goal_ = 0;    // the tolerance that ends the solve
  double halved_ = 0;  // as long as that is finer: the least error when it had last halved, and the iteration
  long halved_at_ = 0;
  double ratio_ = 0;      // true error / change, when last measured
  long measured_at_ = 0;  // the iteration when that was
  long next_measure_ = 1;
};

}  // namespace stickslip::internal
