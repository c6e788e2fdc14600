// The bodies of a scene in motion: states, the middle of a step, and the way from velocities to the next state.
//
//   A v⁺ = A v_free + H r (+ G λ),   q_m = q + (h/2) v,   q⁺ = q_m + (h/2) v⁺          (PQN (2)–(5))
//
// Rows of a body, consecutive: velocity of the centre (3), then angular velocity (rigid, 3) or Ḟ by columns (pseudo-rigid, 9).
//
//   rigid          A = diag(m I₃, J)         J at the middle, world axes (with Gyroscopic::implicit an unsymmetric block)
//   pseudo-rigid   A = diag(m I₃, E₀ ⊙ I + (η h/2 + c h²) V₀ K),  c = 0 (moreau), ¼ (linearly implicit), 1 (quasi-static)
//   elements       three rows a node; A and the state of the nodes: dynamics/elements/element_body.hpp
//
// With θ in place of ½: q_m = q + (1 − θ) h v, q⁺ = q_m + θ h v⁺, c = θ².
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dynamics/bodies/rigid_motion.hpp"
#include "dynamics/elements/elasticity.hpp"
#include "dynamics/elements/element_body.hpp"
#include "stickslip/scene.hpp"

namespace stickslip::internal {

/// What does not change. What every step asks for comes first, so that it lies together in memory.
struct BodyModel {
  BodyKind kind = BodyKind::fixed;
  int row = -1;  ///< of the first velocity; −1: none
  double mass = 0;
  double scaling = 1;  ///< of its inertia, weight and loads as they are: SSN 6
  double inertial_mass() const { return scaling * mass; }
  double size = 0, thickness = 0;
  bool flat = false;  ///< its surface is made of plane faces
  bool undeformed = false;
  Vector centre =
      Vector::Zero();  ///< reference point in the shape's axes: the centre of mass of a body that moves
  Vector mass_centre = Vector::Zero();                                ///< of the shape, in its axes
  Matrix inertia = Matrix::Zero(), inverse_inertia = Matrix::Zero();  ///< body axes
  Matrix euler = Matrix::Zero();                                      ///< E₀ of a pseudo-rigid body
  double volume = 0;
  Lame elastic;
  double damping = 0;
  std::string name;
  SignalVector velocity, angular_velocity;  ///< of a driven body
  int element_rows = 0;                     ///< of a body of elements
  int element = -1;                         ///< its place in Bodies::elements

  bool moves() const { return row >= 0; }
  bool deforms() const { return kind == BodyKind::pseudo_rigid; }
  bool has_elements() const { return kind == BodyKind::elements; }
  int rows() const { return !moves() ? 0 : has_elements() ? element_rows : deforms() ? 12 : 6; }
};

/// Unknowns of a body of elements that move as told.
struct HeldUnknowns {
  int element = 0;                 ///< place in Bodies::elements
  std::vector<int> unknowns = {};  ///< 3·node + axis
  SignalVector velocity;
};

/// Where a body is and how it moves. F is a rotation unless the body deforms.
struct BodyState {
  Vector x = Vector::Zero();
  Rotation Q = Rotation::Identity();
  Vector v = Vector::Zero();
  Vector omega = Vector::Zero();
  Vector L = Vector::Zero();      ///< rigid: angular momentum
  Matrix F = Matrix::Identity();  ///< pseudo-rigid
  Matrix rate = Matrix::Zero();   ///< pseudo-rigid: Ḟ
};

/// A body in the middle of a step.
struct MiddleBody {
  Vector x;
  Rotation Q;
  Matrix F, inverse_F;                                  ///< rigid: the rotation and its transpose
  Matrix A, inverse_A;                                  ///< rigid: the angular block; world axes
  Vector momentum;                                      ///< rigid: L free of contacts
  Vector v_before, omega_before, v_after, omega_after;  ///< obstacles: at both ends of the step
};

/// The external load of a body during a step.
struct Load {
  Vector force = Vector::Zero(), torque = Vector::Zero();  ///< torque about the centre of mass
  Matrix couple = Matrix::Zero();  ///< pseudo-rigid: what acts on Ḟ beside the torque
  double drag = 0;
};

struct StepChoice {
  double h = 0, t = 0;
  double theta = 0.5;
  Scheme scheme = Scheme::moreau;
  Gyroscopic gyroscopic = Gyroscopic::momentum;
  Vector gravity = Vector::Zero();
};

/// Positions and velocities of the nodes of a body of elements.
struct ElementState {
  Eigen::VectorXd x, v;
};

class Bodies {
 public:
  std::vector<BodyModel> models;
  std::vector<BodyState> states;
  std::vector<ElementBody> elements;
  std::vector<HeldUnknowns> held;

