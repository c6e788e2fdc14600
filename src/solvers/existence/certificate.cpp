#include "solvers/existence/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/factorisation.hpp"
#include "solvers/proximal/proximal.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// Normals below this part of the largest are not in the support.
constexpr double support_part = 1e-7;
/// δ of the projection on the null space, relative to the diagonal, its passes at most, and what they reach.
constexpr double projection_shift = 1e-12, null_part = 1e-13;
constexpr int projection_passes = 10;
/// A candidate that keeps less than this part has nothing in the null space.
constexpr double vanished = 1e-6;
/// What a certificate must keep, relative.
constexpr double residual_part = 1e-12, work_part = 1e-6;
/// α of the frictionless problem that always has a solution, relative to the diagonal, and ‖αr‖/‖q‖ below
/// which that solution is bounded.
constexpr double regularisation = 1e-6, bounded = 1e-6;
constexpr long longest_search = 20000;

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

/// 1/√W_NN for each contact.
std::vector<double> normal_scale(const ReducedProblem& problem) {
  std::vector<double> scale(std::size_t(problem.contacts()));
  for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = 1 / std::sqrt(problem.W().diagonal(Index(i))[0]);
  return scale;
}

/// Calls entry(i, j, s_i W_ij s_j) for the normals of contacts i ≠ j that touch.
template <class Entry>
void for_each_coupling(const ReducedProblem& problem, const std::vector<double>& scale, Entry&& entry) {
  const BlockMatrix& W = problem.W();
  for (std::size_t i = 0; i < scale.size(); ++i)
    for (Index e = W.row_start()[i]; e < W.row_start()[i + 1]; ++e) {
      const Index j = W.column()[std::size_t(e)];
      entry(Index(i), j, scale[i] * *W.block(e) * scale[std::size_t(j)]);
    }
}

/// x ← its projection on the null space of N, the normals of the support scaled to a unit diagonal and made
/// symmetric: δ(N + δI)⁻¹ leaves what lies there and all but removes the rest. For the positive semi-definite
/// matrices of mechanics N x = 0 means that x moves no body, so that Wᵀ x = 0. False: nothing is left, or N
/// is not of that kind.
bool project_on_null_space(const ReducedProblem& problem, const std::vector<double>& scale,
                           const std::vector<Index>& support, std::vector<double>& x) {
  const auto n = Index(support.size());
  std::vector<Index> place(scale.size(), -1);
  for (Index k = 0; k < n; ++k) place[std::size_t(support[std::size_t(k)])] = k;
  std::vector<Triplet> entries;
  for (Index k = 0; k < n; ++k) entries.push_back({k, k, 1});
  for_each_coupling(problem, scale, [&](Index i, Index j, double value) {
    const Index a = place[std::size_t(i)], b = place[std::size_t(j)];
    if (a < 0 || b < 0) return;
    entries.push_back({a, b, value / 2});
    entries.push_back({b, a, value / 2});
  });
  const SparseMatrix N(n, n, entries);
  for (Index k = 0; k < n; ++k) entries[std::size_t(k)].value += projection_shift;
  const auto length = [](const std::vector<double>& v) {
    double sum = 0;
    for (double number : v) sum += number * number;
    return std::sqrt(sum);
  };
  const double first = length(x);
  std::vector<double> product(x.size());
  try {
    const Factorisation shifted(SparseMatrix(n, n, entries), Definiteness::positive, "N");
    for (int pass = 0; pass < projection_passes; ++pass) {
      shifted.solve(x);
      for (double& number : x) number *= projection_shift;
      const double left = length(x);
      if (!(left > vanished * first)) return false;
      std::fill(product.begin(), product.end(), 0.0);
      for (const Triplet& e : N.triplets()) product[std::size_t(e.row)] += e.value * x[std::size_t(e.column)];
      if (length(product) <= null_part * left) break;
    }
  } catch (const InputError&) {
    return false;
  }
  return true;
}

/// The frictionless problem of the normals, scaled, with αr added to u: it always has one solution, and where
/// the problem without α has none, αr tends to what pulls it apart. In two dimensions, the tangent idle.
ReducedProblem regularised_normals(const ReducedProblem& problem, const std::vector<double>& scale) {
  const auto n = scale.size(), d = std::size_t(problem.dimension());
  std::vector<Index> column;
  std::vector<double> blocks, diagonal, q;
  for_each_coupling(problem, scale, [&](Index, Index j, double value) {
    column.push_back(j);
    blocks.insert(blocks.end(), {value, 0, 0, 0});
  });
  for (std::size_t i = 0; i < n; ++i) {
    diagonal.insert(diagonal.end(), {1 + regularisation, 0, 0, 1});
    q.insert(q.end(), {scale[i] * problem.q()[i * d], 0});
  }
  const auto start = problem.W().row_start();
  return {
      BlockMatrix(2, {start.begin(), start.end()}, std::move(column), std::move(blocks), std::move(diagonal)),
      std::move(q), std::vector<double>(n, 0.0)};
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

  const std::vector<double> scale = normal_scale(problem);
  for (int pass = 0; pass < 20 && !support.empty(); ++pass) {
    std::vector<double> x;
    for (Index i : support)
      x.push_back(candidate[std::size_t(i) * dimension] / (largest * scale[std::size_t(i)]));
    if (!project_on_null_space(problem, scale, support, x)) return {};
    double top = 0, norm = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] *= scale[std::size_t(support[k])];
      top = std::max(top, x[k]);
      norm += x[k] * x[k];
    }
    std::vector<Index> kept;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (x[k] > support_part * top) kept.push_back(support[k]);
    if (kept.size() == support.size()) {
      std::vector<double> d(candidate.size(), 0.0);
      for (std::size_t k = 0; k < x.size(); ++k)
        d[std::size_t(support[k]) * dimension] = x[k] / std::sqrt(norm);
      if (proves(problem, d)) return d;
      return {};
    }
    support = std::move(kept);
  }
  return {};
}

std::optional<std::vector<double>> prove_infeasible(const ReducedProblem& problem,
                                                    const std::function<bool()>& stop) {
  const std::vector<double> scale = normal_scale(problem);
  const ReducedProblem normals = regularised_normals(problem, scale);
  SolveRequest request{.tolerance = 1e-8, .max_iterations = longest_search};
  if (stop) request.observer = [&](const Progress&) { return stop(); };
  const SolveResult result = make_proximal({})->solve(normals, request);
  if (result.status == Status::cancelled) return {};
  double size = 0;
  std::vector<double> candidate(problem.q().size(), 0.0);
  for (std::size_t i = 0; i < scale.size(); ++i) {
    size += result.r[2 * i] * result.r[2 * i];
    candidate[i * std::size_t(problem.dimension())] = scale[i] * result.r[2 * i];
  }
  if (regularisation * std::sqrt(size) <= bounded * normals.q_norm()) return {};
  return infeasibility_certificate(problem, candidate);
}

}  // namespace stickslip::internal
