#include "dynamics/elements/element_body.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

namespace stickslip::internal {

ElementBody::ElementBody(ElementBodyChoice choice, const Vector& centre, const Matrix& rotation)
    : choice_(std::move(choice)), R0_(rotation) {
  x.resize(rows());
  v.setZero(rows());
  const auto X = model().X();
  for (std::size_t a = 0; a < X.size(); ++a) {
    x.segment<3>(Eigen::Index(3 * a)) = centre + rotation * X[a];
    lumped_centre_ += model().node_mass()[a] / model().mass() * X[a];
  }
}

Vector ElementBody::centre_of(const Eigen::VectorXd& q) const {
  Vector c = Vector::Zero();
  for (std::size_t a = 0; a < model().X().size(); ++a)
    c += model().weight()[a] * q.segment<3>(Eigen::Index(3 * a));
  return c / model().mass();
}

void ElementBody::set_velocity(const Vector& velocity, const Vector& omega) {
  const Vector c = centre_of(x);
  for (Eigen::Index a = 0; a < x.size(); a += 3)
    v.segment<3>(a) = velocity + omega.cross(x.segment<3>(a) - c);
}

ElementBody::Fit ElementBody::fit(const Eigen::VectorXd& q) const {
  Matrix C = Matrix::Zero();
  for (std::size_t a = 0; a < model().X().size(); ++a)
    C += model().node_mass()[a] * q.segment<3>(Eigen::Index(3 * a)) *
         (model().X()[a] - lumped_centre_).transpose();
  const Eigen::JacobiSVD<Matrix> svd(C, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix U = svd.matrixU();
  const Matrix& V = svd.matrixV();
  if ((U * V.transpose()).determinant() < 0) U.col(2) = -U.col(2);
  const Matrix R = U * V.transpose(), S = R.transpose() * C;
  const Matrix G = S.trace() * Matrix::Identity() - 0.5 * (S + S.transpose());
  return {R, G.inverse()};
}

void ElementBody::local(const Eigen::VectorXd& q, const Matrix& R, Eigen::VectorXd& y) const {
  const Vector c = centre_of(q);
  y.resize(q.size());
  for (std::size_t a = 0; a < model().X().size(); ++a)
    y.segment<3>(Eigen::Index(3 * a)) =
        R.transpose() * (q.segment<3>(Eigen::Index(3 * a)) - c) - model().X()[a];
}

void ElementBody::turn(const Matrix& R, Eigen::VectorXd& y) const {
  for (Eigen::Index a = 0; a < y.size(); a += 3) {
    const Vector turned = R * y.segment<3>(a);
    y.segment<3>(a) = turned;
  }
}

void ElementBody::elastic_force(const Eigen::VectorXd& q, Eigen::VectorXd& f) {
  if (choice_.strain == Strain::green) {
    model().green(q, &f, nullptr);
    f = -f;
    return;
  }
  const bool turning = choice_.axes == Axes::body;
  const Fit best = turning ? fit(q) : Fit{R0_, Matrix::Zero()};
  local(q, best.R, work_);
  f.noalias() = model().K() * work_;
  if (turning) {
    Vector torque = Vector::Zero();
    for (Eigen::Index a = 0; a < f.size(); a += 3)
      torque += Vector(work_.segment<3>(a)).cross(Vector(f.segment<3>(a)));
    const Vector w = best.inverse_G * torque;
    for (std::size_t a = 0; a < model().X().size(); ++a)
      f.segment<3>(Eigen::Index(3 * a)) -= model().node_mass()[a] * w.cross(model().X()[a] - lumped_centre_);
  }
  turn(-best.R, f);
}

ElementMeans ElementBody::means() const {
  ElementMeans mean;
  mean.x = centre_of(x);
  mean.v = centre_of(v);
  Eigen::VectorXd p;
  model().apply_mass(v, p);
  Vector L = Vector::Zero();
  Matrix euler = Matrix::Zero(), C = Matrix::Zero(), E0 = Matrix::Zero();
  for (std::size_t a = 0; a < model().X().size(); ++a) {
    const Vector arm = x.segment<3>(Eigen::Index(3 * a)) - mean.x, X = model().X()[a] - lumped_centre_;
    const double m = model().node_mass()[a];
    L += arm.cross(Vector(p.segment<3>(Eigen::Index(3 * a))));
    euler += m * arm * arm.transpose();
    C += m * arm * X.transpose();
    E0 += m * X * X.transpose();
  }
  mean.omega = (euler.trace() * Matrix::Identity() - euler).inverse() * L;
  mean.F = C * E0.inverse();
  mean.R = fit(x).R;
  return mean;
}

double ElementBody::kinetic() const {
  Eigen::VectorXd p;
  model().apply_mass(v, p);
  return 0.5 * v.dot(p);
}

double ElementBody::elastic() const {
  if (choice_.strain == Strain::green) return model().green(x, nullptr, nullptr);
  Eigen::VectorXd y;
  local(x, choice_.axes == Axes::body ? fit(x).R : R0_, y);
  return 0.5 * y.dot(model().K() * y);
}

std::vector<StressVector> ElementBody::stresses() const {
  if (choice_.strain == Strain::green) return model().stresses(x, true);
  const Matrix R = choice_.axes == Axes::body ? fit(x).R : R0_;
  Eigen::VectorXd y;
  local(x, R, y);
  for (std::size_t a = 0; a < model().X().size(); ++a) y.segment<3>(Eigen::Index(3 * a)) += model().X()[a];
  std::vector<StressVector> all = model().stresses(y, false);
  for (StressVector& s : all) {
    Matrix sigma;
    sigma << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
    sigma = (R * sigma * R.transpose()).eval();
    s << sigma(0, 0), sigma(1, 1), sigma(2, 2), sigma(0, 1), sigma(1, 2), sigma(2, 0);
  }
  return all;
}

void ElementBody::begin(const ElementStep& step, StepMatrices& matrices, double* before) {
  step_ = step;
  const bool rests = step.kind == ElementStep::Kind::quasi_static;
  Eigen::Map<Eigen::VectorXd> first(before, rows());
  if (rests) {
    middle_ = at_force_ = x;
    first.setZero();
  } else {
    middle_ = x + (1 - step.theta) * step.h * v;
    at_force_ = x + step.theta * step.h * v;
    first = v;
  }
  const double theta = rests ? 1 : step.theta,
               inertia = step.kind == ElementStep::Kind::explicit_step ? 0 : theta * theta * step.h * step.h;
  const double mass_share = 1 + theta * step.h * choice_.mass_damping,
               stiffness_share = inertia + theta * step.h * choice_.stiffness_damping;
  if (choice_.strain == Strain::green && choice_.axes == Axes::world && stiffness_share > 0) {
    ElementModel::Sparse tangent;
    model().green(at_force_, nullptr, &tangent);
    R_.setIdentity();
    matrix_ =
        std::make_shared<const StepMatrix>(model(), mass_share, stiffness_share, &tangent, choice_.held);
    return;
  }
  R_ = choice_.axes == Axes::body ? fit(at_force_).R : R0_;
  matrix_ = matrices.get(choice_.model, mass_share, stiffness_share, choice_.held, choice_.basis);
}

void ElementBody::load(const double* before, const Vector& a, const Vector& torque, double drag,
                       const Eigen::VectorXd& held, double* free) {
  const double h = step_.h;
  const Eigen::Map<const Eigen::VectorXd> first(before, rows());
  elastic_force(at_force_, change_);
  // Accelerations of all points: those of the field, of the couple as a rigid one would turn, of drag over the step.
  const double kh = drag * h, phi = kh > 0 ? -std::expm1(-kh) / kh : 1;
  const Vector c = centre_of(middle_);
  Vector turning = Vector::Zero();
  if (torque != Vector::Zero()) {
    Matrix euler = Matrix::Zero();
    for (std::size_t k = 0; k < model().X().size(); ++k) {
      const Vector arm = middle_.segment<3>(Eigen::Index(3 * k)) - c;
      euler += model().node_mass()[k] * arm * arm.transpose();
    }
    turning = (euler.trace() * Matrix::Identity() - euler).inverse() * torque;
  }
  Eigen::VectorXd acceleration(rows()), force;
  for (Eigen::Index k = 0; k < acceleration.size(); k += 3)
    acceleration.segment<3>(k) =
        phi * (a + turning.cross(middle_.segment<3>(k) - c) - drag * first.segment<3>(k)) -
        choice_.mass_damping * first.segment<3>(k);
  model().apply_mass(acceleration, force);
  change_ += force;
  if (choice_.stiffness_damping > 0) {
    work_ = first;
    turn(R_.transpose(), work_);
    force.noalias() = model().K() * work_;
    turn(R_, force);
    change_ -= choice_.stiffness_damping * force;
  }
  change_ *= h;
  if (!choice_.held.empty()) {
    // Held unknowns change as told; the free ones feel it through A.
    Eigen::VectorXd given = Eigen::VectorXd::Zero(rows());
    for (Eigen::Index i = 0; i < given.size(); ++i)
      if (choice_.held[std::size_t(i)]) given[i] = held[i] - first[i];
    Eigen::VectorXd pull = Eigen::VectorXd::Zero(rows());
    turn(R_.transpose(), given);
    matrix_->add_held_coupling(given, pull);
    turn(R_, pull);
    turn(R_, given);
    change_ -= pull;
    for (Eigen::Index i = 0; i < given.size(); ++i)
      if (choice_.held[std::size_t(i)]) change_[i] = 0;
    apply_inverse(change_.data());
    change_ += given;
  } else {
    apply_inverse(change_.data());
  }
  Eigen::Map<Eigen::VectorXd>(free, rows()) = first + change_;
}

void ElementBody::apply_inverse(double* y) const {
  Eigen::VectorXd z = Eigen::Map<const Eigen::VectorXd>(y, rows());
  turn(R_.transpose(), z);
  if (!choice_.held.empty())
    for (Eigen::Index i = 0; i < z.size(); ++i)
      if (choice_.held[std::size_t(i)]) z[i] = 0;
  matrix_->solve(z);
  turn(R_, z);
  Eigen::Map<Eigen::VectorXd>(y, rows()) = z;
}

void ElementBody::apply(const double* from, double* y) const {
  Eigen::VectorXd z = Eigen::Map<const Eigen::VectorXd>(from, rows());
  turn(R_.transpose(), z);
  Eigen::VectorXd product = matrix_->A() * z;
  turn(R_, product);
  Eigen::Map<Eigen::VectorXd>(y, rows()) = product;
}

void ElementBody::finish(const double* free, const double* impulse) {
  change_ = Eigen::Map<const Eigen::VectorXd>(impulse, rows());
  if (!change_.isZero(0)) apply_inverse(change_.data());
  const bool rests = step_.kind == ElementStep::Kind::quasi_static;
  v = Eigen::Map<const Eigen::VectorXd>(free, rows()) + change_;
  x = middle_ + (rests ? 1.0 : step_.theta) * step_.h * v;
  if (choice_.basis) return_to_basis();
}

Vector ElementBody::angular_momentum() const {
  const Vector c = centre_of(x);
  Eigen::VectorXd p;
  model().apply_mass(v, p);
  Vector L = Vector::Zero();
  for (Eigen::Index a = 0; a < x.size(); a += 3)
    L += Vector(x.segment<3>(a) - c).cross(Vector(p.segment<3>(a)));
  return L;
}

void ElementBody::return_to_basis() {
  const Vector L = angular_momentum();
  const Matrix R = choice_.axes == Axes::body ? fit(x).R : R0_;
  const Vector c = centre_of(x);
  local(x, R, work_);
  choice_.basis->project_deformation(work_);
  for (std::size_t a = 0; a < model().X().size(); ++a)
    x.segment<3>(Eigen::Index(3 * a)) = c + R * (model().X()[a] + work_.segment<3>(Eigen::Index(3 * a)));
  turn(R.transpose(), v);
  choice_.basis->project(v);
  turn(R, v);
  // Points that moved along their tangents are back on their circles: the spin has to make up for the shorter arms.
  Matrix euler = Matrix::Zero();
  for (std::size_t a = 0; a < model().X().size(); ++a) {
    const Vector arm = x.segment<3>(Eigen::Index(3 * a)) - c;
    euler += model().node_mass()[a] * arm * arm.transpose();
  }
  const Vector omega = (euler.trace() * Matrix::Identity() - euler).inverse() * (L - angular_momentum());
  for (Eigen::Index a = 0; a < x.size(); a += 3) v.segment<3>(a) += omega.cross(Vector(x.segment<3>(a) - c));
}

}  // namespace stickslip::internal
