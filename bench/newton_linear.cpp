// bench_newton_linear [FILE...]: which direct solver factorises the matrices of Newton's method fastest, W +
// aI with the pattern analysed before, all contacts closed. The fronts of src/linalg are the default. Eigen's
// sparse LU is the other choice of the option `linear`; KLU (LGPL-2.1+) and UMFPACK (GPL-2+) are measured
// beside them where they are installed, and are not linked to the library.

#include <fmt/format.h>

#include <Eigen/SparseLU>
#ifdef STICKSLIP_HAVE_SUITESPARSE
#include <Eigen/KLUSupport>
#include <Eigen/UmfPackSupport>
#endif
#include <algorithm>
#include <chrono>
#include <filesystem>

#include "data_files.hpp"
#include "linalg/contact_system/front_lu.hpp"
#include "stickslip/stickslip.hpp"

namespace {

using namespace stickslip;
using namespace stickslip::internal;
using Sparse = Eigen::SparseMatrix<double>;

double milliseconds(const std::function<void()>& work) {
  double best = 1e300;
  for (int k = 0; k < 3; ++k) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

/// Factorise and solve, in ms, and "-" where the answer is wrong.
std::string measure(const Sparse& A, const std::function<void()>& factorise,
                    const std::function<void(Eigen::VectorXd&)>& solve) {
  const double first = milliseconds(factorise);
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
  Eigen::VectorXd x;
  const double second = milliseconds([&] { solve(x = b); });
  if (!((A * x - b).norm() <= 1e-6 * b.norm())) return "-";
  return fmt::format("{:.2f} / {:.2f}", first, second);
}

template <class Factors>
std::string library(const Sparse& A) {
  Factors factors;
  factors.analyzePattern(A);
  return measure(
      A, [&] { factors.factorize(A); }, [&](Eigen::VectorXd& x) { x = factors.solve(Eigen::VectorXd(x)); });
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files(argv + 1, argv + argc);
  if (files.empty()) files = bench::data_files();
  fmt::print("{:<44} {:>6} | {:>14} {:>14} {:>14} {:>14}\n", "W + 1e-3 I, factorise / solve in ms", "rows",
             "fronts", "Eigen LU", "KLU", "UMFPACK");
  for (const auto& path : files) try {
      const ProblemFile file = read_problem(path);
      const ReducedProblem p = file.is_global() ? Reduction(std::get<GlobalProblem>(file.problem)).reduced()
                                                : std::get<ReducedProblem>(file.problem);
      if (argc < 2 && p.contacts() < 200) continue;
      const Index n = p.contacts() * p.dimension();
      const auto d = std::size_t(p.dimension()), contacts = std::size_t(p.contacts());
      std::vector<Eigen::Triplet<double>> entries;
      for (const Triplet& e : p.W().to_sparse().triplets()) entries.emplace_back(e.row, e.column, e.value);
      for (Index i = 0; i < n; ++i) entries.emplace_back(i, i, 1e-3);
      Sparse A(n, n);
      A.setFromTriplets(entries.begin(), entries.end());

      FrontLu fronts;
      fronts.analyse(p.W());
      const std::vector<std::uint8_t> all(contacts, 1);
      std::vector<double> left(contacts * d * d), right(contacts * d * d);
      for (std::size_t i = 0; i < contacts; ++i)
        for (std::size_t c = 0; c < d; ++c) left[i * d * d + c * (d + 1)] = 1;
      const std::string ours = measure(
          A, [&] { fronts.factorise(all, left.data(), right.data(), 1e-3); },
          [&](Eigen::VectorXd& x) {
            fronts.solve({x.data(), std::size_t(x.size())});
          });
      std::string klu = "-", umfpack = "-";
#ifdef STICKSLIP_HAVE_SUITESPARSE
      klu = library<Eigen::KLU<Sparse>>(A);
      umfpack = library<Eigen::UmfPackLU<Sparse>>(A);
#endif
      fmt::print("{:<44} {:>6} | {:>14} {:>14} {:>14} {:>14}\n", path.stem().string().substr(0, 44), n, ours,
                 library<Eigen::SparseLU<Sparse>>(A), klu, umfpack);
    } catch (const Error&) {
    }
}
