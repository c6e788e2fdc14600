#include "solvers/certificate/certificate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "solve/prepared_system.hpp"

namespace stickslip::internal {
namespace {

/// Normals below this part of the largest are not in the support.
constexpr double support_part = 1e-7;
/// δ of the projection on the null space, in scaled units, with W and through the bodies, where a smaller one is lost in rounding;
/// its passes at most, and what they reach.
constexpr double projection_shift = 1e-10, body_shift = 1e-8, null_part = 1e-13;
constexpr int projection_passes = 40;
/// Blocks a row up to which W is formed: long rows of bodies, whose null space is hard to tell apart, have few.
constexpr std::size_t few_blocks = 30;
/// A candidate that keeps less than this part has nothing in the null space.
constexpr double vanished = 1e-6;
/// What a certificate must keep, relative.
constexpr double residual_part = 1e-12, work_part = 1e-6;
/// α of the frictionless problem that always has a solution, in scaled units, one after the other: long stacks have eigenvalues
/// down to 1e-7, below which α must lie for the certificate to stand out; and ‖αr‖/‖q‖ below which that solution is bounded.
constexpr std::array regularisations = {1e-6, 1e-8, 1e-10};
constexpr double bounded = 1e-6;
/// A part of ‖q‖ that αr must have for the next α to be tried: there it is a matter of contacts that the first α left out.
constexpr double worth_another = 1e-3;
/// A length of αr that falls below this part with the next α belongs to no certificate.
constexpr double kept = 0.03;
/// Steps to that solution at most, part of the way to the boundary that one goes, and the gap, in parts of the first, that is
/// small enough.
constexpr int most_steps = 100;
constexpr double boundary = 0.995, solved = 1e-10;

/// The same problem with μ = 0, and its system on the normals.
class WithoutFriction {
 public:
  explicit WithoutFriction(ContactProblem& problem) {
    const std::vector<double> none(problem.mu().size(), 0.0);
    if (problem.formed()) {
      const ReducedProblem& p = problem.matrix();
      reduced_.emplace(p.W(), std::vector<double>(p.q().begin(), p.q().end()), none);
      contact_.bind(*reduced_);
    } else if (const GlobalProblem& p = *problem.global();
               !problem.bodies().applies() ||
               problem.bodies().off_diagonal_blocks() <= few_blocks * problem.mu().size()) {
      reduced_.emplace(Reduction(p).reduced());
      reduced_->set_mu(none);
      contact_.bind(*reduced_);
    } else {
      global_.emplace(p.dimension(), p.M(), p.H(), std::vector<double>(p.f().begin(), p.f().end()),
                      std::vector<double>(p.w().begin(), p.w().end()), none);
      contact_.bind(*global_);
      contact_.open();
    }
    parts_ = &contact_.prepared(Scaled::on, Frictionless::normals, nullptr);
  }

  const ScaledProblem& problem() const { return parts_->problem; }
  ContactSystem& system() { return parts_->system; }
  double shift() const {
    return parts_->system.strategy() == ContactSystem::Strategy::bodies ? body_shift : projection_shift;
  }