  int size() const { return int(models.size()); }
  /// Gives rows to those that move. To be called once all models are there.
  void number_rows();
  int rows() const { return rows_; }

  /// Goes to the middle of a step: middles, the velocities before the step, and the placements of the shapes.
  void begin(const StepChoice& choice);
  /// The velocities at the end of the step without contacts and joints. Loads: one a body, or none at all.
  void load(std::span<const Load> loads);
  /// Adds the impulse A (v⁺ − v_free), given by rows, and moves to the end of the step.
  void finish(std::span<const double> impulse);

  const MiddleBody& middle(int body) const { return middles_[std::size_t(body)]; }
  std::span<const Placement> placements() const { return placements_; }
  std::span<const double> before() const { return before_; }
  std::span<const double> free() const { return free_; }
  /// A of a deforming body, rows 3…11.
  const Matrix9& A9(int body) const { return A9_[std::size_t(deforming_[std::size_t(body)])]; }

  /// The body of elements that a body is.
  const ElementBody& element(int body) const {
    return elements[std::size_t(models[std::size_t(body)].element)];
  }
  /// The mean of a displacement given by rows: that of the centre of mass.
  Vector mean_displacement(int body, const double* d) const;

  /// y ← A_b⁻¹ y, for the rows of one body.
  void apply_inverse(int body, double* y) const;
  /// y ← A_b x.
  void apply(int body, const double* x, double* y) const;

  /// The pose of the next middle (quasi-static: the end of the step) if the body had the velocity `v` (its rows).
  struct Pose {
    Vector x;
    Matrix F;
  };
  Pose next_pose(int body, const double* v) const;
  Pose middle_pose(int body) const { return {middles_[std::size_t(body)].x, middles_[std::size_t(body)].F}; }

  /// Where the shape is placed when its reference point is at x.
  Placement placement(int body, const Vector& x, const Matrix& F) const {
    return Placement::about(models[std::size_t(body)].centre, x, F);
  }
  /// The matrix of a state: rotation or F.
  Matrix map_of(int body) const;

  double kinetic() const;
  double potential(const Vector& gravity) const;
  double elastic() const;

  /// The states of the bodies of elements beside `states`, in memory that is used again.
  void keep_elements(std::vector<ElementState>& kept) const;
  void restore_elements(const std::vector<ElementState>& kept);

  /// Turns and moves a body by small displacements, velocities unchanged: correction of positions.
  void displace(int body, const double* displacement);
  /// Sets v and ω, and what belongs to them.
  void set_velocity(int body, const Vector& v, const Vector& omega);
  /// E₀ ← s E₀ with s such that λ_max(M⁻¹K) = 4/h².
  void scale_inertia(double h);

 private:
  StepChoice choice_;
  int rows_ = 0;
  std::vector<MiddleBody> middles_;
  std::vector<Placement> placements_;
  std::vector<double> before_, free_, work_;
  std::vector<int> deforming_;  // index into A9_, −1: none
  std::vector<Matrix9> A9_, inverse_A9_;

  void begin_rigid(std::size_t b);
  void begin_pseudo_rigid(std::size_t b);
  void begin_obstacle(std::size_t b);
  Matrix elastic_F(std::size_t b) const;
  void begin_elements(std::size_t b);
  void load_elements(std::size_t b, const Load& load);
  void take_means(std::size_t b);

  StepMatrices matrices_;
};

}  // namespace stickslip::internal
