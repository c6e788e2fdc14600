// A centred point of the convex relaxation: where other methods start on hyperstatic problems and packings.
//
//   min ½ rᵀWr + (q + μs e_N)·r,  r ∈ K       interior_iteration with θ = 0, s = 0 or the slip speeds of the start
//
// With s = 0 this is Coulomb's law without De Saxcé's shift. Where all contacts stick or open its solutions are solutions of the
// contact problem; where few slip they are near, and the slip speeds found from there are worth a second path. Solutions are many: redundant contacts share a load in many ways. Sweeps end with a distribution of the load on the boundary of many
// cones, and get stuck between sticking and slipping. The interior path leads to the middle of the set, where statuses are clear,
// and does not fold, since the program is convex: five to ten iterations from a point pushed far into the cones.
#pragma once

#include <span>
#include <vector>

#include "solve/method.hpp"
#include "solvers/interior_point/interior_iteration.hpp"

namespace stickslip::internal {

/// Ends with Status::stalled where the path ends, unless it met the tolerance.
class RelaxedPath final : public Method {
 public:
  /// Whether the start's slip speeds are kept as s.
  enum class Slip { none, of_the_start };
  void set_slip(Slip slip) { slip_ = slip; }
  /// Few: by conjugate gradients where they cost less, and then not far down.
  void set_digits(InteriorPoint::Digits digits) { digits_ = digits; }

  /// Springs: by conjugate gradients through the contacts, which ranks share (bodies/spring_system); few digits, M symmetric.
  enum class System { factors, springs };
  void set_system(System system) { system_ = system; }

  /// The last iterate: its error is often larger than that of the start, and others get further from it.
  std::span<const double> end() const { return r_; }
  /// Whether gap and residual became small; if not, the convex program may have no solution.
  bool arrived() const { return arrived_; }

 private:
  bool needs_matrix(ContactProblem& problem) const override {
    return system_ == System::springs ? !problem.bodies().applies() : !problem.bodies_pay();
  }
  void iterate(ContactProblem& problem, Monitor& monitor) override;

  System system_ = System::factors;
  Slip slip_ = Slip::none;
  InteriorPoint::Digits digits_ = InteriorPoint::Digits::few;
  std::vector<double> r_;
  bool arrived_ = false;
};

}  // namespace stickslip::internal
