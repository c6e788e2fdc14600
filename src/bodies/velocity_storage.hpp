// How sweeps on velocities keep contacts and bodies: rigid bodies compactly, any others as dense blocks.
//
// Where M = Mᵀ both keep the scaled v̂ = Cᵀ v and Ĥ = C⁻¹ H with M = C Cᵀ body by body: then u = Ĥᵀ v̂ + w and
// v̂ ← v̂ + Ĥ Δr, one matrix for both ways and no mass in between. Translations of rigid bodies keep v and 1/m
// instead, so that the two bodies of a contact share its frame R. Column-major: Hᵀv multiplies columns by v
// and sums the lanes, HΔr adds columns times numbers.
//
// A storage has: set_loads (M⁻¹f anew), fill (the record of a contact of a chunk), couple (C = H_αᵀ M⁻¹ H_β with the contact β before it, where
// they share a body), free (the state of M⁻¹f), still (that of v = 0), gather (u += H_αᵀ v), scatter (v += M⁻¹ H_α Δr), both with
// absolute values too (gather_size, scatter_size), arms (Z⁻¹ H_α, M = Z Zᵀ), prefetch, unpack (state to v), first_lines (where the state of each body begins).
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "bodies/body_graph.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal::velocity_form {

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
using Dense = BodyGraph::Dense;

inline Four load(const double* x) { return *reinterpret_cast<const Four*>(x); }
inline void store(double* x, Four value) { *reinterpret_cast<Four*>(x) = value; }
/// (x, x, x, 0): a packed column of three brings a fourth number that does not belong to it.
inline Four three(double x) { return Four{x, x, x, 0}; }

/// (Part of) the velocity of a body: one cache line.
struct alignas(64) Line {
  double x[8] = {};
};
using State = std::vector<Line>;

/// C⁻¹ of M = C Cᵀ.
inline Dense inverse_factor(const Dense& M) {
  const Eigen::LLT<Dense> factor(M);
  if (factor.info() != Eigen::Success) throw InputError("M must be positive definite");
  return factor.matrixL().solve(Dense::Identity(M.rows(), M.cols()));
}

inline Dense rows_of(std::span<const double> f, std::span<const Index> rows) {
  Dense x(Index(rows.size()), 1);
  for (std::size_t k = 0; k < rows.size(); ++k) x(Index(k), 0) = f[std::size_t(rows[k])];
  return x;
}

/// A contact between rigid bodies: R and the arms of both, the arms that Δr meets, C.
template <class Local, bool symmetric>
struct alignas(64) RigidRecord {
  static constexpr bool has_block = true;
  static constexpr int arms = 9, pushed_arms = symmetric ? 9 : 27, coupling = pushed_arms + 18;
  double H[coupling + 9];
  double W[9], w[3];
  Local local;
  Index contact, a, b;
  bool coupled;

  double* C() { return H + coupling; }
  const double* block() const { return W; }
  double* block() { return W; }
  void take_away(const double* r, double* x) const {
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) x[i] -= W[i + 3 * j] * r[j];
  }
};

/// The one that piles are swept with is read from memory at each sweep, so it is kept short: 408 bytes, of which products with W need the first 256.
template <>
struct RigidRecord<ExactLocalSolver<3>, true> {
  static constexpr bool has_block = false;  // the local solver has it
  static constexpr int arms = 9, pushed_arms = 9;
  Index contact, a, b;
  bool coupled;
  double H[27], w[3];
  SymmetricExactLocalSolver local;
  double coupling[9];

  double* C() { return coupling; }
  void take_away(const double* r, double* x) const { local.take_away(r, x); }
};

/// Rigid bodies. A line is (v, 1/m, Cᵀω, 0); a contact has R and two arms C⁻¹G. J unsymmetric: (v, 1/m, ω,
/// 0), R, G, J⁻¹G.
template <class Local_, bool symmetric>
class RigidStorage {
 public:
  static constexpr int D = 3;
  static constexpr bool fills_in_order = false;
  using Local = Local_;
  using Record = RigidRecord<Local, symmetric>;

