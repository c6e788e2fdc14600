// One step: predict, detect, assemble, solve, move, account (docs/theory/dynamics.md).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/thread_team.hpp"
#include "dynamics/stepping/body_order.hpp"
#include "dynamics/stepping/contact_law.hpp"
#include "dynamics/stepping/contact_memory.hpp"
#include "dynamics/stepping/contact_solver.hpp"
#include "dynamics/stepping/scene_model.hpp"
#include "dynamics/stepping/shared_step.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip::internal {

class Stepper {
 public:
  explicit Stepper(const Scene& scene);

  const BodyOrder order;  ///< of the scene's bodies in everything here
  SceneModel model;
  ContactMemory memory;
  std::vector<double> joint_forces;     ///< λ by the step
  std::vector<TouchingPoint> contacts;  ///< of the last step; bodies as everywhere here
  std::vector<Load> extra;              ///< applied from outside for the next step, a body each; empty: none
  bool corrected = false;               ///< the last step moved positions
  std::vector<char> warned_fast, warned_far;
  StepReport report;
  Counters counters;
  std::vector<std::string> messages;
  ContactSolver solver;
  std::unique_ptr<SharedStep>
      shared;  ///< with other ranks, where there are some; contacts and memory are then those of this one

  /// One step from time t. False: the state is the one before the step, and the last message says why.
  bool step(double t);

  /// The problem of the last step: this rank's contacts.
  const StepProblem& problem() const { return problem_; }
  /// With other ranks called by all of them; the first has it.
  std::optional<GlobalProblem> global_problem() const;
  /// The guess of its solve.
  std::vector<double> guess() const;
  /// N·s that are 1 in both.
  double problem_unit = 1;

  /// Called with the problem of a step that was not solved.
  std::function<void()> on_unsolved;

 private:
  /// A detected contact with what is known of it before the solve.
  struct Candidate {
    int contact;          // of the detector's list
    Vector before, free;  // relative velocities, world axes
    double push;
  };

  const Scene& scene_;
  Vector gravity_;
  std::unique_ptr<ThreadTeam> team_;
  StepProblem problem_, correction_;
  // A step that is split (landing.cpp): the contacts that do not hit with their places in problem_, and what they did.
  StepProblem carrying_;
  std::vector<int> place_;
  std::vector<char> hits_;    // of each problem contact
  std::vector<double> push_;  // what the forces of the step can do there
  bool split_ = false;
  std::vector<double> carried_, carried_lambda_,
      carried_u_;  // of the first solve: r, λ, u of all problem contacts
  std::vector<ContactStatus> carried_status_;
  std::vector<double> arriving_;  // velocities between the two solves
  std::vector<double> after_;     // v⁺
  double left_ = 0;               // |g|/h that joints alone would leave at the next middle
  std::vector<Load> loads_;
  std::vector<double> reach_, speed_, agitation_, agitation_next_, impulse_, trial_, still_, expected_,
      best_b_, next_b_;
  std::vector<Candidate> candidates_;
  std::vector<int> chosen_;     // detector's contact of each problem contact
  std::vector<Vector> before_;  // u⁻ of each, in its frame
  std::vector<double> gap_;
  /// A contact with restitution whose gap is open at the middle: not in the problem, but bodies are not to be corrected into it.
  struct OpenContact {
    ProblemContact contact;
    int found;  // of the detector's list
    double gap;
  };
  std::vector<OpenContact> open_;
  // Contacts whose gaps are corrected, those of open_ behind those of problem_; bodies that are too deep.
  std::vector<int> corrected_, reached_;
  std::vector<char> near_deep_;
  std::vector<double> in_reach_;  // 1: bodies so many contacts away from what is too deep
  std::span<const Contact> found_;
  // With bodies of elements: contacts of both detectors in one order, and the points of surfaces that they touch.
  std::vector<Contact> merged_;
  std::vector<std::array<int, 2>> shares_;
  std::vector<const Eigen::VectorXd*> nodes_;
  // What a failed step is undone by.
  std::vector<TouchingPoint> kept_contacts_;
  bool kept_corrected_ = false;
  std::vector<BodyState> kept_states_;
  std::vector<ElementState> kept_elements_;
  std::vector<RememberedContact> kept_memory_;
  std::vector<double> kept_joint_forces_;

  enum class Outcome { good, unsolved, not_finite };
  Outcome attempt(double t, double h, int depth);
  Outcome advance(double t, double h);
  void keep();
  void undo();

  void sample_loads(double t, double h);
  void expect();
  void end(SharedPhase phase) const;
  Solved solve(StepProblem& problem, std::span<const double> free);
  Solved solve_step();
  /// The same, and again where contacts have changed the motion so much that joints do not hold at the next middle.
  Solved solve_joined(double h);
  bool splits();
  void choose_carrying();
  void take_carried();
  /// The energy that the second solve adds to bodies and forces.
  double gained();
  /// The velocities from which the last solve of the contacts went.
  std::span<const double> free() const {
    return split_ ? std::span<const double>(arriving_) : model.bodies.free();
  }
  void add_impulse(const StepProblem& problem);
  void detect(double h);
  void find_contacts();
  /// The velocity of a body that moves at one of the contacts found.
  Vector velocity_there(int contact, int side, std::span<const double> v, const Vector& p) const;
  void choose_contacts(double h);
  /// How fast a correction of positions takes two bodies with restitution apart: what they may be pushed into is to be known.
  double way_out(int a, int b, double gap, double h) const;
  void gather_agitation(double h);
  void foresee_agitation(double h);
  template <class Contacts>
  void pass_on_agitation(const Contacts& along, int times);
  void agree();
  void prepare_joints(double h);
  /// The largest speed of a body with joints that forces alone would give, in m/s or rad/s.
  double joined_speed() const;
  void account(double h, const Solved& solved);
  /// v⁺ by rows of the bodies, from `impulse_`, which is used up.
  void velocity_after(std::vector<double>& velocity);
  const ProblemContact& correctable(int contact) const {
    const auto c = std::size_t(contact), n = problem_.contacts.size();
    return c < n ? problem_.contacts[c] : open_[c - n].contact;
  }
  double smaller_size(std::size_t contact) const;
  /// The gap of a contact of problem_ at the next middle.
  double next_gap(std::size_t contact, double h) const;
  /// Whether a contact of problem_ opens by itself.
  bool leaves(std::size_t contact, double h) const;
  void choose_corrected(double h);
  void spread_reach();
  void correct_positions(double h);
  bool finite() const;
  void warn(double t, double h);
};

}  // namespace stickslip::internal
