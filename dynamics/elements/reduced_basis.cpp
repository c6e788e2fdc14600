#include "dynamics/elements/reduced_basis.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "base/random.hpp"
#include "dynamics/elements/step_matrix.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

using Columns = Eigen::MatrixXd;

/// What is left of a column when those before it are taken out counts as new from this share on.
constexpr double independent = 1e-6;
/// Subspace iteration: spare columns, the change of ω² at which it ends, and its longest run.
constexpr int spare = 8, most_iterations = 200;
constexpr double settled = 1e-10;
/// The shift of the free body, as a share of the mean quotient of stiffness and mass: far below the first mode, far above rounding.
constexpr double shift_share = 1e-7;

Columns times_mass(const ElementModel& model, const Columns& X) {
  Columns Y(X.rows(), X.cols());
  Eigen::VectorXd y;
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    model.apply_mass(X.col(k), y);
    Y.col(k) = y;
  }
  return Y;
}

/// Appends columns, orthonormal in the mass; what depends on earlier ones is left out.
void append(const ElementModel& model, const Columns& given, Columns& Phi, Columns& MPhi) {
  Eigen::VectorXd Mx;
  for (Eigen::Index k = 0; k < given.cols(); ++k) {
    Eigen::VectorXd x = given.col(k);
    model.apply_mass(x, Mx);
    const double before = std::sqrt(x.dot(Mx));
    if (!(before > 0)) continue;
    for (int twice = 0; twice < 2; ++twice) x -= Phi * (MPhi.transpose() * x);
    model.apply_mass(x, Mx);
    const double after = std::sqrt(x.dot(Mx));
    if (!(after > independent * before)) continue;
    const Eigen::Index at = Phi.cols();
    Phi.conservativeResize(Eigen::NoChange, at + 1);
    MPhi.conservativeResize(Eigen::NoChange, at + 1);
    Phi.col(at) = x / after;
    MPhi.col(at) = Mx / after;
  }
}

/// The lowest modes of the pencil that `inverse` belongs to, by subspace iteration with Rayleigh and Ritz. Columns of `without` are kept out.
Columns lowest_modes(const ElementModel& model, const StepMatrix& inverse, std::span<const char> held,
                     const Columns& without, int count) {
  const Eigen::Index rows = model.rows(),
                     free = rows - std::count(held.begin(), held.end(), char(1)) - without.cols();
  if (count > free) throw InputError("the body has fewer modes than asked for: " + std::to_string(free));
  const Eigen::Index block = std::min<Eigen::Index>(free, count + spare);
  Random random(1);
  Columns X(rows, block);
  for (Eigen::Index k = 0; k < block; ++k)
    for (Eigen::Index i = 0; i < rows; ++i) X(i, k) = random.uniform(-1, 1);
  const Columns M_without = times_mass(model, without);
  const auto clean = [&](Columns& Y) {
    for (std::size_t i = 0; i < held.size(); ++i)
      if (held[i]) Y.row(Eigen::Index(i)).setZero();
    if (without.cols() > 0) Y -= without * (M_without.transpose() * Y);
  };
  clean(X);
  Eigen::VectorXd last = Eigen::VectorXd::Zero(count);
  for (int k = 0; k < most_iterations; ++k) {
    Columns Y = times_mass(model, X);
    if (!held.empty()) clean(Y);
    inverse.solve_columns(Y);
    clean(Y);
    const Columns MY = times_mass(model, Y), KY = model.K() * Y;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Columns> ritz(Y.transpose() * KY, Y.transpose() * MY);
    if (ritz.info() != Eigen::Success) break;
    X.noalias() = Y * ritz.eigenvectors();
    const Eigen::VectorXd now = ritz.eigenvalues().head(count);
    if ((now - last).cwiseAbs().maxCoeff() <= settled * now.cwiseAbs().maxCoeff()) break;
    last = now;
  }
  return X.leftCols(count);
}

