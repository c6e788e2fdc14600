#include "dynamics/stepping/step_problem.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "base/large_pages.hpp"

namespace stickslip::internal {
namespace {

using Block6 = Eigen::Matrix<double, 6, 3>;
using Block12 = Eigen::Matrix<double, 12, 3>;

}  // namespace

void StepProblem::assemble(const Bodies& bodies) {
  // Where each block lies, and the contacts of each body in rising order.
  const std::size_t n = contacts.size();
  start_.assign(2 * n, -1);
  side_start_.assign(bodies.models.size() + 1, 0);
  int used = 0;
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t side = 0; side < 2; ++side) {
      const auto b = std::size_t(contacts[c].body[side]);
      if (!bodies.models[b].moves()) continue;
      ++side_start_[b + 1];
      if (bodies.models[b].has_elements()) continue;
      start_[2 * c + side] = used;
      used += 3 * bodies.models[b].rows();
    }
  for (std::size_t b = 0; b < bodies.models.size(); ++b) side_start_[b + 1] += side_start_[b];
  sides_.resize(std::size_t(side_start_.back()));
  for (std::size_t k = 0; k < 2 * n; ++k)
    if (start_[k] >= 0 || contacts[k / 2].share[k % 2] >= 0)
      sides_[std::size_t(side_start_[std::size_t(contacts[k / 2].body[k % 2])]++)] = int(k);
  for (std::size_t b = bodies.models.size(); b > 0; --b) side_start_[b] = side_start_[b - 1];
  side_start_[0] = 0;

  H_.resize(std::size_t(used));
  Y_.resize(std::size_t(used));
  ask_for_large_pages(H_.data(), H_.capacity() * sizeof(double));
  ask_for_large_pages(Y_.data(), Y_.capacity() * sizeof(double));
  for (std::size_t k = 0; k < 2 * n; ++k) {
    if (start_[k] < 0) continue;
    const ProblemContact& contact = contacts[k / 2];
    const int body = contact.body[k % 2];
    const BodyModel& model = bodies.models[std::size_t(body)];
    const MiddleBody& m = bodies.middle(body);
    const Matrix R = k % 2 == 1 ? contact.frame : Matrix(-contact.frame);
    double* H = &H_[std::size_t(start_[k])];
    double* Y = &Y_[std::size_t(start_[k])];
    const Vector arm = contact.point - m.x;
    if (model.deforms()) {
      Eigen::Map<Block12> block(H);
      const Vector X = m.inverse_F * arm;
      block.topRows<3>() = R;
      for (int j = 0; j < 3; ++j) block.middleRows<3>(3 + 3 * j) = X[j] * R;
      std::copy_n(H, 36, Y);
      for (int j = 0; j < 3; ++j) bodies.apply_inverse(body, Y + 12 * j);
    } else {
      Eigen::Map<Block6> block(H), inverse(Y);
      block.topRows<3>() = R;
      for (int j = 0; j < 3; ++j) block.col(j).tail<3>() = arm.cross(R.col(j));
      inverse.topRows<3>() = block.topRows<3>() / model.inertial_mass();
      inverse.bottomRows<3>() = m.inverse_A * block.bottomRows<3>();
    }
  }
}

void StepProblem::begin_row(const Bodies& bodies, int i) {
  const ProblemContact& contact = contacts[std::size_t(i / 2)];
  row_.body = &bodies.element(contact.body[std::size_t(i % 2)]);
  row_.point = share(i / 2, i % 2);
  row_.side = i % 2;
  row_.left = (row_.body->R().transpose() * contact.frame).transpose();
  const std::size_t nodes = row_.body->model().boundary().nodes.size();
  if (row_.at.size() < nodes) row_.at.resize(nodes);
  row_.known.assign(nodes, 0);
}

