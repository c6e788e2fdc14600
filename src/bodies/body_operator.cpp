#include "bodies/body_operator.hpp"

#include <cmath>

#include "linalg/small_energy.hpp"

namespace stickslip::internal {

BodyOperator::BodyOperator(const GlobalProblem& problem, VelocitySweep& bodies)
    : problem_(problem), bodies_(bodies), q_(problem.w().size()), compliance_(problem.f().size(), 1.0) {
  bodies_.velocity(std::vector<double>(q_.size(), 0.0), q_);
  double sum = 0;
  for (double x : q_) sum += x * x;
  q_norm_ = std::sqrt(sum);
  for (Index i = 0; i < contacts(); ++i)
    q_energy_ += inverse_energy(diagonal(i), dimension(), &q_[std::size_t(i) * std::size_t(dimension())]);
  const SparseMatrix& M = problem.M();
  for (std::size_t i = 0; i < compliance_.size(); ++i)
    for (auto k = std::size_t(M.row_start()[i]); k < std::size_t(M.row_start()[i + 1]); ++k)
      if (std::size_t(M.column()[k]) == i) compliance_[i] = 1 / M.value()[k];
}

void BodyOperator::magnitude(std::span<const double> r, std::span<double> s) const {
  const SparseMatrix& H = problem_.H();
  for (std::size_t k = 0; k < s.size(); ++k) s[k] = std::abs(q_[k]);
  for (std::size_t i = 0; i < compliance_.size(); ++i) {
    double sum = 0;
    for (auto k = std::size_t(H.row_start()[i]); k < std::size_t(H.row_start()[i + 1]); ++k)
      sum += std::abs(H.value()[k] * r[std::size_t(H.column()[k])]);
    sum *= compliance_[i];
    for (auto k = std::size_t(H.row_start()[i]); k < std::size_t(H.row_start()[i + 1]); ++k)
      s[std::size_t(H.column()[k])] += std::abs(H.value()[k]) * sum;
  }
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
