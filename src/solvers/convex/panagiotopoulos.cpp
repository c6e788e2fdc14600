#include "solvers/convex/panagiotopoulos.hpp"

#include <algorithm>
#include <array>

#include "solve/monitor/monitor.hpp"

namespace stickslip::internal {

void PanagiotopoulosOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 2> normals = {"pgs", "projected_gradient"};
  int kind = static_cast<int>(normal);
  v.part("normal", kind, normals,
         "how the normal problem is solved; projected Gauss–Seidel needs no symmetry",
         [&](OptionVisitor& inner) {
           if (kind == static_cast<int>(Normal::projected_gradient)) projected_gradient.visit(inner);
         });
  normal = static_cast<Normal>(kind);
  tangent.visit(v, "tangent", FrozenOperator::Rows::tangents);
  v.real("inner_tolerance", inner_tolerance, {0, 0.999, true},
         "each problem is solved to this part of the error reached so far (RR 7.5)");
  v.integer("inner_iterations", inner_iterations, {1, 1e9}, "of each problem, at most");
}

namespace {

class Panagiotopoulos final : public Method {
 public:
  explicit Panagiotopoulos(const PanagiotopoulosOptions& options)
      : options_(options), tangent_(options.tangent) {}

 private:
  void iterate(ContactProblem& given, Monitor& monitor) override {
    const ReducedProblem& problem = given.matrix();
    const std::size_t n = problem.mu().size(), d = std::size_t(problem.dimension());
    lagged_ = false;
    if (options_.normal == PanagiotopoulosOptions::Normal::projected_gradient)
      if (const auto reason = why_not(options_.projected_gradient, problem.W(), lagged_); !reason.empty())
        return monitor.end(Status::not_applicable, reason);
    r_.assign(monitor.start().begin(), monitor.start().end());
    u_.resize(r_.size());
    radius_.assign(n, 0.0);
    const std::string reason =
        tangent_.prepare(problem, ContactLaw::cylinders, radius_, FrozenOperator::Rows::tangents);
    if (!reason.empty()) return monitor.end(Status::not_applicable, reason);
    W_NN_.assign(problem.W());
    if (lagged_) S_NN_.assign(symmetric_part(problem.W()));
    load_.resize(n);
    product_.resize(n);
    skew_.resize(n);
    normal_.resize(n);
    weight_.clear();
    if (options_.projected_gradient.scaling == ProjectedGradientOptions::Scaling::on)
      for (std::size_t i = 0; i < n; ++i) weight_.push_back(1 / W_NN_.diagonal[i]);
    rho_ = options_.projected_gradient.rho;
    const std::function<bool()> stop = [&] { return monitor.interrupted(); };
    monitor.setup_done();
    problem.W().multiply(r_, problem.q(), u_);
    for (;;) {
      // q̃_N = u_N − W_NN r_N.
      for (std::size_t i = 0; i < n; ++i) normal_[i] = -r_[i * d], product_[i] = u_[i * d];
      W_NN_.multiply(normal_, product_, load_);
      for (double& x : normal_) x = -x;
      solve_normal(problem.q_norm(), monitor.best_error(), stop);
      for (std::size_t i = 0; i < n; ++i) {
        r_[i * d] = normal_[i];
        radius_[i] = problem.mu()[i] * normal_[i];
      }
      tangent_.solve(options_.inner_tolerance, monitor.best_error(), options_.inner_iterations, stop, r_);
      if (!tangent_.trouble().empty()) return monitor.end(Status::numerical_failure, tangent_.trouble());
      problem.W().multiply(r_, problem.q(), u_);
      if (monitor.show(r_, u_)) return;
    }
  }

  void solve_normal(double q_norm, double error, const std::function<bool()>& stop) {
    const double scale = q_norm > 0 ? q_norm : 1;
    ConvexOptions options{.tolerance = options_.inner_tolerance * error,
                          .reduction = options_.inner_tolerance,
                          .max_iterations = options_.inner_iterations,
                          .stop = std::cref(stop)};
    if (options_.normal == PanagiotopoulosOptions::Normal::pgs) {
      projected_gauss_seidel(W_NN_, load_, options, normal_, scale);
      return;
    }
    options.first_step = options_.projected_gradient.first_step;
    options.rho = rho_;
    options.l = options_.projected_gradient.l;
    options.sigma = options_.projected_gradient.sigma;
    if (lagged_) {  // the skew part on the right-hand side: q̃ + W r − S r
      W_NN_.multiply(normal_, load_, product_);
      S_NN_.multiply(normal_, load_, skew_);
      for (std::size_t i = 0; i < load_.size(); ++i) load_[i] += product_[i] - skew_[i];
    }
    const NormalMatrix& S = lagged_ ? S_NN_ : W_NN_;
    const ConvexProgram program{
        .set = ConvexSet::half_lines,
        .block = 1,
        .size = {},
        .b = load_,
        .gradient = [&](std::span<const double> r, std::span<double> g) { S.multiply(r, load_, g); },
        .weight = weight_,
        .load = scale};
    rho_ = projected_gradient(program, options, normal_, memory_).rho;
  }

  PanagiotopoulosOptions options_;
  ConvexSolver tangent_;
  bool lagged_ = false;
  NormalMatrix W_NN_, S_NN_;  // S_NN_: the symmetric part where W_NN has another
  ConvexMemory memory_;
  double rho_ = 1;
  std::vector<double> r_, u_, radius_, normal_, weight_;
  std::vector<double> load_, product_, skew_;  // q̃_N, and memory
};

}  // namespace

std::unique_ptr<Method> make_panagiotopoulos(const PanagiotopoulosOptions& options) {
  return std::make_unique<Panagiotopoulos>(options);
}

}  // namespace stickslip::internal
