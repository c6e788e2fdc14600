// What a step does where several ranks share it.
//
// Every rank has all bodies and moves them alike. The line of bodies is cut into as many parts as there are ranks: a contact belongs to who has its first
// body, the one of the smaller index, and with it what is remembered of the contact. So the contacts of rank 0, 1, … one after the other are those
// of one process, in its order, wherever the line is cut. For a solve each contact goes to the rank that the plan of the solve names, and its impulse comes back.
// Nothing that passes is rounded: copies, maxima, sums of whole numbers.
#pragma once

#include <span>
#include <vector>

#include "dynamics/detection/detector.hpp"
#include "dynamics/stepping/contact_memory.hpp"
#include "dynamics/stepping/contact_solver.hpp"
#include "solve/shared_solver.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip::internal {

/// Where the line of bodies is cut: rank k has the bodies cut[k] … cut[k + 1] − 1. `work` has a number for each body: contacts that it is the first
/// body of, and one for itself. As much work for each.
std::vector<int> cut_by_work(std::span<const std::int64_t> work, int ranks);

class SharedStep {
 public:
  /// Keeps a reference to the solver.
  SharedStep(SharedSolver& solver, const Bodies& bodies);

  Ranks& ranks() const { return solver_.ranks(); }
  /// The bodies of this rank.
  int first() const { return cut_[std::size_t(ranks().rank())]; }
  int last() const { return cut_[std::size_t(ranks().rank()) + 1]; }
  void end(SharedPhase phase) { solver_.end(phase); }

  /// Before a step: cuts anew where that is due, and what is remembered goes to who needs it. What others have is forgotten.
  void begin(ContactMemory& memory, Detector& detector);
  /// The largest of all ranks, number by number.
  void largest(std::span<double> x) const { ranks().largest(x); }
  double largest(double x) const;
  int sum(int x) const;

  /// Solves the problem of which `mine` has the contacts of this rank; r, u, statuses of these, and λ, into `solver`.
  Solved solve(const Bodies& bodies, const JointSet& joints, StepProblem& mine, std::span<const double> free,
               ContactSolver& solver);
  /// impulse ← impulse + H r, of all contacts, on all ranks. `impulse` is zero before.
  void add_impulse(const Bodies& bodies, const StepProblem& mine, std::span<const double> r,
                   std::span<double> impulse) const;
  /// The whole of what every rank has a part of, on rank 0: contacts and memories; the others keep theirs.
  void gather(std::vector<TouchingPoint>& contacts, ContactMemory& memory, Detector& detector);
  /// The contacts of the whole problem on rank 0, and their guess.
  StepProblem whole(const StepProblem& mine) const;

 private:
  Solved solve_shared(const Bodies& bodies, StepProblem& mine, std::span<const double> free, int contacts,
                      ContactSolver& solver);
  Solved solve_on_first(const Bodies& bodies, const JointSet& joints, const StepProblem& mine,
                        std::span<const double> free, ContactSolver& solver);
  void move(const std::vector<int>& cut, ContactMemory& memory, Detector& detector);
  int home(int body) const;

  SharedSolver& solver_;
  bool uniform_ = true;  // all bodies that move have as many rows
  bool divided_ = true;  // false: with bodies of elements rank 0 has all contacts
  std::vector<int> cut_;
  long since_cut_ = 0;  // steps
  StepProblem share_;   // the contacts that this rank solves
  std::vector<double> guess_;
  SolveResult result_;
};

}  // namespace stickslip::internal
