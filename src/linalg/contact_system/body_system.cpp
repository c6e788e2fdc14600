#include "linalg/contact_system/body_system.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/dimension.hpp"
#include "base/large_pages.hpp"
#include "base/pieces.hpp"
#include "base/raw_numbers.hpp"
#include "linalg/colouring.hpp"
#include "linalg/contact_system/block_gradients.hpp"
#include "linalg/contact_system/body_arms.hpp"
#include "linalg/contact_system/front_lu.hpp"
#include "linalg/contact_system/small_inverse.hpp"

namespace stickslip::internal {
namespace {

/// Conjugate gradients that need more iterations are left; products with K that they are taken to need for the solves of one matrix.
constexpr long most_gradients = 1000;
constexpr double expected_products = 150;
/// The same for all solves of alternating directions with one penalty, whose right-hand sides get ever closer.
constexpr double penalty_products = 3000;
/// Of the first residual, what rounding leaves.
constexpr double no_digits_left = 1e-15;
/// Contact unknowns a degree of freedom up to which conjugate gradients are taken: more make K ill-conditioned, and ask for more
/// digits.
constexpr double little_redundancy = 2;

/// The least node of the body of each, bodies being what M couples.
std::vector<Index> bodies_of_nodes(const SparseMatrix& M, int rows) {
  std::vector<Index> least(std::size_t((M.rows() + rows - 1) / rows));
  std::iota(least.begin(), least.end(), 0);
  const auto root = [&](Index node) {
    while (least[std::size_t(node)] != node)
      node = least[std::size_t(node)] = least[std::size_t(least[std::size_t(node)])];
    return node;
  };
  for (Index i = 0; i < M.rows(); ++i)
    for (auto k = std::size_t(M.row_start()[std::size_t(i)]);
         k < std::size_t(M.row_start()[std::size_t(i) + 1]); ++k) {
      const Index here = root(i / rows), there = root(M.column()[k] / rows);
      least[std::size_t(std::max(here, there))] = std::min(here, there);
    }
  for (std::size_t node = 0; node < least.size(); ++node) least[node] = root(Index(node));
  return least;
}

/// Rows of M that belong together: six where M couples no others (rigid bodies), else three (nodes of a mesh, planar bodies).
int rows_a_node(const SparseMatrix& M) {
  if (M.rows() % 6 != 0) return 3;
  for (Index i = 0; i < M.rows(); ++i)
    for (auto k = std::size_t(M.row_start()[std::size_t(i)]);
         k < std::size_t(M.row_start()[std::size_t(i) + 1]); ++k)
      if (M.column()[k] / 6 != i / 6) return 3;
  return 6;
}

}  // namespace

struct BodySystem::Parts {
  virtual ~Parts() = default;
  virtual void analyse(const BodyFactors& factors) = 0;
  virtual bool factorise(std::span<const std::uint8_t> active, const double* left, const double* right,
                         double alpha) = 0;
  virtual void solve(std::span<double> x) = 0;
  virtual bool prepare_gradients(const double* right) = 0;
  virtual bool solve_by_gradients(std::span<double> x, double enough, double velocities) = 0;
  virtual bool prepare_penalty(const double* right) = 0;
  virtual bool solve_penalty(std::span<double> x, double energy) = 0;
  virtual double work() const = 0;
  virtual double bytes() const = 0;
  virtual double loose_bytes() const = 0;
  virtual double product_work() const = 0;
  virtual double unknowns() const = 0;
  bool gradients_pay() const {
    return !outside && unknowns() < little_redundancy * freedom &&
           work() * dense_speed > expected_products * product_work();
  }
  bool gradients_pay_for_a_penalty() const {
    return !outside && symmetric && work() * dense_speed > penalty_products * product_work();
  }

