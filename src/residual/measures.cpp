#include "stickslip/measures.hpp"

#include <algorithm>
#include <cmath>

#include "cone/project.hpp"
#include "linalg/block_kernels.hpp"
#include "linalg/small_energy.hpp"

namespace stickslip {
namespace {

template <int D>
Vec<D> load(const double* x) {
  Vec<D> v;
  for (int c = 0; c < D; ++c) v[std::size_t(c)] = x[c];
  return v;
}

template <int D>
double squared(const Vec<D>& x) {
  double sum = 0;
  for (double c : x) sum += c * c;
  return sum;
}

/// The sum of ‖r − P_K(r − û)‖² over the contacts; u ← W r + q. One pass over W.
template <int D>
double natural_sum(const ReducedProblem& p, const double* r, double* u) {
  double sum = 0;
  for_each_row<D>(p.W(), r, p.q().data(), [&](Index i, const double* ui) {
    const auto at = std::size_t(i) * D;
    for (int c = 0; c < D; ++c) u[at + std::size_t(c)] = ui[c];
    sum += squared<D>(natural_residual<D>(load<D>(r + at), load<D>(ui), p.mu()[std::size_t(i)]));
  });
  return sum;
}

/// Relative to ‖q‖; q = 0 leaves the absolute error, which vanishes at r = 0.
double relative(const ReducedProblem& p, double norm) { return p.q_norm() > 0 ? norm / p.q_norm() : norm; }

template <int D>
Measures measure_all(const ReducedProblem& p, const double* r, double* u) {
  Measures m;
  double residual = 0, spurious = 0, rounded = 0;
  const auto start = p.W().row_start();
  for_each_row<D>(p.W(), r, p.q().data(), [&](Index contact, const double* ui) {
    const auto i = std::size_t(contact), at = i * D;
    for (int c = 0; c < D; ++c) u[at + std::size_t(c)] = ui[c];
    const Vec<D> ri = load<D>(r + at), velocity = load<D>(ui), load_i = load<D>(p.q().data() + at);
    const double mu = p.mu()[i];
    const Vec<D> C = natural_residual<D>(ri, velocity, mu), shifted = desaxce_shift<D>(velocity, mu);
    const Vec<D> inside = project_on_cone<D>(ri, mu);
    residual += squared<D>(C);
    spurious += inverse_energy(p.W().diagonal(contact), D, C.data());
    double distance = 0, power = 0;
    for (std::size_t c = 0; c < D; ++c) {
      distance += (ri[c] - inside[c]) * (ri[c] - inside[c]);
      power += ri[c] * shifted[c];
    }
    m.impulse_violation = std::max(m.impulse_violation, std::sqrt(distance));
    m.velocity_violation = std::max(m.velocity_violation, -ui[0]);
    m.complementarity = std::max(m.complementarity, std::abs(power));
    // |W||r| + |q| of this row.
    for (int a = 0; a < D; ++a) {
      double size = std::abs(load_i[std::size_t(a)]);
      const auto add = [&](const double* B, const double* x) {
        for (int b = 0; b < D; ++b) size += std::abs(B[a + D * b] * x[b]);
      };
      add(p.W().diagonal(contact), r + at);
      for (Index k = start[i]; k < start[i + 1]; ++k)
        add(p.W().block(k), r + std::size_t(p.W().column()[std::size_t(k)]) * D);
      rounded += size * size;
    }
  });
  m.error = relative(p, std::sqrt(residual));
  m.energy = p.q_energy() > 0 ? spurious / p.q_energy() : spurious;
  m.rounding = 1.1e-16 * relative(p, std::sqrt(rounded));
  return m;
}

}  // namespace

std::string_view name(ContactStatus status) {
  switch (status) {
    case ContactStatus::open: return "open";
    case ContactStatus::stick: return "stick";
    case ContactStatus::slip: return "slip";
  }
  return "?";
}

Measures measure(const ReducedProblem& problem, std::span<const double> r, std::span<double> u) {
  return problem.dimension() == 3 ? measure_all<3>(problem, r.data(), u.data())
                                  : measure_all<2>(problem, r.data(), u.data());
}

double natural_error_at_zero(const ReducedProblem& problem) {
  const auto d = std::size_t(problem.dimension());
  double sum = 0;
  for (std::size_t i = 0; i < problem.mu().size(); ++i) {
    const double* q = problem.q().data() + i * d;
    if (q[0] >= 0) continue;  // take-off
    double slip = 0;
    for (std::size_t c = 1; c < d; ++c) slip += q[c] * q[c];
    // P_K(−q̂): its normal part is −q_N/(1 + μ²) where it slides, and −q̂ itself inside the cone.
    const double mu = problem.mu()[i], inside = -q[0] - mu * std::sqrt(slip);
    sum += inside > 0 && slip <= mu * mu * inside * inside ? inside * inside + slip : q[0] * q[0] / (1 + mu * mu);
  }
  return relative(problem, std::sqrt(sum));
}

double natural_error(const ReducedProblem& problem, std::span<const double> r, std::span<double> u) {
  return relative(problem, std::sqrt(problem.dimension() == 3 ? natural_sum<3>(problem, r.data(), u.data())
                                                              : natural_sum<2>(problem, r.data(), u.data())));
}

void contact_statuses(const ReducedProblem& problem, double error, std::span<const double> r,
                      std::span<const double> u, std::vector<ContactStatus>& statuses) {
  const auto d = std::size_t(problem.dimension());
  const double still = 2 * error * problem.q_norm();
  statuses.resize(std::size_t(problem.contacts()));
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const double mu = problem.mu()[i];
    double zT = 0, uT = 0;
    for (std::size_t c = 1; c < d; ++c) {
      zT += (r[i * d + c] - u[i * d + c]) * (r[i * d + c] - u[i * d + c]);
      uT += u[i * d + c] * u[i * d + c];
    }
    zT = std::sqrt(zT), uT = std::sqrt(uT);
    const double zN = r[i * d] - u[i * d] - mu * uT;
    statuses[i] = mu * zT <= -zN                  ? ContactStatus::open
                  : zT <= mu * zN || uT <= still ? ContactStatus::stick
                                                 : ContactStatus::slip;
  }
}

}  // namespace stickslip
