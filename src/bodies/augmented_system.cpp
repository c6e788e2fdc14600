#include "bodies/augmented_system.hpp"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/small_energy.hpp"

namespace stickslip {

struct AugmentedSystem::Parts {
  explicit Parts(const GlobalProblem& p) : problem(p), reduction(p), H_transposed(p.H().transposed()) {}

  const GlobalProblem& problem;
  Reduction reduction;
  SparseMatrix H_transposed;
  std::vector<double> diagonal;
  double q_norm = 0, q_energy = 0;

  std::vector<std::uint8_t> active;
  std::vector<Index> place;  // of each contact among the active ones, −1: left out
  Index count = 0;
  bool analysed = false, singular = false;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::SparseMatrix<double> A;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  Eigen::VectorXd x;
};

AugmentedSystem::AugmentedSystem(const GlobalProblem& problem) : parts_(std::make_unique<Parts>(problem)) {
  Parts& p = *parts_;
  const auto d = std::size_t(problem.dimension());
  const std::size_t n = problem.mu().size();
  std::vector<double> unit(n * d, 0.0), column(n * d);
  p.diagonal.resize(n * d * d);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t b = 0; b < d; ++b) {
      unit[i * d + b] = 1;
      p.reduction.apply(unit, column);
      unit[i * d + b] = 0;
      for (std::size_t a = 0; a < d; ++a) p.diagonal[i * d * d + a + d * b] = column[i * d + a];
    }
  double sum = 0;
  for (double x : q()) sum += x * x;
  p.q_norm = std::sqrt(sum);
  for (std::size_t i = 0; i < n; ++i) p.q_energy += inverse_energy(diagonal(Index(i)), int(d), &q()[i * d]);
}

AugmentedSystem::~AugmentedSystem() = default;

int AugmentedSystem::dimension() const { return parts_->problem.dimension(); }
std::span<const double> AugmentedSystem::q() const { return parts_->reduction.q(); }
std::span<const double> AugmentedSystem::mu() const { return parts_->problem.mu(); }
double AugmentedSystem::q_norm() const { return parts_->q_norm; }
double AugmentedSystem::q_energy() const { return parts_->q_energy; }
const Reduction& AugmentedSystem::reduction() const { return parts_->reduction; }

const double* AugmentedSystem::diagonal(Index i) const {
  const auto d = std::size_t(dimension());
  return &parts_->diagonal[std::size_t(i) * d * d];
}

void AugmentedSystem::product(std::span<const double> x, std::span<double> y) const {
  parts_->reduction.apply(x, y);
}

void AugmentedSystem::velocity(std::span<const double> r, std::span<double> u) const {
  product(r, u);
  for (std::size_t k = 0; k < u.size(); ++k) u[k] += q()[k];
}

void AugmentedSystem::magnitude(std::span<const double> r, std::span<double> s) const {
  const Parts& p = *parts_;
  std::vector<double> v, lambda;
  p.reduction.velocity(r, v, lambda);
  const SparseMatrix& H = p.problem.H();
  for (std::size_t k = 0; k < s.size(); ++k) s[k] = std::abs(p.problem.w()[k]);
  for (std::size_t i = 0; i < v.size(); ++i)
    for (auto k = std::size_t(H.row_start()[i]); k < std::size_t(H.row_start()[i + 1]); ++k)
      s[std::size_t(H.column()[k])] += std::abs(H.value()[k] * v[i]);
}

long AugmentedSystem::factorise(std::span<const std::uint8_t> active, const double* left, const double* right,
                                double alpha, std::span<const double> scale) {
  Parts& p = *parts_;
  const auto d = std::size_t(dimension());
  if (!p.analysed || !std::equal(active.begin(), active.end(), p.active.begin(), p.active.end())) {
    p.analysed = false;
    p.active.assign(active.begin(), active.end());
    p.place.assign(active.size(), -1);
    p.count = 0;
    for (std::size_t i = 0; i < active.size(); ++i)
      if (active[i]) p.place[i] = p.count++;
  }
  const Index n = p.problem.degrees_of_freedom(), m = p.problem.bilateral_constraints();
  p.entries.clear();
  const auto add = [&](Index row, Index column, double value) { p.entries.emplace_back(row, column, value); };
  for (const Triplet& e : p.problem.M().triplets()) add(e.row, e.column, e.value);
  for (const Triplet& e : p.problem.G().triplets()) {
    add(e.row, n + e.column, -e.value);
    add(n + e.column, e.row, e.value);
  }
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (!active[i]) continue;
    const Index first = n + m + p.place[i] * Index(d);
    const double *L = left + i * d * d, *R = right + i * d * d;
    for (std::size_t b = 0; b < d; ++b) {
      // Row b of S Hᵀ for this contact: −H S in the column of δr_b, L S Hᵀ in the rows of the contact.
      const std::size_t row = i * d + b;
      for (auto k = std::size_t(p.H_transposed.row_start()[row]);
           k < std::size_t(p.H_transposed.row_start()[row + 1]); ++k) {
        const Index dof = p.H_transposed.column()[k];
        const double h = scale[i] * p.H_transposed.value()[k];
        add(dof, first + Index(b), -h);
        for (std::size_t a = 0; a < d; ++a) add(first + Index(a), dof, L[a + d * b] * h);
      }
      for (std::size_t a = 0; a < d; ++a)
        add(first + Index(a), first + Index(b), R[a + d * b] + alpha * L[a + d * b]);
    }
  }
  const Index size = n + m + p.count * Index(d);
  p.A.resize(size, size);
  p.A.setFromTriplets(p.entries.begin(), p.entries.end());
  if (!p.analysed) p.lu.analyzePattern(p.A);
  p.analysed = true;
  p.lu.factorize(p.A);
  p.singular = p.lu.info() != Eigen::Success;
  return p.singular;
}

void AugmentedSystem::solve(std::span<double> x) const {
  Parts& p = *parts_;
  const auto d = std::size_t(dimension());
  const auto offset = std::size_t(p.problem.degrees_of_freedom() + p.problem.bilateral_constraints());
  p.x = Eigen::VectorXd::Zero(p.A.rows());
  const auto each = [&](auto&& visit) {
    for (std::size_t i = 0; i < p.place.size(); ++i)
      for (std::size_t c = 0; c < d && p.place[i] >= 0; ++c)
        visit(x[i * d + c], p.x[Eigen::Index(offset + std::size_t(p.place[i]) * d + c)]);
  };
  each([](double outside, double& inside) { inside = outside; });
  if (p.singular)
    p.x.setConstant(std::numeric_limits<double>::quiet_NaN());
  else
    p.x = p.lu.solve(Eigen::VectorXd(p.x));
  each([](double& outside, double inside) { outside = inside; });
}

}  // namespace stickslip