  int node_rows = 0, dimension = 0;
  double freedom = 0;      // rows of M
  bool symmetric = false;  // M
  ThreadTeam* team = nullptr;
  BlockSolver* outside = nullptr;  // who solves with K instead of the fronts
};

/// Nodes of N rows, contacts of D columns.
template <int N, int D>
struct BodySystem::Typed final : Parts, BodyArms<N, D> {
  using Arms = BodyArms<N, D>;
  using Arms::arm_area, Arms::node_area;
  using Arms::arms, Arms::first, Arms::n, Arms::node, Arms::nodes, Arms::places, Arms::places_start;
  using Arms::column, Arms::mass, Arms::mass_diagonal, Arms::mass_place, Arms::row_start;
  static constexpr std::size_t area = std::size_t(D) * D;

  void analyse(const BodyFactors& given) override {
    const SparseMatrix& M = *given.M;
    nodes = (M.rows() + N - 1) / N;
    this->take_arms(given, team);
    chunks = N == 6 && given.chunks ? *given.chunks : colour_by_nodes(nodes, first, node);
    this->find_pattern(M, team);
    pair_of.clear();
    symmetric = this->take_masses(M);
    diagonal.resize(mass_diagonal.size());
    numbers.resize(column.size() * node_area);  // not written, and so no memory, before K is factorised
    everyone.assign(std::size_t(nodes), 1);
    K.dimension = N;
    K.row_start = row_start;
    K.column = column;
    K.blocks = numbers.data();
    K.diagonals = diagonal.data();
    if (outside) {
      outside->set_bodies(bodies_of_nodes(M, N));
    } else {
      fronts.share(team);
      fronts.analyse(K);
      fronts.count(everyone);
      if (!gradients_pay() && !gradients_pay_for_a_penalty()) fronts.select(everyone);
    }
    inverse.resize(n * area);
    v.resize(std::size_t(nodes) * N);
    active.assign(n, 0);
  }

  bool factorise(std::span<const std::uint8_t> set, const double* left, const double* right,
                 double alpha) override {
    if (outside)
      return assemble(set, left, right, alpha) &&
             outside->factorise(K, symmetric && !left && mirrored(right) ? BlockSolver::Symmetry::symmetric
                                                                         : BlockSolver::Symmetry::general);
    return std::isfinite(fronts.work()) && assemble(set, left, right, alpha) &&
           fronts.factorise(everyone, nullptr, nullptr, 0) == 0;
  }

  /// Whether the blocks of the active contacts are symmetric up to rounding.
  bool mirrored(const double* blocks) const {
    constexpr double rounding = 1e-12;
    for (std::size_t i = 0; i < n; ++i) {
      const double* B = blocks + i * area;
      for (int a = 0; active[i] && a < D; ++a)
        for (int b = a + 1; b < D; ++b)
          if (std::abs(B[a + D * b] - B[b + D * a]) >
              rounding * (std::abs(B[a + D * a]) + std::abs(B[b + D * b])))
            return false;
    }
    return true;
  }

  bool prepare_gradients(const double* right) override {
    if (!symmetric) return false;
    find_pairs();
    return assemble_half(right, half) && gradients.prepare(pairs, half, diagonal, team);
  }

  bool prepare_penalty(const double* right) override {
    find_pairs();
    return assemble_half(right, whole_half) && whole_gradients.prepare(pairs, whole_half, diagonal, team);
  }

  /// The pairs of nodes a < b that K couples, and where its block of K has its place among them: all that conjugate gradients need.
  void find_pairs() {
    if (pair_of.size() == column.size()) return;
    pairs.find(row_start, column);
    mass_of_row.resize(std::size_t(nodes) * N);
    for (std::size_t k = 0; k < mass_of_row.size(); ++k)
      mass_of_row[k] = mass_diagonal[k / N * node_area + k % N * (N + 1)];
    pair_of.resize(column.size());
    std::size_t e = 0;
    for (std::size_t a = 0; a < std::size_t(nodes); ++a)
      for (auto k = std::size_t(row_start[a]); k < std::size_t(row_start[a + 1]); ++k)
        pair_of[k] = std::size_t(column[k]) > a ? Index(pairs.place[e++]) : -1;
  }

