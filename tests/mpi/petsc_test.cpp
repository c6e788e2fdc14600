// Run by mpirun with any number of processes: linear systems by PETSc, and interior points that stand on them, to the tolerance of one process.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "catalog/make_method.hpp"
#include "distributed/shared_system.hpp"
#include "mpi/mpi_ranks.hpp"
#include "mpi/petsc/petsc_solver.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

/// Process 0 calls work(system), the others serve.
template <class Work>
void with_petsc(Preconditioner preconditioner, const Work& work) {
  MpiRanks ranks(MPI_COMM_WORLD);
  const auto solver = make_petsc_solver(MPI_COMM_WORLD, preconditioner);
  if (ranks.rank() != 0) return serve_system(ranks, *solver);
  SharedSystem system(ranks, *solver);
  work(system);
}

constexpr Preconditioner each_preconditioner[] = {Preconditioner::jacobi, Preconditioner::additive_schwarz,
                                                  Preconditioner::mumps, Preconditioner::multigrid,
                                                  Preconditioner::hypre};
bool is_multigrid(Preconditioner preconditioner) {
  return preconditioner == Preconditioner::multigrid || preconditioner == Preconditioner::hypre;
}

/// Nodes with 2×2 blocks between neighbours: diagonally dominant, symmetric or not.
struct Network {
  Network(Index nodes, const std::vector<std::pair<Index, Index>>& edges, double skew) {
    std::vector<std::set<Index>> neighbours(static_cast<std::size_t>(nodes));
    for (const auto& [a, b] : edges) {
      neighbours[std::size_t(a)].insert(b);
      neighbours[std::size_t(b)].insert(a);
    }
    Random random(5);
    for (Index a = 0; a < nodes; ++a) {
      for (const Index b : neighbours[std::size_t(a)]) {
        column.push_back(b);
        const double sign = a < b ? 1 + skew : 1;
        for (const double entry : {-1.0, a < b ? 0.3 : 0.2, a < b ? 0.2 : 0.3, -0.5})
          blocks.push_back(sign * entry);
      }
      row_start.push_back(Index(column.size()));
      for (const double entry : {5.0, 0.5 + skew, 0.5, 6.0}) diagonal.push_back(entry);
      for (int c = 0; c < 2; ++c) x.push_back(random.uniform() - 0.5);
    }
    K.dimension = 2;
    K.row_start = row_start;
    K.column = column;
    K.blocks = blocks.data();
    K.diagonals = diagonal.data();
  }
  std::vector<double> product() const {
    std::vector<double> y(x.size(), 0.0);
    const auto add = [&](const double* A, Index a, Index b) {
      for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t r = 0; r < 2; ++r)
          y[std::size_t(a) * 2 + r] += A[r + 2 * c] * x[std::size_t(b) * 2 + c];
    };
    for (Index a = 0; a < K.size(); ++a) {
      add(K.diagonal(a), a, a);
      for (Index e = row_start[std::size_t(a)]; e < row_start[std::size_t(a) + 1]; ++e)
        add(K.block(e), a, column[std::size_t(e)]);
    }
    return y;
  }

  std::vector<Index> row_start = {0}, column;
  std::vector<double> blocks, diagonal, x;
  BlockView K;
};

Network chain_of(Index nodes, double skew) {
  std::vector<std::pair<Index, Index>> edges;
  for (Index a = 1; a < nodes; ++a) edges.emplace_back(a - 1, a);
  return {nodes, edges, skew};
}

TEST(Petsc, SolvesChains) {
  for (const auto preconditioner : each_preconditioner)
    with_petsc(preconditioner, [&](SharedSystem& system) {
      for (const double skew : {0.0, 0.25}) {
        const Network chain = chain_of(100, skew);
        ASSERT_TRUE(system.factorise(
            chain.K, skew == 0 ? BlockSolver::Symmetry::symmetric : BlockSolver::Symmetry::general));
        for (int round = 0; round < 2; ++round) {
          std::vector<double> y = chain.product();
          ASSERT_TRUE(system.solve(y));
          // The residual falls to 1e-10 of ‖b‖, about 30, and K is far from singular.
          for (std::size_t k = 0; k < y.size(); ++k)
            EXPECT_NEAR(y[k], chain.x[k], 1e-8) << system.report().solver;
        }
      }
      EXPECT_EQ(system.report().solves, 4);
      EXPECT_EQ(system.report().factorisations, 2);
    });
}

