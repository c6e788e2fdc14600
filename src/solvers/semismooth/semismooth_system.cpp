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
SemismoothSystem<D>::SemismoothSystem(ContactProblem& problem, Linearisation linearisation, OpenStick open,
                                      Scaled scaled, Stopwatch* watch)
    : SemismoothSystem(problem.prepared(scaled, Frictionless::whole, watch), linearisation, open) {}

template <int D>
SemismoothSystem<D>::SemismoothSystem(PreparedSystem& parts, Linearisation linearisation, OpenStick open)
    : linearisation_(linearisation), open_(open), problem_(parts.problem), system_(parts.system) {
  const auto n = std::size_t(problem_.contacts());
  for (std::size_t i = 0; i < n; ++i) {
    Mat<D> A;
    problem_.diagonal(Index(i), A.data());
    rho_.push_back(rho_for<D>(RhoRule::spectral, A).normal);
    Vec<D> w;
    for (std::size_t c = 0; c < D; ++c)
      w[c] = std::max(A[c * (D + 1)], least_diagonal * mean_diagonal<D>(A.data()));
    diagonal_.push_back(w);
  }
  bound_.assign(n, 0.0);
  state_.assign(n, SemismoothState::open);
  active_.assign(n, 0);
  turned_.assign(n, 0);
  penalties_.assign(n, 0);
  by_u_.resize(n * D * D);
  by_r_.resize(n * D * D);
  right_.resize(n * D);
  product_.resize(n * D);
}

template <int D>
bool SemismoothSystem<D>::linearise(std::span<const double> r, std::span<const double> U,
                                    std::span<const double> T) {
  return fill_rows(r, U, T, [&](std::size_t i) { return r[i * D] - rho_[i] * U[i * D] >= 0; });
}

template <int D>
void SemismoothSystem<D>::linearise(std::span<const double> r, std::span<const double> U,
                                    std::span<const double> T, std::span<const std::uint8_t> closed) {
  fill_rows(r, U, T, [&](std::size_t i) { return closed[i] != 0; });
}

template <int D>
template <class Closed>
bool SemismoothSystem<D>::fill_rows(std::span<const double> r, std::span<const double> U,
                                    std::span<const double> T, Closed&& closed) {
  bool changed = false;
  for (std::size_t i = 0; i < rho_.size(); ++i) {
    const SemismoothRows<D> rows =
        semismooth_rows<D>(linearisation_, {load<D>(r, i), load<D>(U, i), load<D>(T, i), problem_.mu()[i],
                                            rho_[i], bound_[i], closed(i), diagonal_[i], open_});
    std::copy(rows.by_u.begin(), rows.by_u.end(), &by_u_[i * D * D]);
    std::copy(rows.by_r.begin(), rows.by_r.end(), &by_r_[i * D * D]);
    std::copy(rows.right.begin(), rows.right.end(), &right_[i * D]);
    turned_[i] =
        rows.state != state_[i] && rows.state != SemismoothState::open && state_[i] != SemismoothState::open;
    changed = changed || rows.state != state_[i];
    active_[i] = !rows.vanish;
    state_[i] = rows.state;
  }
  return changed;
}

template <int D>
bool SemismoothSystem<D>::step(double regularisation, std::span<double> delta) {
  // Open contacts first: B δr = Π with B = diag(W_ii).
  for (std::size_t k = 0; k < delta.size(); ++k)
    delta[k] = active_[k / D] ? 0.0 : right_[k] / diagonal_[k / D][k % D];
  problem_.product(delta, product_);
  bool any = false;
  for (std::size_t i = 0; i < rho_.size(); ++i) {
    if (!active_[i]) continue;
    any = true;
    const Vec<D> known = multiply<D>(load_block<D>(&by_u_[i * D * D]), load<D>(product_, i));
    for (std::size_t c = 0; c < D; ++c) delta[i * D + c] = right_[i * D + c] - known[c];
  }
  if (any) {
    if (!system_.factorise(active_, by_u_.data(), by_r_.data(), regularisation).ok) return false;
    system_.solve(delta);
  }
  return std::all_of(delta.begin(), delta.end(), [](double x) { return std::isfinite(x); });
}

template <int D>
double SemismoothSystem<D>::merit(std::span<const double> r, std::span<const double> u) const {
  double sum = 0;
  for (std::size_t i = 0; i < rho_.size(); ++i) {
    const Vec<D> C = map_residual<D>(Map::hueber_stadler_wohlmuth, load<D>(u, i), load<D>(r, i),
                                     problem_.mu()[i], rho_[i], rho_[i]);
    sum += dot<D>(C, C);
  }
  return sum / 2;
}

template <int D>
void SemismoothSystem<D>::penalise(double factor, long limit) {
  for (std::size_t i = 0; i < rho_.size(); ++i)
    if (turned_[i] && penalties_[i] < limit) {
      rho_[i] *= factor;
      ++penalties_[i];
    }
}

template <int D>
void SemismoothSystem<D>::renew_bounds(std::span<const double> r) {
  for (std::size_t i = 0; i < rho_.size(); ++i) bound_[i] = std::max(0.0, r[i * D]);
}

template class SemismoothSystem<2>;
template class SemismoothSystem<3>;

}  // namespace stickslip::internal
