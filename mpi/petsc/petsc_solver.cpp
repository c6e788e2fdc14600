#include "mpi/petsc/petsc_solver.hpp"

#include <petscksp.h>

#include <array>
#include <stdexcept>
#include <vector>

namespace stickslip::internal {
namespace {

/// Of the residual, and iterations at most: who calls refines, and looks at what is left.
constexpr double accuracy = 1e-10;
constexpr int most_iterations = 5000, restart = 100;
/// Pieces of all ranks together: of a few hundred bodies each in networks of thousands.
constexpr int pieces = 16;
/// How a piece is solved.
constexpr const char* pieces_option = "-sub_pc_type";

/// PETSc's codes become exceptions: what is left are wrong calls and memory, which this rank alone may have.
void must(PetscErrorCode code) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw std::runtime_error("PETSc: " + std::string(text ? text : "error " + std::to_string(code)));
}

class PetscSolver final : public ParallelSolver {
 public:
  PetscSolver(MPI_Comm communicator, Preconditioner preconditioner) : preconditioner_(preconditioner) {
    PETSC_COMM_WORLD = communicator;
    // No files of options, and signals as they were.
    std::array<std::string, 3> words = {"stickslip", "-skip_petscrc", "-no_signal_handler"};
    std::array<char*, 4> texts = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    int count = int(words.size());
    char** list = texts.data();
    must(PetscInitialize(&count, &list, nullptr, nullptr));
    must(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
    must(PetscOptionsHasName(nullptr, nullptr, pieces_option, &pieces_are_chosen_));
    must(KSPCreate(PETSC_COMM_WORLD, &solver_));
  }
  ~PetscSolver() override {
    KSPDestroy(&solver_);
    MatDestroy(&matrix_);
    VecDestroy(&vector_);
    PetscPopErrorHandler();
    PetscFinalize();
  }
  PetscSolver(const PetscSolver&) = delete;
  PetscSolver& operator=(const PetscSolver&) = delete;

  bool factorise(const BlockRows& mine, BlockSolver::Symmetry symmetry) override {
    const bool symmetric = symmetry == BlockSolver::Symmetry::symmetric;
    if (another_pattern(mine) || symmetric != symmetric_) {
      symmetric_ = symmetric;
      take_pattern(mine);
      choose();
    }
    const auto d = std::size_t(mine.dimension), area = d * d;
    for (Index k = 0; k < mine.rows(); ++k) {
      const PetscInt row = mine.first + k;
      const auto begin = std::size_t(mine.row_start[std::size_t(k)]),
                 end = std::size_t(mine.row_start[std::size_t(k) + 1]);
      for (std::size_t e = begin; e < end; ++e) {
        const PetscInt column = mine.column[e];
        must(MatSetValuesBlocked(matrix_, 1, &row, 1, &column, &mine.values[e * area], INSERT_VALUES));
      }
    }
    must(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    must(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
    must(KSPSetOperators(solver_, matrix_, matrix_));
    if (KSPSetUp(solver_) != 0) return false;
    PC pc = nullptr;
    PCFailedReason failed = PC_NOERROR;
    must(KSPGetPC(solver_, &pc));
    must(PCGetFailedReason(pc, &failed));
    return failed == PC_NOERROR;
  }

  long solve(std::span<double> x) override {
    must(VecPlaceArray(vector_, x.data()));
    const PetscErrorCode code = KSPSolve(solver_, vector_, vector_);
    must(VecResetArray(vector_));
    if (code != 0) return -1;
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    PetscInt iterations = 0;
    must(KSPGetConvergedReason(solver_, &reason));
    must(KSPGetIterationNumber(solver_, &iterations));
    // What did not get there has still an x of some use.
    return reason > 0 || reason == KSP_DIVERGED_ITS ? iterations : -1;
  }

  std::string description() const override {
    KSPType method = nullptr;
    PCType type = nullptr;
    PC pc = nullptr;
    KSPGetType(solver_, &method);
    KSPGetPC(solver_, &pc);
    PCGetType(pc, &type);
    return std::string(method ? method : "none") + " + " + (type ? type : "none");
  }

 private:
  bool another_pattern(const BlockRows& mine) const {
    int other = !matrix_ || mine.row_start != row_start_ || mine.column != column_;
    MPI_Allreduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
    return other != 0;
  }

  void take_pattern(const BlockRows& mine) {
    row_start_ = mine.row_start;
    column_ = mine.column;
    must(MatDestroy(&matrix_));
    must(VecDestroy(&vector_));
    const PetscInt d = mine.dimension, rows = mine.rows() * d;
    std::vector<PetscInt> own, others;
    for (Index k = 0; k < mine.rows(); ++k) {
      PetscInt inside = 0;
      const auto begin = mine.row_start[std::size_t(k)], end = mine.row_start[std::size_t(k) + 1];
      for (Index e = begin; e < end; ++e) {
        const Index column = mine.column[std::size_t(e)];
        inside += column >= mine.first && column < mine.first + mine.rows();
      }
      own.push_back(inside);
      others.push_back(PetscInt(end - begin) - inside);
    }
    must(MatCreate(PETSC_COMM_WORLD, &matrix_));
    must(MatSetSizes(matrix_, rows, rows, mine.all * d, mine.all * d));
    must(MatSetType(matrix_, MATAIJ));
    must(MatXAIJSetPreallocation(matrix_, d, own.data(), others.data(), nullptr, nullptr));
    must(MatSetOption(matrix_, MAT_ROW_ORIENTED, PETSC_FALSE));
    must(MatSetOption(matrix_, MAT_SPD, symmetric_ ? PETSC_TRUE : PETSC_FALSE));
    must(VecCreateMPIWithArray(PETSC_COMM_WORLD, d, rows, mine.all * d, nullptr, &vector_));
  }

  /// Krylov method and preconditioner; PETSC_OPTIONS has the last word.
  void choose() {
    PC pc = nullptr;
    must(KSPReset(solver_));
    must(KSPSetType(solver_, symmetric_ ? KSPCG : KSPGMRES));
    if (!symmetric_) must(KSPGMRESSetRestart(solver_, restart));
    must(KSPSetTolerances(solver_, accuracy, PETSC_DEFAULT, PETSC_DEFAULT, most_iterations));
    must(KSPGetPC(solver_, &pc));
    switch (preconditioner_) {
      case Preconditioner::jacobi:
        must(PCSetType(pc, PCPBJACOBI));
        break;
      case Preconditioner::additive_schwarz: {
        must(PCSetType(pc, PCASM));
        must(PCASMSetOverlap(pc, 1));
        must(PCASMSetType(pc, symmetric_ ? PC_ASM_BASIC : PC_ASM_RESTRICT));
        if (!pieces_are_chosen_)
          must(PetscOptionsSetValue(nullptr, pieces_option, symmetric_ ? "cholesky" : "lu"));
        int ranks = 1;
        MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
        if (ranks < pieces) must(PCASMSetTotalSubdomains(pc, pieces / ranks * ranks, nullptr, nullptr));
        break;
      }
      case Preconditioner::mumps:
        must(KSPSetType(solver_, KSPPREONLY));
        must(PCSetType(pc, symmetric_ ? PCCHOLESKY : PCLU));
        must(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
        break;
    }
    must(KSPSetFromOptions(solver_));
  }

  Preconditioner preconditioner_;
  KSP solver_ = nullptr;
  Mat matrix_ = nullptr;
  Vec vector_ = nullptr;
  bool symmetric_ = true;
  PetscBool pieces_are_chosen_ = PETSC_FALSE;  // by PETSC_OPTIONS
  std::vector<Index> row_start_, column_;
};

}  // namespace

std::unique_ptr<ParallelSolver> make_petsc_solver(MPI_Comm communicator, Preconditioner preconditioner) {
  return std::make_unique<PetscSolver>(communicator, preconditioner);
}

}  // namespace stickslip::internal
