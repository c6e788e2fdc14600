// What a step does where several ranks share it.
//
// Every rank has all bodies and moves them alike. A line through space has all of them and is cut into as many parts as there are ranks. A contact belongs to
// who has its keeper, the smaller of its two bodies (detection/kept_pairs.hpp), and with it what is remembered of the contact. Merged by their pairs of
// bodies the contacts of all ranks have the order of one process, wherever the line is cut. For a solve each contact goes to the rank that the plan of the
// solve names, and its impulse comes back.
// Nothing that passes is rounded: copies, maxima, sums of whole numbers.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "dynamics/detection/detector.hpp"
#include "dynamics/stepping/contact_memory.hpp"
#include "dynamics/stepping/contact_solver.hpp"
#include "solve/shared_solver.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip::internal {

class SharedStep {
 public:
  /// Keeps a reference to the solver.
  SharedStep(SharedSolver& solver, const Bodies& bodies);

  Ranks& ranks() const { return solver_.ranks(); }
  void end(SharedPhase phase) { solver_.end(phase); }

  /// Before a step: lays and cuts the line anew where that is due, and what is remembered goes to who needs it. What others have is forgotten.
  void begin(const Bodies& bodies, ContactMemory& memory, Detector& detector);
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
  /// The contacts of the whole problem on rank 0, in its order, and their guess.
  StepProblem whole(const StepProblem& mine) const;

 private:
  /// Who touches whom on all ranks, in the order of the whole, with the bodies that have contacts numbered as they come.
  struct Touching {
    Index bodies = 0;
    std::vector<std::array<Index, 2>> bodies_of;  // of a contact, as BodyGraph::bodies_of
    std::vector<int> place;  // in that order, of the contacts of rank 0, 1, … one after the other
    bool symmetric = true;   // M = Mᵀ for all these bodies
  };
  Touching who_touches(const Bodies& bodies, const StepProblem& mine) const;
  /// Whether the ranks share this problem; what they need for it.
  bool shared(const Bodies& bodies, const StepProblem& mine, int contacts, Touching& touching) const;
  Solved solve_shared(const Bodies& bodies, StepProblem& mine, std::span<const double> free, int contacts,
                      Touching& touching, ContactSolver& solver);
  Solved solve_on_first(const Bodies& bodies, const JointSet& joints, const StepProblem& mine,
                        std::span<const double> free, ContactSolver& solver);
  void cut(std::vector<int> line, std::vector<int> cut);
  void cut_anew(const Bodies& bodies, ContactMemory& memory, Detector& detector);
  /// A contact for each body that it is the keeper of, and one for the body itself; of all ranks.
  std::vector<std::int64_t> work(const ContactMemory& memory) const;
  bool due(const ContactMemory& memory);
  std::int64_t crossing(const ContactMemory& memory) const;
  std::span<const int> part_of_line(int rank) const {
    return std::span(line_).subspan(std::size_t(cut_[std::size_t(rank)]),
                                    std::size_t(cut_[std::size_t(rank) + 1] - cut_[std::size_t(rank)]));
  }
  /// Who has a body, and who a contact of two bodies, given as body_pair.
  int home(int body) const { return home_[std::size_t(body)]; }
  int home_of_pair(std::uint64_t pair) const {
    return home(pairs_.keeper(int(pair >> 32U), int(pair & 0xffffffffU)));
  }
  template <class T>
  void keep_mine(std::vector<T>& list) const;
  template <class T>
  std::vector<T> moved(const std::vector<T>& list) const;
  template <class T>
  std::vector<T> gathered(std::vector<T> list) const;

  SharedSolver& solver_;
  bool uniform_ = true;                 // all bodies that move have as many rows
  int rows_ = 0;                        // these
  bool divided_ = true;                 // false: with bodies of elements rank 0 has all contacts
  std::vector<int> line_, cut_, home_;  // bodies; places in the line; the rank of each body
  KeptPairs pairs_;
  bool looks_at_pairs_ = false;  // the detector knows them
  long since_cut_ = 0;           // steps
  double crossing_share_ = 0;    // of the contacts, after the last cut
  StepProblem share_;            // the contacts that this rank solves
  std::vector<double> guess_;
  SolveResult result_;
};

}  // namespace stickslip::internal
