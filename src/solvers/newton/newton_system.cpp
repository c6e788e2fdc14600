#include "solvers/newton/newton_system.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "cone/small_matrix.hpp"
#include "residual/alart_curnier.hpp"

namespace stickslip::internal {
namespace {

/// ‖b − A x‖/‖Φ‖ that a solve without pivots between contacts must reach.
constexpr double block_accuracy = 1e-6;

/// Hüeber–Stadler–Wohlmuth has false zeros at open contacts; there SSN sets r = 0, which Alart–Curnier's rows
/// say.
template <int D>
Map map_at(Map map, const Vec<D>& u, const Vec<D>& r, const Rho& rho) {
  const bool open = r[0] - rho.normal * u[0] <= 0;
  return map == Map::hueber_stadler_wohlmuth && open ? Map::alart_curnier : map;
}

}  // namespace

void NewtonSystem::prepare_contacts(const ContactOperator& problem, Map map, RhoRule rho, Scaled scaled) {
  map_ = map;
  ordered_ = false;
  alpha_ = 0;
  factorisations_ = 0;
  dimension_ = problem.dimension();
  const auto d = std::size_t(dimension_);
  const auto n = std::size_t(problem.contacts());
  mu_.assign(problem.mu().begin(), problem.mu().end());
  scale_.assign(n, 1.0);
  load_scale_ = 1;
  if (scaled == Scaled::on) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double trace = 0, load = 0;
      for (std::size_t c = 0; c < d; ++c) {
        trace += problem.diagonal(Index(i))[c * (d + 1)];
        load += problem.q()[i * d + c] * problem.q()[i * d + c];
      }
      scale_[i] = 1 / std::sqrt(trace / double(d));
      sum += load * scale_[i] * scale_[i];
    }
    if (sum > 0) load_scale_ = 1 / std::sqrt(sum / double(n));
  }
  q_.resize(n * d);
  for (std::size_t k = 0; k < n * d; ++k) q_[k] = load_scale_ * scale_[k / d] * problem.q()[k];
  zero_.assign(n * d, 0.0);
  rho_.resize(n);
  const auto rho_of = [&]<int D>(std::size_t i) {
    Mat<D> block;
    for (std::size_t k = 0; k < D * D; ++k) block[k] = problem.diagonal(Index(i))[k] * scale_[i] * scale_[i];
    return rho_for<D>(rho, block);
  };
  for (std::size_t i = 0; i < n; ++i)
    rho_[i] = d == 3 ? rho_of.template operator()<3>(i) : rho_of.template operator()<2>(i);
  value_.resize(n * d);
  by_u_.resize(n * d * d);
  by_r_.resize(n * d * d);
  active_.assign(n, 0);
}

void NewtonSystem::prepare(const ReducedProblem& problem, Map map, RhoRule rho, Scaled scaled,
                           Linear linear) {
  linear_ = linear;
  prepare_contacts(MatrixOperator(problem), map, rho, scaled);
  const BlockMatrix& W = problem.W();
  const auto size = std::size_t(W.dimension()) * std::size_t(W.dimension());
  auto [row_start, column, blocks, diagonal] = std::move(W_).release();  // memory of the last problem
  row_start.assign(W.row_start().begin(), W.row_start().end());
  column.assign(W.column().begin(), W.column().end());
  blocks.resize(column.size() * size);
  diagonal.resize(scale_.size() * size);
  const auto scale_block = [size](const double* from, double factor, double* to) {
    for (std::size_t k = 0; k < size; ++k) to[k] = from[k] * factor;
  };
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    scale_block(W.diagonal(Index(i)), scale_[i] * scale_[i], &diagonal[i * size]);
    for (Index e = W.row_start()[i]; e < W.row_start()[i + 1]; ++e)
      scale_block(W.block(e), scale_[i] * scale_[std::size_t(column[std::size_t(e)])],
                  &blocks[std::size_t(e) * size]);
  }
  W_ = BlockMatrix(W.dimension(), std::move(row_start), std::move(column), std::move(blocks),
                   std::move(diagonal));
  if (W_.size() <= SmallSystem::most) small_.set(W_);
  by_blocks_ = linear_ == Linear::fronts && W_.size() > SmallSystem::most && blocks_.analyse(W_);
}

