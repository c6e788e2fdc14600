// The judge of a solve: owns the error, the limits, the history and the best iterate. Solvers only iterate.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/timer.hpp"
#include "problem/contact_operator.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

/// How long a method may go on inside a solve of several methods (Monitor::start_phase).
struct Phase {
  long iterations = std::numeric_limits<long>::max();        ///< from the start of the phase
  double seconds = std::numeric_limits<double>::infinity();  ///< likewise
  /// Ends the phase when the rate seen so far would take more iterations than this to the tolerance.
  long horizon = std::numeric_limits<long>::max();
  int looks = 1;    ///< so many times in succession, since mixing does not fall evenly
  long settle = 0;  ///< iterations before the rate is looked at: the first ones fall faster
};

/// A solver shows each iterate here and stops when told to; it never decides that it has converged.
///
/// The true error (RR (131)) costs a pass over W, as much as a sweep. Methods that know the size of their
/// last change (RR (132)) hand it over, and the monitor measures the true error only when the two, whose
/// ratio it learns, make the end likely, at powers of two of the iteration from four on, and at least every
/// fifty iterations. With a history it is measured at every iteration. An iteration whose best error did not
/// fall by a hundredth while the number of iterations doubled, from 32768 on, is stalled.
class Monitor {
 public:
  /// Binds to a solve and measures the start (the guess, or zero). The result keeps the best iterate from
  /// here on. `matrix` is the same problem with W formed, or nullptr; with it measuring is one pass over W.
  void begin(const ContactOperator& problem, const ReducedProblem* matrix, const SolveRequest& request,
             SolveResult& result);

  /// Whether a result that takes no iterations may do: from zero, and nobody looks on.
  static bool wants_no_more_than_the_result(const SolveRequest& request) {
    return request.guess.empty() && !request.history && !request.explain && !request.observer &&
           !request.cancel && request.max_iterations > 0;
  }
  /// Where nothing presses, q_N ≥ 0 at every contact, r = 0 is the solution, and exact. True: the result is
  /// complete but for the names.
  static bool accept_zero(const ReducedProblem& problem, const SolveRequest& request, const Timer& timer,
                          SolveResult& result);
  /// Judges result.r without binding to a solve. True: it is a solution, and the result is complete but for
  /// the names. False: the result is to be made anew.
  static bool accept(const ReducedProblem& problem, const SolveRequest& request, const Timer& timer,
                     SolveResult& result);

  bool stopped() const { return stopped_; }
  bool converged() const { return stopped_ && result_->status == Status::converged; }
  /// The impulses to start from.
  std::span<const double> start() const { return start_; }
  double tolerance() const { return request_->tolerance; }
  int threads() const { return request_->threads; }
  /// The true error of the best iterate so far.
  double best_error() const { return best_error_; }
  long iterations() const { return result_->iterations; }
  double seconds() const { return timer_.seconds(); }