Matrix StepProblem::coupling(int j) {
  const SurfaceShare &one = *row_.point, &two = *share(j / 2, j % 2);
  const Boundary& boundary = row_.body->model().boundary();
  const StepMatrix& matrix = row_.body->matrix();
  Matrix sum = Matrix::Zero();
  for (std::size_t l = 0; l < two.node.size(); ++l) {
    const auto place = std::size_t(boundary.place[std::size_t(two.node[l])]);
    Matrix& at = row_.at[place];
    if (!row_.known[place]) {
      Matrix mean = Matrix::Zero();
      for (std::size_t k = 0; k < one.node.size(); ++k)
        mean += one.N[k] * matrix.compliance(one.node[k], two.node[l]);
      at.noalias() = row_.left * mean;
      row_.known[place] = 1;
    }
    sum += two.N[l] * at;
  }
  const Matrix right = row_.body->R().transpose() * contacts[std::size_t(j / 2)].frame;
  return (row_.side == j % 2 ? 1.0 : -1.0) * (sum * right);
}

Vector StepProblem::relative_velocity(const Bodies& bodies, int contact, std::span<const double> v) const {
  Vector u = Vector::Zero();
  for (int side = 0; side < 2; ++side) {
    const BodyModel& model =
        bodies.models[std::size_t(contacts[std::size_t(contact)].body[std::size_t(side)])];
    if (const SurfaceShare* point = share(contact, side))
      u += (side == 0 ? -1.0 : 1.0) *
           (contacts[std::size_t(contact)].frame.transpose() * point->of(&v[std::size_t(model.row)]));
    const double* block = H(contact, side);
    if (!block) continue;
    const int rows = model.rows();
    const double* at = &v[std::size_t(model.row)];
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < rows; ++i) u[j] += block[j * rows + i] * at[i];
  }
  return u;
}

void StepProblem::impulse_of(const Bodies& bodies, int contact, int side, const double* r,
                             double* part) const {
  const double* block = H(contact, side);
  const int n = rows(bodies, contact, side);
  for (int i = 0; i < n; ++i) part[i] = block[i] * r[0] + block[n + i] * r[1] + block[2 * n + i] * r[2];
}

void StepProblem::add_impulse_of(const Bodies& bodies, int contact, int side, std::span<const double> r,
                                 std::span<double> impulse) const {
  const ProblemContact& at = contacts[std::size_t(contact)];
  const BodyModel& model = bodies.models[std::size_t(at.body[std::size_t(side)])];
  if (const SurfaceShare* point = share(contact, side)) {
    const Vector whole =
        (side == 0 ? -1.0 : 1.0) * (at.frame * Eigen::Map<const Vector>(&r[std::size_t(3 * contact)]));
    for (std::size_t k = 0; k < point->node.size(); ++k)
      Eigen::Map<Vector>(&impulse[std::size_t(model.row + 3 * point->node[k])]) += point->N[k] * whole;
  }
  if (!H(contact, side)) return;
  double part[12] = {};
  impulse_of(bodies, contact, side, &r[std::size_t(3 * contact)], part);
  for (int i = 0; i < model.rows(); ++i) impulse[std::size_t(model.row + i)] += part[i];
}

void StepProblem::add_impulse(const Bodies& bodies, std::span<const double> r,
                              std::span<double> impulse) const {
  for (int c = 0; c < size(); ++c)
    for (int side = 0; side < 2; ++side) add_impulse_of(bodies, c, side, r, impulse);
}

