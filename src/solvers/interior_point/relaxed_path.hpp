// A centred point of the convex relaxation: where other methods start on hyperstatic problems and packings.
//
//   min ½ rᵀWr + q·r,  r ∈ K        Coulomb's law without De Saxcé's shift (s = 0), interior_iteration with θ = 0
//
// Where all contacts stick or open its solutions are solutions of the contact problem; where few slip they are near. There are
// many of them: redundant contacts share a load in many ways. Sweeps end with a distribution of the load on the boundary of many
// cones, and get stuck between sticking and slipping. The interior path leads to the middle of the set, where statuses are clear,
// and does not fold, since the program is convex: five to ten iterations from a point pushed far into the cones.
#pragma once

#include <memory>
#include <vector>

#include "solve/method.hpp"
#include "solve/options.hpp"

namespace stickslip::internal {

struct RelaxedPathOptions {
  double margin = 3;     ///< by which the start is pushed into the cones, in scaled units
  double gap = 1e-3;     ///< where the path ends, in scaled units
  double pin = 1e-9;     ///< of the null space
  long iterations = 40;  ///< at most
};

/// Ends with Status::stalled where the path ends, unless it met the tolerance.
class RelaxedPath final : public Method {
 public:
  explicit RelaxedPath(const RelaxedPathOptions& options) : options_(options) {}

  /// The last iterate: its error is often larger than that of the start, and others get further from it.
  std::span<const double> end() const { return r_; }

 private:
  bool needs_matrix(ContactProblem& problem) const override { return !problem.bodies_pay(); }
  void iterate(ContactProblem& problem, Monitor& monitor) override;

  RelaxedPathOptions options_;
  std::vector<double> r_;
};

}  // namespace stickslip::internal
