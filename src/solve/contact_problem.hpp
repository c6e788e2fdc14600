// One problem as methods see it: with W, or with the bodies behind it, or with both.
#pragma once

#include <memory>
#include <optional>

#include "base/interrupted.hpp"
#include "base/stopwatch.hpp"
#include "bodies/body_graph.hpp"
#include "bodies/shares.hpp"
#include "bodies/spring_system.hpp"
#include "bodies/structure.hpp"
#include "bodies/velocity_sweep.hpp"
#include "linalg/contact_system/block_solver.hpp"
#include "problem/contact_operator.hpp"

namespace stickslip::internal {

struct PreparedSystem;
enum class Scaled { off, on };
/// What is left of contacts with μ = 0, whose tangents carry no impulse.
enum class Frictionless { whole, normals };

/// What is missing is made when it is asked for: the bodies of a global problem, its operator without W, W itself, the linear
/// system of second-order methods. Bound to one problem after the other, it uses its memory again; bound to the same one with other
/// loads f and w, M, H and μ as they were, it keeps its bodies, sweeps and linear system. Keeps a reference to the problem that was given.
class ContactProblem final : public ContactOperator {
 public:
  ContactProblem();
  explicit ContactProblem(const ReducedProblem& problem);
  explicit ContactProblem(const GlobalProblem& problem);
  ~ContactProblem() override;

  void bind(const ReducedProblem& problem);
  void bind(const GlobalProblem& problem);
  /// The share of a problem that all ranks are bound to; products, sums and sweeps are then made by all of them together. Keeps references.
  void bind(const Share& share, Ranks& ranks);
  /// Threads for the problem that is bound: one where its contacts are few. They are kept for the next problem.
  void set_threads(int threads);
  ThreadTeam* team() const override { return shared_; }
  /// Who solves with the matrix of the bodies, for all problems from here on; nullptr: we do.
  void set_body_solver(BlockSolver* solver);
  BlockSolver* body_solver() const { return body_solver_; }
  Ranks* ranks() const override { return ranks_; }
  Index contacts_in_all() const override { return share_ ? share_->contacts_in_all : contacts(); }

  /// Whether W is there, and the problem with it.
  bool formed() const { return matrix_ != nullptr; }
  const ReducedProblem& matrix() const { return *matrix_; }
  /// Forms W unless it is there. False: `stop` said so first. Throws InputError when M is not positive definite.
  bool form(const Stop& stop);
  /// Makes products possible without W: through the bodies where they apply, else with M factorised.
  void open();

  /// The problem as it was given, or nullptr where W was.
  const GlobalProblem* global() const { return global_; }
  /// Precondition: global().
  const BodyGraph& bodies();
  /// The same, or nullptr as long as nobody asked for them.
  const BodyGraph* known_bodies() const { return bodies_.get(); }
  /// Whether a global problem is better left without W: bodies that sweeps and factorisations know, and enough contacts that
  /// forming W costs more than it saves.
  bool bodies_pay();
  /// The chunks of many contacts (linalg/colouring), which a rank has whole, in the order of the sweeps on velocities; nullptr where W is formed or
  /// contacts are few.
  const Colouring* layout();
  /// Sweeps on velocities with the exact local solver, which serve the products too. Precondition: bodies().applies().
  VelocitySweep& velocity_sweep();
  /// Sweeps of one's own with another local solver; nullptr as VelocitySweep::make says.
  std::unique_ptr<VelocitySweep> make_velocity_sweep(const LocalOptions& local);
  /// The system of a convex path through the contacts, which ranks share. Precondition: bodies().applies(), M is symmetric.
  std::unique_ptr<SpringSystem> make_springs(std::span<const double> scale,
                                             std::span<const std::uint8_t> idle);
  /// Contact unknowns a degree of freedom, over all ranks. Precondition: global().
  double redundancy();
  /// The problem in scaled units with its linear system, as long as W is formed or not as it is now. `watch` times the
  /// factorisations; it may be nullptr.
  PreparedSystem& prepared(Scaled scaled, Frictionless frictionless, Stopwatch* watch);
  /// v and λ that belong to r. Precondition: global().
  void velocities(std::span<const double> r, std::vector<double>& v, std::vector<double>& lambda);

  // Needs W or open().
  int dimension() const override;
  std::span<const double> q() const override { return formed() ? matrix_->q() : products_->q(); }
  std::span<const double> mu() const override;
  double q_norm() const override { return formed() ? matrix_->q_norm() : products_->q_norm(); }
  double q_energy() const override { return formed() ? matrix_->q_energy() : products_->q_energy(); }
  const double* diagonal(Index i) const override {
    return formed() ? matrix_->W().diagonal(i) : products_->diagonal(i);
  }
  void velocity(std::span<const double> r, std::span<double> u) const override;
  void magnitude(std::span<const double> r, std::span<double> s) const override;
  /// y ← W x.
  void product(std::span<const double> x, std::span<double> y) const;

 private:
  struct Kept;

  void reset();
  void forget();
  const Reduction& reduction(const Stop& stop = {});

  std::unique_ptr<ThreadTeam> team_;
  ThreadTeam* shared_ = nullptr;  // team_, where the problem is large enough
  const ReducedProblem* matrix_ = nullptr;
  const GlobalProblem* global_ = nullptr;
  const Share* share_ = nullptr;
  Ranks* ranks_ = nullptr;
  BlockSolver* body_solver_ = nullptr;
  std::optional<ReducedProblem> made_;
  std::optional<Reduction> reduction_;
  std::unique_ptr<BodyGraph> bodies_;
  std::unique_ptr<VelocitySweep> sweep_;
  Structure structure_;  // of the problem that the sweep was made for
  std::unique_ptr<ContactOperator> products_;
  std::unique_ptr<Kept> kept_[4];  // prepared systems, by what was asked for
};

}  // namespace stickslip::internal
