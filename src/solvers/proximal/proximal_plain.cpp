// The proximal point algorithm as RR Algorithm 8 prints it, in the problem's own units:
//
//   z ← a solution of FC(W + αI, q − α r_k, μ) to the accuracy error/10       RR 6.3
//   r_{k+1} ← (1 − ω) r_k + ω z,   error ← RR (131),   α ← by the rule        RR (124), 6.4
//
// The inner solver succeeds when ‖r − P_K(r − û_α)‖ ≤ error/10 ‖q‖. Succeeded or not, what it returns, its best iterate, is z.

#include <algorithm>

#include "solve/monitor/monitor.hpp"
#include "solvers/newton/newton.hpp"
#include "solvers/proximal/proximal.hpp"

namespace stickslip::internal {
namespace {

constexpr long default_steps = 10, default_sweeps = 100;

std::unique_ptr<Method> inner_method(const ProximalOptions& options) {
  if (options.inner == ProximalOptions::Inner::gs) return make_gauss_seidel(options.gs);
  NewtonOptions newton;
  static_cast<NewtonStepOptions&>(newton) = options.newton;
  newton.sweeps = newton.patience = 0;
  return make_newton(newton);
}

class ProximalPlain final : public Method {
 public:
  explicit ProximalPlain(const ProximalOptions& options)
      : options_(options), parameter_(options.parameter), inner_(inner_method(options)) {}

 private:
  std::string refusal(ContactProblem& problem) const override {
    return options_.inner == ProximalOptions::Inner::newton
               ? why_not(options_.newton.map, problem.dimension())
               : std::string();
  }

  void iterate(ContactProblem& given, Monitor& monitor) override {
    const ReducedProblem& problem = given.matrix();
    r_.assign(monitor.start().begin(), monitor.start().end());
    u_.resize(r_.size());
    q_.resize(r_.size());
    parameter_.start();
    monitor.setup_done();
    double error = natural_error(problem, r_, u_);
    for (long outer = 1;; ++outer) {
      const bool solved = solve_inner(problem, parameter_.next(error), error, monitor);
      error = natural_error(problem, r_, u_);
      if (monitor.check(r_) || monitor.over()) return;
      if (options_.iterations > 0 && outer >= options_.iterations)
        return monitor.end(Status::iteration_limit, "no convergence in " + std::to_string(outer) +
                                                        " outer iterations (option iterations)");
      solved ? parameter_.succeeded() : parameter_.failed();
    }
  }

  /// r ← r + ω (z − r). Whether the inner solver reached its accuracy.
  bool solve_inner(const ReducedProblem& problem, double alpha, double error, Monitor& monitor) {
    for (std::size_t k = 0; k < q_.size(); ++k) q_[k] = problem.q()[k] - alpha * r_[k];
    const ReducedProblem shifted(plus_identity(problem.W(), alpha), q_,
                                 {problem.mu().begin(), problem.mu().end()});
    SolveRequest request = monitor.remaining();
    const long most = options_.inner_iterations > 0                      ? options_.inner_iterations
                      : options_.inner == ProximalOptions::Inner::newton ? default_steps
                                                                         : default_sweeps;
    request.max_iterations = std::min(request.max_iterations, most);
    // The inner error is relative to ‖q − α r_k‖.
    const double load = shifted.q_norm() > 0 ? shifted.q_norm() : 1;
    request.tolerance = std::max(options_.inner_factor * error * problem.q_norm() / load, 1e-16);
    request.guess = r_;
    inner_->solve(shifted, request, inside_);
    monitor.count(std::max(inside_.iterations, 1L));
    for (std::size_t k = 0; k < r_.size(); ++k) r_[k] += options_.relaxation * (inside_.r[k] - r_[k]);
    return inside_.converged();
  }

  static BlockMatrix plus_identity(const BlockMatrix& W, double alpha) {
    const auto d = std::size_t(W.dimension()), block = d * d;
    std::vector<double> diagonal;
    diagonal.reserve(std::size_t(W.size()) * block);
    for (Index i = 0; i < W.size(); ++i) {
      diagonal.insert(diagonal.end(), W.diagonal(i), W.diagonal(i) + block);
      for (std::size_t c = 0; c < d; ++c) diagonal[std::size_t(i) * block + c * (d + 1)] += alpha;
    }
    return {W.dimension(),
            {W.row_start().begin(), W.row_start().end()},
            {W.column().begin(), W.column().end()},
            {W.block(0), W.block(0) + W.column().size() * block},
            std::move(diagonal)};
  }

  ProximalOptions options_;
  ProximalParameter parameter_;
  std::unique_ptr<Method> inner_;
  SolveResult inside_;
  std::vector<double> r_, u_, q_;
};

}  // namespace

std::unique_ptr<Method> make_proximal_plain(const ProximalOptions& options) {
  return std::make_unique<ProximalPlain>(options);
}

}  // namespace stickslip::internal
