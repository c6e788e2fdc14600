// The proximal point algorithm with Gauss–Seidel inside, in physical variables: α becomes α tr(W_ii)/d at
// contact i.

#include <algorithm>
#include <limits>
#include <optional>

#include "solve/monitor/monitor.hpp"
#include "solve/scaled_problem.hpp"
#include "solvers/proximal/proximal.hpp"

namespace stickslip::internal {
namespace {

constexpr long default_sweeps = 100;
/// An inner solution whose outer error grew by this much is refused.
constexpr double largest_growth = 2;
/// Progress is asked for after so many outer iterations and at each doubling.
constexpr long first_checkpoint = 512;

class ProximalSweeps final : public Method {
 public:
  explicit ProximalSweeps(const ProximalOptions& options)
      : options_(options), parameter_(options.parameter), inner_(make_gauss_seidel(options.gs)) {}

 private:
  void iterate(ContactProblem& given, Monitor& monitor) override {
    const ReducedProblem& problem = given.matrix();
    const std::size_t n = problem.q().size();
    r_.assign(monitor.start().begin(), monitor.start().end());
    for (auto* x : {&u_, &q_, &next_}) x->resize(n);
    parameter_.start();
    shifted_.reset();
    monitor.setup_done();
    double alpha = 0, error = monitor.best_error(), earlier = std::numeric_limits<double>::infinity();
    long checkpoint = first_checkpoint;
    for (long outer = 1;; ++outer) {
      const double wanted = parameter_.next(error);
      if (wanted != alpha || !shifted_) shift(problem, alpha = wanted);
      if (!solve_inner(problem, alpha, error, monitor))
        return monitor.end(Status::numerical_failure, "the load of the inner problem vanishes");
      const double after = natural_error(problem, next_, u_);
      if (monitor.check(next_) || monitor.over()) return;
      if (after < largest_growth * error) {  // a failed inner solve may still have come nearer
        std::swap(r_, next_);
        error = after;
      }
      inside_.converged() ? parameter_.succeeded() : parameter_.failed();
      if (outer < checkpoint) continue;
      if (monitor.best_error() > 0.99 * earlier)
        return monitor.end(Status::stalled, "no progress during the last outer iterations");
      earlier = monitor.best_error();
      checkpoint *= 2;
    }
  }

  /// shifted ← W + α diag(tr W_ii/d); its q is set for each inner problem.
  void shift(const ReducedProblem& problem, double alpha) {
    const BlockMatrix& W = problem.W();
    const auto d = std::size_t(W.dimension());
    const auto block = d * d;
    contact_scale(MatrixOperator(problem), weight_);
    std::vector<double> diagonal(std::size_t(W.size()) * block);
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      weight_[i] = 1 / (weight_[i] * weight_[i]);
      std::copy_n(W.diagonal(Index(i)), block, &diagonal[i * block]);
      for (std::size_t c = 0; c < d; ++c) diagonal[i * block + c * (d + 1)] += alpha * weight_[i];
    }
    BlockMatrix shifted(W.dimension(), {W.row_start().begin(), W.row_start().end()},
                        {W.column().begin(), W.column().end()},
                        {W.block(0), W.block(0) + W.column().size() * block}, std::move(diagonal));
    shifted_.emplace(std::move(shifted), std::vector<double>(problem.q().begin(), problem.q().end()),
                     std::vector<double>(problem.mu().begin(), problem.mu().end()));
  }

  /// next ← r + ω (z − r), z the inner problem's solution as far as its sweeps went. False: q − α r_k
  /// vanishes.
  bool solve_inner(const ReducedProblem& problem, double alpha, double error, Monitor& monitor) {
    const auto d = std::size_t(problem.dimension());
    for (std::size_t k = 0; k < q_.size(); ++k) q_[k] = problem.q()[k] - alpha * weight_[k / d] * r_[k];
    shifted_->set_q(q_);
    if (!(shifted_->q_norm() > 0)) return false;
    SolveRequest request = monitor.remaining();
    const long sweeps = options_.inner_iterations > 0 ? options_.inner_iterations : default_sweeps;
    request.max_iterations = std::min(request.max_iterations, sweeps);
    // Both errors are relative to their own ‖q‖.
    request.tolerance =
        std::max(options_.inner_factor * error * problem.q_norm() / shifted_->q_norm(), 1e-16);
    request.guess = r_;
    inner_->solve(*shifted_, request, inside_);
    monitor.count(inside_.iterations);
    for (std::size_t k = 0; k < r_.size(); ++k)
      next_[k] = r_[k] + options_.relaxation * (inside_.r[k] - r_[k]);
    return true;
  }

  ProximalOptions options_;
  ProximalParameter parameter_;
  std::unique_ptr<Method> inner_;
  std::optional<ReducedProblem> shifted_;
  SolveResult inside_;
  std::vector<double> r_, u_, q_, weight_, next_;
};

}  // namespace

std::unique_ptr<Method> make_proximal_sweeps(const ProximalOptions& options) {
  return std::make_unique<ProximalSweeps>(options);
}

}  // namespace stickslip::internal