  /// K and the inverses of B.
  bool assemble(std::span<const std::uint8_t> set, const double* left, const double* right, double alpha) {
    in_pieces(team, column.size(), [&](std::size_t begin, std::size_t end) {
      std::fill_n(numbers.begin() + std::ptrdiff_t(begin * node_area), (end - begin) * node_area, 0.0);
    });
    for (std::size_t k = 0; k < mass_place.size(); ++k)
      std::copy_n(&mass[k * node_area], node_area, &numbers[std::size_t(mass_place[k]) * node_area]);
    return add_springs(set, left, right, alpha,
                       [&](Index at) { return &numbers[std::size_t(at) * node_area]; });
  }

  /// The same for a symmetric K: of two blocks that mirror each other one.
  template <class Number>
  bool assemble_half(const double* right, RawVector<Number>& blocks) {
    blocks.resize(pairs.size() * node_area);
    ask_for_large_pages(blocks.data(), blocks.size() * sizeof(Number));
    in_pieces(team, pairs.size(), [&](std::size_t begin, std::size_t end) {
      std::fill_n(blocks.data() + begin * node_area, (end - begin) * node_area, Number(0));
    });
    for (std::size_t k = 0; k < mass_place.size(); ++k)
      if (const Index to = pair_of[std::size_t(mass_place[k])]; to >= 0)
        std::copy_n(&mass[k * node_area], node_area, &blocks[std::size_t(to) * node_area]);
    return add_springs({}, nullptr, right, 0, [&](Index at) {
      const Index to = pair_of[std::size_t(at)];
      return to < 0 ? nullptr : &blocks[std::size_t(to) * node_area];
    });
  }

  /// block_of(place) is where a block beside the diagonal lies; nullptr: it is not wanted.
  template <class BlockOf>
  bool add_springs(std::span<const std::uint8_t> set, const double* left, const double* right, double alpha,
                   const BlockOf& block_of) {
    if (set.empty())
      std::fill(active.begin(), active.end(), 1);
    else
      std::copy(set.begin(), set.end(), active.begin());
    lefts = left;
    copy_in_pieces(team, mass_diagonal, diagonal);
    std::atomic<bool> regular = true;
    in_colours([&](std::size_t i) {
      if (active[i] && !add_spring(i, right, alpha, block_of)) regular = false;
    });
    return regular;
  }

  /// work(i) for the contacts; those of chunks that share a node one after the other.
  template <class Work>
  void in_colours(const Work& work) {
    for (std::size_t colour = 0; colour + 1 < chunks.colour_start.size(); ++colour) {
      const auto begin = std::size_t(chunks.colour_start[colour]);
      share(team, std::size_t(chunks.colour_start[colour + 1]) - begin, [&](std::size_t chunk) {
        for (auto k = std::size_t(chunks.chunk_start[begin + chunk]);
             k < std::size_t(chunks.chunk_start[begin + chunk + 1]); ++k)
          work(std::size_t(chunks.contacts[k]));
      });
    }
  }

  /// K ← K + H_i C_i H_iᵀ. False: B_i is singular.
  template <class BlockOf>
  bool add_spring(std::size_t i, const double* right, double alpha, const BlockOf& block_of) {
    const double* left = lefts;
    double B[area];
    for (std::size_t k = 0; k < area; ++k)
      B[k] = right[i * area + k] + (left ? alpha * left[i * area + k] : k % (D + 1) == 0 ? alpha : 0.0);
    double* inverted = &inverse[i * area];
    if (!invert_block<D>(B, inverted)) return false;
    double C[area];  // B⁻¹ L
    if (left)
      multiply_blocks<D>(inverted, left + i * area, C);
    else
      std::copy_n(inverted, area, C);
    const Index* at = &places[places_start[i]];
    for (std::size_t k = first[i]; k < first[i + 1]; ++k) {
      double arm[arm_area];  // A_k C
      for (int c = 0; c < D; ++c)
        for (int r = 0; r < N; ++r) {
          double sum = arms[k * arm_area + std::size_t(r)] * C[D * c];
          for (int b = 1; b < D; ++b) sum += arms[k * arm_area + std::size_t(N * b + r)] * C[b + D * c];
          arm[N * c + r] = sum;
        }
      for (std::size_t l = first[i]; l < first[i + 1]; ++l, ++at) {
        const double* other = &arms[l * arm_area];
        if (*at < 0)
          add_product(arm, other, &diagonal[std::size_t(node[k]) * node_area]);
        else if (auto* block = block_of(*at))
          add_product(arm, other, block);
      }
    }
    return true;
  }

