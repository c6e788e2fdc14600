#include "campaign/figures.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <bit>
#include <optional>

#include "stickslip/statistics.hpp"

namespace stickslip::campaign {
namespace {

/// Mixes 64-bit words; the finaliser of splitmix64 between them.
class Hash {
 public:
  void add(std::uint64_t word) {
    state_ += 0x9E3779B97F4A7C15u ^ word;
    state_ = (state_ ^ (state_ >> 30)) * 0xBF58476D1CE4E5B9u;
    state_ = (state_ ^ (state_ >> 27)) * 0x94D049BB133111EBu;
    state_ ^= state_ >> 31;
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value)); }
  void add(std::span<const double> values) {
    add(std::uint64_t(values.size()));
    for (const double value : values) add(value);
  }
  void add(const SparseMatrix& A) {
    add(std::uint64_t(A.rows()));
    add(std::uint64_t(A.columns()));
    for (const Triplet& e : A.triplets()) {
      add(std::uint64_t(e.row));
      add(std::uint64_t(e.column));
      add(e.value);
    }
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

/// λ_max/λ_min over the eigenvalues of (W + Wᵀ)/2 above 1e-9 λ_max, the same threshold as the rank.
std::optional<double> conditioning(const BlockMatrix& W) {
  const SparseMatrix sparse = W.to_sparse();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(sparse.rows(), sparse.columns());
  for (const Triplet& e : sparse.triplets()) A(e.row, e.column) += e.value;
  A = (A + A.transpose().eval()) / 2;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) return {};
  const auto& lambda = solver.eigenvalues();
  const double largest = lambda[lambda.size() - 1];
  for (Eigen::Index k = 0; k < lambda.size(); ++k)
    if (lambda[k] > 1e-9 * largest) return largest / lambda[k];
  return {};
}

}  // namespace

std::string fingerprint(const ProblemFile& file) {
  Hash hash;
  if (const auto* p = std::get_if<GlobalProblem>(&file.problem)) {
    hash.add(std::uint64_t(p->dimension()));
    hash.add(p->M());
    hash.add(p->H());
    hash.add(p->G());
    hash.add(p->f());
    hash.add(p->w());
    hash.add(p->b());
    hash.add(p->mu());
  } else {
    const auto& r = std::get<ReducedProblem>(file.problem);
    hash.add(std::uint64_t(r.dimension()) + 100);  // apart from the global form
    hash.add(r.W().to_sparse());
    hash.add(r.q());
    hash.add(r.mu());
  }
  return fmt::format("{:016x}", hash.value());
}

void fill_figures(const ProblemFile& file, std::int64_t rank_limit, ProblemRecord& problem) {
  std::optional<ReducedProblem> formed;
  if (file.is_global()) formed.emplace(Reduction(std::get<GlobalProblem>(file.problem)).reduced());
  const ReducedProblem& reduced = formed ? *formed : std::get<ReducedProblem>(file.problem);
  const Statistics s = statistics(reduced, Index(std::min<std::int64_t>(rank_limit, 1'000'000'000)));
  problem.contacts = s.contacts;
  problem.dimension = s.dimension;
  if (s.degrees_of_freedom) problem.degrees_of_freedom = *s.degrees_of_freedom;
  problem.density = s.density;
  problem.blocks = s.blocks;
  problem.blocks_per_row = s.blocks_per_row;
  problem.rank_ratio = s.rank_ratio;
  if (s.contacts > 0 && std::int64_t(s.contacts) * s.dimension <= rank_limit / 10)
    problem.conditioning = conditioning(reduced.W());
  problem.asymmetry = s.asymmetry;
  problem.smallest_block = s.smallest_block;
  problem.largest_block = s.largest_block;
  problem.islands = s.islands;
  problem.mu_min = s.mu_min;
  problem.mu_max = s.mu_max;
  problem.q_norm = s.q_norm;
}

}  // namespace stickslip::campaign
