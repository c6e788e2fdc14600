// How good an iterate is, and the best one so far.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "local/sweep.hpp"
#include "solve/contact_problem.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::internal {

/// Measures the true error, RR (131), keeps the best iterate in the result, and completes the result at the end.
class Judge {
 public:
  /// Binds to a solve; the result keeps the best iterate from here on.
  void begin(const ContactProblem& problem, double tolerance, SolveResult& result);

  /// The error of r: one pass over W or over the bodies.
  double error(std::span<const double> r);
  /// The same by the u that the sweep which made r has at hand: half of that. Nothing where it has none.
  std::optional<double> error_at_hand(std::span<const double> r, Sweep& sweep);
  /// The same where u = W r + q is known.
  double error(std::span<const double> r, std::span<const double> u) const;
  /// The error of r = 0, which needs no product.
  double error_at_zero() const;
  /// Every measure of r at once, into the result: for what is likely to be the last iterate, since a second pass costs more.
  double error_with_measures(std::span<const double> r);

  /// Keeps r where it is the best. True: it is a solution. A huge r can make the computed error vanish: what rounding hides
  /// must be below the tolerance as well, or it counts. `measured`: the result's measures are those of r.
  bool accept(std::span<const double> r, double error, bool measured);
  /// The same for r = 0.
  bool accept_zero(std::span<const double> zero, double error);
  /// From here on by another tolerance. True: the best iterate holds it.
  bool holds(double tolerance);
  /// Makes r the iterate to return, whatever its error.
  void answer(std::span<const double> r);

  double best() const { return best_; }
  /// The error that counted last.
  double last() const { return last_; }

  /// Measures, statuses and worst contacts of the best iterate.
  void complete(bool converged);

 private:
  Measures all_measures(std::span<const double> r, std::span<double> u) const;
  void find_worst_contacts();

  const ContactProblem* problem_ = nullptr;
  SolveResult* result_ = nullptr;
  double tolerance_ = 0, best_ = 0, last_ = 0;
  std::vector<double> velocity_, contact_errors_;
};

/// Empties what an earlier solve may have left in a result, but for r, u and the measures.
void clear(SolveResult& result);

/// Where nothing presses, q_N ≥ 0 at every contact, r = 0 is the solution, and exact; where what presses is below the tolerance it is near
/// enough. True: the result is complete but for names and times.
bool accept_zero(const ReducedProblem& problem, double tolerance, SolveResult& result);
/// Judges result.r without binding to a solve. True: it is a solution, and the result is complete but for names and times.
bool accept(const ReducedProblem& problem, double tolerance, SolveResult& result);

}  // namespace stickslip::internal
