// A body of elements in motion: positions and velocities of its nodes, and one step of them.
//
// The scheme of Moreau and Jean, linearised (PQN (2)–(5) with θ = ½):
//   q_m = q + (1 − θ) h v                          where contacts are found
//   A (v_free − v) = h (f_ext + f(q + θ h v) − C v)
//   A = M + θ h C + θ² h² K,   C = α M + β K        (explicit steps: without the last term; quasi-static ones: M + h² K, v = 0)
//   A v⁺ = A v_free + H r,   q⁺ = q_m + θ h v⁺
//
// Forces of small strain in axes that turn with the body, R the rotation that fits best, min Σ m_a |x_a − x̄ − R X_a|²:
//   y = Rᵀ (x − x̄) − X,   f = −R (K y − m_a (G⁻¹ τ) × X_a),   τ = Σ y_a × (K y)_a,   G = tr(S) I − S,   Rᵀ Σ m_a x_a X_aᵀ = S
// The last term is the derivative of R: with it f is a gradient, and momentum and angular momentum are kept. A = R A₀ Rᵀ, so that one
// factorisation serves all orientations. Green's strain needs no axes; its tangent is that of the rest position in turning axes, or,
// in world axes, the true one, made and factorised anew in each step.
//
// With a reduced basis A⁻¹ = R Φ diag(…)⁻¹ Φᵀ Rᵀ, and after each step y and Rᵀ v return to the span of Φ, which they leave as the axes turn;
// momentum and angular momentum stay.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dynamics/elements/step_matrix.hpp"

namespace stickslip::internal {

using Strain = ElementStrain;
using Axes = ElementAxes;

/// What belongs to one body and does not change.
struct ElementBodyChoice {
  std::shared_ptr<const ElementModel> model;
  Strain strain = Strain::small;
  Axes axes = Axes::body;
  double mass_damping = 0, stiffness_damping = 0;  ///< α in 1/s, β in s
  std::vector<char> held = {};                     ///< one mark an unknown, or empty
  std::shared_ptr<const ReducedBasis> basis = {};  ///< deformations are of this basis; null: any
};

struct ElementStep {
  double h = 0, theta = 0.5;
  enum class Kind { explicit_step, implicit, quasi_static } kind = Kind::implicit;
};

/// Means over a body.
struct ElementMeans {
  Vector x, v, omega;
  Matrix R, F;
};

class ElementBody {
 public:
  ElementBody(ElementBodyChoice choice, const Vector& centre, const Matrix& rotation);

  const ElementModel& model() const { return *choice_.model; }
  const ElementBodyChoice& choice() const { return choice_; }
  int rows() const { return model().rows(); }

  Eigen::VectorXd x, v;  ///< the state: three numbers a node, world axes

  void set_velocity(const Vector& velocity, const Vector& omega);
  ElementMeans means() const;
  double kinetic() const;
  double elastic() const;
  /// Cauchy's stress of each element, world axes.
  std::vector<StressVector> stresses() const;

  /// Goes to the middle and makes A. `before` receives the velocities with which the step begins.
  void begin(const ElementStep& step, StepMatrices& matrices, double* before);
  /// The velocities without contacts, into `free`: accelerations `a` of all points, a couple `torque`, drag k; `held` is the
  /// velocity of held unknowns at the end.
  void load(const double* before, const Vector& a, const Vector& torque, double drag,
            const Eigen::VectorXd& held, double* free);
  /// v⁺ = v_free + A⁻¹ impulse, and the state at the end.
  void finish(const double* free, const double* impulse);

  /// Where the nodes are in the middle.
  const Eigen::VectorXd& middle() const { return middle_; }
  /// y ← A⁻¹ y, y ← A x.
  void apply_inverse(double* y) const;
  void apply(const double* x, double* y) const;
  const StepMatrix& matrix() const { return *matrix_; }
  /// The axes in which A is that of `matrix`.
  const Matrix& R() const { return R_; }
  /// (A⁻¹)_ab in world axes, nodes of the surface.
  Matrix compliance(int a, int b) const { return R_ * matrix_->compliance(a, b) * R_.transpose(); }

 private:
  /// What the force of small strain needs of a position.
  struct Fit {
    Matrix R, inverse_G;
  };
  Fit fit(const Eigen::VectorXd& x) const;
  void local(const Eigen::VectorXd& x, const Matrix& R, Eigen::VectorXd& y) const;
  void turn(const Matrix& R, Eigen::VectorXd& y) const;
  /// About the centre of mass.
  Vector angular_momentum() const;
  void return_to_basis();
  void elastic_force(const Eigen::VectorXd& x, Eigen::VectorXd& f);
  Vector centre_of(const Eigen::VectorXd& x) const;

  ElementBodyChoice choice_;
  Matrix R0_;
  Vector lumped_centre_ = Vector::Zero();  // of X, by node masses
  ElementStep step_;
  Eigen::VectorXd middle_, at_force_, work_, change_;
  Matrix R_ = Matrix::Identity();
  std::shared_ptr<const StepMatrix> matrix_;
};

}  // namespace stickslip::internal