void NewtonSystem::set_proximal(double alpha, std::span<const double> centre) {
  alpha_ = alpha;
  centre_ = centre;
}

void NewtonSystem::velocity(std::span<const double> r, std::span<double> u) const { W_.multiply(r, q_, u); }

void NewtonSystem::product(std::span<const double> x, std::span<double> y) const { W_.multiply(x, zero_, y); }

template <int D>
double NewtonSystem::merit_typed(const double* r, const double* u) const {
  double sum = 0;
  for (std::size_t i = 0; i < mu_.size(); ++i) {
    const Vec<D> x = load<D>(r, i);
    Vec<D> v = load<D>(u, i);
    if (alpha_ > 0) v = add<D>(v, alpha_, add<D>(x, -1, load<D>(centre_.data(), i)));
    const Vec<D> phi =
        map_residual<D>(map_at<D>(map_, v, x, rho_[i]), v, x, mu_[i], rho_[i].normal, rho_[i].tangent);
    sum += dot<D>(phi, phi);
  }
  return sum / 2;
}

double NewtonSystem::merit(std::span<const double> r, std::span<const double> u) const {
  return dimension() == 3 ? merit_typed<3>(r.data(), u.data()) : merit_typed<2>(r.data(), u.data());
}

template <int D>
double NewtonSystem::linearise_typed(const double* r, const double* u) {
  double sum = 0;
  active_count_ = 0;
  for (std::size_t i = 0; i < mu_.size(); ++i) {
    const Vec<D> x = load<D>(r, i);
    Vec<D> v = load<D>(u, i);
    if (alpha_ > 0) v = add<D>(v, alpha_, add<D>(x, -1, load<D>(centre_.data(), i)));
    const MapValue<D> phi =
        map_ == Map::alart_curnier  // the one of the proximal point, inline
            ? alart_curnier<D>(v, x, mu_[i], rho_[i].normal, rho_[i].tangent)
            : evaluate_map<D>(map_at<D>(map_, v, x, rho_[i]), v, x, mu_[i], rho_[i].normal, rho_[i].tangent);
    bool couples = false;
    for (std::size_t c = 0; c < D; ++c) value_[i * D + c] = phi.value[c];
    for (std::size_t k = 0; k < D * D; ++k) {
      by_u_[i * D * D + k] = phi.by_u[k];
      by_r_[i * D * D + k] = phi.by_r[k];
      couples = couples || phi.by_u[k] != 0;
    }
    active_[i] = couples;
    active_count_ += couples;
    sum += dot<D>(phi.value, phi.value);
  }
  return sum / 2;
}