  RigidStorage(const BodyGraph& graph, Index chunks)
      : bodies_(std::size_t(graph.bodies())), free_(bodies_ + std::size_t(walls * chunks)) {
    for (std::size_t b = 0; b < bodies_; ++b) {
      const Dense M = graph.mass(Index(b));
      scale_.push_back(symmetric ? inverse_factor(M.bottomRightCorner(3, 3))
                                 : Dense(M.bottomRightCorner(3, 3).inverse()));
    }
    set_loads(graph);
    still_.resize(free_.size());
    for (std::size_t b = 0; b < bodies_; ++b) still_[b].x[3] = free_[b].x[3];
  }

  void set_loads(const BodyGraph& graph) {
    for (std::size_t b = 0; b < bodies_; ++b) {
      const double mass = graph.mass(Index(b))(0, 0);
      const Dense f = rows_of(graph.problem().f(), graph.rows(Index(b)));
      const Eigen::Vector3d omega = scale_[b] * f.bottomRows(3);
      double* x = free_[b].x;
      for (int c = 0; c < 3; ++c) x[c] = f(c, 0) / mass, x[4 + c] = omega[c];
      x[3] = 1 / mass;
    }
  }

  void fill(const BodyGraph& graph, Index contact, Index chunk, Record& record, double* block) const {
    const auto bodies = graph.bodies_of(contact);
    record.a = bodies[0];
    record.b = bodies[1] != BodyGraph::none ? bodies[1] : Index(bodies_) + walls * chunk + contact % walls;
    std::fill(std::begin(record.H), std::end(record.H), 0.0);
    const Eigen::Matrix3d R = graph.columns(contact, record.a).topRows(3);
    Eigen::Map<Eigen::Matrix3d>(record.H) = R;
    Eigen::Matrix3d W =
        (free_[std::size_t(record.a)].x[3] + free_[std::size_t(record.b)].x[3]) * R.transpose() * R;
    for (int side = 0; side < 2; ++side) {
      const Index body = bodies[std::size_t(side)];
      if (body == BodyGraph::none) continue;
      const Eigen::Matrix3d G = graph.columns(contact, body).bottomRows(3),
                            scaled = scale_[std::size_t(body)] * G;
      Eigen::Map<Eigen::Matrix3d> arm(record.H + Record::arms + 9 * side);
      arm = symmetric ? scaled : G;
      W += arm.transpose() * scaled;
      Eigen::Map<Eigen::Matrix3d>(record.H + Record::pushed_arms + 9 * side) = scaled;
    }
    Eigen::Map<Eigen::Matrix3d>{block} = W;
  }

