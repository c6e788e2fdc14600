// What every solver is inside: a method that iterates, in the frame that validates, times and judges.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "solve/contact_problem.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::internal {

class Monitor;

/// Holds its options and its working memory. Not to be shared between threads; the same object gives the same result each time.
class Method {
 public:
  Method();
  virtual ~Method();
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;

  /// Validates the request, takes the trivial cases, iterates, measures. The result holds the best iterate seen; its memory is
  /// used again. Throws InputError on a bad request, or an M that is not positive definite.
  void solve(const ReducedProblem& problem, const SolveRequest& request, SolveResult& into);
  void solve(const GlobalProblem& problem, const SolveRequest& request, SolveResult& into);
  /// One share of a problem, by all ranks together: the same request but for the guess, which is that of the share. The result has
  /// the share's r, u, v and statuses, and the whole's measures; its worst contacts are left out. Throws InputError where the method is not for ranks.
  void solve(const Share& share, Ranks& ranks, const SolveRequest& request, SolveResult& into);
  /// Linear systems that go through the bodies are solved by it, in all solves from here on; nullptr: here.
  void set_body_solver(BlockSolver* solver) { problem_.set_body_solver(solver); }
  template <class Problem>
  SolveResult solve(const Problem& problem, const SolveRequest& request = {}) {
    SolveResult result;
    solve(problem, request, result);
    return result;
  }

  /// Throws InputError on a request that is bad for a problem of so many unknowns.
  static void validate(const SolveRequest& request, std::size_t unknowns);
  /// Throws InputError with the reason where several ranks cannot run it together.
  void require_ranks() const;

  /// The name it was asked for by, and the composition with the options that differ from their defaults.
  const std::string& label() const { return label_; }
  const std::string& composition() const { return composition_; }
  void set_names(std::string label, std::string composition);

  /// For methods made of methods: iterates as a part of another solve, judged by that solve's monitor.
  void iterate_within(ContactProblem& problem, Monitor& monitor);
  /// The same, going on where its last part of this solve ended, where the method can.
  void resume_within(ContactProblem& problem, Monitor& monitor);

 private:
  /// Whether W has to be formed for this problem, which is not.
  virtual bool needs_matrix(ContactProblem&) const { return true; }
  /// Why the method does not fit the problem; empty: it does.
  virtual std::string refusal(ContactProblem&) const { return {}; }
  /// Why several ranks cannot run it together; empty: they can.
  virtual std::string refusal_of_ranks() const { return "it works in one process"; }
  /// Whether it begins elsewhere than at the guess or zero, so that zero is no answer before it has begun.
  virtual bool has_own_start() const { return false; }
  /// Offers the solution of a problem that needs no iteration, as r. False: iterate.
  virtual bool offer(const ReducedProblem&, std::span<double>) { return false; }
  /// Iterates from monitor.start(), showing every iterate to the monitor, until the monitor says stop.
  virtual void iterate(ContactProblem& problem, Monitor& monitor) = 0;
  virtual void resume(ContactProblem& problem, Monitor& monitor) { iterate(problem, monitor); }

  bool solve_at_once(const ReducedProblem& problem, const SolveRequest& request, SolveResult& into);
  void run(SolveResult& into);
  /// Whether what the method needs of the problem is there; else the monitor was told to stop.
  bool prepare(ContactProblem& problem, Monitor& monitor) const;

  std::string label_ = "unnamed", composition_ = "unnamed";
  std::unique_ptr<Monitor> monitor_;
  ContactProblem problem_;  // of the solve, and its memory
};

}  // namespace stickslip::internal
