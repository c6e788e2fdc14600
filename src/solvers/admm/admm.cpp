// ADMM on min ½rᵀWr + (q + s)ᵀr, r = z ∈ K, with s = g(u) renewed at every iteration (scaled variables,
// solve/scaled_problem):
//
//   r ← (W + ρI)⁻¹ ( ρ(z − ξ) − q − s ),     s_N = μρ‖ξ_T‖   since û = −ρξ at a solution
//   x ← α r + (1 − α) z,   z ← P_K(x + ξ),   ξ ← ξ + x − z
//
// (Boyd and others 2011; Kanno, Daniilidis and others; Acary and others for friction.) One factorisation
// serves until the penalty ρ is rebalanced so that ‖r − z‖ and ρ‖Δz‖ stay comparable.

#include "solvers/admm/admm.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/dimension.hpp"
#include "cone/project.hpp"
#include "solve/monitor/monitor.hpp"
#include "solve/prepared_system.hpp"
#include "solvers/parts/anderson.hpp"

namespace stickslip::internal {

void AdmmOptions::visit(OptionVisitor& v) {
  v.real("rho", rho, {0, 1e6, true}, "first penalty, in scaled units");
  v.real("relaxation", relaxation, {0, 2, true}, "over-relaxation α; 1.5 to 1.8 is usual");
  static constexpr std::array<std::string_view, 2> intervals = {"fixed", "doubled"};
  v.integer("rebalance", rebalance, {0, 1e9}, "iterations between changes of ρ; 0: never");
  v.choice("interval", interval, intervals,
           "between changes of ρ: always `rebalance`, or doubled after each");
  v.real("floor", floor, {0, 1e6, true}, "least ρ");
  v.integer("anderson", anderson, {0, Anderson::most}, "differences mixed by Anderson acceleration; 0: none");
}

namespace {

/// Squares that steer the penalty.
struct Residuals {
  double primal = 0, dual = 0, size = 0;
};

/// z ← P_K(y), ξ ← y − z.
template <int D>
void split(std::span<const double> mu, std::span<const double> y, std::span<double> z, std::span<double> xi) {
  for (std::size_t i = 0; i < mu.size(); ++i) {
    Vec<D> yi;
    for (std::size_t c = 0; c < D; ++c) yi[c] = y[i * D + c];
    const Vec<D> zi = project_on_cone<D>(yi, mu[i]);
    for (std::size_t c = 0; c < D; ++c) z[i * D + c] = zi[c], xi[i * D + c] = yi[c] - zi[c];
  }
}

/// z ← P_K(x + ξ), ξ ← ξ + x − z for the relaxed x; the residuals of the step.
template <int D>
Residuals project(std::span<const double> mu, double alpha, std::span<const double> r, std::span<double> z,
                  std::span<double> xi) {
  Residuals sum;
  for (std::size_t i = 0; i < mu.size(); ++i) {
    Vec<D> y;
    for (std::size_t c = 0; c < D; ++c) {
      const std::size_t k = i * D + c;
      sum.primal += (r[k] - z[k]) * (r[k] - z[k]);
      y[c] = alpha * r[k] + (1 - alpha) * z[k] + xi[k];
    }
    const Vec<D> next = project_on_cone<D>(y, mu[i]);
    for (std::size_t c = 0; c < D; ++c) {
      const std::size_t k = i * D + c;
      sum.dual += (next[c] - z[k]) * (next[c] - z[k]);
      sum.size += next[c] * next[c];
      xi[k] = y[c] - next[c];
      z[k] = next[c];
    }
  }
  return sum;
}

class Admm final : public Method {
 public:
  explicit Admm(const AdmmOptions& options) : options_(options), mixing_(options.anderson) {}

