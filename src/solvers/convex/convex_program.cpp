#include "solvers/convex/convex_program.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "cone/contact_law.hpp"
#include "cone/small_matrix.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// ρ stays within these multiples of its first value: a direction that W does not feel would lengthen it for
/// ever.
constexpr double longest = 1e10, shortest_step = 1e-10;
/// A few units of the last place.
constexpr double rounding = 1e-15;

template <ConvexSet set, int D>
Vec<D> project_on(const Vec<D>& x, double size) {
  if constexpr (set == ConvexSet::half_lines)
    return {project_on_half_line(x[0])};
  else if constexpr (set == ConvexSet::disks)
    return project_on_disk<D + 1>(x, size);
  else if constexpr (set == ConvexSet::cylinders)
    return project_on_cylinder<D>(x, size);
  else
    return project_on_cone<D>(x, size);
}

/// x − P_C(x − g) without cancellation where that matters.
template <ConvexSet set, int D>
Vec<D> residual_on(const Vec<D>& x, const Vec<D>& g, double size) {
  if constexpr (set == ConvexSet::half_lines)
    return {std::min(x[0], g[0])};
  else if constexpr (set == ConvexSet::cylinders)
    return CylinderLaw::residual<D>(x, g, size);
  else if constexpr (set == ConvexSet::cones)
    return ConeLaw::residual<D>(x, g, size);
  else
    return add<D>(x, -1, project_on<set, D>(add<D>(x, -1, g), size));
}

/// The residual to reach, from the first one.
double goal(const ConvexOptions& options, const ConvexResult& first) {
  return options.reduction < 1 ? std::min(options.tolerance, options.reduction * first.residual)
                               : options.tolerance;
}

/// Sums over a step Δ = r − r⁺ of the passes below, in the metric of the weights.
struct Sums {
  double residual = 0;   // ‖r − P_C(r − w g)‖²
  double move = 0;       // ‖Δ‖²
  double slope = 0;      // g·Δ
  double curvature = 0;  // Δ·(g − g⁺)
};

/// The set and the size of its blocks, known to the loops when they are compiled.
template <ConvexSet set, int D>
struct Typed {
  const ConvexProgram& program;
  std::size_t n = program.b.size() / D;

  double size(std::size_t i) const { return set == ConvexSet::half_lines ? 0.0 : program.size[i]; }
  double weight(std::size_t i) const { return program.weight.empty() ? 1.0 : program.weight[i]; }