  /// block ← block + A Bᵀ.
  template <class Number>
  static void add_product(const double* A, const double* B, Number* block) {
    for (int c = 0; c < N; ++c)
      for (int b = 0; b < D; ++b)
        for (int r = 0; r < N; ++r) block[r + N * c] += Number(A[N * b + r] * B[N * b + c]);
  }

  void solve(std::span<double> x) override {
    push(x);
    if (!outside)
      fronts.solve(v);
    else if (!outside->solve(v))
      std::fill(v.begin(), v.end(), std::numeric_limits<double>::quiet_NaN());
    answer(x);
  }

  bool solve_by_gradients(std::span<double> x, double enough, double velocities) override {
    push(x);
    const long taken =
        gradients.solve(v, {enough, velocities * std::sqrt(double(n)), mass_of_row.data()}, most_gradients);
    if (taken < 0 || taken == most_gradients) return false;
    answer(x);
    return true;
  }

  /// x changes by little from one right-hand side to the next, and so does v.
  bool solve_penalty(std::span<double> x, double energy) override {
    push(x);
    const typename WholeGradients::End end{.part = no_digits_left, .energy = energy};
    if (whole_gradients.solve(v, end, most_gradients, WholeGradients::Begin::at_the_last_solution) < 0)
      return false;
    answer(x);
    return true;
  }

  /// v ← H B⁻¹ x.
  void push(std::span<const double> x) {
    std::fill(v.begin(), v.end(), 0.0);
    in_colours([&](std::size_t i) {
      if (!active[i]) return;
      double moved[D];
      multiply_vector<D>(&inverse[i * area], &x[i * D], moved);
      for (std::size_t k = first[i]; k < first[i + 1]; ++k) {
        double* to = &v[std::size_t(node[k]) * N];
        for (int c = 0; c < D; ++c)
          for (int r = 0; r < N; ++r) to[r] += arms[k * arm_area + std::size_t(N * c + r)] * moved[c];
      }
    });
  }

  /// x ← B⁻¹ (x − L Hᵀ v).
  void answer(std::span<double> x) const {
    in_pieces(team, n, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        if (active[i]) answer(i, x);
    });
  }
  void answer(std::size_t i, std::span<double> x) const {
    double slip[D] = {};
    for (std::size_t k = first[i]; k < first[i + 1]; ++k) {
      const double* from = &v[std::size_t(node[k]) * N];
      for (int c = 0; c < D; ++c)
        for (int r = 0; r < N; ++r) slip[c] += arms[k * arm_area + std::size_t(N * c + r)] * from[r];
    }
    double rest[D];
    if (lefts)
      multiply_vector<D>(lefts + i * area, slip, rest);
    else
      std::copy_n(slip, D, rest);
    for (int c = 0; c < D; ++c) rest[c] = x[i * D + std::size_t(c)] - rest[c];
    multiply_vector<D>(&inverse[i * area], rest, &x[i * D]);
  }

