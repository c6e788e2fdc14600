#include "dynamics/stepping/contact_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/timer.hpp"
#include "catalog/make_method.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// Contacts up to which W is formed here. Beyond, rigid bodies are handed over as they are: a sweep on velocities costs half of one on W
/// where contacts are few (packings of spheres), and where their unknowns are more than `redundancy` times the degrees of freedom factorisations
/// through the bodies are the cheaper ones, though only of larger problems. With the twelve rows of a pseudo-rigid body sweeps on W are as fast, and W made here
/// costs a tenth of one made from M and H.
constexpr int most_reduced = 400, most_reduced_redundant = 1500, most_reduced_pseudo_rigid = 50000;
constexpr double redundancy = 1.2;
/// Forces are to be right to the tolerance beside large sliding velocities, and what rests must not creep in 10⁵ steps. So small problems, and
/// those of bodies at rest that are not large, are asked for this share of the tolerance, as far as so many iterations get; ten times that (a hundred times, where a solve is
/// no small thing) is enough for the impulses of the last step to be taken as they are.
constexpr double refinement = 1e-4, finest = 1e-12;
constexpr long fine_iterations = 100, landing_iterations = 400;
constexpr Index small = 60, most_refined = 400;
/// A contact that a joint holds: the share of its compliance that it keeps where the joint takes all, and the share of its velocity below which what the
/// joint leaves over is rounding.
constexpr double least_compliance = 1e-12, noise_of_joints = 1e-11;

std::unique_ptr<Method> method_of(const SolverChoice& choice) {
  try {
    return make_method(choice.name);
  } catch (const InputError& error) {
    throw InputError(choice.where.empty() ? error.what()
                                          : fmt::format("{}: solver: {}", choice.where, error.what()));
  }
}

}  // namespace

ExactSum ContactSolver::compliance(const Bodies& bodies, StepProblem& problem) {
  ExactSum sum;
  for (int c = 0; c < problem.size(); ++c)
    for (int side = 0; side < 2; ++side) {
      const double *H = problem.H(c, side), *Y = problem.Y(c, side);
      if (problem.share(c, side)) {
        problem.begin_row(bodies, 2 * c + side);
        sum.add(problem.coupling(2 * c + side).trace());
      }
      if (!H) continue;
      const int entries = 3 * problem.rows(bodies, c, side);
      double trace = 0;
      for (int i = 0; i < entries; ++i) trace += H[i] * Y[i];
      sum.add(trace);
    }
  return sum;
}

/// The power of two next to 1/(mean of tr W_αα / 3).
double ContactSolver::impulse_unit(const ExactSum& compliance, int contacts) {
  const double mean = compliance.value() / (3.0 * contacts);
  return std::isfinite(mean) && mean > 0 ? std::exp2(-std::round(std::log2(mean))) : 1;
}

bool ContactSolver::by_bodies(const Bodies& bodies, const JointSet& joints, int contacts) {
  if (joints.rows() > 0 || contacts <= most_reduced || !bodies.elements.empty()) return false;
  const bool pseudo_rigid = std::any_of(bodies.models.begin(), bodies.models.end(),
                                        [](const BodyModel& model) { return model.deforms(); });
  if (pseudo_rigid) return contacts > most_reduced_pseudo_rigid;
  const bool redundant = 3.0 * contacts >= redundancy * double(bodies.rows());
  return !redundant || contacts > most_reduced_redundant;
}

ContactSolver::ContactSolver(const SolverChoice& choice, int threads)
    : choice_(choice), threads_(threads), method_(method_of(choice)) {}

SolveRequest ContactSolver::request(std::span<const double> guess) const {
  return {.tolerance = choice_.tolerance,
          .time_limit = choice_.time_limit,
          .guess = guess,
          .threads = threads_,
          .cancel = cancel};
}