  /// next ← P_C(r − ρ w g) with ‖Δ‖² and g·Δ. Where a contact lies on the boundary, g is large and Δ small:
  /// rounding of r is taken off g·Δ, which is at least ‖Δ‖²/ρ by the property of a projection.
  Sums trial(double rho, const double* r, const double* g, double* next) const {
    Sums sums;
    double magnitude = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Vec<D> ri = load<D>(r, i), gi = load<D>(g, i);
      const Vec<D> x = project_on<set, D>(add<D>(ri, -rho * weight(i), gi), size(i)),
                   step = add<D>(ri, -1, x);
      for (std::size_t c = 0; c < D; ++c) {
        next[i * D + c] = x[c];
        magnitude += std::abs(gi[c] * ri[c]);
      }
      sums.move += dot<D>(step, step) / weight(i);
      sums.slope += dot<D>(gi, step);
    }
    sums.slope = std::max(sums.slope - rounding * magnitude, sums.move / rho);
    return sums;
  }

  /// Δ·(g − g⁺) and the residual of r⁺.
  void judge(const double* r, const double* g, const double* next, const double* next_g, Sums& sums) const {
    for (std::size_t i = 0; i < n; ++i) {
      const Vec<D> x = load<D>(next, i), gx = load<D>(next_g, i);
      sums.curvature += dot<D>(add<D>(load<D>(r, i), -1, x), add<D>(load<D>(g, i), -1, gx));
      const Vec<D> gap = program.load > 0
                             ? residual_on<set, D>(x, gx, size(i))
                             : add<D>(x, -1, project_on<set, D>(add<D>(x, -weight(i), gx), size(i)));
      sums.residual += dot<D>(gap, gap) / (program.load > 0 ? 1 : weight(i));
    }
  }

  /// The program's own, or ‖b‖ in the metric, or 1 when b = 0.
  double load_norm() const {
    if (program.load > 0) return program.load;
    double sum = 0;
    for (std::size_t k = 0; k < program.b.size(); ++k) sum += weight(k / D) * program.b[k] * program.b[k];
    return sum > 0 ? std::sqrt(sum) : 1;
  }

  ConvexResult run(const ConvexOptions& options, std::span<double> r, ConvexMemory& memory) const {
    auto& [g, next, next_g, values] = memory;
    g.assign(r.size(), 0.0);
    next.resize(r.size());
    next_g.resize(r.size());
    const double scale = load_norm();
    const bool spectral = options.first_step == ConvexOptions::FirstStep::spectral;
    // Values of the objective relative to the first one, the last `memory` of them.
    values.assign(spectral ? std::size_t(std::max(options.memory, 1)) : 1, 0.0);
    trial(1, r.data(), g.data(), next.data());  // g = 0: makes r feasible
    std::copy(next.begin(), next.end(), r.begin());
    program.gradient(r, g);
    Sums sums;
    judge(r.data(), g.data(), r.data(), g.data(), sums);
    ConvexResult result{0, std::sqrt(sums.residual) / scale, false};
    const double tolerance = goal(options, result);
    double& rho = result.rho = options.rho;
    double value = 0;
    for (;; ++result.iterations) {
      result.converged = result.residual <= tolerance;
      if (result.converged || result.iterations >= options.max_iterations || (options.stop && options.stop()))
        return result;
      const double worst = *std::max_element(values.begin(), values.end());
      double decrease = 0;
      long trials = 0;
      for (;; rho *= options.l) {
        sums = trial(rho, r.data(), g.data(), next.data());
        program.gradient(next, next_g);
        judge(r.data(), g.data(), next.data(), next_g.data(), sums);
        // q(r) − q(r⁺) = ½(g + g⁺)·Δ = g·Δ − ½ Δ·(g − g⁺), without cancelling two values of q.
        decrease = sums.slope - sums.curvature / 2;
        if (decrease >= options.sigma * sums.slope + (value - worst) || ++trials >= options.max_trials) break;
      }
      result.residual = std::sqrt(sums.residual) / scale;
      if (!(sums.move > 0)) {  // a fixed point to rounding
        if (options.first_step == ConvexOptions::FirstStep::restart) rho = options.rho;
        return result;
      }
      std::copy(next.begin(), next.end(), r.begin());
      g.swap(next_g);
      value -= decrease;
      values[std::size_t(result.iterations) % values.size()] = value;
      if (options.first_step == ConvexOptions::FirstStep::restart)
        rho = options.rho;
      else if (spectral)
        rho = sums.curvature > 0 ? sums.move / sums.curvature : rho / options.l;
      else if (trials == 0)
        rho /= options.l;
      rho = std::clamp(rho, shortest_step * options.rho, longest * options.rho);
    }
  }
};

/// Calls f with the typed program; throws InputError when set and block do not fit.
template <class F>
auto typed(const ConvexProgram& program, F&& f) {
  const std::size_t block = std::size_t(std::max(program.block, 1)), n = program.b.size() / block;
  if (program.b.size() % block != 0 || (program.set != ConvexSet::half_lines && program.size.size() != n) ||
      (!program.weight.empty() && program.weight.size() != n))
    throw InputError("a convex program over " + std::to_string(n) + " contacts has " +
                     std::to_string(program.size.size()) + " sizes, " +
                     std::to_string(program.weight.size()) + " weights and " +
                     std::to_string(program.b.size()) + " numbers in b");
  switch (program.set) {
    case ConvexSet::half_lines:
      if (block == 1) return f(Typed<ConvexSet::half_lines, 1>{program});
      break;
    case ConvexSet::disks:
      if (block == 1) return f(Typed<ConvexSet::disks, 1>{program});
      if (block == 2) return f(Typed<ConvexSet::disks, 2>{program});
      break;
    case ConvexSet::cylinders:
      if (block == 2) return f(Typed<ConvexSet::cylinders, 2>{program});
      if (block == 3) return f(Typed<ConvexSet::cylinders, 3>{program});
      break;
    case ConvexSet::cones:
      if (block == 2) return f(Typed<ConvexSet::cones, 2>{program});
      if (block == 3) return f(Typed<ConvexSet::cones, 3>{program});
      break;
  }
  throw InputError("a convex program cannot have " + std::to_string(program.block) +
                   " numbers a contact with its set");
}

}  // namespace