 private:
  std::optional<ReducedProblem> reduced_;
  std::optional<GlobalProblem> global_;
  ContactProblem contact_;
  PreparedSystem* parts_ = nullptr;
};

/// Wᵀd against |W|ᵀ|d|, and q·d, in extended precision.
bool moves_nothing(const ReducedProblem& problem, std::span<const double> d) {
  std::vector<long double> sum(d.size(), 0), size(d.size(), 0);
  for (const Triplet& e : problem.W().to_sparse().triplets()) {
    const long double term = static_cast<long double>(e.value) * d[std::size_t(e.row)];
    sum[std::size_t(e.column)] += term;
    size[std::size_t(e.column)] += std::abs(term);
  }
  long double residual = 0, scale = 0;
  for (std::size_t k = 0; k < d.size(); ++k) residual += sum[k] * sum[k], scale += size[k] * size[k];
  return std::sqrt(residual) <= residual_part * std::sqrt(scale);
}

/// W d = Wᵀd by products through the bodies, M symmetric; rounding is four digits below what is asked for.
bool moves_nothing(const ContactProblem& problem, std::span<const double> d) {
  std::vector<double> product(d.size()), size(d.size());
  problem.product(d, product);
  problem.magnitude(d, size);
  double residual = 0, scale = 0;
  for (std::size_t k = 0; k < d.size(); ++k) {
    const double own = size[k] - std::abs(problem.q()[k]);
    residual += product[k] * product[k];
    scale += own * own;
  }
  return std::sqrt(residual) <= residual_part * std::sqrt(scale);
}

bool proves(ContactProblem& problem, std::span<const double> d) {
  long double work = 0;
  for (std::size_t k = 0; k < d.size(); ++k) work += static_cast<long double>(problem.q()[k]) * d[k];
  if (!(work <= -work_part * problem.q_norm())) return false;
  if (problem.formed()) return moves_nothing(problem.matrix(), d);
  if (problem.bodies().applies() && problem.bodies().symmetric()) return moves_nothing(problem, d);
  return moves_nothing(Reduction(*problem.global()).reduced(), d);
}

double length(std::span<const double> x) {
  double sum = 0;
  for (double number : x) sum += number * number;
  return std::sqrt(sum);
}

/// x ← its projection on the null space of N, the normals of the support: δ(N + δI)⁻¹ leaves what lies there and all but removes
/// the rest. For the positive semi-definite matrices of mechanics N x = 0 means that x moves no body, so that Wᵀx = 0. False:
/// nothing is left, or N is not of that kind.
bool project_on_null_space(WithoutFriction& frictionless, std::span<const std::uint8_t> support,
                           std::vector<double>& x) {
  const auto d = std::size_t(frictionless.problem().dimension());
  std::vector<double> shift(x.size() * d, 0.0), product(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) shift[k * d + k % d] = frictionless.shift();
  if (!frictionless.system().factorise(support, nullptr, shift.data(), 0).ok) return false;
  const double first = length(x);
  for (int pass = 0; pass < projection_passes; ++pass) {
    frictionless.system().solve(x, ContactSystem::for_the_last_digit);
    for (double& number : x) number *= frictionless.shift();
    const double left = length(x);
    if (!(left > vanished * first)) return false;
    frictionless.problem().product(x, product);
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!support[k / d]) product[k] = 0;
    if (length(product) <= null_part * left) break;
  }
  return true;
}

std::optional<std::vector<double>> clean(ContactProblem& problem, WithoutFriction& frictionless,
                                         std::span<const double> candidate) {
  const auto d = std::size_t(problem.dimension());
  double largest = 0;
  for (std::size_t k = 0; k < candidate.size(); k += d) largest = std::max(largest, candidate[k]);
  if (!(largest > 0) || !std::isfinite(largest)) return {};
  std::vector<std::uint8_t> support(candidate.size() / d);
  for (std::size_t i = 0; i < support.size(); ++i) support[i] = candidate[i * d] > support_part * largest;
  for (int pass = 0; pass < 20; ++pass) {
    std::vector<double> normals(candidate.size(), 0.0), x(candidate.size());
    for (std::size_t i = 0; i < support.size(); ++i)
      if (support[i]) normals[i * d] = candidate[i * d] / largest;
    frictionless.problem().to_scaled(normals, x);
    if (!project_on_null_space(frictionless, support, x)) return {};
    frictionless.problem().to_physical(x, normals);
    const double top = *std::max_element(normals.begin(), normals.end());
    bool dropped = false, any = false;
    for (std::size_t i = 0; i < support.size(); ++i) {
      const bool keep = support[i] && normals[i * d] > support_part * top;
      dropped = dropped || (support[i] && !keep);
      support[i] = keep;
      any = any || keep;
    }
    if (!any) return {};
    if (dropped) continue;
    for (std::size_t k = 0; k < normals.size(); ++k)
      if (k % d != 0 || !support[k / d]) normals[k] = 0;
    const double size = length(normals);
    for (double& number : normals) number /= size;
    if (proves(problem, normals)) return normals;
    return {};
  }
  return {};
}

/// The normals r of 0 ≤ y = (N + αI) r + q ⊥ r ≥ 0 by Mehrotra's predictor and corrector, in scaled units; empty: told to stop, or
/// not to be had.
std::vector<double> regularised_normals(WithoutFriction& frictionless, double regularisation,
                                        const Stop& stop) {
  const ScaledProblem& problem = frictionless.problem();
  const auto d = std::size_t(problem.dimension()), n = problem.size() / d;
  std::vector<double> r(n, 1.0), y(n, 1.0), dr(n), dy(n), second(n, 0.0), rest(n), point(problem.size(), 0.0),
      u(point), blocks(problem.size() * d, 0.0);
  const auto gap = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += r[i] * y[i];
    return sum / double(n);
  };
  // (N + αI + Y/R) dr = (σm − r y − second)/r − rest,   dy = (σm − r y − second − y dr)/r.
  const auto direction = [&](double aim) {
    for (std::size_t i = 0; i < n; ++i) point[i * d] = (aim - second[i]) / r[i] - y[i] - rest[i];
    const double left = frictionless.system().solve(point, ContactSystem::for_the_last_digit);
    for (std::size_t i = 0; i < n; ++i) {
      dr[i] = point[i * d];
      dy[i] = (aim - second[i] - y[i] * dr[i]) / r[i] - y[i];
    }
    return std::isfinite(left);
  };
  const auto reach = [&] {
    double t = 1 / boundary;
    for (std::size_t i = 0; i < n; ++i) {
      if (dr[i] < 0) t = std::min(t, -r[i] / dr[i]);
      if (dy[i] < 0) t = std::min(t, -y[i] / dy[i]);
    }
    return boundary * t;
  };
  for (int step = 0; step < most_steps; ++step) {
    if (stop && stop()) return {};
    for (std::size_t i = 0; i < n; ++i) point[i * d] = r[i];
    problem.velocity(point, u);
    double infeasible = 0;
    for (std::size_t i = 0; i < n; ++i) {
      rest[i] = u[i * d] + regularisation * r[i] - y[i];
      infeasible = std::max(infeasible, std::abs(rest[i]));
      for (std::size_t c = 0; c < d; ++c)
        blocks[(i * d + c) * d + c] = c == 0 ? regularisation + y[i] / r[i] : 1.0;
    }
    const double m = gap();
    if (m <= solved && infeasible <= std::sqrt(solved)) return r;
    if (!frictionless.system().factorise({}, nullptr, blocks.data(), 0).ok) return {};
    std::fill(second.begin(), second.end(), 0.0);
    if (!direction(0)) return {};
    const double t = std::min(1.0, reach());
    double after = 0;
    for (std::size_t i = 0; i < n; ++i) after += (r[i] + t * dr[i]) * (y[i] + t * dy[i]);
    const double ratio = after / double(n) / m;
    for (std::size_t i = 0; i < n; ++i) second[i] = dr[i] * dy[i];
    if (!direction(ratio * ratio * ratio * m)) return {};
    const double length_of_step = std::min(1.0, reach());
    for (std::size_t i = 0; i < n; ++i) {
      r[i] += length_of_step * dr[i];
      y[i] += length_of_step * dy[i];
    }
  }
  return r;
}

}  // namespace

std::optional<std::vector<double>> infeasibility_certificate(ContactProblem& problem,
                                                             std::span<const double> candidate) {
  WithoutFriction frictionless(problem);
  return clean(problem, frictionless, candidate);
}

std::optional<std::vector<double>> prove_infeasible(ContactProblem& problem, const Stop& stop) {
  WithoutFriction frictionless(problem);
  const double load = length(frictionless.problem().q());
  std::vector<double> r(problem.q().size(), 0.0), candidate(r.size());
  double last = 0;
  for (const double alpha : regularisations) {
    const std::vector<double> normals = regularised_normals(frictionless, alpha, stop);
    const double part = alpha * length(normals) / load;
    // Along a certificate αr keeps its length.
    if (!(part > bounded) || part < kept * last) return {};
    last = part;
    for (std::size_t i = 0; i < normals.size(); ++i) r[i * std::size_t(problem.dimension())] = normals[i];
    frictionless.problem().to_physical(r, candidate);
    if (auto d = clean(problem, frictionless, candidate)) return d;
    if (part < worth_another) return {};
  }
  return {};
}

}  // namespace stickslip::internal