SolveRequest ContactSolver::large_request(std::span<const double> guess) const {
  SolveRequest asked = request(guess);
  asked.finer_iterations = choice_.finer;
  asked.finer_tolerance = std::max(finest, refinement * choice_.tolerance);
  return asked;
}

void ContactSolver::joined_velocity(const Bodies& bodies, const JointSet& joints,
                                    std::span<const double> free, std::vector<double>& velocity) {
  const int rows = joints.rows();
  velocity.assign(free.begin(), free.end());
  lambda_free_.resize(rows, 1);
  for (int row = 0; row < rows; ++row)
    lambda_free_(row, 0) = -(joints.velocity(bodies, row, free) + joints.b()[std::size_t(row)]);
  system_.solve(lambda_free_);
  for (int row = 0; row < rows; ++row)
    for (int side = 0; side < 2; ++side) {
      const int body = joints.bodies_of(row)[std::size_t(side)];
      if (body < 0) continue;
      const BodyModel& model = bodies.models[std::size_t(body)];
      for (int i = 0; i < model.rows(); ++i)
        velocity[std::size_t(model.row + i)] += lambda_free_(row, 0) * system_.Y(row, side)[i];
    }
}

void ContactSolver::eliminate_joints(const Bodies& bodies, const JointSet& joints, const StepProblem& problem,
                                     std::span<const double> free) {
  const int rows = joints.rows();
  jointed_.clear();
  place_.assign(std::size_t(problem.size()), -1);
  if (rows == 0) {
    base_.assign(free.begin(), free.end());
    return;
  }
  joined_velocity(bodies, joints, free, base_);
  has_joint_.assign(bodies.models.size(), 0);
  for (int row = 0; row < rows; ++row)
    for (int body : joints.bodies_of(row))
      if (body >= 0) has_joint_[std::size_t(body)] = 1;
  for (int c = 0; c < problem.size(); ++c) {
    const auto& body = problem.contacts[std::size_t(c)].body;
    if (!has_joint_[std::size_t(body[0])] && !has_joint_[std::size_t(body[1])]) continue;
    place_[std::size_t(c)] = int(jointed_.size());
    jointed_.push_back(c);
  }
  B_.setZero(rows, Eigen::Index(3 * jointed_.size()));
  for (int row = 0; row < rows; ++row)
    for (int side = 0; side < 2; ++side) {
      const int body = joints.bodies_of(row)[std::size_t(side)];
      if (body < 0) continue;
      const double* Y = system_.Y(row, side);
      const int n = bodies.models[std::size_t(body)].rows();
      for (int k : problem.sides_of(body)) {
        const double* H = problem.H(k / 2, k % 2);
        const int at = 3 * place_[std::size_t(k / 2)];
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < n; ++i) B_(row, at + j) += Y[i] * H[j * n + i];
      }
    }
  SB_ = B_;
  if (SB_.cols() > 0) system_.solve(SB_);
}

