// The library's problems handed to the independent checker (verify) as raw data.
#pragma once

#include "stickslip/problem.hpp"
#include "stickslip/problem_file.hpp"
#include "verify/verify.hpp"

namespace stickslip::tests {

inline stickslip_verify::Matrix raw(const SparseMatrix& A) {
  stickslip_verify::Matrix matrix{A.rows(), A.columns(), {}, {}, {}};
  for (const Triplet& e : A.triplets()) {
    matrix.row.push_back(e.row);
    matrix.column.push_back(e.column);
    matrix.value.push_back(e.value);
  }
  return matrix;
}

inline stickslip_verify::Report judge(const ReducedProblem& p, std::span<const double> r) {
  return stickslip_verify::verify_reduced(p.dimension(), raw(p.W().to_sparse()), p.q(), p.mu(), r);
}

inline stickslip_verify::Report judge(const GlobalProblem& p, std::span<const double> r) {
  return stickslip_verify::verify_global(p.dimension(), raw(p.M()), raw(p.H()), p.f(), p.w(), p.mu(),
                                         raw(p.G()), p.b(), r);
}

inline stickslip_verify::Report judge(const ProblemFile& file, std::span<const double> r) {
  return std::visit([&](const auto& problem) { return judge(problem, r); }, file.problem);
}

/// Two contacts of one body between two walls that close in, d = 2 or 3: W = [1 −1; −1 1] in the normals, q_N
/// = −1 twice. d = (1, 1) in the normals has W d = 0 and q·d < 0: no solution exists.
inline ReducedProblem squeezed(int dimension) {
  const Index d = dimension;
  std::vector<Triplet> entries = {{0, d, -1}, {d, 0, -1}};
  for (Index i = 0; i < 2 * d; ++i) entries.push_back({i, i, 1});
  std::vector<double> q(std::size_t(2 * d), 0.0);
  q[0] = q[std::size_t(d)] = -1;
  return {BlockMatrix(SparseMatrix(2 * d, 2 * d, entries), dimension), q, {0.5, 0.5}};
}

}  // namespace stickslip::tests
