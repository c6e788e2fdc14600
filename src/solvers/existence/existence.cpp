// RR (35), CEA: a solution exists if Hᵀv + w ∈ int K* for some v; in reduced form W r + q ∈ int K* for some
// r. (The proof: for fixed s the velocity v(s) of CAD (23) is unique, continuous and bounded by the Slater
// point, and Brouwer gives F(s) = s. It asks of M that it is positive definite, not that it is symmetric.)
//
//   max x   with   W r + q − x N ∈ K*
//
// For x = δ, falling, the convex program with q − δN has a solution if and only if x ≥ δ can be had, and its u = û + δN is
// the proof. If none has, the frictionless problem W_NN r + q_N is asked: it has no solution exactly when a certificate
// d ≥ 0, W_NN d = 0, q_N·d < 0 exists.

#include "stickslip/existence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/interrupted.hpp"
#include "solvers/certificate/certificate.hpp"
#include "solvers/interior_point/conic_solve.hpp"

namespace stickslip {

using namespace internal;

namespace {

/// Margins that are tried, relative to ‖q‖/√n; the last is small against any load and large against rounding.
constexpr double margins[] = {1e-1, 1e-3, 1e-5};
constexpr int iterations = 60;

double magnitude_at(const BlockMatrix& W, std::size_t i, std::span<const double> r,
                    std::span<const double> q) {
  const auto d = std::size_t(W.dimension());
  double largest = 0;
  for (std::size_t a = 0; a < d; ++a) {
    double sum = std::abs(q[i * d + a]);
    for (std::size_t b = 0; b < d; ++b) sum += std::abs(W.diagonal(Index(i))[a + d * b] * r[i * d + b]);
    for (Index k = W.row_start()[i]; k < W.row_start()[i + 1]; ++k)
      for (std::size_t b = 0; b < d; ++b)
        sum += std::abs(W.block(k)[a + d * b] * r[std::size_t(W.column()[std::size_t(k)]) * d + b]);
    largest = std::max(largest, sum);
  }
  return largest;
}

/// The least u_N − μ‖u_T‖ of u = W r + q, less what rounding may hide.
double margin_of(const ReducedProblem& problem, std::span<const double> r) {
  const auto d = std::size_t(problem.dimension());
  std::vector<double> u(r.size());
  problem.W().multiply(r, problem.q(), u);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < problem.mu().size(); ++i) {
    const double slip = d == 3 ? std::hypot(u[i * d + 1], u[i * d + 2]) : std::abs(u[i * d + 1]);
    const double rounding = 1e-13 * (1 + problem.mu()[i]) * magnitude_at(problem.W(), i, r, problem.q());
    least = std::min(least, u[i * d] - problem.mu()[i] * slip - rounding);
  }
  return least;
}

/// Solves the convex program with q − δN; r is its last or best answer.
ConicResult shifted_program(const ReducedProblem& problem, double delta, const Stop& stop) {
  const auto d = std::size_t(problem.dimension());
  std::vector<double> q(problem.q().begin(), problem.q().end());
  for (std::size_t k = 0; k < q.size(); k += d) q[k] -= delta;
  const ReducedProblem shifted(problem.W(), std::move(q), {problem.mu().begin(), problem.mu().end()});
  ContactProblem contact(shifted);
  ConicProblem conic(contact);
  InteriorPoint method(conic);
  return solve_conic(conic, method, {}, 1e-9, iterations, stop);
}

/// What `existence` promises, but Interrupted leaves it.
ExistenceResult decide(const ReducedProblem& problem, const Stop& stop) {
  ExistenceResult result;
  result.r.assign(problem.q().size(), 0.0);
  const std::vector<double> mu(problem.mu().begin(), problem.mu().end());
  if (mu.empty()) {
    result.answer = Existence::exists;
    result.message = "there are no contacts";
    return result;
  }
  // q = 0 and q inside K* are solved by r = 0 whatever Slater says.
  const double scale = problem.q_norm() > 0 ? problem.q_norm() / std::sqrt(double(mu.size())) : 1.0;
  for (const double part : margins) {
    const ConicResult program = shifted_program(problem, part * scale, stop);
    ask(stop);
    if (program.r.empty()) continue;
    const double margin = margin_of(problem, program.r);
    if (margin > 0) {
      result.answer = Existence::exists;
      result.margin = margin;
      result.r = program.r;
      result.message =
          fmt::format("Slater's condition holds: u_N − μ‖u_T‖ ≥ {:.3g} at every contact", margin);
      return result;
    }
  }
  ContactProblem contact(problem);
  if (auto d = prove_infeasible(contact, stop)) {
    result.answer = Existence::none;
    result.certificate = std::move(*d);
    double work = 0;
    for (std::size_t k = 0; k < result.certificate.size(); ++k)
      work += problem.q()[k] * result.certificate[k];
    result.message = fmt::format("no solution: d ≥ 0 in the normals with Wᵀd = 0 and q·d = {:.3g}", work);
    return result;
  }
  ask(stop);
  if (problem.q_norm() == 0) {
    result.answer = Existence::exists;
    result.message = "q = 0: r = 0 is a solution";
    return result;
  }
  result.message =
      "neither Slater's condition nor a certificate against a solution was found at this precision";
  return result;
}

ExistenceResult decide(const GlobalProblem& problem, const Stop& stop) {
  const Reduction reduction(problem, stop);
  ExistenceResult result = decide(reduction.reduced(stop), stop);
  if (result.answer == Existence::exists) {
    std::vector<double> lambda;
    reduction.velocity(result.r, result.v, lambda);
  }
  return result;
}

template <class Problem>
ExistenceResult decide_or_stop(const Problem& problem, const Stop& stop) {
  try {
    return decide(problem, stop);
  } catch (const Interrupted&) {
    ExistenceResult result;
    result.message = "stopped before there was an answer";
    return result;
  }
}

}  // namespace

std::string_view name(Existence answer) {
  return answer == Existence::exists ? "exists" : answer == Existence::none ? "none" : "undecided";
}

ExistenceResult existence(const ReducedProblem& problem, const Stop& stop) {
  return decide_or_stop(problem, stop);
}

ExistenceResult existence(const GlobalProblem& problem, const Stop& stop) {
  return decide_or_stop(problem, stop);
}

}  // namespace stickslip