  void couple(const Record& before, Record& record) const {
    const auto block = [](const Record& of, int at) { return Eigen::Map<const Eigen::Matrix3d>(of.H + at); };
    Eigen::Map<Eigen::Matrix3d> C(record.C());
    const Index mine[2] = {record.a, record.b}, others[2] = {before.a, before.b};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        if (mine[i] != others[j] || mine[i] >= Index(bodies_)) continue;
        const double inverse_mass = free_[std::size_t(mine[i])].x[3];
        C += (i == j ? inverse_mass : -inverse_mass) * block(record, 0).transpose() * block(before, 0);
        C += block(record, Record::arms + 9 * i).transpose() * block(before, Record::pushed_arms + 9 * j);
        record.coupled = true;
      }
  }

  const State& free() const { return free_; }
  const State& still() const { return still_; }
  std::size_t bytes() const { return 0; }

  static void gather(const Line* state, const Record& record, double* u) {
    const double *x = state[record.a].x, *y = state[record.b].x, *R = record.H, *G = record.H + Record::arms;
    const Four v = load(x) - load(y), omega_a = load(x + 4), omega_b = load(y + 4);
    for (int j = 0; j < 9; j += 3) {
      const Four s = load(G + j) * omega_a + load(G + 9 + j) * omega_b + load(R + j) * v;
      u[j / 3] += s[2];
      u[j / 3] += s[0] + s[1];
    }
  }

  static void scatter(Line* state, const Record& record, const double* dr) {
    double *x = state[record.a].x, *y = state[record.b].x;
    const double *R = record.H, *G = record.H + Record::pushed_arms;
    const Four d0 = three(dr[0]), d1 = three(dr[1]), d2 = three(dr[2]);
    // The local solver finds r_N last.
    const auto times = [&](const double* B) { return load(B + 3) * d1 + load(B + 6) * d2 + load(B) * d0; };
    const Four p = times(R);
    store(x, load(x) + x[3] * p);
    store(y, load(y) - y[3] * p);
    store(x + 4, load(x + 4) + times(G));
    store(y + 4, load(y + 4) + times(G + 9));
  }

  void arms(const Record& record, int rows, double* first, double* second) const {
    const auto copy = [&](Index body, double sign, const double* arm, double* to) {
      const double root = sign * std::sqrt(free_[std::size_t(body)].x[3]);  // of 1/m; 0 for walls
      for (int j = 0; j < 3; ++j)
        for (int c = 0; c < 3; ++c) {
          to[rows * j + c] = root * record.H[3 * j + c];
          to[rows * j + 3 + c] = arm[3 * j + c];
        }
    };
    copy(record.a, 1, record.H + Record::arms, first);
    copy(record.b, -1, record.H + Record::arms + 9, second);
  }

  static void gather_size(const Line* state, const Record& record, double* s) {
    const double *x = state[record.a].x, *y = state[record.b].x, *R = record.H, *G = record.H + Record::arms;
    for (int j = 0; j < 3; ++j)
      for (int c = 0; c < 3; ++c)
        s[j] += std::abs(R[3 * j + c]) * (x[c] + y[c]) + std::abs(G[3 * j + c]) * x[4 + c] +
                std::abs(G[9 + 3 * j + c]) * y[4 + c];
  }

  static void scatter_size(Line* state, const Record& record, const double* r) {
    double *x = state[record.a].x, *y = state[record.b].x;
    const double *R = record.H, *G = record.H + Record::pushed_arms;
    for (int j = 0; j < 3; ++j)
      for (int c = 0; c < 3; ++c) {
        const double p = std::abs(R[3 * j + c] * r[j]);
        x[c] += x[3] * p;
        y[c] += y[3] * p;
        x[4 + c] += std::abs(G[3 * j + c] * r[j]);
        y[4 + c] += std::abs(G[9 + 3 * j + c] * r[j]);
      }
  }

  std::vector<Index> first_lines() const {
    std::vector<Index> first(bodies_ + 1);
    std::iota(first.begin(), first.end(), 0);
    return first;
  }

  static void prefetch(const Line* state, const Record& record) {
    __builtin_prefetch(&state[record.a], 1);
    __builtin_prefetch(&state[record.b], 1);
  }

  void unpack(const State& state, double* v) const {
    for (std::size_t b = 0; b < bodies_; ++b) {
      const Eigen::Map<const Eigen::Vector3d> omega(state[b].x + 4);
      std::copy_n(state[b].x, 3, v + 6 * b);
      Eigen::Map<Eigen::Vector3d>(v + 6 * b + 3) =
          symmetric ? Eigen::Vector3d(scale_[b].transpose() * omega) : omega;
    }
  }

 private:
  /// The second body of contacts with one: at rest, infinitely heavy; several a chunk, so that they do not wait for
  /// each other, and threads do not share them.
  static constexpr Index walls = 8;

  std::size_t bodies_;
  State free_, still_;                  // M⁻¹f; at rest
  std::vector<Eigen::Matrix3d> scale_;  // C⁻¹ or J⁻¹
};

/// Any bodies of at most 12 rows, padded to multiples of four. M unsymmetric: H and M⁻¹H side by side instead
/// of Ĥ.
template <int Dimension, class Local_>
class DenseStorage {
 public:
  static constexpr int D = Dimension;
  static constexpr bool fills_in_order = true;  // blocks are appended
  using Local = Local_;
  struct Record {
    static constexpr bool has_block = true;
    const double *H, *Y;  // 4·fours(a) + 4·fours(b) rows
    Index a, b;           // first lines
    int fours_a, fours_b;
    double W[D * D], w[D], coupling[D * D];
    Local local;
    Index contact;
    bool coupled;

    double* C() { return coupling; }
    const double* block() const { return W; }
    double* block() { return W; }
    void take_away(const double* r, double* x) const {
      for (int j = 0; j < D; ++j)
        for (int i = 0; i < D; ++i) x[i] -= W[i + D * j] * r[j];
    }
  };

