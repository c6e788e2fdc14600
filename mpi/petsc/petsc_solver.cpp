#include "mpi/petsc/petsc_solver.hpp"

#include <petscksp.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <vector>

namespace stickslip::internal {
namespace {

/// Of the residual, and iterations at most: who calls refines, and looks at what is left.
constexpr double accuracy = 1e-10;
constexpr int most_iterations = 2000, restart = 100;
/// Pieces of all ranks together at most, and rows of one at least, but for small shares: pieces smaller than a body of elements take many times the iterations.
constexpr int pieces = 16, piece_rows = 3000;
/// How a piece is solved.
constexpr const char* pieces_option = "-sub_pc_type";

/// Springs of contacts, some as stiff as they get, lie between bodies: smoothers that cope with them.
constexpr std::pair<const char*, const char*> multigrid_options[] = {{"-mg_levels_ksp_type", "gmres"},
                                                                     {"-mg_levels_ksp_max_it", "4"},
                                                                     {"-mg_levels_pc_type", "pbjacobi"},
                                                                     {"-pc_gamg_threshold", "0.02"}},
                                              hypre_options[] = {
                                                  {"-pc_hypre_boomeramg_strong_threshold", "0.7"},
                                                  {"-pc_hypre_boomeramg_max_iter", "2"}};

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
    const std::string name = type == std::string(PCHYPRE) ? "hypre" : type ? type : "none";
    return std::string(method ? method : "none") + " + " + name;
  }

