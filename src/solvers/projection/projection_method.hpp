// Projection methods for the variational inequality of friction, RR (40): F(r) = u + g(u), u = W r + q, over K.
//
//   fixed point       r ← P_K(r − ρ F(r))                              RR Algorithm 1, De Saxcé and Feng 1991
//   extragradient     r̄ ← P_K(r − ρ F(r)),  r ← P_K(r − ρ F(r̄))        RR Algorithm 2, Korpelevich 1976
//   … from the trial  r̄ as above,           r ← P_K(r̄ − ρ F(r̄))        what Siconos runs as extragradient
//
// Scaling that keeps the cones: s_i = (tr W_ii/d)^(−1/2), r = S r', u' = S u. The methods above in r' read in r
//
//   r_i ← P_K(r_i − ρ s_i² û_i),      ‖r'‖² = Σ ‖r_i‖²/s_i²,      ‖F'‖² = Σ s_i² ‖F_i‖²
//
// so that a weight s_i² for each contact is all there is to it, and the iterates do not depend on the units.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cone/contact_law.hpp"
#include "problem/contact_operator.hpp"
#include "solve/method.hpp"
#include "solve/scaled_problem.hpp"
#include "solvers/projection/step_rule.hpp"

namespace stickslip::internal {

struct VariationalOptions {
  StepOptions step = {};
  Scaled scaling = Scaled::on;
  /// Of the solver, not of the map.
  enum class Form { automatic, matrix, velocity } form = Form::automatic;
  long anderson = 0;

  /// What concerns the map alone, as where it is a part of another method.
  void visit_map(OptionVisitor& visitor);
  void visit(OptionVisitor& visitor);
};

struct ExtragradientOptions : VariationalOptions {
  /// Where the second half of an iteration begins: at r, RR (99), or at the trial r̄.
  enum class Correction { start, trial };

  Correction correction = Correction::trial;

  void visit_map(OptionVisitor& visitor);
  void visit(OptionVisitor& visitor);
};

/// One iteration as a map r ↦ T(r) whose fixed points are the solutions. W is used once an iteration by the
/// fixed point and twice by extragradient, and once more for each refused trial; a product made for a trial
/// serves the next iterate too. Allocates in prepare only.
class VariationalMap {
 public:
  /// The fixed point. Throws InputError on options that contradict each other.
  explicit VariationalMap(const VariationalOptions& options);
  /// Extragradient, likewise.
  explicit VariationalMap(const ExtragradientOptions& options);

  /// Weights and the first ρ. Keeps a reference to the problem.
  void prepare(const ContactOperator& problem) { prepare(problem, ContactLaw::coulomb, problem.mu()); }
  /// The same for another law; `size` is kept too and may change between steps.
  void prepare(const ContactOperator& problem, ContactLaw law, std::span<const double> size);
  /// next ← T(r), next_u ← W next + q, from u = W r + q. ρ is adapted on the way. None may overlap.
  void step(std::span<const double> r, std::span<const double> u, std::span<double> next,
            std::span<double> next_u);

  double rho() const { return rule_.rho(); }
  /// Whether the steps of a fixed ρ that is too long grow without bound or cycle (looked for at 256 steps and
  /// at each doubling), or r is no longer finite.
  bool diverges() const { return diverges_; }
  /// The reason in one line, with a ρ that would do.
  std::string advice();

 private:
  template <int D, class Law>
  void typed_step(const double* r, const double* u, std::span<double> next, std::span<double> next_u);
  double estimate_norm();
  void watch(double move);

  enum class Method { fixed_point, from_start, from_trial };

  Method method_ = Method::fixed_point;
  VariationalOptions options_;
  StepRule rule_;
  const ContactOperator* problem_ = nullptr;
  ContactLaw law_ = ContactLaw::coulomb;
  std::span<const double> size_;          // μ, or the radius of the cylinder
  std::vector<double> weight_, inverse_;  // s_i², 1/s_i²
  std::vector<double> trial_, trial_u_;   // r̄ and its velocity
  // ‖T(r) − r‖² in the metric: of the first step, the least, the least at the last look.
  double first_move_ = 0, least_move_ = 0, earlier_move_ = 0;
  long steps_ = 0, next_look_ = 0;
  bool diverges_ = false;
};

std::unique_ptr<Method> make_fixed_point(const VariationalOptions& options);
std::unique_ptr<Method> make_extragradient(const ExtragradientOptions& options);

}  // namespace stickslip::internal
