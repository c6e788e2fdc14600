#include "stickslip/measures.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/pieces.hpp"
#include "cone/project.hpp"
#include "linalg/block_kernels.hpp"
#include "linalg/small_energy.hpp"
#include "residual/operator_measures.hpp"

namespace stickslip::internal {
namespace {

template <int D>
double squared(const Vec<D>& x) {
  double sum = 0;
  for (double c : x) sum += c * c;
  return sum;
}

template <int D>
inline double natural_square(const double* r, const double* u, double mu) {
  return squared<D>(natural_residual<D>(load<D>(r, 0), load<D>(u, 0), mu));
}

/// The sum of ‖r − P_K(r − û)‖² over the contacts; u ← W r + q. One pass over W.
template <int D>
double natural_sum(const ReducedProblem& p, const double* r, double* u) {
  double sum = 0;
  for_each_row<D>(p.W(), r, p.q().data(), [&](Index i, const double* ui) {
    const auto at = std::size_t(i) * D;
    for (int c = 0; c < D; ++c) u[at + std::size_t(c)] = ui[c];
    sum += natural_square<D>(r + at, ui, p.mu()[std::size_t(i)]);
  });
  return sum;
}

/// Relative to ‖q‖; q = 0 leaves the absolute error, which vanishes at r = 0.
double relative(double q_norm, double norm) { return q_norm > 0 ? norm / q_norm : norm; }

/// Collects the measures contact by contact.
template <int D>
class Tally {
 public:
  /// `size` is |W||r| + |q| of the contact's rows, A its diagonal block.
  void add(const double* r, const double* u, double mu, const double* A, const double* size) {
    const Vec<D> ri = load<D>(r, 0), ui = load<D>(u, 0);
    const Vec<D> C = natural_residual<D>(ri, ui, mu), shifted = desaxce_shift<D>(ui, mu);
    const double square = squared<D>(C);
    residual_ += square;
    double power = 0, rounded = 0, tangent = 0;
    for (std::size_t c = 1; c < D; ++c) tangent += ri[c] * ri[c];
    const double edge = mu * ri[0];
    if (!(ri[0] >= 0 && tangent <= edge * edge))  // most are inside, and need no root
      outside_ = std::max(outside_, squared<D>(project_on_polar_cone<D>(ri, mu)));
    for (std::size_t c = 0; c < D; ++c) {
      power += ri[c] * shifted[c];
      rounded += size[c] * size[c];
    }
    rounded_ += rounded;
    if (square > 1e-31 * rounded)
      spurious_ += inverse_energy(A, D, C.data());  // less is rounding, not energy
    m_.velocity_violation = std::max(m_.velocity_violation, -u[0]);
    m_.complementarity = std::max(m_.complementarity, std::abs(power));
  }

  void operator+=(const Tally& other) {
    residual_ += other.residual_;
    spurious_ += other.spurious_;
    rounded_ += other.rounded_;
    outside_ = std::max(outside_, other.outside_);
    m_.velocity_violation = std::max(m_.velocity_violation, other.m_.velocity_violation);
    m_.complementarity = std::max(m_.complementarity, other.m_.complementarity);
  }

  Measures finish(double q_norm, double q_energy) {
    m_.error = relative(q_norm, std::sqrt(residual_));
    m_.energy = q_energy > 0 ? spurious_ / q_energy : spurious_;
    m_.impulse_violation = std::sqrt(outside_);
    m_.rounding = 1.1e-16 * relative(q_norm, std::sqrt(rounded_));
    return m_;
  }

