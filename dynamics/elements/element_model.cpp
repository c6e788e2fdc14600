#include "dynamics/elements/element_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stickslip/errors.hpp"

namespace stickslip::internal {

template <class Visit>
void ElementModel::each_element(const Visit& visit) const {
  const std::size_t n = std::size_t(nodes_of(mesh_->kind));
  std::array<Vector, most_nodes> X;
  for (int e = 0; e < mesh_->count(); ++e) {
    const int* node = &mesh_->elements[std::size_t(e) * n];
    for (std::size_t k = 0; k < n; ++k) X[k] = X_[std::size_t(node[k])];
    visit(e, node, std::span<const Vector>(X.data(), n));
  }
}

ElementModel::ElementModel(std::shared_ptr<const ElementMesh> mesh, const ElementMaterial& material)
    : mesh_(std::move(mesh)), material_(material), boundary_(boundary_of(*mesh_)) {
  if (material.modes == Modes::incompatible && mesh_->kind != ElementKind::h8)
    throw InputError("incompatible modes are for h8 elements, these are " +
                     std::string(name_of(mesh_->kind)));
  for (const Point& p : mesh_->nodes) X_.push_back(vector(p));
  make_pattern();
  assemble();
  weigh();
}

void ElementModel::make_pattern() {
  // Neighbours of each node, rising: the pattern of M, and with 3×3 blocks that of K.
  const std::size_t n = X_.size();
  std::vector<std::vector<int>> near(n);
  const std::size_t per = std::size_t(nodes_of(mesh_->kind));
  for (std::size_t e = 0; e < mesh_->elements.size(); e += per)
    for (std::size_t a = 0; a < per; ++a)
      for (std::size_t b = 0; b < per; ++b)
        near[std::size_t(mesh_->elements[e + b])].push_back(mesh_->elements[e + a]);
  std::size_t entries = 0;
  for (auto& list : near) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    entries += list.size();
  }
  const auto size = Eigen::Index(n);
  M_.resize(size, size);
  K_.resize(3 * size, 3 * size);
  M_.resizeNonZeros(Eigen::Index(entries));
  K_.resizeNonZeros(Eigen::Index(9 * entries));
  int *M_at = M_.innerIndexPtr(), *K_at = K_.innerIndexPtr();
  M_.outerIndexPtr()[0] = K_.outerIndexPtr()[0] = 0;
  for (std::size_t b = 0; b < n; ++b) {
    for (int a : near[b]) *M_at++ = a;
    M_.outerIndexPtr()[b + 1] = int(M_at - M_.innerIndexPtr());
    for (std::size_t c = 0; c < 3; ++c) {
      for (int a : near[b])
        for (int i = 0; i < 3; ++i) *K_at++ = 3 * a + i;
      K_.outerIndexPtr()[3 * b + c + 1] = int(K_at - K_.innerIndexPtr());
    }
  }
  M_.coeffs().setZero();
  K_.coeffs().setZero();
  rank_.reserve(mesh_->elements.size() * per);
  for (std::size_t e = 0; e < mesh_->elements.size(); e += per)
    for (std::size_t b = 0; b < per; ++b)
      for (std::size_t a = 0; a < per; ++a) {
        const auto& list = near[std::size_t(mesh_->elements[e + b])];
        rank_.push_back(
            int(std::lower_bound(list.begin(), list.end(), mesh_->elements[e + a]) - list.begin()));
      }
}

void ElementModel::add(const ElementMatrix& local, int element, Sparse& K) const {
  const std::size_t per = std::size_t(nodes_of(mesh_->kind));
  const int* rank = &rank_[std::size_t(element) * per * per];
  for (std::size_t b = 0; b < per; ++b) {
    const int node = mesh_->elements[std::size_t(element) * per + b];
    for (int c = 0; c < 3; ++c) {
      double* column = K.valuePtr() + K.outerIndexPtr()[3 * node + c];
      for (std::size_t a = 0; a < per; ++a)
        for (int i = 0; i < 3; ++i)
          column[3 * rank[b * per + a] + i] += local(Eigen::Index(3 * a) + i, Eigen::Index(3 * b) + c);
    }
  }
}

