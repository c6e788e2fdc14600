#include "linalg/body_factorisation.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <utility>
#include <vector>

#include "linalg/block_lu.hpp"

namespace stickslip::internal {
namespace {

/// Rows of M in one block of the factorisation: a planar body is one, a spatial body two.
constexpr Index rows_a_block = 3;
constexpr std::size_t body_area = 9;

}  // namespace

struct BodyFactorisation::Parts {
  virtual ~Parts() = default;
  virtual bool factorise(std::span<const double> L, std::span<const double> B) = 0;
  virtual void solve(std::span<double> x) = 0;
  BlockLu<rows_a_block> lu;
};

template <int D>
struct BodyFactorisation::Typed final : Parts {
  using Block = Eigen::Matrix<double, D, D>;
  using Arm = Eigen::Matrix<double, rows_a_block, D>;
  using Mass = Eigen::Matrix<double, rows_a_block, rows_a_block>;
  using Contact = Eigen::Matrix<double, D, 1>;
  using Velocity = Eigen::Matrix<double, rows_a_block, 1>;
  static constexpr std::size_t area = std::size_t(D) * D;

  Typed(const SparseMatrix& M, const SparseMatrix& H) {
    n = H.columns() / D;
    const Index bodies = (M.rows() + rows_a_block - 1) / rows_a_block;
    find_arms(H);
    find_pattern(M, bodies);
    lu.analyse(start, rows);
    for (const Triplet& e : M.triplets()) at(mass, e.row, e.column) += e.value;
    for (Index k = M.rows(); k < bodies * rows_a_block; ++k)
      at(mass, k, k) = 1;  // rows that fill the last block
    A.resize(mass.size());
    for (std::size_t i = 0; i < std::size_t(n); ++i)
      for (std::size_t k = first[i]; k < first[i + 1]; ++k)
        for (std::size_t l = first[i]; l < first[i + 1]; ++l) places.push_back(place(body[k], body[l]));
    inverse.resize(std::size_t(n)), left.resize(std::size_t(n));
    v.resize(std::size_t(bodies * rows_a_block));
  }

  /// The non-zero blocks of H, contact by contact.
  void find_arms(const SparseMatrix& H) {
    std::vector<Triplet> entries = H.triplets();
    const auto key = [](const Triplet& e) { return std::pair{e.column / D, e.row / rows_a_block}; };
    std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    first.assign(std::size_t(n) + 1, 0);
    std::pair<Index, Index> last{-1, -1};
    for (const Triplet& e : entries) {
      if (key(e) != last) {
        last = key(e);
        body.push_back(last.second);
        arms.push_back(Arm::Zero());
        ++first[std::size_t(last.first) + 1];
      }
      arms.back()(e.row % rows_a_block, e.column % D) += e.value;
    }
    for (std::size_t i = 0; i < std::size_t(n); ++i) first[i + 1] += first[i];
  }

  /// The blocks of M + Mᵀ, of the diagonal and of H Hᵀ, by compressed columns.
  void find_pattern(const SparseMatrix& M, Index bodies) {
    std::vector<std::pair<Index, Index>> all;
    for (Index b = 0; b < bodies; ++b) all.emplace_back(b, b);
    for (const Triplet& e : M.triplets()) {
      all.emplace_back(e.column / rows_a_block, e.row / rows_a_block);
      all.emplace_back(e.row / rows_a_block, e.column / rows_a_block);
    }
    for (std::size_t i = 0; i < std::size_t(n); ++i)
      for (std::size_t k = first[i]; k < first[i + 1]; ++k)
        for (std::size_t l = first[i]; l < first[i + 1]; ++l) all.emplace_back(body[k], body[l]);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    start.assign(std::size_t(bodies) + 1, 0);
    for (const auto& [c, r] : all) {
      ++start[std::size_t(c) + 1];
      rows.push_back(r);
    }
    for (std::size_t c = 0; c < std::size_t(bodies); ++c) start[c + 1] += start[c];
    mass.assign(rows.size() * body_area, 0.0);
  }

  std::size_t place(Index r, Index c) const {
    const auto from = rows.begin() + start[std::size_t(c)], to = rows.begin() + start[std::size_t(c) + 1];
    return std::size_t(std::lower_bound(from, to, r) - rows.begin());
  }
  double& at(std::vector<double>& values, Index r, Index c) const {
    return values[place(r / rows_a_block, c / rows_a_block) * body_area +
                  std::size_t(r % rows_a_block + rows_a_block * (c % rows_a_block))];
  }

  bool factorise(std::span<const double> L, std::span<const double> B) override {
    A = mass;
    auto at_place = places.begin();
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
      inverse[i] = Eigen::Map<const Block>(&B[i * area]).inverse();
      if (!inverse[i].allFinite()) return false;
      left[i] = L.empty() ? Block::Identity() : Block(Eigen::Map<const Block>(&L[i * area]));
      const Block compliance = inverse[i] * left[i];
      for (std::size_t k = first[i]; k < first[i + 1]; ++k) {
        const Arm arm = arms[k] * compliance;
        for (std::size_t l = first[i]; l < first[i + 1]; ++l)
          Eigen::Map<Mass>(&A[*at_place++ * body_area]) += arm * arms[l].transpose();
      }
    }
    return lu.factorise(A);
  }

  void solve(std::span<double> x) override {
    std::fill(v.begin(), v.end(), 0.0);
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
      const Contact moved = inverse[i] * Eigen::Map<const Contact>(&x[i * D]);
      for (std::size_t k = first[i]; k < first[i + 1]; ++k) velocity(k) += arms[k] * moved;
    }
    lu.solve(v);
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
      Contact slip = Contact::Zero();
      for (std::size_t k = first[i]; k < first[i + 1]; ++k) slip += arms[k].transpose() * velocity(k);
      Eigen::Map<Contact> out(&x[i * D]);
      const Contact rest = out - left[i] * slip;
      out = inverse[i] * rest;
    }
  }

  Eigen::Map<Velocity> velocity(std::size_t arm) {
    return Eigen::Map<Velocity>(&v[std::size_t(body[arm] * rows_a_block)]);
  }

  Index n;
  std::vector<std::size_t> first, places;  // arms of contact i: first[i] … first[i+1]; their blocks in A
  std::vector<Index> body, start, rows;
  std::vector<Arm> arms;
  std::vector<Block> inverse, left;
  std::vector<double> mass, A, v;
};

BodyFactorisation::BodyFactorisation(const SparseMatrix& M, const SparseMatrix& H, int block) {
  if (block == 3)
    parts_ = std::make_unique<Typed<3>>(M, H);
  else
    parts_ = std::make_unique<Typed<2>>(M, H);
}
BodyFactorisation::~BodyFactorisation() = default;
BodyFactorisation::BodyFactorisation(BodyFactorisation&&) noexcept = default;

bool BodyFactorisation::factorise(std::span<const double> L, std::span<const double> B) {
  return parts_->factorise(L, B);
}
void BodyFactorisation::solve(std::span<double> x) { parts_->solve(x); }
double BodyFactorisation::work() const { return parts_->lu.work(); }

}  // namespace stickslip::internal