double NewtonSystem::linearise(std::span<const double> r, std::span<const double> u) {
  return dimension() == 3 ? linearise_typed<3>(r.data(), u.data()) : linearise_typed<2>(r.data(), u.data());
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
  bool moves = false;
  for (std::size_t i = 0; i < mu_.size(); ++i) {
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
  return moves;
}

bool NewtonSystem::small_step(double regularisation, std::span<double> delta) {
  std::transform(value_.begin(), value_.end(), delta.begin(), std::negate<>());
  if (!small_.solve(by_u_.data(), by_r_.data(), alpha_ + regularisation, delta)) return false;
  replaced_ = 0;
  ++factorisations_;
  return std::all_of(delta.begin(), delta.end(), [](double x) { return std::isfinite(x); });
}

template <int D>
double NewtonSystem::linear_residual(double shift, const double* delta) {
  product({delta, q_.size()}, product_);
  double sum = 0;
  for (std::size_t i = 0; i < mu_.size(); ++i) {
    const double *U = &by_u_[i * D * D], *R = &by_r_[i * D * D];
    for (std::size_t a = 0; a < D; ++a) {
      double left = -value_[i * D + a];
      for (std::size_t b = 0; b < D; ++b) {
        const double x = delta[i * D + b];
        left -= U[a + D * b] * (product_[i * D + b] + shift * x) + R[a + D * b] * x;
      }
      rest_[i * D + a] = active_[i] ? left : 0.0;
      sum += rest_[i * D + a] * rest_[i * D + a];
    }
  }
  return std::sqrt(sum);
}

bool NewtonSystem::solve_by_blocks(double shift, std::span<double> delta) {
  if (!blocks_.factorise(active_, by_u_.data(), by_r_.data(), shift)) return false;
  const std::size_t n = delta.size();
  kept_.assign(delta.begin(), delta.end());
  product_.resize(n);
  rest_.resize(n);
  const double size = std::sqrt(std::inner_product(value_.begin(), value_.end(), value_.begin(), 0.0));
  const auto accurate = [&] {
    const double left =
        dimension_ == 3 ? linear_residual<3>(shift, delta.data()) : linear_residual<2>(shift, delta.data());
    return left <= block_accuracy * size;
  };
  blocks_.solve(delta);
  if (accurate()) return true;
  blocks_.solve(rest_);
  for (std::size_t k = 0; k < n; ++k) delta[k] += rest_[k];
  if (accurate()) return true;
  std::copy(kept_.begin(), kept_.end(), delta.begin());
  return false;
}

bool NewtonSystem::step(double regularisation, std::span<double> delta) {
  if (linear_ == Linear::fronts && W_.size() <= SmallSystem::most && small_step(regularisation, delta))
    return true;
  const auto d = std::size_t(dimension());
  const bool moves = d == 3 ? eliminate_typed<3>(delta.data()) : eliminate_typed<2>(delta.data());
  // Right-hand side: −Φ_i − Φ_u,i (W δ_out)_i.
  rhs_.resize(delta.size());
  if (moves) product(delta, rhs_);
  for (std::size_t i = 0; i < mu_.size(); ++i) {
    if (!active_[i]) continue;
    const double* U = &by_u_[i * d * d];
    for (std::size_t a = 0; a < d; ++a) {
      double x = -value_[i * d + a];
      if (moves)
        for (std::size_t b = 0; b < d; ++b) x -= U[a + d * b] * rhs_[i * d + b];
      delta[i * d + a] = x;
    }
  }
  if (active_count_ > 0) {
    const double shift = alpha_ + regularisation;
    const auto solve_by = [&](auto& factors) {
      replaced_ = factors.factorise(active_, by_u_.data(), by_r_.data(), shift);
      factors.solve(delta);
    };
    if (by_blocks_ && solve_by_blocks(shift, delta)) {
      replaced_ = 0;
    } else {
      if (!ordered_) linear_ == Linear::fronts ? fronts_.analyse(W_) : scalars_.analyse(W_);
      ordered_ = true;
      linear_ == Linear::fronts ? solve_by(fronts_) : solve_by(scalars_);
    }
    ++factorisations_;
  }
  return std::all_of(delta.begin(), delta.end(), [](double x) { return std::isfinite(x); });
}

/// y_i ← factor(s_i) x_i.
template <class Factor>
void NewtonSystem::scale_contacts(std::span<const double> x, std::span<double> y, Factor factor) const {
  std::size_t k = 0;
  for (const double scale : scale_) {
    const double f = factor(scale);
    for (int c = 0; c < dimension_; ++c, ++k) y[k] = f * x[k];
  }
}

void NewtonSystem::to_scaled(std::span<const double> r, std::span<double> scaled) const {
  scale_contacts(r, scaled, [&](double scale) { return load_scale_ / scale; });
}

void NewtonSystem::to_physical(std::span<const double> scaled, std::span<double> r) const {
  scale_contacts(scaled, r, [&](double scale) { return scale / load_scale_; });
}

void NewtonSystem::velocity_to_physical(std::span<const double> scaled, std::span<double> u) const {
  scale_contacts(scaled, u, [&](double scale) { return 1 / (scale * load_scale_); });
}

}  // namespace stickslip::internal