  DenseStorage(const BodyGraph& graph, Index) : symmetric_(graph.symmetric()) {
    for (Index b = 0; b < graph.bodies(); ++b) {
      const Dense M = graph.mass(b);
      const Dense scale = symmetric_ ? inverse_factor(M) : Dense(Eigen::PartialPivLU<Dense>(M).inverse());
      scales_.insert(scales_.end(), scale.data(), scale.data() + scale.size());
      scale_start_.push_back(scales_.size());
      rows_.insert(rows_.end(), graph.rows(b).begin(), graph.rows(b).end());
      row_start_.push_back(rows_.size());
      first_.push_back(first_.back() + Index(M.rows() + 7) / 8);
      free_.resize(std::size_t(first_.back()));
    }
    set_loads(graph);
    std::size_t numbers = 0;
    for (Index i = 0; i < graph.problem().contacts(); ++i)
      for (Index b : graph.bodies_of(i))
        if (b != BodyGraph::none) numbers += std::size_t(fours(graph, b) * 4 * D) * (symmetric_ ? 1 : 2);
    blocks_.reserve(numbers);  // records point into it
    still_.resize(free_.size());
  }

  void set_loads(const BodyGraph& graph) {
    for (Index b = 0; b < graph.bodies(); ++b) {
      const Dense f = rows_of(graph.problem().f(), graph.rows(b));
      Eigen::Map<Eigen::VectorXd>(free_[std::size_t(first_[std::size_t(b)])].x, f.rows()) = scale(b) * f;
    }
  }

  void fill(const BodyGraph& graph, Index contact, Index, Record& record, double* block) {
    const auto bodies = graph.bodies_of(contact);
    record.a = record.b = first_[std::size_t(bodies[0])];
    record.fours_a = fours(graph, bodies[0]);
    record.fours_b = 0;
    if (bodies[1] != BodyGraph::none) {
      record.b = first_[std::size_t(bodies[1])];
      record.fours_b = fours(graph, bodies[1]);
    }
    Eigen::Matrix<double, D, D> W = Eigen::Matrix<double, D, D>::Zero();
    const auto append = [&](const Dense& B, int quads) {
      for (int j = 0; j < D; ++j)
        for (int i = 0; i < 4 * quads; ++i) blocks_.push_back(i < B.rows() ? B(i, j) : 0.0);
    };
    const auto append_bodies = [&](bool left) {
      for (Index b : bodies) {
        if (b == BodyGraph::none) continue;
        const Dense H = graph.columns(contact, b), Y = scale(b) * H;
        append(left && !symmetric_ ? H : Y, fours(graph, b));
        if (left) W += (symmetric_ ? Y : H).transpose() * Y;
      }
    };
    const std::size_t begin = blocks_.size();
    append_bodies(true);
    const std::size_t middle = symmetric_ ? begin : blocks_.size();
    if (!symmetric_) append_bodies(false);
    record.H = blocks_.data() + begin;
    record.Y = blocks_.data() + middle;
    Eigen::Map<Eigen::Matrix<double, D, D>>{block} = W;
  }

  void couple(const Record& before, Record& record) const {
    const auto block = [](const double* blocks, const Record& of, int side) {
      return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, D>>(
          blocks + 4 * D * (side == 0 ? 0 : of.fours_a), 4 * (side == 0 ? of.fours_a : of.fours_b), D);
    };
    Eigen::Map<Eigen::Matrix<double, D, D>> C(record.C());
    const Index mine[2] = {record.a, record.b}, others[2] = {before.a, before.b};
    for (int i = 0; i < (record.fours_b == 0 ? 1 : 2); ++i)
      for (int j = 0; j < (before.fours_b == 0 ? 1 : 2); ++j) {
        if (mine[i] != others[j]) continue;
        C += block(record.H, record, i).transpose() * block(before.Y, before, j);
        record.coupled = true;
      }
  }

  const State& free() const { return free_; }
  const State& still() const { return still_; }
  std::size_t bytes() const { return blocks_.size() * sizeof(double); }