 private:
  Measures m_;
  double residual_ = 0, spurious_ = 0, rounded_ = 0, outside_ = 0;
};

template <int D>
Measures measure_all(const ReducedProblem& p, const double* r, double* u) {
  Tally<D> tally;
  const BlockMatrix& W = p.W();
  const Index* start = W.row_start().data();
  const Index* column = W.column().data();
  for_each_row<D>(W, r, p.q().data(), [&](Index contact, const double* ui) {
    const auto i = std::size_t(contact), at = i * D;
    double size[D];
    for (std::size_t c = 0; c < D; ++c) {
      u[at + c] = ui[c];
      size[c] = std::abs(p.q()[at + c]);
    }
    const double* A = W.diagonal(contact);
    for (int b = 0; b < D; ++b)
      for (int a = 0; a < D; ++a) size[a] += std::abs(A[a + D * b] * r[at + std::size_t(b)]);
    add_row_size<D>(W.block(0), column, start[i], start[i + 1], r, size);
    tally.add(r + at, ui, p.mu()[i], A, size);
  });
  return tally.finish(p.q_norm(), p.q_energy());
}

template <int D>
Measures measure_all(const ContactOperator& p, const double* r, const double* u) {
  std::vector<double> size(p.q().size());
  p.magnitude({r, size.size()}, size);
  auto tally = sum_in_pieces<Tally<D>>(p.team(), p.mu().size(), [&](std::size_t begin, std::size_t end) {
    Tally<D> part;
    for (std::size_t i = begin; i < end; ++i)
      part.add(r + i * D, u + i * D, p.mu()[i], p.diagonal(Index(i)), &size[i * D]);
    return part;
  });
  return tally.finish(p.q_norm(), p.q_energy());
}

template <int D>
Measures measure_zero(const ContactOperator& p) {
  Tally<D> tally;
  const double zero[D] = {};
  for (std::size_t i = 0; i < p.mu().size(); ++i) {
    const double* q = &p.q()[i * D];
    double size[D];
    for (int c = 0; c < D; ++c) size[c] = std::abs(q[c]);
    tally.add(zero, q, p.mu()[i], p.diagonal(Index(i)), size);
  }
  return tally.finish(p.q_norm(), p.q_energy());
}

template <int D>
inline ContactStatus status_of(const double* r, const double* u, double mu, double still) {
  const double slip = tangent_norm<D>(load<D>(u, 0));
  const double normal = r[0] - u[0] - mu * slip;  // of r − û
  double square = 0;
  for (std::size_t c = 1; c < D; ++c) square += (r[c] - u[c]) * (r[c] - u[c]);
  if (normal <= 0 && mu * std::sqrt(square) <= -normal) return ContactStatus::open;
  const double edge = mu * normal;
  return (normal > 0 && square <= edge * edge) || slip <= still ? ContactStatus::stick : ContactStatus::slip;
}

template <class Problem>
void find_statuses(const Problem& problem, ThreadTeam* team, double error, std::span<const double> r,
                   std::span<const double> u, std::vector<ContactStatus>& statuses) {
  const auto mu = problem.mu();
  const double still = std::min(10 * error + 1e-12, 1e-6) * problem.q_norm();
  statuses.resize(mu.size());
  in_pieces(team, mu.size(), [&](std::size_t begin, std::size_t end) {
    if (problem.dimension() == 3)
      for (std::size_t i = begin; i < end; ++i)
        statuses[i] = status_of<3>(&r[3 * i], &u[3 * i], mu[i], still);
    else
      for (std::size_t i = begin; i < end; ++i)
        statuses[i] = status_of<2>(&r[2 * i], &u[2 * i], mu[i], still);
  });
}

}  // namespace

double natural_error_at_zero(const ContactOperator& problem) {
  const auto d = std::size_t(problem.dimension());
  const auto mu = problem.mu();
  const double sum = sum_in_pieces(problem.team(), mu.size(), [&](std::size_t begin, std::size_t end) {
    double squares = 0;
    const double* q = problem.q().data() + begin * d;
    for (std::size_t i = begin; i < end; ++i, q += d) {
      if (q[0] >= 0) continue;  // take-off
      const double slip = q[1] * q[1] + (d == 3 ? q[2] * q[2] : 0.0);
      // P_K(−q̂): its normal part is −q_N/(1 + μ²) where it slides, and −q̂ itself inside the cone.
      const double inside = -q[0] - mu[i] * std::sqrt(slip);
      squares += inside > 0 && slip <= mu[i] * mu[i] * inside * inside ? inside * inside + slip
                                                                       : q[0] * q[0] / (1 + mu[i] * mu[i]);
    }
    return squares;
  });
  return relative(problem.q_norm(), std::sqrt(sum));
}

Measures measure_at_zero(const ContactOperator& problem) {
  return problem.dimension() == 3 ? measure_zero<3>(problem) : measure_zero<2>(problem);
}

double natural_error(const ContactOperator& problem, std::span<const double> r, std::span<const double> u) {
  const auto mu = problem.mu();
  const auto sum = [&]<int D>() {
    return sum_in_pieces(problem.team(), mu.size(), [&](std::size_t begin, std::size_t end) {
      double squares = 0;
      for (std::size_t i = begin; i < end; ++i) squares += natural_square<D>(&r[i * D], &u[i * D], mu[i]);
      return squares;
    });
  };
  return relative(problem.q_norm(), std::sqrt(problem.dimension() == 3 ? sum.template operator()<3>()
                                                                       : sum.template operator()<2>()));
}

void contact_errors(const ContactOperator& problem, std::span<const double> r, std::span<const double> u,
                    std::vector<double>& errors) {
  const auto d = std::size_t(problem.dimension());
  const auto mu = problem.mu();
  errors.resize(mu.size());
  for (std::size_t i = 0; i < mu.size(); ++i)
    errors[i] = std::sqrt(d == 3 ? natural_square<3>(&r[i * d], &u[i * d], mu[i])
                                 : natural_square<2>(&r[i * d], &u[i * d], mu[i]));
}

Measures measure(const ContactOperator& problem, std::span<const double> r, std::span<const double> u) {
  return problem.dimension() == 3 ? measure_all<3>(problem, r.data(), u.data())
                                  : measure_all<2>(problem, r.data(), u.data());
}

void contact_statuses(const ContactOperator& problem, double error, std::span<const double> r,
                      std::span<const double> u, std::vector<ContactStatus>& statuses) {
  find_statuses(problem, problem.team(), error, r, u, statuses);
}

void contact_statuses(const ReducedProblem& problem, double error, std::span<const double> r,
                      std::span<const double> u, std::vector<ContactStatus>& statuses) {
  find_statuses(problem, nullptr, error, r, u, statuses);
}

}  // namespace stickslip::internal

namespace stickslip {

using namespace internal;

std::string_view name(ContactStatus status) {
  switch (status) {
    case ContactStatus::open:
      return "open";
    case ContactStatus::stick:
      return "stick";
    case ContactStatus::slip:
      return "slip";
  }
  return "?";
}

Measures measure(const ReducedProblem& problem, std::span<const double> r, std::span<double> u) {
  return problem.dimension() == 3 ? measure_all<3>(problem, r.data(), u.data())
                                  : measure_all<2>(problem, r.data(), u.data());
}

double natural_error(const ReducedProblem& problem, std::span<const double> r, std::span<double> u) {
  return relative(problem.q_norm(),
                  std::sqrt(problem.dimension() == 3 ? natural_sum<3>(problem, r.data(), u.data())
                                                     : natural_sum<2>(problem, r.data(), u.data())));
}

}  // namespace stickslip