void ContactSolver::form_row(const Bodies& bodies, StepProblem& problem, int c, double unit) {
  const auto block = [&](int other) {
    Index& slot = slot_[std::size_t(other)];
    if (slot < 0) {
      slot = Index(touched_.size());
      touched_.push_back(other);
      row_.resize(touched_.size() * 9, 0.0);
    }
    return &row_[std::size_t(slot) * 9];
  };
  for (int side = 0; side < 2; ++side) {
    const double* H = problem.H(c, side);
    const int body = problem.contacts[std::size_t(c)].body[std::size_t(side)];
    if (problem.share(c, side)) {
      problem.begin_row(bodies, 2 * c + side);
      for (int k : problem.sides_of(body)) Eigen::Map<Matrix>{block(k / 2)} += unit * problem.coupling(k);
    }
    if (!H) continue;
    const int n = bodies.models[std::size_t(body)].rows();
    for (int k : problem.sides_of(body)) {
      const double* Y = problem.Y(k / 2, k % 2);
      double* W = block(k / 2);
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
          double sum = 0;
          for (int m = 0; m < n; ++m) sum += H[i * n + m] * Y[j * n + m];
          W[3 * j + i] += unit * sum;
        }
    }
  }
  if (const int at = place_[std::size_t(c)]; at >= 0) {
    const double kept = least_compliance * Eigen::Map<const Matrix>(block(c)).trace();
    for (std::size_t k = 0; k < jointed_.size(); ++k) {
      double* W = block(jointed_[k]);
      const Eigen::Matrix3d part =
          B_.middleCols<3>(3 * at).transpose() * SB_.middleCols<3>(Eigen::Index(3 * k));
      for (int i = 0; i < 9; ++i) W[i] -= unit * part.data()[i];
    }
    Eigen::Map<Matrix>(block(c)).diagonal().array() += kept;
  }
  std::sort(touched_.begin(), touched_.end());
  BlockMatrix::Parts& W = parts_.W;
  for (Index other : touched_) {
    const double* from = &row_[std::size_t(slot_[std::size_t(other)]) * 9];
    slot_[std::size_t(other)] = -1;
    if (other == c) {
      W.diagonal.insert(W.diagonal.end(), from, from + 9);
    } else {
      W.column.push_back(other);
      W.blocks.insert(W.blocks.end(), from, from + 9);
    }
  }
  W.row_start.push_back(Index(W.column.size()));
  touched_.clear();
  row_.clear();
}

void ContactSolver::take(const StepProblem& problem, double unit, Solved& solved) {
  const std::size_t n = std::size_t(problem.size());
  r.resize(3 * n);
  for (std::size_t i = 0; i < 3 * n; ++i) r[i] = unit * result_.r[i];
  u.assign(result_.u.begin(), result_.u.end());
  statuses.assign(result_.contacts.begin(), result_.contacts.end());
  solved.unit = unit;
  solved.status = result_.status;
  solved.iterations = result_.iterations;
  solved.error = result_.error();
  solved.converged = result_.converged();
  solved.seconds = result_.timing.total;
}

void ContactSolver::solve_well(const ReducedProblem& problem, const StepProblem& step) {
  SolveRequest asked = request(guess_);
  asked.guess_velocity = step.guess_velocity;
  if (problem.contacts() > (step.quiet ? most_refined : small)) {
    method_->solve(problem, asked, result_);
    return;
  }
  const double fine = std::max(finest, refinement * choice_.tolerance);
  asked.tolerance = (problem.contacts() <= small ? 10 : 100) * fine;
  asked.max_iterations = 0;
  method_->solve(problem, asked, result_);
  if (!result_.converged()) {
    asked.tolerance = fine;
    asked.max_iterations = step.landing ? landing_iterations : fine_iterations;
    method_->solve(problem, asked, result_);
  }
  if (result_.error() <= choice_.tolerance) {
    result_.status = Status::converged;
    return;
  }
  if (result_.status == Status::cancelled || result_.status == Status::not_applicable) return;
  const long spent = result_.iterations;
  guess_ = result_.r;
  method_->solve(problem, request(guess_), result_);
  result_.iterations += spent;
}