void StepProblem::add_elements(const Bodies& bodies, int body, Index row, double unit, MatrixRows& M,
                               MatrixRows& H) const {
  // A in the axes of the world, node by node: blocks R A_ab Rᵀ. Rows of held unknowns stand alone, and no contact reaches them.
  const ElementBody& element = bodies.element(body);
  const ElementModel::Sparse& A = element.matrix().A();
  const std::vector<char>& held = element.choice().held;
  std::vector<std::vector<std::pair<int, double>>> touching(std::size_t(element.model().nodes()));
  for (int k : sides_of(body)) {
    const SurfaceShare& point = *share(k / 2, k % 2);
    for (std::size_t j = 0; j < point.node.size(); ++j)
      touching[std::size_t(point.node[j])].emplace_back(k, (k % 2 == 1 ? 1.0 : -1.0) * point.N[j]);
  }
  std::vector<int> near;
  for (int a = 0; a < element.model().nodes(); ++a) {
    near.clear();
    for (int i = 0; i < 3; ++i)
      for (ElementModel::Sparse::InnerIterator entry(A, 3 * a + i); entry; ++entry)
        near.push_back(int(entry.row()) / 3);
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::vector<Matrix> blocks(near.size(), Matrix::Zero());
    for (int i = 0; i < 3; ++i)
      for (ElementModel::Sparse::InnerIterator entry(A, 3 * a + i); entry; ++entry) {
        const auto at = std::lower_bound(near.begin(), near.end(), int(entry.row()) / 3) - near.begin();
        blocks[std::size_t(at)](i, entry.row() % 3) =
            entry.value();  // A is symmetric: its columns are its rows
      }
    for (Matrix& block : blocks) block = (element.R() * block * element.R().transpose()).eval();
    for (int i = 0; i < 3; ++i) {
      for (std::size_t n = 0; n < near.size(); ++n)
        for (int j = 0; j < 3; ++j) M.add(row + 3 * near[n] + j, blocks[n](i, j) / unit);
      M.end();
      if (held.empty() || !held[std::size_t(3 * a + i)])
        for (const auto& [k, N] : touching[std::size_t(a)])
          for (int j = 0; j < 3; ++j) H.add(3 * (k / 2) + j, N * contacts[std::size_t(k / 2)].frame(i, j));
      H.end();
    }
  }
}

void StepProblem::add_reduced(const Bodies& bodies, int body, Index row, double unit,
                              std::span<const double> free, MatrixRows& M, MatrixRows& H,
                              std::vector<double>& f) const {
  const ElementBody& element = bodies.element(body);
  const ReducedBasis& basis = *element.matrix().basis();
  const Matrix toward = element.R().transpose();
  std::vector<Eigen::Matrix<double, Eigen::Dynamic, 3>> blocks;
  for (int k : sides_of(body)) {
    const SurfaceShare& point = *share(k / 2, k % 2);
    blocks.emplace_back(Eigen::Matrix<double, Eigen::Dynamic, 3>::Zero(basis.size(), 3));
    const Matrix frame = (k % 2 == 1 ? 1.0 : -1.0) * (toward * contacts[std::size_t(k / 2)].frame);
    for (std::size_t j = 0; j < point.node.size(); ++j)
      blocks.back() += point.N[j] * (basis.Phi().middleRows<3>(3 * point.node[j]).transpose() * frame);
  }
  Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(
      &free[std::size_t(bodies.models[std::size_t(body)].row)], element.rows());
  for (Eigen::Index a = 0; a < v.size(); a += 3) v.segment<3>(a) = (toward * v.segment<3>(a)).eval();
  const Eigen::VectorXd s = basis.coordinates(v);
  for (int i = 0; i < basis.size(); ++i) {
    M.add(row + i, element.matrix().diagonal()[i] / unit);
    M.end();
    std::size_t at = 0;
    for (int k : sides_of(body)) {
      for (int j = 0; j < 3; ++j) H.add(3 * (k / 2) + j, blocks[at](i, j));
      ++at;
    }
    H.end();
    f.push_back(element.matrix().diagonal()[i] * s[i]);
  }
}

GlobalProblem StepProblem::global(const Bodies& bodies, const JointSet& joints, std::span<const double> free,
                                  double unit) const {
  return assembled(bodies, &joints, free, unit, Part::all);
}

GlobalProblem StepProblem::touching(const Bodies& bodies, std::span<const double> free, double unit) const {
  return assembled(bodies, nullptr, free, unit, Part::touching);
}

