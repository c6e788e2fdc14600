#include "solvers/convex/convex_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "solvers/parts/local_options.hpp"

namespace stickslip::internal {
namespace {

/// W counts as symmetric below this ‖W − Wᵀ‖/‖W‖.
constexpr double symmetric = 1e-12;

template <int D, class Law>
double sum_of_squares(std::span<const double> size, const double* r, const double* u) {
  double sum = 0;
  for (std::size_t i = 0; i < size.size(); ++i) {
    Vec<D> x, v;
    for (std::size_t c = 0; c < D; ++c) x[c] = r[i * D + c], v[c] = u[i * D + c];
    const Vec<D> gap = Law::template residual<D>(x, v, size[i]);
    sum += dot<D>(gap, gap);
  }
  return sum;
}

VariationalMap map_of(const ConvexSolverOptions& options) {
  if (options.kind == ConvexSolverOptions::Kind::extragradient) return VariationalMap(options.extragradient);
  return VariationalMap(options.fixed_point);
}

}  // namespace

BlockMatrix symmetric_part(const BlockMatrix& W) {
  std::vector<Triplet> entries = W.to_sparse().triplets();
  const std::size_t count = entries.size();
  entries.reserve(2 * count);
  for (std::size_t k = 0; k < count; ++k) {
    entries[k].value /= 2;
    entries.push_back({entries[k].column, entries[k].row, entries[k].value});
  }
  const Index rows = W.size() * Index(W.dimension());
  return BlockMatrix(SparseMatrix(rows, rows, entries), W.dimension());
}

std::string why_not(const ProjectedGradientOptions& options, const BlockMatrix& W, bool& lagged) {
  const double asymmetry = W.asymmetry();
  lagged = asymmetry > symmetric;
  if (!lagged || options.unsymmetric == ProjectedGradientOptions::Unsymmetric::lagged) return {};
  return "the projected gradient minimises, and W is not symmetric (‖W − Wᵀ‖/‖W‖ = " +
         shortest(float(asymmetry)) + "); unsymmetric=lagged may do";
}

void ProjectedGradientOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 3> steps = {"last", "spectral", "restart"};
  static constexpr std::array<std::string_view, 2> choices = {"lagged", "refused"}, switches = {"off", "on"};
  v.choice("first_step", first_step, steps,
           "first ρ of an iteration: the last one, Barzilai and Borwein's, far faster, or ρ₀ each time, RR "
           "Algorithm 9");
  v.real("rho", rho, {0, 1e300, true}, "ρ₀, the very first ρ");
  v.real("l", l, {0.01, 0.99}, "factor of a refused ρ");
  v.real("sigma", sigma, {1e-12, 0.99}, "the part of the linear decrease that a step must reach");
  v.choice("scaling", scaling, switches,
           "scale each contact by its diagonal block, so that units do not matter; off: as published");
  v.choice(
      "unsymmetric", unsymmetric, choices,
      "what is done where W is not symmetric: its skew part is taken with the last impulses, or the solver "
      "does not apply");
}

void ConvexSolverOptions::visit(OptionVisitor& v, std::string_view name, FrozenOperator::Rows rows) {
  static constexpr std::array<std::string_view, 4> kinds = {"gs", "fixed_point", "extragradient",
                                                            "projected_gradient"};
  static constexpr std::array<std::string_view, 1> locals = {"fixed_point"};
  static constexpr std::array<std::string_view, 2> rules = {"one", "spectral"};
  // Gauss–Seidel is the first: where it cannot be chosen the others count from 0.
  const int first = rows == FrozenOperator::Rows::all ? 0 : 1;
  int chosen = static_cast<int>(kind) - first;
  v.part(name, chosen, std::span(kinds).subspan(std::size_t(first)), "how the convex program is solved",
         [&](OptionVisitor& inner) {
           switch (static_cast<Kind>(chosen + first)) {
             case Kind::gs: {
               int only = 0;
               inner.part("local", only, locals, "how the problem of one contact is solved",
                          [&](OptionVisitor& fixed) { visit_fixed_point(fixed, local, rules); });
               break;
             }
             case Kind::fixed_point:
               fixed_point.visit_map(inner);
               break;
             case Kind::extragradient:
               extragradient.visit_map(inner);
               break;
             case Kind::projected_gradient:
               projected_gradient.visit(inner);
           }
         });
  kind = static_cast<Kind>(chosen + first);
}

ConvexSolver::ConvexSolver(const ConvexSolverOptions& options) : options_(options), map_(map_of(options)) {}

