// The one place where steps meet the solvers: a prepared solver by name, kept from step to step.
//
// Small problems, and those with joints, are reduced here, into memory that is used again: W = Hᵀ Ā⁻¹ H, where Ā⁻¹ has the
// joints eliminated. Large ones are handed over as bodies (GlobalProblem), so that W need not be formed.
//
// Units: the solvers' error mixes impulses and velocities, ‖r − P(r − û)‖/‖q‖. Impulses are handed over in units of σ,
// a power of two near the inverse of the mean compliance: then the same scene in other units has the same error.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/exact_sum.hpp"
#include "dynamics/stepping/joint_system.hpp"
#include "dynamics/stepping/step_problem.hpp"
#include "solve/method.hpp"

namespace stickslip::internal {

struct Solved {
  Status status = Status::converged;
  long iterations = 0;
  double error = 0;
  bool converged = true;
  double seconds = 0;
  double unit = 1;  ///< of impulses, N·s
};

class ContactSolver {
 public:
  /// Throws InputError for a name that the catalogue does not know.
  ContactSolver(const SolverChoice& choice, int threads);

  /// r (three numbers a contact), u = Hᵀ v + w with the offsets, the contacts' statuses, λ of the joints.
  std::vector<double> r, u, lambda;
  std::vector<ContactStatus> statuses;

  /// Factorises the system of the joints as they are linearised.
  void prepare_joints(const Bodies& bodies, const JointSet& joints) { system_.factorise(bodies, joints); }
  /// The velocities with joints and without contacts, into `velocity`; after prepare_joints.
  void joined_velocity(const Bodies& bodies, const JointSet& joints, std::span<const double> free,
                       std::vector<double>& velocity);
  /// Solves the problem of a step, `free` being the velocities without contacts and joints; after prepare_joints. Never throws for
  /// a problem that cannot be solved.
  Solved solve(const Bodies& bodies, const JointSet& joints, StepProblem& problem,
               std::span<const double> free);

  /// The answer to a problem that no solver takes, of numbers that are not finite for one: impulses that are not, by which the caller finds out.
  Solved beyond_repair(int contacts, int joint_rows);

  /// Whether a problem of so many contacts is handed over as bodies.
  static bool by_bodies(const Bodies& bodies, const JointSet& joints, int contacts);
  /// Σ tr W_αα over the contacts, and the unit of impulses that belongs to it.
  static ExactSum compliance(const Bodies& bodies, StepProblem& problem);
  static double impulse_unit(const ExactSum& compliance, int contacts);
  SolveRequest request(std::span<const double> guess) const;
  /// The same for a problem that is handed over as bodies.
  SolveRequest large_request(std::span<const double> guess) const;

  /// Who solves with matrices of bodies, from here on; nullptr: the method itself.
  void set_body_solver(BlockSolver* solver) { method_->set_body_solver(solver); }

  const std::atomic<bool>* cancel = nullptr;

 private:
  void eliminate_joints(const Bodies& bodies, const JointSet& joints, const StepProblem& problem,
                        std::span<const double> free);
  Solved solve_reduced(const Bodies& bodies, const JointSet& joints, StepProblem& problem,
                       std::span<const double> free);
  Solved solve_global(const Bodies& bodies, StepProblem& problem, std::span<const double> free);
  void take(const StepProblem& problem, double unit, Solved& solved);
  void form_row(const Bodies& bodies, StepProblem& problem, int contact, double unit);
  void solve_well(const ReducedProblem& problem, const StepProblem& step);

  SolverChoice choice_;
  int threads_;
  std::unique_ptr<Method> method_;
  SolveResult result_;

  // The reduced problem and what it is made of.
  std::optional<ReducedProblem> reduced_;
  ReducedProblem::Parts parts_;
  std::vector<double> guess_, base_;  // base_: velocities with joints, without contacts
  std::vector<Index> slot_, touched_;
  std::vector<double> row_;

  // Joints: those contacts whose bodies have joints, B = Gᵀ A⁻¹ H and S⁻¹ B for them.
  JointSystem system_;
  std::vector<int> jointed_, place_;
  std::vector<char> has_joint_;
  Eigen::MatrixXd B_, SB_, lambda_free_;
};

}  // namespace stickslip::internal