GlobalProblem StepProblem::assembled(const Bodies& bodies, const JointSet* joints,
                                     std::span<const double> free, double unit, Part part) const {
  // M and H in compressed rows, body by body; the contacts of a body rise, and so do their columns.
  MatrixRows M, H;
  reserve_large(H.column, H_.size());
  reserve_large(H.value, H_.size());
  std::vector<double> f, w(3 * contacts.size()), mu, b;
  Index n = 0;  // rows so far
  std::vector<Index> first(bodies.models.size(), 0);
  for (int body = 0; body < bodies.size(); ++body) {
    const BodyModel& model = bodies.models[std::size_t(body)];
    if (!model.moves() || (part == Part::touching && sides_of(body).empty())) continue;
    first[std::size_t(body)] = n;
    if (model.has_elements() && bodies.element(body).matrix().basis()) {
      add_reduced(bodies, body, n, unit, free, M, H, f);
      n = Index(f.size());
      continue;
    }
    if (model.has_elements()) {
      add_elements(bodies, body, n, unit, M, H);
    } else {
      for (int i = 0; i < model.rows(); ++i) {
        if (i < 3)
          M.add(n + i, model.inertial_mass() / unit);
        else
          for (int j = 3; j < model.rows(); ++j)
            M.add(n + j,
                  (model.deforms() ? bodies.A9(body)(i - 3, j - 3) : bodies.middle(body).A(i - 3, j - 3)) /
                      unit);
        M.end();
        for (int k : sides_of(body)) {
          const double* block = this->H(k / 2, k % 2);
          for (int j = 0; j < 3; ++j) H.add(3 * (k / 2) + j, block[j * model.rows() + i]);
        }
        H.end();
      }
    }
    f.resize(std::size_t(n + model.rows()));
    bodies.apply(body, &free[std::size_t(model.row)], &f[std::size_t(n)]);
    n += model.rows();
  }
  for (double& x : f) x /= unit;
  for (int c = 0; c < size(); ++c) {
    const ProblemContact& contact = contacts[std::size_t(c)];
    for (int j = 0; j < 3; ++j) w[std::size_t(3 * c + j)] = contact.obstacle[j];
    w[std::size_t(3 * c)] += contact.offset;
    mu.push_back(contact.mu);
  }
  std::vector<Triplet> G;
  const std::vector<int> rows =
      joints && joints->rows() > 0 ? independent_rows(bodies, *joints) : std::vector<int>{};
  for (std::size_t k = 0; joints && k < rows.size(); ++k) {
    for (int side = 0; side < 2; ++side) {
      const int body = joints->bodies_of(rows[k])[std::size_t(side)];
      if (body < 0) continue;
      const BodyModel& model = bodies.models[std::size_t(body)];
      const double* block = joints->block(rows[k], side);
      for (int i = 0; i < model.rows(); ++i) G.push_back({first[std::size_t(body)] + i, Index(k), block[i]});
    }
    b.push_back(joints->b()[std::size_t(rows[k])]);
  }
  const SparseMatrix constraints = b.empty() ? SparseMatrix{} : SparseMatrix{n, Index(b.size()), G};
  const auto matrix = [&](Index columns, MatrixRows& A) {
    return SparseMatrix::from_csr(n, columns, std::move(A.start), std::move(A.column), std::move(A.value));
  };
  return GlobalProblem(3, matrix(n, M), matrix(Index(3 * size()), H), std::move(f), std::move(w),
                       std::move(mu), constraints, std::move(b));
}

std::vector<int> independent_rows(const Bodies& bodies, const JointSet& joints) {
  const int n = joints.rows();
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(bodies.rows(), n), Y;
  for (int r = 0; r < n; ++r)
    for (int side = 0; side < 2; ++side) {
      const int body = joints.bodies_of(r)[std::size_t(side)];
      if (body < 0) continue;
      const BodyModel& model = bodies.models[std::size_t(body)];
      for (int i = 0; i < model.rows(); ++i) G(model.row + i, r) += joints.block(r, side)[i];
    }
  Y = G;
  for (int r = 0; r < n; ++r)
    for (int body = 0; body < bodies.size(); ++body)
      if (bodies.models[std::size_t(body)].moves())
        bodies.apply_inverse(body, &Y(bodies.models[std::size_t(body)].row, r));
  // Gram–Schmidt in the metric of A⁻¹, in the order of the rows.
  Eigen::MatrixXd S = G.transpose() * Y;
  std::vector<int> kept;
  Eigen::VectorXd diagonal = S.diagonal();
  for (int r = 0; r < n; ++r) {
    if (!(S(r, r) > 1e-10 * diagonal[r])) continue;
    kept.push_back(r);
    const Eigen::VectorXd column = S.col(r);
    S -= column * column.transpose() / column[r];
  }
  return kept;
}

}  // namespace stickslip::internal
