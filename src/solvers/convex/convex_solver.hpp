// The convex program that is left when a part of Coulomb's law is frozen, solved again and again with other
// data by one of the methods of RR Table 4:
//
//   r = P_C(r − (W r + b)),   C = ∏ C_i cones of μ_i or cylinders of a radius,   b and the radii change
//
//   gs                  one contact after the other, each by the fixed point            RR Algorithm 7
//   fixed_point         projection method                                               RR Algorithm 1
//   extragradient       two projections an iteration                                    RR Algorithm 2
//   projected_gradient  min ½rᵀWr + bᵀr, W symmetric                                    RR Algorithm 9
//
// The first three solve the variational inequality and need no symmetry. The projected gradient minimises:
// where W = S + A has a skew part A, it minimises with S and b + A r_k, r_k the impulses that it starts from
// (unsymmetric=lagged), and leaves the rest to the loop around it; or it does not apply
// (unsymmetric=refused).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solvers/convex/convex_program.hpp"
#include "solvers/convex/convex_sweep.hpp"
#include "solvers/convex/frozen_operator.hpp"
#include "solvers/projection/projection_method.hpp"

namespace stickslip::internal {

struct ProjectedGradientOptions {
  enum class Unsymmetric { lagged, refused };
  enum class Scaling { off, on };

  ConvexOptions::FirstStep first_step = ConvexOptions::FirstStep::spectral;
  double rho = 1, l = 2.0 / 3, sigma = 1e-2;
  Scaling scaling = Scaling::on;
  Unsymmetric unsymmetric = Unsymmetric::lagged;

  void visit(OptionVisitor& visitor);
};

/// Why the projected gradient does not apply, or nothing; `lagged` says whether W has a skew part to be
/// lagged.
std::string why_not(const ProjectedGradientOptions& options, const BlockMatrix& W, bool& lagged);
/// (W + Wᵀ)/2.
BlockMatrix symmetric_part(const BlockMatrix& W);

struct ConvexSolverOptions {
  enum class Kind { gs, fixed_point, extragradient, projected_gradient };

  Kind kind = Kind::gs;
  LocalFixedPointOptions local = {};
  VariationalOptions fixed_point = {};
  ExtragradientOptions extragradient = {};
  ProjectedGradientOptions projected_gradient = {};

  /// As the part `name`; without Gauss–Seidel where the rows are tangents only.
  void visit(OptionVisitor& visitor, std::string_view name, FrozenOperator::Rows rows);
};

class ConvexSolver {
 public:
  explicit ConvexSolver(const ConvexSolverOptions& options);

  /// Binds to a problem; b is its q at first. `size` (μ or radii) is kept and may change between solves.
  /// Returns why it does not apply, or nothing.
  std::string prepare(const ReducedProblem& problem, ContactLaw law, std::span<const double> size,
                      FrozenOperator::Rows rows);
  /// b, to be changed between solves.
  std::span<double> b() { return b_; }

  /// Improves r until ‖r − P_C(r − u)‖/‖q‖ is at most `part` times the smaller of `error` and its first
  /// value, or max_iterations are made, or `stop` says so. At least one iteration unless the residual is
  /// zero.
  ConvexResult solve(double part, double error, long max_iterations, const std::function<bool()>& stop,
                     std::span<double> r);
  /// Not empty: an iteration broke down, for this reason.
  const std::string& trouble() const { return trouble_; }

 private:
  double residual(std::span<const double> r, std::span<const double> u) const;
  ConvexResult sweep(double part, double error, long max_iterations, const std::function<bool()>& stop,
                     std::span<double> r);
  ConvexResult project(double part, double error, long max_iterations, const std::function<bool()>& stop,
                       std::span<double> r);
  ConvexResult minimise(double part, double error, long max_iterations, const std::function<bool()>& stop,
                        std::span<double> r);

  ConvexSolverOptions options_;
  VariationalMap map_;
  std::unique_ptr<ConvexSweep> sweeps_[2][2];  // cylinders, cones; in two and in three dimensions
  ConvexSweep* sweep_ = nullptr;
  FrozenOperator operator_;
  const ReducedProblem* problem_ = nullptr;
  ContactLaw law_ = ContactLaw::cones;
  std::span<const double> size_;
  FrozenOperator::Rows rows_ = FrozenOperator::Rows::all;
  bool lagged_ = false;
  BlockMatrix symmetric_part_;
  std::vector<double> b_, u_, next_, next_u_, weight_;
  ConvexMemory memory_;
  double rho_ = 1, load_ = 1;
  std::string trouble_;
};

}  // namespace stickslip::internal
