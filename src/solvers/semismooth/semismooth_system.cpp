#include "solvers/semismooth/semismooth_system.hpp"

#include <algorithm>
#include <cmath>

#include "cone/small_matrix.hpp"
#include "residual/maps.hpp"

namespace stickslip::internal {
namespace {

template <int D>
double mean_diagonal(const double* A) {
  double trace = 0;
  for (std::size_t c = 0; c < D; ++c) trace += A[c * (D + 1)];
  return trace / D;
}

/// A contact's tangential rows are not multiplied by less than this part of its mean W_ii.
constexpr double least_diagonal = 1e-6;

}  // namespace

template <int D>
HybridSystem<D>::HybridSystem(const ReducedProblem& problem, Linearisation linearisation, Scaled scaled)
    : linearisation_(linearisation), mu_(problem.mu().begin(), problem.mu().end()) {
  const BlockMatrix& W = problem.W();
  const std::size_t n = mu_.size();
  scale_.assign(n, 1.0);
  if (scaled == Scaled::on) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      scale_[i] = 1 / std::sqrt(mean_diagonal<D>(W.diagonal(Index(i))));
      const Vec<D> q = load<D>(problem.q(), i);
      sum += scale_[i] * scale_[i] * dot<D>(q, q);
    }
    if (sum > 0) load_scale_ = 1 / std::sqrt(sum / double(n));
  }
  auto entries = W.to_sparse().triplets();
  for (Triplet& e : entries) e.value *= scale_[std::size_t(e.row / D)] * scale_[std::size_t(e.column / D)];
  W_ = BlockMatrix(SparseMatrix(Index(n) * D, Index(n) * D, entries), D);
  q_.resize(n * D);
  for (std::size_t k = 0; k < q_.size(); ++k) q_[k] = load_scale_ * scale_[k / D] * problem.q()[k];
  for (std::size_t i = 0; i < n; ++i) {
    const double* A = W_.diagonal(Index(i));
    rho_.push_back(rho_for<D>(RhoRule::spectral, load_block<D>(A)).normal);
    Vec<D> w;
    for (std::size_t c = 0; c < D; ++c) w[c] = std::max(A[c * (D + 1)], least_diagonal * mean_diagonal<D>(A));
    diagonal_.push_back(w);
  }
  zero_.assign(n * D, 0.0);
  bound_.assign(n, 0.0);
  state_.assign(n, HybridState::open);
  active_.assign(n, 0);
  turned_.assign(n, 0);
  penalties_.assign(n, 0);
  by_u_.resize(n * D * D);
  by_r_.resize(n * D * D);
  right_.resize(n * D);
  product_.resize(n * D);
  factors_.analyse(W_);
}

template <int D>
bool HybridSystem<D>::linearise(std::span<const double> r, std::span<const double> U,
                                std::span<const double> T) {
  return fill_rows(r, U, T, [&](std::size_t i) { return r[i * D] - rho_[i] * U[i * D] >= 0; });
}

template <int D>
void HybridSystem<D>::linearise(std::span<const double> r, std::span<const double> U,
                                std::span<const double> T, std::span<const std::uint8_t> closed) {
  fill_rows(r, U, T, [&](std::size_t i) { return closed[i] != 0; });
}

template <int D>
template <class Closed>
bool HybridSystem<D>::fill_rows(std::span<const double> r, std::span<const double> U,
                                std::span<const double> T, Closed&& closed) {
  bool changed = false;
  for (std::size_t i = 0; i < mu_.size(); ++i) {
    const HybridRows<D> rows = hybrid_rows<D>(
        linearisation_,
        {load<D>(r, i), load<D>(U, i), load<D>(T, i), mu_[i], rho_[i], bound_[i], closed(i), diagonal_[i]});
    std::copy(rows.by_u.begin(), rows.by_u.end(), &by_u_[i * D * D]);
    std::copy(rows.by_r.begin(), rows.by_r.end(), &by_r_[i * D * D]);
    std::copy(rows.right.begin(), rows.right.end(), &right_[i * D]);
    turned_[i] = rows.state != state_[i] && rows.state != HybridState::open && state_[i] != HybridState::open;
    changed = changed || rows.state != state_[i];
    active_[i] = rows.state != HybridState::open;
    state_[i] = rows.state;
  }
  return changed;
}

template <int D>
bool HybridSystem<D>::step(double regularisation, std::span<double> delta) {
  // Open contacts first: B δr = Π with B = diag(W_ii).
  for (std::size_t k = 0; k < delta.size(); ++k)
    delta[k] = active_[k / D] ? 0.0 : right_[k] / diagonal_[k / D][k % D];
  W_.multiply(delta, zero_, product_);
  bool any = false;
  for (std::size_t i = 0; i < mu_.size(); ++i) {
    if (!active_[i]) continue;
    any = true;
    const Vec<D> known = multiply<D>(load_block<D>(&by_u_[i * D * D]), load<D>(product_, i));
    for (std::size_t c = 0; c < D; ++c) delta[i * D + c] = right_[i * D + c] - known[c];
  }
  if (any) {
    factors_.factorise(active_, by_u_.data(), by_r_.data(), regularisation);
    factors_.solve(delta);
  }
  return std::all_of(delta.begin(), delta.end(), [](double x) { return std::isfinite(x); });
}

template <int D>
double HybridSystem<D>::merit(std::span<const double> r, std::span<const double> u) const {
  double sum = 0;
  for (std::size_t i = 0; i < mu_.size(); ++i) {
    const Vec<D> C =
        map_residual<D>(Map::hueber_stadler_wohlmuth, load<D>(u, i), load<D>(r, i), mu_[i], rho_[i], rho_[i]);
    sum += dot<D>(C, C);
  }
  return sum / 2;
}

template <int D>
void HybridSystem<D>::penalise(double factor, long limit) {
  for (std::size_t i = 0; i < mu_.size(); ++i)
    if (turned_[i] && penalties_[i] < limit) {
      rho_[i] *= factor;
      ++penalties_[i];
    }
}

template <int D>
void HybridSystem<D>::renew_bounds(std::span<const double> r) {
  for (std::size_t i = 0; i < mu_.size(); ++i) bound_[i] = std::max(0.0, r[i * D]);
}

template <int D>
void HybridSystem<D>::to_scaled(std::span<const double> r, std::span<double> scaled) const {
  for (std::size_t k = 0; k < r.size(); ++k) scaled[k] = load_scale_ * r[k] / scale_[k / D];
}

template <int D>
void HybridSystem<D>::to_physical(std::span<const double> scaled, std::span<double> r) const {
  for (std::size_t k = 0; k < r.size(); ++k) r[k] = scale_[k / D] * scaled[k] / load_scale_;
}

template <int D>
void HybridSystem<D>::velocity_to_scaled(std::span<const double> u, std::span<double> scaled) const {
  for (std::size_t k = 0; k < u.size(); ++k) scaled[k] = load_scale_ * scale_[k / D] * u[k];
}

template <int D>
void HybridSystem<D>::velocity_to_physical(std::span<const double> scaled, std::span<double> u) const {
  for (std::size_t k = 0; k < u.size(); ++k) u[k] = scaled[k] / (scale_[k / D] * load_scale_);
}

template class HybridSystem<2>;
template class HybridSystem<3>;

}  // namespace stickslip::internal
