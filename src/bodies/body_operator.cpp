#include "bodies/body_operator.hpp"

#include <cmath>

#include "base/pieces.hpp"
#include "linalg/small_energy.hpp"
#include "linalg/transposed.hpp"

namespace stickslip::internal {

BodyOperator::BodyOperator(const GlobalProblem& problem, VelocitySweep& bodies, ThreadTeam* team)
    : problem_(problem),
      bodies_(bodies),
      team_(team),
      q_(problem.w().size()),
      compliance_(problem.f().size(), 1.0) {
  bodies_.velocity(std::vector<double>(q_.size(), 0.0), q_);
  const auto d = std::size_t(dimension());
  struct Sizes {
    double squares = 0, energy = 0;
    void operator+=(const Sizes& other) { squares += other.squares, energy += other.energy; }
  };
  const auto sizes = sum_in_pieces<Sizes>(team, q_.size() / d, [&](std::size_t begin, std::size_t end) {
    Sizes sum;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t k = i * d; k < (i + 1) * d; ++k) sum.squares += q_[k] * q_[k];
      sum.energy += inverse_energy(diagonal(Index(i)), int(d), &q_[i * d]);
    }
    return sum;
  });
  q_norm_ = std::sqrt(sizes.squares);
  q_energy_ = sizes.energy;
  const SparseMatrix& M = problem.M();
  for (std::size_t i = 0; i < compliance_.size(); ++i)
    for (auto k = std::size_t(M.row_start()[i]); k < std::size_t(M.row_start()[i + 1]); ++k)
      if (std::size_t(M.column()[k]) == i) compliance_[i] = 1 / M.value()[k];
}

void BodyOperator::magnitude(std::span<const double> r, std::span<double> s) const {
  const SparseMatrix& H = problem_.H();
  std::vector<double> sums(compliance_.size());
  in_pieces(team_, sums.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      double sum = 0;
      for (auto k = std::size_t(H.row_start()[i]); k < std::size_t(H.row_start()[i + 1]); ++k)
        sum += std::abs(H.value()[k] * r[std::size_t(H.column()[k])]);
      sums[i] = sum * compliance_[i];
    }
  });
  in_pieces(team_, s.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) s[k] = std::abs(q_[k]);
  });
  by_columns(H, team_, [&](std::size_t i, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      s[std::size_t(H.column()[k])] += std::abs(H.value()[k]) * sums[i];
  });
}

// A product through the bodies passes twice over the records where a sweep passes once: break-even was seen
// at 12 to 15 blocks a row for rigid bodies (stacks of boxes), twice that of a sweep. For other bodies twice
// that of a sweep is taken too.
bool velocity_products_pay(const BodyGraph& graph) {
  if (!graph.applies()) return false;
  const auto contacts = std::size_t(graph.problem().contacts());
  const std::size_t least = graph.rigid() ? 16 : 40;  // blocks a row
  return contacts > 0 && graph.off_diagonal_blocks() + contacts >= least * contacts;
}

}  // namespace stickslip::internal
