#include "solvers/newton/newton_system.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/dimension.hpp"
#include "base/pieces.hpp"
#include "cone/jacobian.hpp"
#include "cone/small_matrix.hpp"
#include "residual/alart_curnier.hpp"

namespace stickslip::internal {
namespace {

/// Hüeber–Stadler–Wohlmuth has false zeros at open contacts; there SSN sets r = 0, which Alart–Curnier's rows
/// say.
template <int D>
Map usable_map(Map map, const Vec<D>& u, const Vec<D>& r, const Rho& rho) {
  const bool open = r[0] - rho.normal * u[0] <= 0;
  return map == Map::hueber_stadler_wohlmuth && open ? Map::alart_curnier : map;
}

}  // namespace

void NewtonSystem::bind(const ScaledProblem& problem, ContactSystem& system, Map map, RhoRule rho) {
  problem_ = &problem;
  system_ = &system;
  map_ = map;
  shift_ = compliance_ = {};
  alpha_ = 0;
  const auto d = std::size_t(dimension()), n = std::size_t(problem.contacts());
  base_rho_.resize(n);
  with_dimension(dimension(), [&]<int D>() {
    for (std::size_t i = 0; i < n; ++i) {
      Mat<D> block;
      problem.diagonal(Index(i), block.data());
      base_rho_[i] = rho_for<D>(rho, block);
    }
  });
  rho_ = base_rho_;
  damping_ = 0;
  value_.resize(n * d);
  by_u_.resize(n * d * d);
  by_r_.resize(n * d * d);
  active_.assign(n, 0);
}

void NewtonSystem::set_proximal(double alpha, std::span<const double> centre, bool damped) {
  alpha_ = alpha;
  centre_ = centre;
  if (const double damping = damped ? alpha : 0; damping != damping_) {
    damping_ = damping;
    for (std::size_t i = 0; i < rho_.size(); ++i)
      rho_[i] = {base_rho_[i].normal / (1 + damping * base_rho_[i].normal),
                 base_rho_[i].tangent / (1 + damping * base_rho_[i].tangent)};
  }
}

template <int D>
[[gnu::always_inline]] inline Vec<D> NewtonSystem::velocity_at(std::size_t i, const Vec<D>& r,
                                                               const double* u) const {
  Vec<D> v = load<D>(u, i);
  if (alpha_ > 0) v = add<D>(v, alpha_, add<D>(r, -1, load<D>(centre_.data(), i)));
  if (!shift_.empty()) v[0] += problem_->mu()[i] * shift_[i];
  if (!compliance_.empty()) v[0] += compliance_[i] * r[0];
  return v;
}

template <int D>
[[gnu::always_inline]] inline Vec<D> NewtonSystem::residual_at(std::size_t i, const double* r,
                                                               const double* u) const {
  const double mu = problem_->mu()[i];
  const Vec<D> x = load<D>(r, i), v = velocity_at<D>(i, x, u);
  if (!shift_.empty()) return shifted_residual<D>(x, v, mu);
  return map_residual<D>(usable_map<D>(map_, v, x, rho_[i]), v, x, mu, rho_[i].normal, rho_[i].tangent);
}

template <int D>
[[gnu::always_inline]] inline MapValue<D> NewtonSystem::map_at(std::size_t i, const double* r,
                                                               const double* u) const {
  const double mu = problem_->mu()[i];
  const Vec<D> x = load<D>(r, i), v = velocity_at<D>(i, x, u);
  if (!shift_.empty()) {
    MapValue<D> phi;
    phi.value = shifted_residual<D>(x, v, mu);
    phi.by_u = cone_projection_jacobian<D>(add<D>(x, -1, v), mu);
    phi.by_r = combine<D>(1, scaled_identity<D>(1), -1, phi.by_u);
    return phi;
  }
  if (map_ == Map::alart_curnier)  // the one of the proximal point, inline
    return alart_curnier<D>(v, x, mu, rho_[i].normal, rho_[i].tangent);
  return evaluate_map<D>(usable_map<D>(map_, v, x, rho_[i]), v, x, mu, rho_[i].normal, rho_[i].tangent);
}

template <int D>
double NewtonSystem::merit_typed(const double* r, const double* u) const {
  return sum_in_pieces(problem_->team(), rho_.size(),
                       [&](std::size_t begin, std::size_t end) {
                         double sum = 0;
                         for (std::size_t i = begin; i < end; ++i) {
                           const Vec<D> phi = residual_at<D>(i, r, u);
                           sum += dot<D>(phi, phi);
                         }
                         return sum;
                       }) /
         2;
}

double NewtonSystem::merit(std::span<const double> r, std::span<const double> u) const {
  return with_dimension(dimension(), [&]<int D>() { return merit_typed<D>(r.data(), u.data()); });
}

template <int D>
NewtonSystem::Sums NewtonSystem::linearise_piece(std::size_t begin, std::size_t end, const double* r,
                                                 const double* u) {
  Sums sums;
  for (std::size_t i = begin; i < end; ++i) {
    const MapValue<D> phi = map_at<D>(i, r, u);
    bool couples = false;
    for (std::size_t c = 0; c < D; ++c) value_[i * D + c] = phi.value[c];
    for (std::size_t k = 0; k < D * D; ++k) {
      by_u_[i * D * D + k] = phi.by_u[k];
      by_r_[i * D * D + k] = phi.by_r[k];
      couples = couples || phi.by_u[k] != 0;
    }
    if (!compliance_.empty())
      for (std::size_t c = 0; c < D; ++c) by_r_[i * D * D + c] += compliance_[i] * phi.by_u[c];
    active_[i] = couples;
    sums.active += couples;
    sums.squares += dot<D>(phi.value, phi.value);
  }
  return sums;
}

double NewtonSystem::linearise(std::span<const double> r, std::span<const double> u) {
  const Sums sums = with_dimension(dimension(), [&]<int D>() {
    return sum_in_pieces<Sums>(problem_->team(), rho_.size(), [&](std::size_t begin, std::size_t end) {
      return linearise_piece<D>(begin, end, r.data(), u.data());
    });
  });
  active_count_ = sums.active;
  return sums.squares / 2;
}

void NewtonSystem::set_rows(std::span<const double> by_u, std::span<const double> by_r,
                            std::span<const double> value) {
  std::copy(by_u.begin(), by_u.end(), by_u_.begin());
  std::copy(by_r.begin(), by_r.end(), by_r_.begin());
  std::copy(value.begin(), value.end(), value_.begin());
  const std::size_t block = by_u.size() / active_.size();
  active_count_ = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    active_[i] = std::any_of(&by_u[i * block], &by_u[i * block] + block, [](double x) { return x != 0; });
    active_count_ += active_[i];
  }
}