  /// By PT-Scotch, or by what -mat_partitioning_type of PETSC_OPTIONS says: `current` leaves it to the order.
  std::vector<Index> parts(const BodyNetwork& network, int count) override {
    const auto n = PetscInt(network.nodes.size());
    Mat graph = nullptr;
    const auto copy_of = [](const std::vector<Index>& numbers) {  // in memory that PETSc gives back
      void* copy = nullptr;
      must(PetscMalloc(std::max<std::size_t>(numbers.size(), 1) * sizeof(PetscInt), &copy));
      std::ranges::copy(numbers, static_cast<PetscInt*>(copy));
      return static_cast<PetscInt*>(copy);
    };
    must(MatCreateMPIAdj(PETSC_COMM_SELF, n, n, copy_of(network.row_start), copy_of(network.neighbour),
                         copy_of(network.blocks), &graph));
    MatPartitioning partitioning = nullptr;
    must(MatPartitioningCreate(PETSC_COMM_SELF, &partitioning));
    must(MatPartitioningSetAdjacency(partitioning, graph));
    must(MatPartitioningSetUseEdgeWeights(partitioning, PETSC_TRUE));
    must(MatPartitioningSetVertexWeights(partitioning, copy_of(network.nodes)));
    must(MatPartitioningSetNParts(partitioning, count));
    std::vector<Index> part;
    MatPartitioningType type = nullptr;
    // A PETSc without PT-Scotch says no here.
    if (MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH) == 0 &&
        MatPartitioningSetFromOptions(partitioning) == 0 &&
        MatPartitioningGetType(partitioning, &type) == 0 && type != std::string(MATPARTITIONINGCURRENT)) {
      IS found = nullptr;
      if (MatPartitioningApply(partitioning, &found) == 0) {
        const PetscInt* indices = nullptr;
        must(ISGetIndices(found, &indices));
        part.assign(indices, indices + n);
        must(ISRestoreIndices(found, &indices));
        must(ISDestroy(&found));
      }
    }
    must(MatPartitioningDestroy(&partitioning));
    must(MatDestroy(&graph));
    return part;
  }

 private:
  bool another_pattern(const BlockRows& mine) const {
    int other =
        !matrix_ || mine.row_start != row_start_ || mine.column != column_ || mine.body_start != body_start_;
    MPI_Allreduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
    return other != 0;
  }

  void take_pattern(const BlockRows& mine) {
    row_start_ = mine.row_start;
    column_ = mine.column;
    body_start_ = mine.body_start;
    dimension_ = mine.dimension;
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
    // A new one: pieces of another number do not fit into the old one.
    must(KSPDestroy(&solver_));
    must(KSPCreate(PETSC_COMM_WORLD, &solver_));
    must(KSPSetType(solver_, symmetric_ ? KSPCG : KSPGMRES));
    if (!symmetric_) must(KSPGMRESSetRestart(solver_, restart));
    must(KSPSetTolerances(solver_, accuracy, PETSC_DEFAULT, PETSC_DEFAULT, most_iterations));
    must(KSPGetPC(solver_, &pc));
    switch (preconditioner_) {
      case Preconditioner::jacobi:
        must(PCSetType(pc, PCPBJACOBI));
        break;
      case Preconditioner::additive_schwarz:
        must(PCSetType(pc, PCASM));
        must(PCASMSetType(pc, symmetric_ ? PC_ASM_BASIC : PC_ASM_RESTRICT));
        set_pieces(pc);
        must(PCASMSetOverlap(pc, 1));
        if (!pieces_are_chosen_)
          must(PetscOptionsSetValue(nullptr, pieces_option, symmetric_ ? "cholesky" : "lu"));
        break;
      case Preconditioner::multigrid:
        must(KSPSetType(solver_, KSPFGMRES));  // smoothers are Krylov methods
        must(KSPGMRESSetRestart(solver_, restart));
        must(PCSetType(pc, PCGAMG));
        set_options(multigrid_options);
        break;
      case Preconditioner::hypre:
        must(PCSetType(pc, PCHYPRE));
        must(PCHYPRESetType(pc, "boomeramg"));
        set_options(hypre_options);
        break;
      case Preconditioner::mumps:
        must(KSPSetType(solver_, KSPPREONLY));
        must(PCSetType(pc, symmetric_ ? PCCHOLESKY : PCLU));
        must(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
        break;
    }
    must(KSPSetFromOptions(solver_));
  }

  /// Where PETSC_OPTIONS says nothing else.
  static void set_options(std::span<const std::pair<const char*, const char*>> options) {
    for (const auto& [name, value] : options) {
      PetscBool chosen = PETSC_FALSE;
      must(PetscOptionsHasName(nullptr, nullptr, name, &chosen));
      if (!chosen) must(PetscOptionsSetValue(nullptr, name, value));
    }
  }

  /// Rows of each body, or part of one, that this rank has.
  std::vector<PetscInt> body_sizes() const {
    std::vector<PetscInt> sizes;
    for (std::size_t b = 1; b < body_start_.size(); ++b)
      sizes.push_back((body_start_[b] - body_start_[b - 1]) * dimension_);
    return sizes;
  }

  /// Whole bodies side by side, as many rows in each piece.
  void set_pieces(PC pc) {
    PetscInt begin = 0, end = 0;
    int ranks = 1;
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    must(MatGetOwnershipRange(matrix_, &begin, &end));
    const PetscInt mine = end - begin,
                   count = std::clamp<PetscInt>(mine / piece_rows, 1, std::max(1, pieces / ranks)),
                   least = (mine + count - 1) / count;
    std::vector<IS> sets;
    PetscInt first = 0, last = 0;
    const auto close = [&] {
      must(ISCreateStride(PETSC_COMM_SELF, last - first, begin + first, 1, &sets.emplace_back()));
      first = last;
    };
    for (const PetscInt size : body_sizes()) {
      last += size;
      if (last - first >= least) close();
    }
    if (last > first || sets.empty()) close();
    must(PCASMSetLocalSubdomains(pc, PetscInt(sets.size()), sets.data(), nullptr));
    for (IS& set : sets) must(ISDestroy(&set));
  }

  Preconditioner preconditioner_;
  KSP solver_ = nullptr;
  Mat matrix_ = nullptr;
  Vec vector_ = nullptr;
  bool symmetric_ = true;
  PetscBool pieces_are_chosen_ = PETSC_FALSE;  // by PETSC_OPTIONS
  PetscInt dimension_ = 3;
  std::vector<Index> row_start_, column_, body_start_;
};

}  // namespace

std::unique_ptr<ParallelSolver> make_petsc_solver(MPI_Comm communicator, Preconditioner preconditioner) {
  return std::make_unique<PetscSolver>(communicator, preconditioner);
}

}  // namespace stickslip::internal