void ElementModel::assemble() {
  const std::size_t per = std::size_t(nodes_of(mesh_->kind));
  node_mass_.assign(X_.size(), 0.0);
  weight_.assign(X_.size(), 0.0);
  const double density = material_.density;
  each_element([&](int e, const int* node, std::span<const Vector> X) {
    add(element_stiffness(mesh_->kind, material_.modes, X, material_.elastic), e, K_);
    const MassBlock M = element_mass(mesh_->kind, X);
    const double volume = M.sum();
    volume_ += volume;
    for (std::size_t a = 0; a < per; ++a) {
      const auto i = Eigen::Index(a);
      const double lump =
          mesh_->kind == ElementKind::t10 ? M(i, i) * volume / M.diagonal().sum() : M.row(i).sum();
      node_mass_[std::size_t(node[a])] += density * lump;
      if (material_.mass == MassKind::lumped) continue;
      weight_[std::size_t(node[a])] += density * M.row(i).sum();
      for (std::size_t b = 0; b < per; ++b)
        M_.valuePtr()[M_.outerIndexPtr()[node[b]] + rank_[std::size_t(e) * per * per + b * per + a]] +=
            density * M(i, Eigen::Index(b));
    }
  });
  mass_ = density * volume_;
  if (material_.mass == MassKind::lumped) {
    weight_ = node_mass_;
    Sparse diagonal(M_.rows(), M_.cols());
    diagonal.reserve(Eigen::VectorXi::Constant(M_.cols(), 1));
    for (Eigen::Index a = 0; a < M_.cols(); ++a) diagonal.insert(a, a) = node_mass_[std::size_t(a)];
    diagonal.makeCompressed();
    M_ = diagonal;
  }
}

void ElementModel::weigh() {
  for (std::size_t a = 0; a < X_.size(); ++a) centre_ += weight_[a] / mass_ * X_[a];
  for (Vector& X : X_) X -= centre_;
  Matrix euler = Matrix::Zero();
  for (int b = 0; b < M_.outerSize(); ++b)
    for (Sparse::InnerIterator entry(M_, b); entry; ++entry)
      euler += entry.value() * X_[std::size_t(entry.row())] * X_[std::size_t(b)].transpose();
  inertia_ = euler.trace() * Matrix::Identity() - euler;
  for (const Vector& X : X_) size_ = std::max(size_, 2 * X.norm());
  // How thick the elements under the surface are.
  thickness_ = std::numeric_limits<double>::infinity();
  const std::size_t per = std::size_t(nodes_of(mesh_->kind));
  for (const Facet& facet : boundary_.facets) {
    Vector area = Vector::Zero();
    for (int c = 0; c < facet.corners(); ++c)
      area += 0.5 * X_[std::size_t(facet.node[std::size_t(c)])].cross(
                        X_[std::size_t(facet.node[std::size_t((c + 1) % facet.corners())])]);
    std::array<Vector, most_nodes> X;
    for (std::size_t k = 0; k < per; ++k)
      X[k] = X_[std::size_t(mesh_->elements[std::size_t(facet.element) * per + k])];
    double volume = 0;
    for (const QuadraturePoint& p : stiffness_points(mesh_->kind))
      volume += p.weight * gradients(mesh_->kind, {X.data(), per}, p.at).det;
    thickness_ = std::min(thickness_, volume / area.norm());
  }
}

void ElementModel::apply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  y.setZero(x.size());
  for (int b = 0; b < M_.outerSize(); ++b)
    for (Sparse::InnerIterator entry(M_, b); entry; ++entry)
      y.segment<3>(3 * entry.row()) += entry.value() * x.segment<3>(3 * b);
}

double ElementModel::green(const Eigen::VectorXd& x, Eigen::VectorXd* force, Sparse* tangent) const {
  const std::size_t per = std::size_t(nodes_of(mesh_->kind));
  double energy = 0;
  if (force) force->setZero(rows());
  if (tangent) {
    *tangent = K_;
    tangent->coeffs().setZero();
  }
  ElementVector f;
  ElementMatrix K;
  std::array<Vector, most_nodes> now;
  each_element([&](int e, const int* node, std::span<const Vector> X) {
    for (std::size_t k = 0; k < per; ++k) now[k] = x.segment<3>(3 * node[k]);
    energy += element_green(mesh_->kind, X, {now.data(), per}, material_.elastic, force ? &f : nullptr,
                            tangent ? &K : nullptr);
    if (force)
      for (std::size_t k = 0; k < per; ++k)
        force->segment<3>(3 * node[k]) += f.segment<3>(Eigen::Index(3 * k));
    if (tangent) add(K, e, *tangent);
  });
  return energy;
}

std::vector<StressVector> ElementModel::stresses(const Eigen::VectorXd& x, bool green) const {
  std::vector<StressVector> all;
  all.reserve(std::size_t(mesh_->count()));
  std::array<Vector, most_nodes> now;
  each_element([&](int, const int* node, std::span<const Vector> X) {
    for (std::size_t k = 0; k < X.size(); ++k) now[k] = x.segment<3>(3 * node[k]);
    all.push_back(element_stress(mesh_->kind, X, {now.data(), X.size()}, material_.elastic, green));
  });
  return all;
}

}  // namespace stickslip::internal
