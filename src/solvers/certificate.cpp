#include "solvers/certificate.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/interior_point.hpp"

namespace stickslip {
namespace {

/// Normals below this part of the largest are not in the support.
constexpr double support_part = 1e-7;
constexpr std::size_t largest_support = 1500;
/// An eigenvalue of AᵀA below this part of the largest belongs to the null space of A = (Wᵀ)_S.
constexpr double null_part = 1e-20;
/// What a certificate must keep, relative.
/// Iterations of the frictionless problem: a diverging one shows its ray long before.
constexpr int longest_search = 60;
/// Gaps, in scaled units (the start has 1), at which the ray is looked at; and gap + residual of a solved
/// problem.
constexpr double first_look = 100, look_again = 100, solved = 1e-6;
constexpr double residual_part = 1e-12, work_part = 1e-6;

/// d, of unit length, against W and q in extended precision.
bool proves(const ReducedProblem& problem, std::span<const double> d) {
  const SparseMatrix W = problem.W().to_sparse();
  std::vector<long double> sum(d.size(), 0), size(d.size(), 0);
  for (const Triplet& e : W.triplets()) {
    const long double term = static_cast<long double>(e.value) * d[std::size_t(e.row)];
    sum[std::size_t(e.column)] += term;
    size[std::size_t(e.column)] += std::abs(term);
  }
  long double residual = 0, scale = 0, work = 0;
  for (std::size_t k = 0; k < d.size(); ++k) {
    residual += sum[k] * sum[k];
    scale += size[k] * size[k];
    work += static_cast<long double>(problem.q()[k]) * d[k];
  }
  return std::sqrt(residual) <= residual_part * std::sqrt(scale) && work <= -work_part * problem.q_norm();
}

/// The columns of Wᵀ that belong to the normals of the support, dense, rows that are zero left out.
Eigen::MatrixXd columns(const ReducedProblem& problem, const std::vector<Index>& support) {
  const int d = problem.dimension();
  std::vector<Index> place(std::size_t(problem.contacts()), -1);
  for (std::size_t k = 0; k < support.size(); ++k) place[std::size_t(support[k])] = Index(k);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(problem.contacts() * d, Index(support.size()));
  for (const Triplet& e : problem.W().to_sparse().triplets())
    if (e.row % d == 0 && place[std::size_t(e.row / d)] >= 0)
      A(e.column, place[std::size_t(e.row / d)]) = e.value;
  return A;
}

}  // namespace

std::optional<std::vector<double>> infeasibility_certificate(const ReducedProblem& problem,
                                                             std::span<const double> candidate) {
  const auto dimension = std::size_t(problem.dimension());
  double largest = 0;
  for (std::size_t k = 0; k < candidate.size(); k += dimension) largest = std::max(largest, candidate[k]);
  if (!(largest > 0) || !std::isfinite(largest)) return {};
  std::vector<Index> support;
  for (std::size_t k = 0; k < candidate.size(); k += dimension)
    if (candidate[k] > support_part * largest) support.push_back(Index(k / dimension));

  for (int pass = 0; pass < 20 && !support.empty() && support.size() <= largest_support; ++pass) {
    const Eigen::MatrixXd A = columns(problem, support);
    // Columns to unit length, so that the null space does not depend on the units.
    const Eigen::VectorXd norms = A.colwise().norm().transpose();
    if (!(norms.minCoeff() > 0)) return {};
    const Eigen::MatrixXd scaled = A * norms.cwiseInverse().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled.transpose() * scaled);
    if (eigen.info() != Eigen::Success) return {};
    Eigen::VectorXd x(Index(support.size()));
    for (std::size_t k = 0; k < support.size(); ++k)
      x[Index(k)] = candidate[std::size_t(support[k]) * dimension] / largest * norms[Index(k)];
    // Rounding in AᵀA leaves null directions at 1e-16 of the largest eigenvalue.
    const double cut = std::max(null_part, 1e-14 * double(support.size())) * eigen.eigenvalues().maxCoeff();
    Eigen::VectorXd projected = Eigen::VectorXd::Zero(x.size());
    for (Index k = 0; k < x.size(); ++k)
      if (eigen.eigenvalues()[k] <= cut) {
        const auto direction = eigen.eigenvectors().col(k);
        projected += direction.dot(x) * direction;
      }
    projected = projected.cwiseQuotient(norms);
    std::vector<Index> kept;
    const double top = projected.maxCoeff();
    for (std::size_t k = 0; k < support.size(); ++k)
      if (projected[Index(k)] > support_part * top) kept.push_back(support[k]);
    if (!(top > 0)) return {};
    if (kept.size() == support.size()) {
      std::vector<double> d(candidate.size(), 0.0);
      const double norm = projected.norm();
      for (std::size_t k = 0; k < support.size(); ++k)
        d[std::size_t(support[k]) * dimension] = projected[Index(k)] / norm;
      if (proves(problem, d)) return d;
      return {};
    }
    support = std::move(kept);
  }
  return {};
}

std::optional<std::vector<double>> prove_infeasible(const ReducedProblem& problem,
                                                    const std::function<bool()>& stop) {
  std::vector<double> q(problem.q().begin(), problem.q().end());
  const ReducedProblem frictionless(problem.W(), std::move(q), std::vector<double>(problem.mu().size(), 0.0));
  ConicProblem conic(frictionless);
  InteriorPoint method(conic);
  method.set_law({}, 0);
  method.start_cold();
  std::vector<double> r(problem.q().size());
  double next = first_look;
  for (int k = 0; k < longest_search && !(stop && stop()); ++k) {
    const auto step = method.iterate();
    if (!step.valid) break;
    if (step.gap + step.residual < solved) return {};
    // Along a ray the gap grows without end: early the direction is rough, late rounding has it.
    if (step.gap < next) continue;
    next = look_again * step.gap;
    method.impulses(r);
    if (auto d = infeasibility_certificate(problem, r)) return d;
  }
  if (stop && stop()) return {};
  method.impulses(r);
  return infeasibility_certificate(problem, r);
}

}  // namespace stickslip
