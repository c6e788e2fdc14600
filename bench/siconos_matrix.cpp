#include "siconos_matrix.hpp"

#include <FrictionContactProblem.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SparseBlockMatrix.h>

#include <algorithm>
#include <cstdlib>

namespace bench {

using stickslip::Index;

NumericsMatrix* to_siconos(const stickslip::BlockMatrix& W) {
  const auto n = std::size_t(W.size());
  const std::size_t blocks = n + std::size_t(W.off_diagonal_blocks());
  NumericsMatrix* M = NM_create(NM_SPARSE_BLOCK, int(3 * n), int(3 * n));
  SparseBlockStructuredMatrix* S = M->matrix1;
  S->nbblocks = unsigned(blocks);
  S->blocknumber0 = S->blocknumber1 = unsigned(n);
  S->filled1 = n + 1;
  S->filled2 = blocks;
  const auto allocate = [](std::size_t bytes) { return std::malloc(bytes); };
  S->blocksize0 = static_cast<unsigned*>(allocate(n * sizeof(unsigned)));
  S->blocksize1 = static_cast<unsigned*>(allocate(n * sizeof(unsigned)));
  S->index1_data = static_cast<std::size_t*>(allocate((n + 1) * sizeof(std::size_t)));
  S->index2_data = static_cast<std::size_t*>(allocate(blocks * sizeof(std::size_t)));
  S->block = static_cast<double**>(allocate(blocks * sizeof(double*)));
  std::size_t at = 0;
  const auto add = [&](Index column, const double* values) {
    S->index2_data[at] = std::size_t(column);
    S->block[at] = static_cast<double*>(allocate(9 * sizeof(double)));
    std::copy_n(values, 9, S->block[at++]);
  };
  for (Index i = 0; i < W.size(); ++i) {
    S->blocksize0[i] = S->blocksize1[i] = 3 * unsigned(i + 1);
    S->index1_data[i] = at;
    bool diagonal_done = false;
    for (Index k = W.row_start()[std::size_t(i)]; k < W.row_start()[std::size_t(i) + 1]; ++k) {
      const Index j = W.column()[std::size_t(k)];
      if (j > i && !diagonal_done) add(i, W.diagonal(i)), diagonal_done = true;
      add(j, W.block(k));
    }
    if (!diagonal_done) add(i, W.diagonal(i));
  }
  S->index1_data[n] = at;
  NM_reset_versions(M);
  return M;
}

FrictionContactProblem* to_siconos(const stickslip::ReducedProblem& p) {
  const auto copy = [](std::span<const double> x) {
    auto* y = static_cast<double*>(std::malloc(x.size() * sizeof(double)));
    std::copy(x.begin(), x.end(), y);
    return y;
  };
  FrictionContactProblem* problem = frictionContactProblem_new();
  problem->dimension = 3;
  problem->numberOfContacts = p.contacts();
  problem->M = to_siconos(p.W());
  problem->q = copy(p.q());
  problem->mu = copy(p.mu());
  numerics_set_verbose(0);
  return problem;
}

}  // namespace bench