 private:
  void iterate(ContactProblem& problem, Monitor& monitor) override {
    PreparedSystem& parts = problem.prepared(Scaled::on, Frictionless::whole, monitor.watch());
    scaled_ = &parts.problem;
    system_ = &parts.system;
    const std::span<const double> q = scaled_->q();
    const auto d = std::size_t(problem.dimension());
    double rho = options_.rho;
    if (!factorise(rho)) return monitor.end(Status::numerical_failure, "W + ρI cannot be factorised");
    std::vector<double> r(q.size()), z(q.size()), xi(q.size(), 0.0), physical(q.size());
    scaled_->to_scaled(monitor.start(), z);
    // An iteration maps y = z + ξ on the next y, since z = P_K(y): that is what is mixed.
    std::vector<double> y, image;
    if (mixing_.active()) {
      y = z;
      image.resize(y.size());
      mixing_.start(int(d), problem.mu(), std::vector<double>(problem.mu().size(), 1.0),
                    Anderson::Set::space, problem.team());
    }
    long next_rebalance = options_.rebalance;
    monitor.setup_done();
    for (long k = 1;; ++k) {
      for (std::size_t i = 0; i < problem.mu().size(); ++i) {
        double slip = 0;
        for (std::size_t c = 1; c < d; ++c) slip += xi[i * d + c] * xi[i * d + c];
        for (std::size_t c = 0; c < d; ++c)
          r[i * d + c] = rho * (z[i * d + c] - xi[i * d + c]) - q[i * d + c];
        r[i * d] -= problem.mu()[i] * rho * std::sqrt(slip);
      }
      system_->solve(r);
      const Residuals step = with_dimension(
          int(d), [&]<int D>() { return project<D>(problem.mu(), options_.relaxation, r, z, xi); });
      scaled_->to_physical(z, physical);
      const double change = std::sqrt((step.primal + step.dual) / std::max(step.size, 1e-300));
      if (monitor.show(physical, change)) return;
      if (mixing_.active()) {
        for (std::size_t i = 0; i < y.size(); ++i) image[i] = z[i] + xi[i];
        mixing_.next(y, image);
        with_dimension(int(d), [&]<int D>() { split<D>(problem.mu(), y, z, xi); });
      }
      if (options_.rebalance == 0 || k < next_rebalance) continue;
      next_rebalance = options_.interval == AdmmOptions::Interval::doubled ? 2 * k : k + options_.rebalance;
      const double before = rho;
      if (!rebalance(step, rho, xi))
        return monitor.end(Status::numerical_failure, "W + ρI cannot be factorised");
      if (mixing_.active() && rho != before) {
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = z[i] + xi[i];
        mixing_.forget();
      }
    }
  }

  /// ρ grows when r and z disagree more than z moves, and the other way round.
  bool rebalance(const Residuals& step, double& rho, std::vector<double>& xi) {
    const double primal = std::sqrt(step.primal), dual = rho * std::sqrt(step.dual);
    if (!(primal > 0 && dual > 0)) return true;
    const double factor = std::clamp(std::sqrt(primal / dual), 0.2, 5.0),
                 next = std::max(rho * factor, options_.floor);
    if (next < 1.5 * rho && rho < 1.5 * next) return true;
    for (double& x : xi) x *= rho / next;  // û = −ρξ stays
    rho = next;
    return factorise(rho);
  }

  /// W + ρI.
  bool factorise(double rho) {
    const auto d = std::size_t(scaled_->dimension());
    penalty_.assign(scaled_->size() * d, 0.0);
    for (std::size_t k = 0; k < scaled_->size(); ++k) penalty_[k * d + k % d] = rho;
    return system_->factorise({}, nullptr, penalty_.data(), 0).ok;
  }

  AdmmOptions options_;
  Anderson mixing_;
  const ScaledProblem* scaled_ = nullptr;
  ContactSystem* system_ = nullptr;
  std::vector<double> penalty_;  // ρI as blocks
};

}  // namespace

std::unique_ptr<Method> make_admm(const AdmmOptions& options) { return std::make_unique<Admm>(options); }

}  // namespace stickslip::internal
