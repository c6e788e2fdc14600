// A scene in motion: steps of contact dynamics, and everything that a step knew.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stickslip/export.hpp"
#include "stickslip/measures.hpp"
#include "stickslip/problem.hpp"
#include "stickslip/scene.hpp"

namespace stickslip {

struct SolveRequest;
struct SolveResult;
namespace internal {
class SharedSolver;
}

/// A contact of the last step, in world axes.
struct TouchingPoint {
  std::array<BodyIndex, 2> body;  ///< of the scene
  std::uint64_t key;              ///< the same touching features have the same key at every step
  Point point;
  Point normal;  ///< unit, from the first body to the second
  double gap;    ///< m at the middle of the step; negative: penetration
  double
      area;  ///< m², share of touching faces; 0 where no faces touch. Normal impulse by area and step: pressure
  Point impulse;         ///< on the second body, N·s
  Point velocity;        ///< of the second body relative to the first, after the step
  ContactStatus status;  ///< after the step; open with an impulse: it carried before it parted
  double work;           ///< of the contact impulse in the step, J
  double friction;       ///< μ between the two surfaces
};

/// What one step was like.
struct StepReport {
  long contacts = 0;
  long iterations = 0;
  double error = 0;  ///< of the contact problem, in units in which a contact's mean compliance is about 1
  bool converged = true;
  double kinetic = 0, potential = 0, elastic = 0;  ///< J, after the step
  double contact_work = 0;                         ///< J, of all contact impulses in the step
  double penetration = 0;                          ///< m, the deepest at the middle of the step; ≥ 0
};

/// Sums over all steps.
struct Counters {
  long steps = 0;
  long unconverged = 0;
  long halved = 0;               ///< steps that were done again in halves
  long corrections = 0;          ///< of positions
  double correction_energy = 0;  ///< J, potential energy that they added
  long contacts_max = 0;
  double contacts_sum = 0, iterations_sum = 0;
  double error_max = 0;
  double dissipated = 0;  ///< J, −Σ contact work
  double penetration_max = 0;
  double detection_seconds = 0, solve_seconds = 0, seconds = 0;  ///< of this process: save() leaves them out
};

/// Owns bodies, detection memory and a prepared solver. Once the sizes have settled a step allocates nothing where the
/// solver does not.
class STICKSLIP_EXPORT Simulation {
 public:
  /// Throws InputError, which names the body, joint or force, where the scene is wrong.
  explicit Simulation(Scene scene);
  /// The scene of a file, or the built-in one of that name.
  explicit Simulation(const std::string& path_or_name, const std::vector<Parameter>& parameters = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const Scene& scene() const;
  double time() const;
  /// Steps done.
  long steps() const;

  /// One step. A problem that was not solved is treated as Scene::solver.on_failure says. Returns false when the run
  /// has ended: on_failure is stop, or the next state would not be finite; then the state is the last good one
  /// and `message` says why.
  bool step();
  /// Steps until at least `duration` s more have passed, calls `observer` after each; it returns true to stop.
  /// Returns whether the run may go on.
  bool run(double duration, const std::function<bool(const Simulation&)>& observer = {});

  const Point& position(BodyIndex body) const;  ///< of the centre of mass
  const Quaternion& orientation(
      BodyIndex body) const;  ///< pseudo-rigid: of the polar decomposition; elements: that fits best
  const Point& velocity(BodyIndex body) const;          ///< of the centre of mass
  const Point& angular_velocity(BodyIndex body) const;  ///< pseudo-rigid: the spin of Ḟ F⁻¹
  /// F by rows; the rotation of a body that does not deform.
  const std::array<double, 9>& deformation(BodyIndex body) const;
  /// Of a body of elements: three numbers a node, world axes; empty for others.
  std::span<const double> node_positions(BodyIndex body) const;
  std::span<const double> node_velocities(BodyIndex body) const;
  /// Cauchy's stress of each element of a body of elements at its centre, world axes: xx, yy, zz, xy, yz, zx, in Pa.
  std::vector<std::array<double, 6>> stresses(BodyIndex body) const;
  /// Of a body of elements, J.
  double strain_energy(BodyIndex body) const;
  double mass(BodyIndex body) const;  ///< 0 for fixed and driven bodies
  /// About the centre of mass, world axes, by rows.
  std::array<double, 9> inertia(BodyIndex body) const;

  /// The contacts of the last step, sorted by bodies and key.
  std::span<const TouchingPoint> contacts() const;
  /// Bilateral impulses of the last step, N·s and N·m·s: the rows of each joint in turn.
  std::span<const double> joint_impulses(int joint) const;
  const StepReport& report() const;
  const Counters& counters() const;
  /// Warnings and the reason of an end, one line each, oldest first.
  const std::vector<std::string>& messages() const;

  double kinetic() const;
  double potential() const;
  double elastic() const;

  /// Acts during the next step only, on top of the scene's forces; force at the centre of mass.
  void apply_force(BodyIndex body, const Point& force, const Point& torque = {0, 0, 0});
  /// The same with the force at a point, world axes.
  void apply_force_at(BodyIndex body, const Point& force, const Point& point);
  /// Sets the state of a moving body between steps.
  void set_velocity(BodyIndex body, const Point& velocity, const Point& angular_velocity = {0, 0, 0});

  /// Ḟ of a pseudo-rigid body, by rows.
  void set_deformation_rate(BodyIndex body, const std::array<double, 9>& rate);

  /// The whole state: motion, impulses, detection memory, counters. A simulation of the same scene that takes it over
  /// goes on with the same bits.
  std::vector<std::byte> save() const;
  /// Throws InputError where the bytes are not a state of this scene.
  void restore(std::span<const std::byte> state);

  /// The problem of the last step in global form, with the guess that the solver had; nothing where the step had no
  /// contacts. Its bodies and contacts are in the order of docs/scenes.md, whatever that of the scene is. M, f and impulses are in kg and N·s, or in as many of them as problem_unit says, a power of two: where contacts are stiffer or softer
  /// than a million, rounding of impulses in N·s would hide the velocities.
  std::optional<GlobalProblem> problem() const;
  std::vector<double> guess() const;
  double problem_unit() const;
  /// Where the problems of steps that were not solved are kept as FCLIB files; empty: nowhere.
  void keep_failed_problems(const std::filesystem::path& folder);
  /// Set from anywhere: a long solve stops with its best iterate.
  void set_cancel(const std::atomic<bool>* cancel);

  /// Steps are shared with other processes from here on, before the first step (docs/distributed.md; stickslip::mpi::Simulation does this). All of them have the same
  /// scene and make the same calls of step, run, synchronise, gather, problem and guess; what is changed between steps is changed on process 0.
  void set_processes(internal::SharedSolver& processes);
  /// What was changed on process 0, or restored there, goes to the others. A step begins with it.
  void synchronise();
  /// Brings the contacts of the last step, and what `save` saves beside the motion, to process 0. The others keep a part, and so does process 0 until then.
  void gather();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stickslip
