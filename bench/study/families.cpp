// The table and the pictures of docs/families.md: bench_families FOLDER writes the pictures there and prints
// a row of `stickslip info`'s figures for each family. The conditioning is that of W's symmetric part,
// largest to smallest eigenvalue above 1e-9 of the largest.

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "stickslip/stickslip.hpp"

namespace {

using namespace stickslip;
using namespace stickslip::internal;

double conditioning(const BlockMatrix& W) {
  const SparseMatrix sparse = W.to_sparse();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(sparse.rows(), sparse.rows());
  for (const Triplet& t : sparse.triplets()) {
    A(t.row, t.column) += t.value / 2;
    A(t.column, t.row) += t.value / 2;
  }
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = values.maxCoeff();
  double smallest = largest;
  for (const double x : values)
    if (x > 1e-9 * largest) smallest = std::min(smallest, x);
  return largest / smallest;
}

std::string row(const std::string& name, const GenerateRequest& request) {
  const ProblemFile file = generate(name, request);
  const ReducedProblem& problem = file.is_global()
                                      ? Reduction(std::get<GlobalProblem>(file.problem)).reduced()
                                      : std::get<ReducedProblem>(file.problem);
  const Statistics s = statistics(problem);
  return fmt::format("| `{}` | {} | {} | {} | {} | {:.1e} | {} | {} |", name, s.contacts,
                     s.degrees_of_freedom ? std::to_string(*s.degrees_of_freedom) : "–",
                     s.density ? fmt::format("{:.2f}", *s.density) : "–",
                     s.rank_ratio ? fmt::format("{:.2f}", *s.rank_ratio) : "–", conditioning(problem.W()),
                     s.mu_min == s.mu_max ? fmt::format("{:.2g}", s.mu_min)
                                          : fmt::format("{:.2g} to {:.2g}", s.mu_min, s.mu_max),
                     s.asymmetry < 1e-12 ? "yes" : fmt::format("no, {:.2g}", s.asymmetry));
}

void write(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: bench_families FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  std::cout << "| family | contacts | degrees of freedom | c | rank ratio | conditioning | μ | symmetric |\n"
               "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const auto& f : problem_families()) {
    // Of the local problems the third is the one of the first three that is unsymmetric.
    const GenerateRequest request = {.seed = f.name == "local" ? 3u : 1u};
    std::cout << row(f.name, request) << std::endl;
    if (f.has_picture && f.name != "infeasible") write(folder / (f.name + ".svg"), picture(f.name));
  }
  const char* kinds[4] = {"press", "vice", "cage", "row"};
  for (unsigned seed = 4; seed < 8; ++seed)
    write(folder / fmt::format("infeasible_{}.svg", kinds[seed - 4]),
          picture("infeasible", {.size = 12, .seed = seed}));
  write(folder / "arch_plane.svg", picture("arch", {.size = 24, .dimension = 2}));
}