std::string ConvexSolver::prepare(const ReducedProblem& problem, ContactLaw law, std::span<const double> size,
                                  FrozenOperator::Rows rows) {
  using Kind = ConvexSolverOptions::Kind;
  problem_ = &problem;
  law_ = law;
  size_ = size;
  rows_ = rows;
  trouble_.clear();
  load_ = problem.q_norm() > 0 ? problem.q_norm() : 1;
  const BlockMatrix& W = problem.W();
  lagged_ = false;
  if (options_.kind == Kind::projected_gradient)
    if (std::string reason = why_not(options_.projected_gradient, W, lagged_); !reason.empty()) return reason;
  if (lagged_) symmetric_part_ = symmetric_part(W);
  operator_.bind(problem, lagged_ ? symmetric_part_ : W, rows);
  b_.assign(problem.q().begin(), problem.q().end());
  u_.resize(b_.size());
  next_.resize(b_.size());
  next_u_.resize(b_.size());
  const int d = problem.dimension();
  if (options_.kind == Kind::gs) {
    auto& sweep = sweeps_[law == ContactLaw::cones][d == 3];
    if (!sweep) sweep = ConvexSweep::make(d, law, options_.local);
    sweep_ = sweep.get();
    sweep_->prepare(W, size, operator_.q());
  } else if (options_.kind == Kind::projected_gradient) {
    rho_ = options_.projected_gradient.rho;
    weight_.clear();
    if (options_.projected_gradient.scaling == ProjectedGradientOptions::Scaling::on)
      contact_scale(MatrixOperator(problem), weight_);
    for (double& weight : weight_) weight *= weight;
  } else {
    map_.prepare(operator_, law, size);
  }
  return {};
}

double ConvexSolver::residual(std::span<const double> r, std::span<const double> u) const {
  const double sum = with_law(law_, [&]<class Law>(Law) {
    return problem_->dimension() == 3 ? sum_of_squares<3, Law>(size_, r.data(), u.data())
                                      : sum_of_squares<2, Law>(size_, r.data(), u.data());
  });
  return std::sqrt(sum) / load_;
}

ConvexResult ConvexSolver::solve(double part, double error, long max_iterations,
                                 const std::function<bool()>& stop, std::span<double> r) {
  operator_.load(b_);
  switch (options_.kind) {
    case ConvexSolverOptions::Kind::gs:
      return sweep(part, error, max_iterations, stop, r);
    case ConvexSolverOptions::Kind::projected_gradient:
      return minimise(part, error, max_iterations, stop, r);
    default:
      return project(part, error, max_iterations, stop, r);
  }
}

ConvexResult ConvexSolver::sweep(double part, double error, long max_iterations,
                                 const std::function<bool()>& stop, std::span<double> r) {
  operator_.velocity(r, u_);
  ConvexResult result{.residual = residual(r, u_)};
  const double tolerance = part * std::min(error, result.residual);
  while (result.residual > tolerance && result.iterations < max_iterations && !stop()) {
    ++result.iterations;
    result.residual = sweep_->sweep(std::min(tolerance / 10, 0.1), r) / load_;
    if (result.residual > tolerance && result.iterations < max_iterations) continue;
    operator_.velocity(r, u_);
    result.residual = residual(r, u_);
  }
  result.converged = result.residual <= tolerance;
  return result;
}

ConvexResult ConvexSolver::project(double part, double error, long max_iterations,
                                   const std::function<bool()>& stop, std::span<double> r) {
  operator_.velocity(r, u_);
  ConvexResult result{.residual = residual(r, u_)};
  const double tolerance = part * std::min(error, result.residual);
  while (result.residual > tolerance && result.iterations < max_iterations && !stop()) {
    ++result.iterations;
    map_.step(r, u_, next_, next_u_);
    if (map_.diverges()) {
      trouble_ = map_.advice();
      break;
    }
    std::copy(next_.begin(), next_.end(), r.begin());
    u_.swap(next_u_);
    result.residual = residual(r, u_);
  }
  result.converged = result.residual <= tolerance;
  return result;
}

ConvexResult ConvexSolver::minimise(double part, double error, long max_iterations,
                                    const std::function<bool()>& stop, std::span<double> r) {
  if (lagged_) {  // b + A r = b + (W r + b) − (S r + b)
    problem_->W().multiply(r, b_, u_);
    symmetric_part_.multiply(r, b_, next_);
    for (std::size_t k = 0; k < u_.size(); ++k) u_[k] += b_[k] - next_[k];
    operator_.load(u_);
  }
  const ConvexProgram program{
      .set = law_ == ContactLaw::cones ? ConvexSet::cones : ConvexSet::cylinders,
      .block = problem_->dimension(),
      .size = size_,
      .b = operator_.q(),
      .gradient = [this](std::span<const double> x, std::span<double> g) { operator_.velocity(x, g); },
      .weight = weight_,
      .load = load_};
  const ConvexOptions options{.tolerance = part * error,
                              .reduction = part,
                              .max_iterations = max_iterations,
                              .first_step = options_.projected_gradient.first_step,
                              .rho = rho_,
                              .l = options_.projected_gradient.l,
                              .sigma = options_.projected_gradient.sigma,
                              .stop = std::cref(stop)};
  const ConvexResult result = projected_gradient(program, options, r, memory_);
  rho_ = result.rho;
  return result;
}

}  // namespace stickslip::internal
