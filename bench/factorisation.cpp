// bench_factorisation [FILE...]: which permissive direct solver factorises W + ρI fastest, symmetric and not.
// Eigen's LDLᵀ and LU are the default of src/linalg; SuperLU (BSD) is measured beside them where it is
// installed. UMFPACK and the supernodal CHOLMOD are GPL and are not considered.

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#ifdef STICKSLIP_HAVE_SUPERLU
#include <Eigen/SuperLUSupport>
#endif
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "data_files.hpp"
#include "stickslip/stickslip.hpp"

namespace {

using namespace stickslip;
using namespace stickslip::internal;
using Sparse = Eigen::SparseMatrix<double>;

/// Milliseconds of a factorisation with the pattern analysed before, and of a solve; the best of three.
template <class Factors>
std::pair<double, double> time_of(Factors& factors, const Sparse& A) {
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto ms = [](auto from, auto to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
  };
  factors.analyzePattern(A);
  double best = 1e300, solve = 1e300;
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
  for (int k = 0; k < 3; ++k) {
    const auto start = now();
    factors.factorize(A);
    const auto factorised = now();
    const Eigen::VectorXd x = factors.solve(b);
    best = std::min(best, ms(start, factorised));
    solve = std::min(solve, ms(factorised, now()));
    if ((A * x - b).norm() > 1e-6 * b.norm()) return {0, 0};
  }
  return {best, solve};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files(argv + 1, argv + argc);
  if (files.empty()) files = bench::data_files();
  fmt::print("{:<46} {:>6} {:>5} | {:>16} {:>16} {:>16}\n", "W + 0.01 I, factorise / solve in ms", "rows",
             "sym", "Eigen LDLT", "Eigen LU", "SuperLU");
  for (const auto& path : files) try {
      const ProblemFile file = read_problem(path);
      const ReducedProblem p = file.is_global() ? Reduction(std::get<GlobalProblem>(file.problem)).reduced()
                                                : std::get<ReducedProblem>(file.problem);
      if (p.contacts() < 300) continue;
      std::vector<Eigen::Triplet<double>> entries;
      for (const Triplet& e : p.W().to_sparse().triplets()) entries.emplace_back(e.row, e.column, e.value);
      const Index n = p.contacts() * p.dimension();
      for (Index i = 0; i < n; ++i) entries.emplace_back(i, i, 0.01);
      Sparse A(n, n);
      A.setFromTriplets(entries.begin(), entries.end());
      const bool symmetric = p.W().asymmetry() < 1e-12;
      const auto text = [](std::pair<double, double> t) {
        return t.first > 0 ? fmt::format("{:.1f} / {:.2f}", t.first, t.second) : std::string("-");
      };
      Eigen::SimplicialLDLT<Sparse> ldlt;
      Eigen::SparseLU<Sparse> lu;
      std::string super = "-";
#ifdef STICKSLIP_HAVE_SUPERLU
      Eigen::SuperLU<Sparse> superlu;
      if (n <= 1500) super = text(time_of(superlu, A));  // above it takes seconds to minutes
#endif
      fmt::print("{:<46} {:>6} {:>5} | {:>16} {:>16} {:>16}\n", path.stem().string().substr(0, 46), n,
                 symmetric ? "yes" : "no", symmetric ? text(time_of(ldlt, A)) : "-", text(time_of(lu, A)),
                 super);
    } catch (const Error&) {
    }
}