ConvexResult projected_gradient(const ConvexProgram& program, const ConvexOptions& options,
                                std::span<double> r) {
  ConvexMemory memory;
  return projected_gradient(program, options, r, memory);
}

ConvexResult projected_gradient(const ConvexProgram& program, const ConvexOptions& options,
                                std::span<double> r, ConvexMemory& memory) {
  if (r.size() != program.b.size())
    throw InputError("r has " + std::to_string(r.size()) + " numbers, b has " +
                     std::to_string(program.b.size()));
  return typed(program, [&](const auto& problem) { return problem.run(options, r, memory); });
}

double convex_residual(const ConvexProgram& program, std::span<const double> r,
                       std::span<const double> gradient) {
  return typed(program, [&](const auto& problem) {
    Sums sums;
    problem.judge(r.data(), gradient.data(), r.data(), gradient.data(), sums);
    return std::sqrt(sums.residual) / problem.load_norm();
  });
}

void NormalMatrix::assign(const BlockMatrix& W) {
  row_start.assign(W.row_start().begin(), W.row_start().end());
  column.assign(W.column().begin(), W.column().end());
  value.resize(column.size());
  for (std::size_t k = 0; k < value.size(); ++k) value[k] = W.block(Index(k))[0];
  diagonal.resize(std::size_t(W.size()));
  for (std::size_t i = 0; i < diagonal.size(); ++i) diagonal[i] = W.diagonal(Index(i))[0];
}

void NormalMatrix::multiply(std::span<const double> r, std::span<const double> q, std::span<double> u) const {
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    double sum = q[i] + diagonal[i] * r[i];
    for (auto k = std::size_t(row_start[i]); k < std::size_t(row_start[i + 1]); ++k)
      sum += value[k] * r[std::size_t(column[k])];
    u[i] = sum;
  }
}

ConvexResult projected_gauss_seidel(const NormalMatrix& W, std::span<const double> q,
                                    const ConvexOptions& options, std::span<double> r, double load) {
  const std::size_t n = W.diagonal.size();
  if (q.size() != n || r.size() != n)
    throw InputError("the normal problem of " + std::to_string(n) + " contacts was given " +
                     std::to_string(q.size()) + " numbers in q and " + std::to_string(r.size()) + " in r");
  double scale = 0;
  for (std::size_t i = 0; i < n; ++i) scale += q[i] * q[i] / W.diagonal[i];
  scale = load > 0 ? load : scale > 0 ? std::sqrt(scale) : 1;
  // What each contact would change, with r updated at once (a sweep) or held (the residual).
  const auto pass = [&](bool update) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double u = q[i] + W.diagonal[i] * r[i];
      for (auto k = std::size_t(W.row_start[i]); k < std::size_t(W.row_start[i + 1]); ++k)
        u += W.value[k] * r[std::size_t(W.column[k])];
      const double next = project_on_half_line(r[i] - u / W.diagonal[i]);
      const double gap = std::min(r[i], u);
      sum += load > 0 ? gap * gap : W.diagonal[i] * (r[i] - next) * (r[i] - next);
      if (update) r[i] = next;
    }
    return std::sqrt(sum) / scale;
  };
  for (double& x : r) x = project_on_half_line(x);
  ConvexResult result{0, pass(false), false};
  const double tolerance = goal(options, result);
  while (result.residual > tolerance && result.iterations < options.max_iterations &&
         !(options.stop && options.stop())) {
    ++result.iterations;
    // A sweep that changed more than the tolerance cannot be the last; one that did not is checked.
    result.residual = pass(true);
    if (result.residual <= tolerance || result.iterations == options.max_iterations)
      result.residual = pass(false);
  }
  result.converged = result.residual <= tolerance;
  return result;
}

}  // namespace stickslip::internal
