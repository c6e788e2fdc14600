#include "dynamics/bodies/bodies.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "base/large_pages.hpp"

namespace stickslip::internal {
namespace {

using Nine = Eigen::Matrix<double, 9, 1>;

Eigen::Map<const Vector> three(const double* p) { return Eigen::Map<const Vector>(p); }
Eigen::Map<Vector> three(double* p) { return Eigen::Map<Vector>(p); }
Eigen::Map<const Matrix> columns(const double* p) { return Eigen::Map<const Matrix>(p); }
Eigen::Map<Matrix> columns(double* p) { return Eigen::Map<Matrix>(p); }

Vector at(const SignalVector& s, double t) { return {s[0](t), s[1](t), s[2](t)}; }

/// E₀ ⊙ I: the block (j, l) is E_jl I₃.
Matrix9 mass_of_rate(const Matrix& euler) {
  Matrix9 M = Matrix9::Zero();
  for (int j = 0; j < 3; ++j)
    for (int l = 0; l < 3; ++l) M.block<3, 3>(3 * j, 3 * l) = euler(j, l) * Matrix::Identity();
  return M;
}

/// The axis of the skew part of Ḟ F⁻¹.
Vector spin(const Matrix& F, const Matrix& rate) {
  const Matrix L = rate * F.inverse();
  return 0.5 * Vector(L(2, 1) - L(1, 2), L(0, 2) - L(2, 0), L(1, 0) - L(0, 1));
}

}  // namespace

void Bodies::number_rows() {
  rows_ = 0;
  deforming_.assign(models.size(), -1);
  int deforming = 0;
  for (std::size_t b = 0; b < models.size(); ++b) {
    BodyModel& model = models[b];
    if (model.kind == BodyKind::fixed || model.kind == BodyKind::driven) continue;
    model.row = rows_;
    rows_ += model.rows();
    if (model.deforms()) deforming_[b] = deforming++;
  }
  A9_.resize(std::size_t(deforming));
  inverse_A9_.resize(std::size_t(deforming));
  move_to_large_pages(models);
  move_to_large_pages(states);
  reserve_large(middles_, models.size());
  middles_.resize(models.size());
  reserve_large(placements_, models.size());
  placements_.resize(models.size());
  before_.assign(std::size_t(rows_), 0.0);
  free_.assign(std::size_t(rows_), 0.0);
  work_.assign(std::size_t(rows_), 0.0);
}

Matrix Bodies::map_of(int body) const {
  const BodyState& s = states[std::size_t(body)];
  const BodyModel& model = models[std::size_t(body)];
  return model.deforms() || model.has_elements() ? s.F : s.Q.toRotationMatrix();
}

void Bodies::begin_obstacle(std::size_t b) {
  const BodyModel& model = models[b];
  const BodyState& s = states[b];
  MiddleBody& m = middles_[b];
  m.v_before = m.omega_before = m.v_after = m.omega_after = Vector::Zero();
  m.x = s.x;
  m.Q = s.Q;
  if (model.kind == BodyKind::driven) {
    m.v_before = at(model.velocity, choice_.t);
    m.omega_before = at(model.angular_velocity, choice_.t);
    m.v_after = at(model.velocity, choice_.t + choice_.h);
    m.omega_after = at(model.angular_velocity, choice_.t + choice_.h);
    if (choice_.scheme != Scheme::quasi_static) {
      const double part = (1 - choice_.theta) * choice_.h;
      m.x = s.x + part * m.v_before;
      m.Q = turned(s.Q, part * m.omega_before);
    }
  }
  m.F = m.Q.toRotationMatrix();
  m.inverse_F = m.F.transpose();
}

void Bodies::begin_rigid(std::size_t b) {
  const BodyModel& model = models[b];
  const BodyState& s = states[b];
  MiddleBody& m = middles_[b];
  const double h = choice_.h;
  double* before = &before_[std::size_t(model.row)];
  const bool rests = choice_.scheme == Scheme::quasi_static;
  if (rests) {
    m.x = s.x;
    m.Q = s.Q;
  } else {
    const double part = (1 - choice_.theta) * h;
    m.x = s.x + part * s.v;
    m.Q = choice_.gyroscopic == Gyroscopic::momentum
              ? middle_rotation(s.Q, s.L, model.inertia, model.inverse_inertia, 2 * part)
              : turned(s.Q, part * s.omega);
  }
  m.F = m.Q.toRotationMatrix();
  m.inverse_F = m.F.transpose();
  m.A = in_world(m.F, model.inertia);
  m.inverse_A = in_world(m.F, model.inverse_inertia);
  three(before) = rests ? Vector::Zero() : s.v;
  if (rests) {
    three(before + 3).setZero();
    m.momentum.setZero();
  } else if (choice_.gyroscopic == Gyroscopic::momentum) {
    three(before + 3) = m.inverse_A * s.L;
    m.momentum = s.L;
  } else {
    // J (ω⁺ − ω) + h [ω × J ω + ½ D (ω⁺ − ω)] = h τ,  D the derivative of ω × J ω.
    const Vector omega = s.omega, J_omega = m.A * omega;
    const Matrix D = cross_matrix(omega) * m.A - cross_matrix(J_omega);
    m.A += 0.5 * h * D;
    m.inverse_A = m.A.inverse();
    three(before + 3) = omega;
    m.momentum = m.A * omega - h * omega.cross(J_omega);
  }
}

Matrix Bodies::elastic_F(std::size_t b) const {
  // Where the stress of the step is taken: q + θ h v, the middle for θ = ½.
  const BodyState& s = states[b];
  if (choice_.scheme == Scheme::quasi_static) return s.F;
  return s.F + choice_.theta * choice_.h * s.rate;
}

void Bodies::begin_elements(std::size_t b) {
  const BodyModel& model = models[b];
  ElementBody& body = elements[std::size_t(model.element)];
  const auto kind = choice_.scheme == Scheme::moreau         ? ElementStep::Kind::explicit_step
                    : choice_.scheme == Scheme::quasi_static ? ElementStep::Kind::quasi_static
                                                             : ElementStep::Kind::implicit;
  body.begin({.h = choice_.h, .theta = choice_.theta, .kind = kind}, matrices_,
             &before_[std::size_t(model.row)]);
  const BodyState& s = states[b];
  MiddleBody& m = middles_[b];
  const double part = choice_.scheme == Scheme::quasi_static ? 0 : (1 - choice_.theta) * choice_.h;
  m.x = s.x + part * s.v;
  m.Q = s.Q;
  m.F = s.Q.toRotationMatrix();
  m.inverse_F = m.F.transpose();
}

void Bodies::load_elements(std::size_t b, const Load& load) {
  const BodyModel& model = models[b];
  Eigen::VectorXd told;
  for (const HeldUnknowns& group : held) {
    if (group.element != model.element) continue;
    if (told.size() == 0) told.setZero(model.rows());
    const Vector v = at(group.velocity, choice_.t + choice_.h);
    for (int unknown : group.unknowns) told[unknown] = v[unknown % 3];
  }
  elements[std::size_t(model.element)].load(&before_[std::size_t(model.row)],
                                            choice_.gravity + load.force / model.mass, load.torque, load.drag,
                                            told, &free_[std::size_t(model.row)]);
}

void Bodies::take_means(std::size_t b) {
  const ElementMeans mean = elements[std::size_t(models[b].element)].means();
  BodyState& s = states[b];
  s.x = mean.x;
  s.v = mean.v;
  s.omega = mean.omega;
  s.F = mean.F;
  s.Q = Rotation(mean.R).normalized();
}

void Bodies::keep_elements(std::vector<ElementState>& kept) const {
  kept.resize(elements.size());
  for (std::size_t k = 0; k < elements.size(); ++k) {
    kept[k].x = elements[k].x;
    kept[k].v = elements[k].v;
  }
}

void Bodies::restore_elements(const std::vector<ElementState>& kept) {
  for (std::size_t k = 0; k < elements.size(); ++k) {
    elements[k].x = kept[k].x;
    elements[k].v = kept[k].v;
  }
}

Vector Bodies::mean_displacement(int body, const double* d) const {
  const BodyModel& model = models[std::size_t(body)];
  if (!model.has_elements()) return three(d);
  const auto weight = element(body).model().weight();
  Vector sum = Vector::Zero();
  for (std::size_t a = 0; a < weight.size(); ++a) sum += weight[a] / model.mass * three(d + 3 * a);
  return sum;
}

void Bodies::begin_pseudo_rigid(std::size_t b) {
  const BodyModel& model = models[b];
  const BodyState& s = states[b];
  MiddleBody& m = middles_[b];
  const double h = choice_.h;
  const bool rests = choice_.scheme == Scheme::quasi_static;
  const double part = (1 - choice_.theta) * h;
  m.x = rests ? s.x : Vector(s.x + part * s.v);
  m.F = rests ? s.F : Matrix(s.F + part * s.rate);
  m.inverse_F = m.F.inverse();
  m.Q = s.Q;
  double* before = &before_[std::size_t(model.row)];
  three(before) = rests ? Vector::Zero() : s.v;
  columns(before + 3) = rests ? Matrix::Zero() : s.rate;

  const double theta = choice_.theta, share = choice_.scheme == Scheme::moreau ? 0
                                              : rests                          ? h * h
                                                                               : theta * theta * h * h;
  Matrix9& A = A9_[std::size_t(deforming_[b])];
  A = mass_of_rate(model.euler);
  if (share > 0 || model.damping > 0)
    A += (share + theta * h * model.damping) * model.volume * stiffness(elastic_F(b), model.elastic);
  inverse_A9_[std::size_t(deforming_[b])] = A.inverse();
}

void Bodies::begin(const StepChoice& choice) {
  choice_ = choice;
  for (std::size_t b = 0; b < models.size(); ++b) {
    if (!models[b].moves())
      begin_obstacle(b);
    else if (models[b].has_elements())
      begin_elements(b);
    else if (models[b].deforms())
      begin_pseudo_rigid(b);
    else
      begin_rigid(b);
    const MiddleBody& m = middles_[b];
    placements_[b] = placement(int(b), m.x, models[b].undeformed ? Matrix(Matrix::Identity()) : m.F);
  }
}

void Bodies::load(std::span<const Load> loads) {
  static const Load none;
  const double h = choice_.h;
  for (std::size_t b = 0; b < models.size(); ++b) {
    const BodyModel& model = models[b];
    if (!model.moves()) continue;
    const Load& load = loads.empty() ? none : loads[b];
    if (model.has_elements()) {
      load_elements(b, load);
      continue;
    }
    const double* before = &before_[std::size_t(model.row)];
    double* free = &free_[std::size_t(model.row)];
    MiddleBody& m = middles_[b];
    // With drag the exact solution for a constant force: v⁺ = v + h φ(k h) (a − k v), φ(x) = (1 − e⁻ˣ)/x.
    const double kh = load.drag * h, phi = kh > 0 ? -std::expm1(-kh) / kh : 1;
    const Vector acceleration =
        (choice_.gravity + load.force / model.mass - load.drag * three(before)) / model.scaling;
    three(free) = three(before) + h * phi * acceleration;
    if (model.deforms()) {
      Matrix couple = load.couple + 0.5 * cross_matrix(load.torque) * m.inverse_F.transpose() -
                      model.volume * stress(elastic_F(b), model.elastic);
      if (model.damping > 0) {
        const Nine rate = Eigen::Map<const Nine>(before + 3);
        const Nine force = (model.damping * model.volume) * (stiffness(elastic_F(b), model.elastic) * rate);
        couple -= columns(force.data());
      }
      const Nine change =
          inverse_A9_[std::size_t(deforming_[b])] * (h * Eigen::Map<const Nine>(couple.data()));
      Eigen::Map<Nine>(free + 3) = Eigen::Map<const Nine>(before + 3) + change;
    } else {
      m.momentum += h * load.torque;
      three(free + 3) = m.inverse_A * m.momentum;
    }
  }
}

void Bodies::apply_inverse(int body, double* y) const {
  const BodyModel& model = models[std::size_t(body)];
  if (model.has_elements()) return element(body).apply_inverse(y);
  three(y) /= model.inertial_mass();
  if (model.deforms()) {
    const Nine x = inverse_A9_[std::size_t(deforming_[std::size_t(body)])] * Eigen::Map<const Nine>(y + 3);
    Eigen::Map<Nine>(y + 3) = x;
  } else {
    const Vector x = middles_[std::size_t(body)].inverse_A * three(y + 3);
    three(y + 3) = x;
  }
}

void Bodies::apply(int body, const double* x, double* y) const {
  const BodyModel& model = models[std::size_t(body)];
  if (model.has_elements()) return element(body).apply(x, y);
  three(y) = model.inertial_mass() * three(x);
  if (model.deforms())
    Eigen::Map<Nine>(y + 3) = A9_[std::size_t(deforming_[std::size_t(body)])] * Eigen::Map<const Nine>(x + 3);
  else
    three(y + 3) = middles_[std::size_t(body)].A * three(x + 3);
}

Bodies::Pose Bodies::next_pose(int body, const double* v) const {
  const BodyModel& model = models[std::size_t(body)];
  const MiddleBody& m = middles_[std::size_t(body)];
  const double h = choice_.h;
  if (model.kind == BodyKind::fixed) return {m.x, m.F};
  if (model.kind == BodyKind::driven)
    return {m.x + h * m.v_after, turned(m.Q, h * m.omega_after).toRotationMatrix()};
  if (model.deforms()) return {m.x + h * three(v), m.F + h * columns(v + 3)};
  const Vector omega = three(v + 3);
  if (choice_.scheme == Scheme::quasi_static || choice_.gyroscopic == Gyroscopic::implicit)
    return {m.x + h * three(v), turned(m.Q, h * omega).toRotationMatrix()};
  const Rotation end = turned(m.Q, choice_.theta * h * omega);
  const double other = 2 * (1 - choice_.theta) * h;
  return {m.x + h * three(v),
          middle_rotation(end, m.A * omega, model.inertia, model.inverse_inertia, other).toRotationMatrix()};
}

void Bodies::finish(std::span<const double> impulse) {
  const double h = choice_.h;
  const double whole = choice_.scheme == Scheme::quasi_static ? h : choice_.theta * h;
  for (std::size_t b = 0; b < models.size(); ++b) {
    const BodyModel& model = models[b];
    BodyState& s = states[b];
    MiddleBody& m = middles_[b];
    if (model.kind == BodyKind::driven) {
      s.x = m.x + whole * m.v_after;
      s.Q = turned(m.Q, whole * m.omega_after);
      s.v = m.v_after;
      s.omega = m.omega_after;
    }
    if (!model.moves()) continue;
    const double* p = &impulse[std::size_t(model.row)];
    const double* free = &free_[std::size_t(model.row)];
    if (model.has_elements()) {
      elements[std::size_t(model.element)].finish(free, p);
      take_means(b);
      continue;
    }
    s.v = three(free) + three(p) / model.inertial_mass();
    s.x = m.x + whole * s.v;
    if (model.deforms()) {
      const Nine rate = Eigen::Map<const Nine>(free + 3) +
                        inverse_A9_[std::size_t(deforming_[b])] * Eigen::Map<const Nine>(p + 3);
      s.rate = columns(rate.data());
      s.F = m.F + whole * s.rate;
      const Matrix R = polar_rotation(s.F);
      s.Q = Rotation(R).normalized();
      s.omega = spin(s.F, s.rate);
      continue;
    }
    const Vector momentum = m.momentum + three(p + 3), omega = m.inverse_A * momentum;
    s.Q = turned(m.Q, whole * omega);
    const Matrix R = s.Q.toRotationMatrix();
    if (choice_.gyroscopic == Gyroscopic::momentum && choice_.scheme != Scheme::quasi_static) {
      s.L = momentum;
      s.omega = in_world(R, model.inverse_inertia) * s.L;
    } else {
      s.omega = omega;
      s.L = in_world(R, model.inertia) * s.omega;
    }
  }
}

double Bodies::kinetic() const {
  double sum = 0;
  for (std::size_t b = 0; b < models.size(); ++b) {
    const BodyModel& model = models[b];
    const BodyState& s = states[b];
    if (!model.moves()) continue;
    if (model.has_elements()) {
      sum += elements[std::size_t(model.element)].kinetic();
      continue;
    }
    sum += 0.5 * model.inertial_mass() * s.v.squaredNorm();
    sum +=
        model.deforms() ? 0.5 * (s.rate * model.euler * s.rate.transpose()).trace() : 0.5 * s.omega.dot(s.L);
  }
  return sum;
}

double Bodies::potential(const Vector& gravity) const {
  double sum = 0;
  for (std::size_t b = 0; b < models.size(); ++b)
    if (models[b].moves()) sum -= models[b].mass * gravity.dot(states[b].x);
  return sum;
}

double Bodies::elastic() const {
  double sum = 0;
  for (std::size_t b = 0; b < models.size(); ++b)
    if (models[b].deforms()) sum += models[b].volume * strain_energy(states[b].F, models[b].elastic);
  for (const ElementBody& body : elements) sum += body.elastic();
  return sum;
}

void Bodies::displace(int body, const double* d) {
  const BodyModel& model = models[std::size_t(body)];
  BodyState& s = states[std::size_t(body)];
  if (model.has_elements()) {
    elements[std::size_t(model.element)].x += Eigen::Map<const Eigen::VectorXd>(d, model.rows());
    return take_means(std::size_t(body));
  }
  s.x += three(d);
  if (model.deforms()) {
    s.F += columns(d + 3);
    return;
  }
  // Spin and angular momentum turn with the body: the energy of rotation stays.
  const Rotation by = exp_rotation(three(d + 3));
  s.Q = (by * s.Q).normalized();
  s.omega = by * s.omega;
  s.L = by * s.L;
}

void Bodies::set_velocity(int body, const Vector& v, const Vector& omega) {
  const BodyModel& model = models[std::size_t(body)];
  BodyState& s = states[std::size_t(body)];
  if (model.has_elements()) {
    elements[std::size_t(model.element)].set_velocity(v, omega);
    return take_means(std::size_t(body));
  }
  s.v = v;
  s.omega = omega;
  s.L = in_world(s.Q.toRotationMatrix(), model.inertia) * omega;
  if (model.deforms()) s.rate = cross_matrix(omega) * s.F;
}

void Bodies::scale_inertia(double h) {
  for (std::size_t b = 0; b < models.size(); ++b) {
    BodyModel& model = models[b];
    if (!model.deforms()) continue;
    const Matrix9 K = model.volume * stiffness(states[b].F, model.elastic), M = mass_of_rate(model.euler);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix9> eigen(K, M, Eigen::EigenvaluesOnly);
    model.scaling = eigen.eigenvalues().maxCoeff() * h * h / 4;
    model.euler *= model.scaling;
  }
}

}  // namespace stickslip::internal
