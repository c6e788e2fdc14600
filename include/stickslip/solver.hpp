// What is asked of a solver and what it gives back.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/measures.hpp"
#include "stickslip/problem.hpp"

namespace stickslip {

enum class Status {
  converged,          ///< the error is at or below the tolerance
  converged_reduced,  ///< a weaker goal of the solver's own was met (it says which); the error is above the
                      ///< tolerance
  stalled,            ///< no further progress
  iteration_limit,
  time_limit,
  infeasible,      ///< no solution exists; the certificate proves it
  not_applicable,  ///< the solver does not fit the problem; the message says why
  numerical_failure,
  cancelled
};
std::string_view name(Status status);

/// How far a solve has come; shown to the observer of a request.
struct Progress {
  long iteration;
  double seconds;
  double error;  ///< the true error at this iteration
};

/// What a caller may ask for. Every field has a default that suits.
struct SolveRequest {
  double tolerance = 1e-8;                                      ///< on the natural-map error; > 0
  double time_limit = std::numeric_limits<double>::infinity();  ///< wall-clock seconds; > 0
  long max_iterations = std::numeric_limits<long>::max();       ///< of the outermost loop; ≥ 0
  std::span<const double> guess = {};                           ///< a first r, d·n numbers; empty: zero
  int threads = 1;                                              ///< ≥ 1
  bool history = false;                                         ///< keep the error of every iteration
  bool explain = false;                                         ///< keep the decisions of `auto`
  const std::atomic<bool>* cancel = nullptr;  ///< set to true from anywhere: stop with the best iterate
  std::function<void(const Progress&)> observer = {};  ///< called whenever the true error was measured
};

/// Where the time went, in wall-clock seconds.
struct Timing {
  double total = 0;
  double setup = 0;          ///< reduction, scaling, preparation of the contacts
  double factorisation = 0;  ///< of M or of a solver's own matrices
  double iterations = 0;
  double measuring = 0;  ///< the true error
};

struct SolveResult {
  Status status = Status::numerical_failure;
  std::string message;      ///< empty, or one line: the reason
  std::string solver;       ///< as it was asked for
  std::string solver_used;  ///< the composition that ran, with every option that differs from its default
  double tolerance = 0;
  std::vector<double> r;       ///< best impulses seen
  std::vector<double> u;       ///< W r + q
  std::vector<double> v;       ///< global problems: velocities
  std::vector<double> lambda;  ///< global problems: multipliers of the bilateral constraints
  std::vector<ContactStatus> contacts;
  Measures measures;
  long iterations = 0;
  Timing timing;
  std::vector<Progress> history;
  std::vector<std::string> explanation;  ///< with `explain`: what was tried, with figures, a line each
  std::vector<Index>
      worst_contacts;  ///< unless converged: where the error sits, the largest first, at most three
  std::vector<double> certificate;  ///< with Status::infeasible: d with d_N ≥ 0, d_T = 0, Wᵀd = 0 and q·d < 0

  double error() const { return measures.error; }
  bool converged() const { return status == Status::converged; }
  std::size_t count(ContactStatus which) const;
  /// A few lines for people.
  std::string report() const;
};

class Monitor;
class ContactOperator;

/// A solver: holds its options and its working memory, so that repeated Gauss–Seidel solves of one size
/// allocate nothing (VI methods, ADMM and the fixed points of convex programs take some memory once a solve).
/// Not to be shared between threads; the same object gives the same result each time.
class Solver {
 public:
  Solver();
  virtual ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Validates the request, takes the trivial cases, iterates, measures. Always returns the best iterate
  /// seen. Throws InputError on a bad request only.
  SolveResult solve(const ReducedProblem& problem, const SolveRequest& request = {});
  SolveResult solve(const GlobalProblem& problem, const SolveRequest& request = {});
  /// The same into a result whose memory is used again.
  void solve(const ReducedProblem& problem, const SolveRequest& request, SolveResult& into);

  /// The name it was asked for by, and the composition with the options that differ from their defaults.
  const std::string& label() const { return label_; }
  const std::string& composition() const { return composition_; }
  void set_names(std::string label, std::string composition);

  /// For solvers made of solvers: iterates as a part of another solve, judged by that solve's monitor.
  void iterate_within(const ReducedProblem& problem, Monitor& monitor) { do_solve(problem, monitor); }
  /// The same, going on where its last part of this solve ended, where the method can.
  void resume_within(const ReducedProblem& problem, Monitor& monitor) { do_resume(problem, monitor); }

 protected:
  /// The frame of every solve: validates the request, binds the monitor, iterates, measures. `matrix` is the
  /// same problem with W formed, or nullptr.
  void run(const ContactOperator& problem, const ReducedProblem* matrix, const SolveRequest& request,
           SolveResult& into, const std::function<void(Monitor&)>& iterate);

 private:
  /// Solves a global problem without forming W where that pays. False: form W.
  virtual bool solve_by_bodies(const GlobalProblem&, const SolveRequest&, SolveResult&) { return false; }
  /// Problems whose solution needs no iteration. False: iterate.
  bool solve_at_once(const ReducedProblem& problem, const SolveRequest& request, SolveResult& into);
  /// Offers the solution of a problem that needs no iteration, as r. False: iterate.
  virtual bool offer(const ReducedProblem&, std::span<double>) { return false; }
  /// Iterates from monitor.start(), showing every iterate to the monitor, until the monitor says stop.
  virtual void do_solve(const ReducedProblem& problem, Monitor& monitor) = 0;
  virtual void do_resume(const ReducedProblem& problem, Monitor& monitor) { do_solve(problem, monitor); }

  std::string label_ = "unnamed";
  std::string composition_ = "unnamed";
  std::unique_ptr<Monitor> monitor_;
};

}  // namespace stickslip