/// Motions of a rigid body that leave the interface where it is would make K_ii singular.
void check_interface(const Columns& rigid, std::span<const int> interface) {
  Columns there(Eigen::Index(3 * interface.size()), rigid.cols());
  for (std::size_t k = 0; k < interface.size(); ++k)
    there.middleRows<3>(Eigen::Index(3 * k)) = rigid.middleRows<3>(3 * interface[k]);
  // Translations and turns have different units: each column by itself first.
  for (Eigen::Index c = 0; c < there.cols(); ++c)
    if (const double norm = there.col(c).norm(); norm > 0) there.col(c) /= norm;
  const Eigen::VectorXd squares =
      Eigen::SelfAdjointEigenSolver<Columns>(there.transpose() * there).eigenvalues();
  if (!(squares[0] > independent * independent * squares[rigid_motions - 1]))
    throw InputError("the interface does not hold the body: it needs three nodes that are not on a line");
}

}  // namespace

ReducedBasis::ReducedBasis(const ElementModel& model, int modes, std::span<const int> interface) {
  const Eigen::Index rows = model.rows();
  Columns rigid = Columns::Zero(rows, rigid_motions);
  for (int a = 0; a < model.nodes(); ++a)
    for (int d = 0; d < 3; ++d) {
      rigid(3 * a + d, d) = 1;
      rigid.col(3 + d).segment<3>(3 * a) = Vector::Unit(d).cross(model.X()[std::size_t(a)]);
    }
  Phi_.resize(rows, 0);
  MPhi_.resize(rows, 0);
  append(model, rigid, Phi_, MPhi_);
  std::vector<char> held;
  if (interface.empty()) {
    double stiffness = 0, mass = 0;
    for (Eigen::Index i = 0; i < rows; ++i) stiffness += model.K().coeff(i, i);
    for (double m : model.node_mass()) mass += 3 * m;
    const StepMatrix shifted(model, shift_share * stiffness / mass, 1, nullptr, {});
    append(model, lowest_modes(model, shifted, {}, Phi_, modes), Phi_, MPhi_);
  } else {
    held.assign(std::size_t(rows), 0);
    for (int node : interface)
      for (int d = 0; d < 3; ++d) held[std::size_t(3 * node + d)] = 1;
    check_interface(rigid, interface);
    const StepMatrix inner(model, 0, 1, nullptr, held);
    Columns constraint = Columns::Zero(rows, Eigen::Index(3 * interface.size()));
    for (std::size_t k = 0; k < interface.size(); ++k)
      for (int d = 0; d < 3; ++d) {
        Eigen::VectorXd given = Eigen::VectorXd::Zero(rows), pull = given;
        given[3 * interface[k] + d] = 1;
        inner.add_held_coupling(given, pull);
        inner.solve(pull);
        constraint.col(Eigen::Index(3 * k) + d) = given - pull;
      }
    append(model, constraint, Phi_, MPhi_);
    if (modes > 0) append(model, lowest_modes(model, inner, held, Columns(rows, 0), modes), Phi_, MPhi_);
  }
  // Rayleigh and Ritz once more: the deformations become independent of each other.
  const Eigen::Index elastic = Phi_.cols() - rigid_motions;
  const Columns K = Phi_.rightCols(elastic).transpose() * (model.K() * Phi_.rightCols(elastic));
  const Eigen::SelfAdjointEigenSolver<Columns> ritz(0.5 * (K + K.transpose()));
  Phi_.rightCols(elastic) *= ritz.eigenvectors();
  MPhi_.rightCols(elastic) *= ritz.eigenvectors();
  squares_.setZero(Phi_.cols());
  squares_.tail(elastic) = ritz.eigenvalues().cwiseMax(0.0);
}

void ReducedBasis::project(Eigen::VectorXd& y) const { y = Phi_ * coordinates(y); }

void ReducedBasis::project_deformation(Eigen::VectorXd& y) const {
  const Eigen::Index elastic = Phi_.cols() - rigid_motions;
  y = Phi_.rightCols(elastic) * (MPhi_.rightCols(elastic).transpose() * y);
}

}  // namespace stickslip::internal
