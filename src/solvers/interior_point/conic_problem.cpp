#include "solvers/interior_point/conic_problem.hpp"

namespace stickslip::internal {

ConicProblem::ConicProblem(ContactProblem& problem, Stopwatch* watch)
    : ConicProblem(problem, problem.prepared(Scaled::on, Frictionless::normals, watch)) {}

std::vector<double> ConicProblem::scaled_shift(std::span<const double> s) const {
  std::vector<double> shift(n(), 0.0);
  for (std::size_t i = 0; i < s.size(); ++i)
    if (scaled.mu()[i] > 0) shift[i] = s[i] * scaled.velocity_factor(Index(i));
  return shift;
}

}  // namespace stickslip::internal
