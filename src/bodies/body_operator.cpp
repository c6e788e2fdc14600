#include "bodies/body_operator.hpp"

#include <cmath>

#include "base/pieces.hpp"
#include "linalg/small_energy.hpp"

namespace stickslip::internal {

BodyOperator::BodyOperator(const GlobalProblem& problem, VelocitySweep& bodies, ThreadTeam* team,
                           Ranks* ranks)
    : problem_(problem), bodies_(bodies), team_(team), q_(problem.w().size()) {
  bodies_.velocity(std::vector<double>(q_.size(), 0.0), q_);
  const auto d = std::size_t(dimension());
  struct Sizes {
    ExactSum squares, energy;
    void operator+=(const Sizes& other) { squares += other.squares, energy += other.energy; }
  };
  auto sizes = sum_in_pieces<Sizes>(team, q_.size() / d, [&](std::size_t begin, std::size_t end) {
    Sizes sum;
    for (std::size_t i = begin; i < end; ++i) {
      double square = 0;
      for (std::size_t k = i * d; k < (i + 1) * d; ++k) square += q_[k] * q_[k];
      sum.squares.add(square);
      sum.energy.add(inverse_energy(diagonal(Index(i)), int(d), &q_[i * d]));
    }
    return sum;
  });
  add_up(ranks, {&sizes.squares, &sizes.energy});
  q_norm_ = std::sqrt(sizes.squares.value());
  q_energy_ = sizes.energy.value();
}

void BodyOperator::magnitude(std::span<const double> r, std::span<double> s) const {
  in_pieces(team_, s.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) s[k] = std::abs(q_[k]);
  });
  bodies_.magnitude(r, s);
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
