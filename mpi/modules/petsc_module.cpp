// What the command line loads for linear systems on several processes (app/ranks.cpp).
#include "mpi/petsc/petsc_solver.hpp"

using namespace stickslip::internal;

/// `preconditioner` is a number of Preconditioner. MPI must be running until the object is gone.
extern "C" __attribute__((visibility("default"))) ParallelSolver* stickslip_open_petsc(int preconditioner) {
  return make_petsc_solver(MPI_COMM_WORLD, Preconditioner(preconditioner)).release();
}
