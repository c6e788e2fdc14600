#include "stickslip/measures.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/dimension.hpp"
#include "base/exact_sum.hpp"
#include "cone/project.hpp"
#include "linalg/block_kernels.hpp"
#include "linalg/small_energy.hpp"
#include "problem/contact_sums.hpp"
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

ExactSum exact_sum(double x) {
  ExactSum sum;
  sum.add(x);
  return sum;
}

/// Collects the measures contact by contact, with sums of doubles or exact ones.
template <int D, class Sum>
class Tally {
 public:
  /// `size` is |W||r| + |q| of the contact's rows, A its diagonal block.
  void add(const double* r, const double* u, double mu, const double* A, const double* size) {
    const Vec<D> ri = load<D>(r, 0), ui = load<D>(u, 0);
    const Vec<D> C = natural_residual<D>(ri, ui, mu), shifted = desaxce_shift<D>(ui, mu);
    const double square = squared<D>(C);
    add_to(residual_, square);
    double power = 0, rounded = 0, tangent = 0;
    for (std::size_t c = 1; c < D; ++c) tangent += ri[c] * ri[c];
    const double edge = mu * ri[0];
    if (!(ri[0] >= 0 && tangent <= edge * edge))  // most are inside, and need no root
      outside_ = std::max(outside_, squared<D>(project_on_polar_cone<D>(ri, mu)));
    for (std::size_t c = 0; c < D; ++c) {
      power += ri[c] * shifted[c];
      rounded += size[c] * size[c];
    }
    add_to(rounded_, rounded);
    if (square > 1e-31 * rounded)
      add_to(spurious_, inverse_energy(A, D, C.data()));  // less is rounding, not energy
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

  /// With what the other ranks have.
  void add_up(Ranks* ranks) {
    if (!ranks) return;
    ExactSum residual = exact(residual_), spurious = exact(spurious_), rounded = exact(rounded_);
    internal::add_up(ranks, {&residual, &spurious, &rounded});
    put(residual, residual_), put(spurious, spurious_), put(rounded, rounded_);
    double largest[3] = {outside_, m_.velocity_violation, m_.complementarity};
    ranks->largest(largest);
    outside_ = largest[0], m_.velocity_violation = largest[1], m_.complementarity = largest[2];
  }

  Measures finish(double q_norm, double q_energy) {
    const double spurious = value(spurious_);
    m_.error = relative(q_norm, std::sqrt(value(residual_)));
    m_.energy = q_energy > 0 ? spurious / q_energy : spurious;
    m_.impulse_violation = std::sqrt(outside_);
    m_.rounding = 1.1e-16 * relative(q_norm, std::sqrt(value(rounded_)));
    return m_;
  }

 private:
  static void add_to(double& sum, double x) { sum += x; }
  static void add_to(ExactSum& sum, double x) { sum.add(x); }
  static double value(double sum) { return sum; }
  static double value(const ExactSum& sum) { return sum.value(); }
  static ExactSum exact(const ExactSum& sum) { return sum; }
  static ExactSum exact(double sum) { return exact_sum(sum); }
  static void put(const ExactSum& from, ExactSum& to) { to = from; }
  static void put(const ExactSum& from, double& to) { to = from.value(); }

  Measures m_;
  Sum residual_ = Sum(), spurious_ = Sum(), rounded_ = Sum();
  double outside_ = 0;
};

template <int D>
Measures measure_all(const ReducedProblem& p, const double* r, double* u) {
  Tally<D, double> tally;
  const BlockMatrix& W = p.W();
  const Index* start = W.row_start().data();
  for (std::size_t i = 0; i < p.mu().size(); ++i) {
    const std::size_t at = i * D;
    double* const ui = u + at;
    double size[D];
    for (std::size_t c = 0; c < D; ++c) {
      ui[c] = p.q()[at + c];
      size[c] = std::abs(ui[c]);
    }
    const double* A = W.diagonal(Index(i));
    add_block<D>(A, r + at, ui);
    for (int b = 0; b < D; ++b)
      for (int a = 0; a < D; ++a) size[a] += std::abs(A[a + D * b] * r[at + std::size_t(b)]);
    add_row_with_size<D>(W.block(0), W.column().data(), start[i], start[i + 1], r, ui, size);
    tally.add(r + at, ui, p.mu()[i], A, size);
  }
  return tally.finish(p.q_norm(), p.q_energy());
}

template <int D, class Sum>
Measures measure_all(const ContactOperator& p, const double* r, const double* u) {
  std::vector<double> size(p.q().size());
  p.magnitude({r, size.size()}, size);
  using Sums = Tally<D, Sum>;
  auto tally = sum_in_pieces<Sums>(p.team(), p.mu().size(), [&](std::size_t begin, std::size_t end) {
    Sums part;
    for (std::size_t i = begin; i < end; ++i)
      part.add(r + i * D, u + i * D, p.mu()[i], p.diagonal(Index(i)), &size[i * D]);
    return part;
  });
  tally.add_up(p.ranks());
  return tally.finish(p.q_norm(), p.q_energy());
}

template <int D, class Sum>
Measures measure_zero(const ContactOperator& p) {
  Tally<D, Sum> tally;
  const double zero[D] = {};
  for (std::size_t i = 0; i < p.mu().size(); ++i) {
    const double* q = &p.q()[i * D];
    double size[D];
    for (int c = 0; c < D; ++c) size[c] = std::abs(q[c]);
    tally.add(zero, q, p.mu()[i], p.diagonal(Index(i)), size);
  }
  tally.add_up(p.ranks());
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
  const double sum = sum_contacts(problem, [&](std::size_t i) {
    const double* q = problem.q().data() + i * d;
    if (q[0] >= 0) return 0.0;  // take-off
    const double slip = q[1] * q[1] + (d == 3 ? q[2] * q[2] : 0.0);
    // P_K(−q̂): its normal part is −q_N/(1 + μ²) where it slides, and −q̂ itself inside the cone.
    const double inside = -q[0] - mu[i] * std::sqrt(slip);
    return inside > 0 && slip <= mu[i] * mu[i] * inside * inside ? inside * inside + slip
                                                                 : q[0] * q[0] / (1 + mu[i] * mu[i]);
  });
  return relative(problem.q_norm(), std::sqrt(sum));
}

Measures measure_at_zero(const ContactOperator& problem) {
  return with_dimension(problem.dimension(), [&]<int D>() {
    return adds_exactly(problem) ? measure_zero<D, ExactSum>(problem) : measure_zero<D, double>(problem);
  });
}

double natural_error(const ContactOperator& problem, std::span<const double> r, std::span<const double> u) {
  const auto mu = problem.mu();
  const auto sum = [&]<int D>() {
    return sum_contacts(problem,
                        [&](std::size_t i) { return natural_square<D>(&r[i * D], &u[i * D], mu[i]); });
  };
  return relative(problem.q_norm(), std::sqrt(problem.dimension() == 3 ? sum.template operator()<3>()
                                                                       : sum.template operator()<2>()));
}

void contact_errors(int dimension, std::span<const double> mu, std::span<const double> r,
                    std::span<const double> u, std::vector<double>& errors) {
  const auto d = std::size_t(dimension);
  errors.resize(mu.size());
  for (std::size_t i = 0; i < mu.size(); ++i)
    errors[i] = std::sqrt(d == 3 ? natural_square<3>(&r[i * d], &u[i * d], mu[i])
                                 : natural_square<2>(&r[i * d], &u[i * d], mu[i]));
}

void worst_contacts(std::span<const double> errors, std::vector<Index>& worst) {
  constexpr std::size_t shown = 3;
  const auto larger = [&](Index a, Index b) { return errors[std::size_t(a)] > errors[std::size_t(b)]; };
  worst.clear();
  for (Index i = 0; i < Index(errors.size()); ++i) {
    if (!(errors[std::size_t(i)] > 0)) continue;
    if (worst.size() == shown && !larger(i, worst.back())) continue;
    if (worst.size() == shown) worst.pop_back();
    worst.insert(std::upper_bound(worst.begin(), worst.end(), i, larger), i);
  }
}

Measures measure(const ContactOperator& problem, std::span<const double> r, std::span<const double> u) {
  return with_dimension(problem.dimension(), [&]<int D>() {
    return adds_exactly(problem) ? measure_all<D, ExactSum>(problem, r.data(), u.data())
                                 : measure_all<D, double>(problem, r.data(), u.data());
  });
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