Solved ContactSolver::solve_reduced(const Bodies& bodies, const JointSet& joints, StepProblem& problem,
                                    std::span<const double> free) {
  const double unit = impulse_unit(compliance(bodies, problem), problem.size());
  const int n = problem.size();
  if (reduced_) parts_ = std::move(*reduced_).release();
  parts_.W.row_start.assign(1, 0);
  parts_.W.column.clear();
  parts_.W.blocks.clear();
  parts_.W.diagonal.clear();
  slot_.assign(std::size_t(n), -1);
  for (int c = 0; c < n; ++c) form_row(bodies, problem, c, unit);
  parts_.q.resize(std::size_t(3 * n));
  parts_.mu.resize(std::size_t(n));
  for (int c = 0; c < n; ++c) {
    const ProblemContact& contact = problem.contacts[std::size_t(c)];
    Vector q = problem.relative_velocity(bodies, c, base_) + contact.obstacle;
    q[0] += contact.offset;
    if (place_[std::size_t(c)] >= 0) {
      const double noise = noise_of_joints * (problem.relative_velocity(bodies, c, free).norm() +
                                              contact.obstacle.norm() + std::abs(contact.offset));
      q = (q.array().abs() > noise).select(q, 0.0);
    }
    for (int j = 0; j < 3; ++j) parts_.q[std::size_t(3 * c + j)] = q[j];
    parts_.mu[std::size_t(c)] = contact.mu;
  }
  reduced_.reset();
  reduced_.emplace(BlockMatrix(3, std::move(parts_.W.row_start), std::move(parts_.W.column),
                               std::move(parts_.W.blocks), std::move(parts_.W.diagonal)),
                   std::move(parts_.q), std::move(parts_.mu));
  guess_.resize(problem.guess.size());
  for (std::size_t i = 0; i < guess_.size(); ++i) guess_[i] = problem.guess[i] / unit;
  solve_well(*reduced_, problem);
  Solved solved;
  take(problem, unit, solved);

  lambda.resize(std::size_t(joints.rows()));
  if (joints.rows() > 0) {
    Eigen::VectorXd impulse(3 * Eigen::Index(jointed_.size()));
    for (std::size_t k = 0; k < jointed_.size(); ++k)
      for (std::size_t j = 0; j < 3; ++j)
        impulse[Eigen::Index(3 * k + j)] = r[std::size_t(3 * jointed_[k]) + j];
    const Eigen::VectorXd change = SB_ * impulse;
    for (int i = 0; i < joints.rows(); ++i) lambda[std::size_t(i)] = lambda_free_(i, 0) - change[i];
  }
  return solved;
}

Solved ContactSolver::solve_global(const Bodies& bodies, StepProblem& problem, std::span<const double> free) {
  const double unit = impulse_unit(compliance(bodies, problem), problem.size());
  const GlobalProblem scaled = problem.touching(bodies, free, unit);
  guess_.resize(problem.guess.size());
  for (std::size_t i = 0; i < guess_.size(); ++i) guess_[i] = problem.guess[i] / unit;
  SolveRequest asked = large_request(guess_);
  asked.guess_velocity = problem.guess_velocity;
  method_->solve(scaled, asked, result_);
  lambda.clear();
  Solved solved;
  take(problem, unit, solved);
  return solved;
}

Solved ContactSolver::beyond_repair(int contacts, int joint_rows) {
  r.assign(3 * std::size_t(contacts), std::numeric_limits<double>::quiet_NaN());
  u = r;
  statuses.assign(std::size_t(contacts), ContactStatus::open);
  lambda.assign(std::size_t(joint_rows), 0.0);
  reduced_.reset();
  return {.status = Status::numerical_failure,
          .error = std::numeric_limits<double>::quiet_NaN(),
          .converged = false};
}

Solved ContactSolver::solve(const Bodies& bodies, const JointSet& joints, StepProblem& problem,
                            std::span<const double> free) {
  const Timer timer;
  Solved solved;
  const bool global = by_bodies(bodies, joints, problem.size());
  if (!global) eliminate_joints(bodies, joints, problem, free);
  if (problem.size() == 0) {
    r.clear();
    u.clear();
    statuses.clear();
    lambda.resize(std::size_t(joints.rows()));
    for (int i = 0; i < joints.rows(); ++i) lambda[std::size_t(i)] = lambda_free_(i, 0);
  } else {
    try {
      solved = global ? solve_global(bodies, problem, free) : solve_reduced(bodies, joints, problem, free);
    } catch (const InputError&) {
      solved = beyond_repair(int(problem.contacts.size()), joints.rows());
    }
  }
  solved.seconds = timer.seconds();
  return solved;
}

}  // namespace stickslip::internal
