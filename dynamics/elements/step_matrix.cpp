#include "dynamics/elements/step_matrix.hpp"

#include <algorithm>

#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// Matrices that are kept: a few step lengths (halved steps) of a few kinds of bodies.
constexpr std::size_t most_matrices = 64;
/// Nodes of a surface whose compliance is made at once: 9 n² numbers.
constexpr std::size_t small_surface = 400;
/// Nodes of a larger one whose columns are made together.
constexpr std::size_t run = 16;

}  // namespace

StepMatrix::StepMatrix(const ElementModel& model, double mass_share, double stiffness_share,
                       const ElementModel::Sparse* stiffness, std::span<const char> held)
    : boundary_(&model.boundary()), columns_(model.boundary().nodes.size()) {
  A_ = stiffness_share * (stiffness ? *stiffness : model.K());
  for (int b = 0; b < model.M().outerSize(); ++b)
    for (ElementModel::Sparse::InnerIterator entry(model.M(), b); entry; ++entry)
      for (int i = 0; i < 3; ++i) A_.coeffRef(3 * entry.row() + i, 3 * b + i) += mass_share * entry.value();
  if (!held.empty()) {
    std::vector<Eigen::Triplet<double>> kept, cut;
    for (int j = 0; j < A_.outerSize(); ++j)
      for (ElementModel::Sparse::InnerIterator entry(A_, j); entry; ++entry) {
        const bool row = held[std::size_t(entry.row())], column = held[std::size_t(j)];
        if ((!row && !column) || entry.row() == j) kept.emplace_back(entry.row(), j, entry.value());
        if (!row && column) cut.emplace_back(entry.row(), j, entry.value());
      }
    coupling_.resize(A_.rows(), A_.cols());
    coupling_.setFromTriplets(cut.begin(), cut.end());
    A_.setFromTriplets(kept.begin(), kept.end());
  }
  std::vector<int> last;
  if (boundary_->nodes.size() <= small_surface)
    for (int node : boundary_->nodes)
      for (int i = 0; i < 3; ++i) last.push_back(3 * node + i);
  if (!factor_.factorise(A_, last, {}))
    throw InputError(
        "the matrix of the step of a body of elements is not positive definite; a smaller step helps");
  if (last.empty()) return;
  const Eigen::MatrixXd inverse = factor_.last_inverse();
  for (std::size_t b = 0; b < columns_.size(); ++b) {
    columns_[b].resize(9 * columns_.size());
    for (std::size_t a = 0; a < columns_.size(); ++a)
      Eigen::Map<Matrix>{&columns_[b][9 * a]} = inverse.block<3, 3>(Eigen::Index(3 * a), Eigen::Index(3 * b));
  }
}

void StepMatrix::add_held_coupling(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  if (coupling_.size() > 0) y += coupling_ * x;
}

StepMatrix::StepMatrix(const ElementModel& model, double mass_share, double stiffness_share,
                       std::shared_ptr<const ReducedBasis> basis)
    : boundary_(&model.boundary()),
      basis_(std::move(basis)),
      diagonal_((mass_share + stiffness_share * basis_->squares().array()).matrix()),
      columns_(model.boundary().nodes.size()) {}

void StepMatrix::solve(Eigen::VectorXd& x) const {
  if (!basis_) return factor_.solve(x);
  const Eigen::VectorXd s = (basis_->Phi().transpose() * x).cwiseQuotient(diagonal_);
  x.noalias() = basis_->Phi() * s;
}

void StepMatrix::solve_columns(Eigen::MatrixXd& X) const {
  if (!basis_) return factor_.solve(X);
  const Eigen::MatrixXd S = diagonal_.cwiseInverse().asDiagonal() * (basis_->Phi().transpose() * X);
  X.noalias() = basis_->Phi() * S;
}

void StepMatrix::make_columns(int node) const {
  // With it the nodes of its run of the surface: always the same together, so that bits do not depend on who asks first.
  const std::size_t first = std::size_t(boundary_->place[std::size_t(node)]) / run * run,
                    last = std::min(first + run, boundary_->nodes.size());
  const Eigen::Index rows = basis_ ? basis_->Phi().rows() : A_.rows();
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(rows, Eigen::Index(3 * (last - first)));
  for (std::size_t b = first; b < last; ++b)
    for (int i = 0; i < 3; ++i) X(3 * boundary_->nodes[b] + i, Eigen::Index(3 * (b - first)) + i) = 1;
  solve_columns(X);
  for (std::size_t b = first; b < last; ++b) {
    columns_[b].resize(9 * boundary_->nodes.size());
    for (std::size_t a = 0; a < boundary_->nodes.size(); ++a)
      Eigen::Map<Matrix>{&columns_[b][9 * a]} =
          X.block<3, 3>(3 * boundary_->nodes[a], Eigen::Index(3 * (b - first)));
  }
}

std::size_t StepMatrix::bytes() const {
  std::size_t sum = std::size_t(A_.nonZeros() + coupling_.nonZeros()) * 12;
  for (const auto& column : columns_) sum += column.size() * sizeof(double);
  return sum;
}

std::shared_ptr<const StepMatrix> StepMatrices::get(const std::shared_ptr<const ElementModel>& model,
                                                    double mass_share, double stiffness_share,
                                                    const std::vector<char>& held,
                                                    const std::shared_ptr<const ReducedBasis>& basis) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.model == model && entry.mass_share == mass_share &&
           entry.stiffness_share == stiffness_share && entry.held == held && entry.basis == basis;
  });
  if (found != entries_.end()) {
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front().matrix;
  }
  auto made = basis ? std::make_shared<const StepMatrix>(*model, mass_share, stiffness_share, basis)
                    : std::make_shared<const StepMatrix>(*model, mass_share, stiffness_share, nullptr, held);
  entries_.insert(entries_.begin(), {model, mass_share, stiffness_share, held, basis, made});
  if (entries_.size() > most_matrices) entries_.pop_back();
  return made;
}

}  // namespace stickslip::internal
