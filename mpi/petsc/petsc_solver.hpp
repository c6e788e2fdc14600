// K x = b by PETSc (Balay and others, PETSc/TAO Users Manual, ANL-21/39): Krylov methods, preconditioners and factorisations over MPI.
//
//   jacobi   conjugate gradients, the diagonal blocks of the nodes inverted (PCPBJACOBI)
//   asm      conjugate gradients, overlapping pieces factorised exactly (additive Schwarz, PCASM)
//   mumps    factors by MUMPS, L Lᵀ or L U
//
// GMRES in the place of conjugate gradients where K is not symmetric.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "distributed/parallel_solver.hpp"

namespace stickslip::internal {

/// Begins PETSc on this communicator, and ends it with the object; MPI must be running meanwhile. PETSC_OPTIONS of the environment is heard,
/// -log_view and all options of KSP and PC.
std::unique_ptr<ParallelSolver> make_petsc_solver(MPI_Comm communicator, Preconditioner preconditioner);

}  // namespace stickslip::internal