/// δ_i = −Φ_r⁻¹ Φ_i at the contacts left out, 0 at the others; a singular Φ_r leaves the contact where it is.
/// Whether any of them moves.
template <int D>
bool NewtonSystem::eliminate_typed(double* delta) {
  return sum_in_pieces<long>(problem_->team(), rho_.size(), [&](std::size_t begin, std::size_t end) {
           bool moves = false;
           for (std::size_t i = begin; i < end; ++i) {
             Vec<D> x{};
             if (!active_[i]) {
               Mat<D> A;
               std::copy_n(&by_r_[i * D * D], D * D, A.begin());
               if (!solve<D>(A, load<D>(value_.data(), i), x)) x = {};
             }
             for (std::size_t c = 0; c < D; ++c) {
               delta[i * D + c] = -x[c];
               moves = moves || x[c] != 0;
             }
           }
           return long(moves);
         }) > 0;
}

bool NewtonSystem::small_step(double regularisation, std::span<double> delta) {
  std::transform(value_.begin(), value_.end(), delta.begin(), std::negate<>());
  system_->factorise({}, by_u_.data(), by_r_.data(), alpha_ + regularisation);
  system_->solve(delta);
  return std::all_of(delta.begin(), delta.end(), [](double x) { return std::isfinite(x); });
}

bool NewtonSystem::step(double regularisation, std::span<double> delta, ContactSystem::Accuracy accuracy) {
  if (system_->strategy() == ContactSystem::Strategy::dense && small_step(regularisation, delta)) return true;
  const auto d = std::size_t(dimension());
  const bool moves = with_dimension(dimension(), [&]<int D>() { return eliminate_typed<D>(delta.data()); });
  // Right-hand side: −Φ_i − Φ_u,i (W δ_out)_i.
  rhs_.resize(delta.size());
  if (moves) problem_->product(delta, rhs_);
  in_pieces(problem_->team(), active_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!active_[i]) continue;
      const double* U = &by_u_[i * d * d];
      for (std::size_t a = 0; a < d; ++a) {
        double x = -value_[i * d + a];
        if (moves)
          for (std::size_t b = 0; b < d; ++b) x -= U[a + d * b] * rhs_[i * d + b];
        delta[i * d + a] = x;
      }
    }
  });
  if (active_count_ > 0) {
    if (!system_->factorise(active_, by_u_.data(), by_r_.data(), alpha_ + regularisation).ok) return false;
    if (!std::isfinite(system_->solve(delta, accuracy))) return false;
  }
  return std::all_of(delta.begin(), delta.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace stickslip::internal