  /// Measures r without counting an iteration. True: stop now.
  bool check(std::span<const double> r) { return stopped_ || measure_now(r); }
  /// Call when preparation ends and iterations begin.
  void setup_done();
  /// Counts an iteration and measures r. True: stop now.
  bool show(std::span<const double> r);
  /// Counts an iteration whose change relative to r was `change`; measures r when that may matter. True: stop
  /// now.
  bool show(std::span<const double> r, double change);
  /// Counts an iteration whose u = W r + q is known, so that measuring costs no product. True: stop now.
  bool show(std::span<const double> r, std::span<const double> u);
  /// Stops where a limit is reached, without counting or measuring: for solvers of another law, which count
  /// for themselves and end with `answer`. True: stop now.
  bool limit_reached();
  /// Whether a loop inside an iteration must end: the time is over or someone cancelled. What
  /// the loop has is then shown as usual, and the monitor stops.
  bool interrupted() const;
  /// Makes r the iterate to return, whatever its error; it may come after the end.
  void answer(std::span<const double> r);
  /// A request for a solve inside this one: what is left of time and iterations, and the same way to cancel.
  SolveRequest remaining() const;
  /// Counts iterations made in such a solve.
  void count(long iterations) { result_->iterations += iterations; }
  /// The limits, without an iteration: after a solve inside this one. True: stop now.
  bool out_of_limits() { return stopped_ || count_iteration(); }
  /// The solver's own end: stalled, not_applicable, numerical_failure, infeasible … with the reason.
  void end(Status status, std::string_view message);
  /// No solution exists: the certificate d proves it.
  void infeasible(std::vector<double> d);
  /// The next iterates belong to a phase: it ends like a solve, but `end_phase` may take the solve up again.
  void start_phase(const Phase& phase);
  /// Ends the phase. True: the whole solve is over (converged, a limit of the request, cancelled,
  /// infeasible). False: it goes on, from the best iterate.
  bool end_phase();
  /// Iterations to the tolerance at the rate that was seen last in a phase with a horizon.
  double expected() const { return expected_; }
  /// The next method starts from r = 0, whatever is known.
  void start_from_zero() { std::fill(start_.begin(), start_.end(), 0.0); }
  /// The error at r = 0 without contact impulses, and r = 0 as the start where that is better.
  void prefer_zero();

  /// For people who ask how a result came about (SolveRequest::explain): one line. And the method that ended
  /// it.
  bool explaining() const { return request_->explain; }
  void note(std::string line) {
    if (request_->explain) result_->explanation.push_back(std::move(line));
  }
  void used(std::string_view method) { result_->solver_used = method; }

  /// For long work between two iterates: whether time is up or the solve was cancelled. True: stop now.
  bool pressed();

  /// Final measures of the best iterate, contact statuses, times. Called by Solver::solve.
  void finish();

 private:
  static constexpr long first_measure = 4;

  bool count_iteration();
  /// The first measure after iteration k: one contact is solved by one iteration.
  long next_after(long k) const { return k + (problem_->contacts() == 1 ? 1 : first_measure); }
  void check_progress();
  void find_worst_contacts();
  void watch_rate();
  double deadline() const { return std::min(request_->time_limit, phase_deadline_); }
  long last_iteration() const { return std::min(request_->max_iterations, phase_last_); }
  /// `fully`: every measure in one pass, since a second pass at the end costs more.
  bool measure_now(std::span<const double> r, bool fully = false);
  /// Judges the start r = 0.
  void judge_zero();
  Measures all_measures(std::span<const double> r, std::span<double> u) const;
  /// Keeps r when it is the best and accepts it when its error is small enough; `before` is when measuring
  /// began.
  bool judge(std::span<const double> r, double error, double before);
  void stop(Status status) { result_->status = status, stopped_ = true; }

  const ContactOperator* problem_ = nullptr;
  const ReducedProblem* matrix_ = nullptr;
  const SolveRequest* request_ = nullptr;
  SolveResult* result_ = nullptr;
  Timer timer_;
  std::vector<double> start_, velocity_, contact_errors_;
  bool stopped_ = false, timed_ = false;
  bool fresh_ = false;  // the result's measures belong to the iterate being judged
  double best_error_ = 0, last_error_ = 0;
  double ratio_ = 0;  // true error / change, when last measured
  long next_measure_ = 1;
  long checkpoint_ = 0;  // where progress is asked for next, and the best error at the last such place
  double checkpoint_error_ = 0;
  // The phase: its limits in iterations and seconds of the solve; where the rate was looked at last.
  long phase_start_ = 0, phase_last_ = std::numeric_limits<long>::max(), horizon_ = 0, settled_ = 0,
       watched_ = 0, watched_from_ = 0;
  int looks_ = 1, strikes_ = 0;
  double phase_deadline_ = std::numeric_limits<double>::infinity(), watched_error_ = 0, expected_ = 0;
};

}  // namespace stickslip