/// Bodies of seven nodes stay whole, which changes the cut and the pieces, and no solution.
TEST(Petsc, BodiesStayWhole) {
  for (const auto preconditioner : {Preconditioner::additive_schwarz, Preconditioner::mumps})
    with_petsc(preconditioner, [&](SharedSystem& system) {
      const Network chain = chain_of(100, 0.25);
      for (const Index body : {1, 7, 100}) {
        std::vector<Index> least(100);
        for (Index k = 0; k < 100; ++k) least[std::size_t(k)] = k / body * body;
        system.set_bodies(least);
        ASSERT_TRUE(system.factorise(chain.K, BlockSolver::Symmetry::general));
        std::vector<double> y = chain.product();
        ASSERT_TRUE(system.solve(y));
        for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(y[k], chain.x[k], 1e-8);
      }
    });
}

/// A ring of bodies of five nodes, in any order: PT-Scotch cuts it once for each process.
TEST(Petsc, BodiesOfElementsAreDividedByScotch) {
  int processes = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  constexpr Index bodies = 36, nodes = 5;
  const auto node = [](Index body, Index k) { return (body * 7 % bodies) * nodes + k; };
  std::vector<std::pair<Index, Index>> edges;
  std::vector<Index> least(std::size_t(bodies * nodes));
  for (Index b = 0; b < bodies; ++b) {
    for (Index k = 1; k < nodes; ++k) edges.emplace_back(node(b, k - 1), node(b, k));
    for (Index k = 0; k < nodes; ++k) least[std::size_t(node(b, k))] = node(b, 0);
    edges.emplace_back(node(b, nodes - 1), node((b + 1) % bodies, 0));
  }
  with_petsc(Preconditioner::additive_schwarz, [&](SharedSystem& system) {
    const Network ring(bodies * nodes, edges, 0);
    system.set_bodies(least);
    ASSERT_TRUE(system.factorise(ring.K, BlockSolver::Symmetry::symmetric));
    EXPECT_EQ(system.report().between, processes == 1 ? 0 : 2 * processes);
    std::vector<double> y = ring.product();
    ASSERT_TRUE(system.solve(y));
    for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(y[k], ring.x[k], 1e-8);
  });
}

TEST(Petsc, MoreProcessesThanNodes) {
  with_petsc(Preconditioner::jacobi, [&](SharedSystem& system) {
    const Network chain = chain_of(2, 0);
    ASSERT_TRUE(system.factorise(chain.K, BlockSolver::Symmetry::symmetric));
    std::vector<double> y = chain.product();
    ASSERT_TRUE(system.solve(y));
    for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(y[k], chain.x[k], 1e-9);
  });
}

/// Several processes on few cores wait for each other at every iteration: they get the easiest problem, and factors.
TEST(Petsc, InteriorPointsReachTheTolerance) {
  int processes = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  for (const auto preconditioner : each_preconditioner)
    with_petsc(preconditioner, [&](SharedSystem& system) {
      for (const char* family : {"wall", "dome", "spheres", "elastic_cubes"}) {
        SCOPED_TRACE(family);
        if (processes > 1 && family != std::string("wall")) continue;
        if (processes > 1 && preconditioner != Preconditioner::mumps) continue;
        if (is_multigrid(preconditioner) && family != std::string("elastic_cubes")) continue;
        const auto problem =
            std::get<GlobalProblem>(generate(family, {.size = 30, .load = 0.1, .seed = 4}).problem);
        const auto method = make_method("nipm");
        method->set_body_solver(&system);
        const long before = system.report().solves;
        const SolveResult result = method->solve(problem, {.tolerance = 1e-8});
        EXPECT_TRUE(result.converged()) << result.message << ", error " << result.error();
        EXPECT_LE(result.error(), 1e-8);
        EXPECT_GT(system.report().solves, before) << "PETSc was not asked";
      }
    });
}

}  // namespace
}  // namespace stickslip::internal