  double work() const override {
    double assembling = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double count = double(first[i + 1] - first[i]);
      assembling += count * count * double(node_area) * D + count * double(arm_area) * D;
    }
    return (outside ? 0 : fronts.work()) + assembling;
  }
  double product_work() const override { return double((column.size() + std::size_t(nodes)) * node_area); }

  double unknowns() const override { return double(n * D); }

  double bytes() const override {
    return (outside ? 0 : fronts.bytes()) + common_bytes() +
           double(column.size() * node_area * sizeof(double));
  }
  double loose_bytes() const override {
    const double pairs_of_nodes = double(column.size()) / 2,
                 number = gradients_pay() ? sizeof(float) : sizeof(double);
    return common_bytes() + pairs_of_nodes * double(node_area) * number +
           double(column.size() * 2 * sizeof(Index)) + 3 * double(v.size() * sizeof(double));
  }
  double common_bytes() const {
    const auto of = [](const auto& list) { return double(list.size() * sizeof(list[0])); };
    return of(arms) + of(node) + of(first) + of(places) + of(places_start) + of(mass) + of(mass_diagonal) +
           of(diagonal) + of(column) + of(inverse) + of(v) + of(chunks.contacts) + of(active);
  }

  Colouring chunks;              // of contacts that share no node
  std::vector<double> diagonal;  // of K, by blocks
  RawNumbers numbers;            // K beside it, once it is factorised
  BlockPairs pairs;              // for conjugate gradients, half of it
  std::vector<Index> pair_of;
  RawVector<float> half;
  RawNumbers whole_half;  // the same with all digits
  std::vector<std::uint8_t> everyone, active;
  const double* lefts = nullptr;
  RawNumbers inverse;     // B⁻¹
  std::vector<double> v;  // velocities
  BlockView K;
  FrontLu fronts;
  using WholeGradients = BlockGradients<N>;
  BlockGradients<N, float> gradients;
  WholeGradients whole_gradients;
  std::vector<double> mass_of_row;  // the diagonal of M
};

BodySystem::BodySystem() = default;
BodySystem::~BodySystem() = default;
BodySystem::BodySystem(BodySystem&&) noexcept = default;
BodySystem& BodySystem::operator=(BodySystem&&) noexcept = default;

void BodySystem::analyse(const BodyFactors& given, int dimension, ThreadTeam* team) {
  const int rows = rows_a_node(*given.M);
  if (!parts_ || parts_->node_rows != rows || parts_->dimension != dimension) {
    with_dimension<3, 2, 1>(dimension, [&]<int D>() {
      if (rows == 6)
        parts_ = std::make_unique<Typed<6, D>>();
      else
        parts_ = std::make_unique<Typed<3, D>>();
    });
    parts_->node_rows = rows;
    parts_->dimension = dimension;
  }
  parts_->team = team;
  parts_->outside = given.solver;
  parts_->freedom = double(given.M->rows());
  parts_->analyse(given);
}

bool BodySystem::factorise(std::span<const std::uint8_t> active, const double* left, const double* right,
                           double alpha) {
  return parts_->factorise(active, left, right, alpha);
}
void BodySystem::solve(std::span<double> x) { parts_->solve(x); }
bool BodySystem::prepare_gradients(const double* right) { return parts_->prepare_gradients(right); }
bool BodySystem::solve_by_gradients(std::span<double> x, double enough, double velocities) {
  return parts_->solve_by_gradients(x, enough, velocities);
}
bool BodySystem::prepare_penalty(const double* right) { return parts_->prepare_penalty(right); }
bool BodySystem::solve_penalty(std::span<double> x, double energy) {
  return parts_->solve_penalty(x, energy);
}
bool BodySystem::gradients_pay_for_a_penalty() const { return parts_->gradients_pay_for_a_penalty(); }
double BodySystem::work() const { return parts_->work(); }
double BodySystem::bytes() const { return parts_->bytes(); }
double BodySystem::loose_bytes() const { return parts_->loose_bytes(); }
double BodySystem::product_work() const { return parts_->product_work(); }
bool BodySystem::gradients_pay() const { return parts_->gradients_pay(); }

}  // namespace stickslip::internal
