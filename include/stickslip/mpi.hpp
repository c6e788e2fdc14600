// Problems and simulations that all processes of an MPI communicator work on. The component `mpi` of the package; nothing else
// of stickslip knows MPI.
//
// Process 0 has the problem and the result; the others lend a hand. Every result has the bits that one process gives
// with the same solver, for any number of processes (docs/distributed.md).
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>

#include "stickslip/export.hpp"
#include "stickslip/simulation.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::mpi {

/// One solver of all processes. Constructor, destructor and solve are called by all of them in the same order, while MPI runs. What goes wrong on
/// one process alone, memory above all, ends all of them (MPI_Abort), so that nobody waits for ever.
class STICKSLIP_EXPORT Solver {
 public:
  /// Works on a copy of the communicator. `auto` stands for `relaxed` on large packings, which all processes solve, and for itself, run by process 0 alone, on all
  /// other problems. Throws InputError on an unknown name, or a solver that is not for several processes.
  Solver(const std::string& name, MPI_Comm communicator);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Process 0 passes the problem and a request, and gets what stickslip::Solver::solve gives; the others pass nullptr and get status, iterations and
  /// measures. Throws InputError on all processes where the request is wrong or process 0 has no problem; it says why on process 0.
  SolveResult solve(const GlobalProblem* problem, const SolveRequest& request = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// A simulation that all processes step together: each has all bodies, looks for its part of the contacts and solves its part of large problems. As for Solver,
/// all processes make the same calls, but for `whole`.
class STICKSLIP_EXPORT Simulation {
 public:
  /// All processes pass the same scene. Its solver must be one for several processes; `auto` is that of Solver, step by step. Throws InputError on all processes
  /// where the scene is wrong.
  Simulation(const Scene& scene, MPI_Comm communicator);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// As stickslip::Simulation; the same answer on all processes. `observer` is called on process 0.
  bool step();
  bool run(double duration, const std::function<bool(const stickslip::Simulation&)>& observer = {});

  /// The state with all contacts, on process 0; nullptr on the others. It may be looked at and changed between steps; its own step, run, problem and guess are calls
  /// of all processes and must not be made here.
  stickslip::Simulation* whole();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip::mpi
