// A linear solver that all ranks run together, each with its rows of the matrix. PETSc is behind it (mpi/petsc).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "linalg/contact_system/block_solver.hpp"

namespace stickslip::internal {

/// Some consecutive rows of a square matrix, in d×d column-major blocks by compressed rows, columns rising; the diagonal is among them.
struct BlockRows {
  int dimension = 3;
  Index first = 0, all = 0;  ///< of the rows of blocks; how many the whole has
  std::vector<Index> row_start = {0}, column;
  std::vector<Index> body_start = {
      0};  ///< where bodies, or parts of them, begin among the rows, and their number
  std::vector<double> values;

  Index rows() const { return Index(row_start.size()) - 1; }
};

/// Bodies, and how many blocks of a matrix lie between two of them, by compressed rows: symmetric, no body beside itself.
struct BodyNetwork {
  std::vector<Index> row_start = {0}, neighbour, blocks;
  std::vector<Index> nodes;  ///< of each body
};

/// What helps it: diagonal blocks inverted, overlapping pieces factorised, factors of the whole, or multigrid for bodies of elements, by PETSc or by
/// hypre.
enum class Preconditioner { jacobi, additive_schwarz, mumps, multigrid, hypre };

/// Every function but the last two is called by all ranks, in the same order. What it gives is equal to tolerance for other numbers of ranks, not in bits.
class ParallelSolver {
 public:
  virtual ~ParallelSolver() = default;
  /// Takes the matrix, and makes the preconditioner or the factors. False on this rank: it failed.
  virtual bool factorise(const BlockRows& mine, BlockSolver::Symmetry symmetry) = 0;
  /// x ← K⁻¹ x, this rank's rows. Iterations taken; −1: it failed, on all ranks.
  virtual long solve(std::span<double> x) = 0;
  /// What it does, in one line.
  virtual std::string description() const = 0;
  /// The part of each body where as many nodes lie in each of `count` parts and little between them. Empty: the order of the nodes is to decide.
  virtual std::vector<Index> parts(const BodyNetwork& network, int count) = 0;
};

}  // namespace stickslip::internal
