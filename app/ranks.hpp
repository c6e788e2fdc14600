// Several processes for one problem, where mpirun or srun started us.
#pragma once

#include <memory>
#include <string>

#include "base/ranks.hpp"
#include "command.hpp"
#include "distributed/parallel_solver.hpp"

namespace stickslip::app {

/// How many processes were started together, and which of them this one is, as the starter says in the environment.
struct Launch {
  int size = 1, rank = 0;
};
Launch launch();

/// The messages between them, by the module that knows MPI; it lies beside the program or where it was installed. Throws MissingComponent.
std::unique_ptr<internal::Ranks> open_ranks();

/// Linear systems of all of them, by the module that knows PETSc; `preconditioner`: jacobi, asm or mumps. Throws MissingComponent.
std::unique_ptr<internal::ParallelSolver> open_petsc(const std::string& preconditioner);
/// --petsc of a subcommand.
void add_petsc_option(CLI::App& command, Session& session);

}  // namespace stickslip::app