  static void gather(const Line* state, const Record& record, double* u) {
    Four sum[D] = {};
    const double* H = add_columns(record.H, state[record.a].x, record.fours_a, sum);
    add_columns(H, state[record.b].x, record.fours_b, sum);
    for (int j = 0; j < D; ++j) u[j] += (sum[j][0] + sum[j][1]) + (sum[j][2] + sum[j][3]);
  }

  static void scatter(Line* state, const Record& record, const double* dr) {
    const double* Y = add_product(record.Y, dr, record.fours_a, state[record.a].x);
    add_product(Y, dr, record.fours_b, state[record.b].x);
  }

  void arms(const Record& record, int rows, double* first, double* second) const {
    const auto copy = [&](const double* arm, int quads, double* to) {
      for (int j = 0; j < D; ++j)
        std::copy_n(arm + 4 * quads * j, std::min(4 * quads, rows), to + std::ptrdiff_t(rows) * j);
      return arm + 4 * D * quads;
    };
    copy(copy(record.H, record.fours_a, first), record.fours_b, second);
  }

  static void gather_size(const Line* state, const Record& record, double* s) {
    const double* H = record.H;
    const auto add = [&](const double* x, int quads) {
      for (int j = 0; j < D; ++j)
        for (int i = 0; i < 4 * quads; ++i) s[j] += std::abs(*H++) * x[i];
    };
    add(state[record.a].x, record.fours_a);
    add(state[record.b].x, record.fours_b);
  }

  static void scatter_size(Line* state, const Record& record, const double* r) {
    const double* Y = record.Y;
    const auto add = [&](double* x, int quads) {
      for (int j = 0; j < D; ++j)
        for (int i = 0; i < 4 * quads; ++i) x[i] += std::abs(*Y++ * r[j]);
    };
    add(state[record.a].x, record.fours_a);
    add(state[record.b].x, record.fours_b);
  }

  const std::vector<Index>& first_lines() const { return first_; }

  static void prefetch(const Line* state, const Record& record) {
    __builtin_prefetch(&state[record.a], 1);
    __builtin_prefetch(&state[record.b], 1);
    for (int k = 0; k < 4 * D * (record.fours_a + record.fours_b); k += 8) __builtin_prefetch(record.H + k);
  }

  void unpack(const State& state, double* v) const {
    for (Index b = 0; b + 1 < Index(first_.size()); ++b) {
      const auto C = scale(b);
      const Eigen::Map<const Eigen::VectorXd> x(state[std::size_t(first_[std::size_t(b)])].x, C.rows());
      const Dense physical = symmetric_ ? Dense(C.transpose() * x) : Dense(x);
      for (Index k = 0; k < C.rows(); ++k)
        v[rows_[row_start_[std::size_t(b)] + std::size_t(k)]] = physical(k, 0);
    }
  }

 private:
  static int fours(const BodyGraph& graph, Index body) { return int(graph.rows(body).size() + 3) / 4; }
  /// C⁻¹, or M⁻¹ of an unsymmetric M.
  Eigen::Map<const Eigen::MatrixXd> scale(Index body) const {
    const auto b = std::size_t(body);
    const auto n = Eigen::Index(row_start_[b + 1] - row_start_[b]);
    return {scales_.data() + scale_start_[b], n, n};
  }

  /// sum_j ← sum_j + H_j ∘ v; returns what follows H.
  static const double* add_columns(const double* H, const double* v, int quads, Four* sum) {
    for (int j = 0; j < D; ++j)
      for (int k = 0; k < quads; ++k, H += 4) sum[j] += load(H) * load(v + 4 * k);
    return H;
  }

  static const double* add_product(const double* Y, const double* dr, int quads, double* v) {
    for (int k = 0; k < quads; ++k) {
      Four sum = load(v + 4 * k);
      for (int j = 0; j < D; ++j) sum += load(Y + 4 * (j * quads + k)) * dr[j];
      store(v + 4 * k, sum);
    }
    return Y + 4 * D * quads;
  }

  bool symmetric_;
  std::vector<Index> first_ = {0}, rows_;  // the first line of each body; rows of v, body by body
  std::vector<std::size_t> row_start_ = {0}, scale_start_ = {0};
  std::vector<double> scales_;
  State free_, still_;
  std::vector<double> blocks_;
};

}  // namespace stickslip::internal::velocity_form
