#include "bodies/spring_system.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/exact_sum.hpp"
#include "base/large_pages.hpp"
#include "base/pieces.hpp"
#include "base/raw_numbers.hpp"
#include "linalg/small_cholesky.hpp"

namespace stickslip::internal {
namespace {

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef float FourFloats __attribute__((vector_size(16), aligned(4), may_alias));

Four load(const double* x) { return *reinterpret_cast<const Four*>(x); }
void store(double* x, Four value) { *reinterpret_cast<Four*>(x) = value; }
Four load(const float* x) { return __builtin_convertvector(*reinterpret_cast<const FourFloats*>(x), Four); }
double sum(Four x) { return (x[0] + x[1]) + (x[2] + x[3]); }

std::size_t whole_lines(std::size_t numbers) { return (numbers + Halo::line - 1) / Halo::line; }

/// Contacts of D numbers; bodies of at most 4·Q rows.
template <int D, int Q>
class TypedSpringSystem final : public SpringSystem {
  static constexpr std::size_t rows = 4 * Q, lines = (rows + Halo::line - 1) / Halo::line,
                               stride = lines * Halo::line;
  using Block = Eigen::Matrix<double, D, D>;
  using Arm = Eigen::Matrix<double, int(rows), D>;
  using Column = Eigen::Matrix<double, D, 1>;
  using Motion = Eigen::Matrix<double, int(rows), 1>;
  enum class Arms { rounded, exact };

  /// Z⁻¹ H S of both bodies, column by column, and B⁻¹ by its lower columns.
  struct alignas(16) Record {
    float H[2][D][rows];
    double C[D * (D + 1) / 2];

    void multiply(const double* x, double* y) const {
      for (int i = 0; i < D; ++i) y[i] = 0;
      const double* c = C;
      for (int j = 0; j < D; ++j) {
        y[j] += *c++ * x[j];
        for (int i = j + 1; i < D; ++i, ++c) y[i] += *c * x[j], y[j] += *c * x[i];
      }
    }
  };

 public:
  TypedSpringSystem(const Place& place, std::span<const double> scale, std::span<const std::uint8_t> idle,
                    std::size_t body_rows)
      : place_(place),
        scale_(scale),
        idle_(idle),
        body_rows_(body_rows),
        block_lines_(whole_lines(body_rows * rows)),
        bodies_(std::size_t(place.bodies.bodies())),
        home_(bodies_, place.share ? 0 : 1) {
    if (place.share) {
      for (const Index body : place.share->home) home_[std::size_t(body)] = 1;
      halo_ = halo(lines);
      block_halo_ = halo(block_lines_);
    }
    for (auto* vector : {&x_, &r_, &z_, &p_, &y_}) vector->resize(bodies_ * stride);
    in_pieces(place_.team, z_.size(), [&](std::size_t from, std::size_t to) {
      std::fill(z_.data() + from, z_.data() + to, 0.0);  // rows that bodies do not have remain so
    });
  }

  bool prepare(const double* blocks) override {
    blocks_ = blocks;
    first_size_ = 0;
    records_.resize(place_.layout.contacts.size());
    ask_for_large_pages(records_.data(), records_.size() * sizeof(Record));
    std::atomic<bool> definite = true;
    share(place_.team, std::size_t(place_.layout.chunks()), [&](std::size_t chunk) {
      each_of(chunk, [&](std::size_t k, Index contact) {
        if (!fill(contact, records_[k])) definite = false;
      });
    });
    const bool inverted = invert_diagonal();
    return agreed(definite && inverted);
  }

  long solve(std::span<double> x, const End& end, long iterations) override {
    first_size_ = 0;
    push<Arms::rounded>(x);
    const double few = end.velocities * end.velocities * double(contacts_in_all());
    in_pieces(place_.team, x_.size(),
              [&](std::size_t from, std::size_t to) { std::fill(x_.data() + from, x_.data() + to, 0.0); });
    Sizes now = precondition(0);
    const double goal = end.part * end.part * now.preconditioned;
    copy_in_pieces(place_.team, z_, p_);
    long k = 0;
    for (; now.preconditioned > goal && now.plain > few; ++k) {
      if (k == iterations) return -1;
      const double curvature = multiply();
      if (!(curvature > 0)) return -1;
      const Sizes next = precondition(now.preconditioned / curvature);
      turn(next.preconditioned / now.preconditioned);
      now = next;
    }
    answer<Arms::rounded>(x);
    return std::isfinite(now.preconditioned) ? k : -1;
  }

  long go_on(std::span<double> x, double energy, long iterations) override {
    if (first_size_ == 0) {
      in_pieces(place_.team, x_.size(),
                [&](std::size_t from, std::size_t to) { std::fill(x_.data() + from, x_.data() + to, 0.0); });
      push<Arms::exact>(x);
    } else {
      push_what_lacks(x);
    }
    double left = precondition(0).preconditioned;
    if (first_size_ == 0) first_size_ = left;
    copy_in_pieces(place_.team, z_, p_);
    double fallen[delay] = {};
    for (long k = 0; k < iterations && left > no_digits_left * first_size_; ++k) {
      const double curvature = multiply();
      if (!(curvature > 0)) return -1;
      const double next = precondition(left / curvature).preconditioned;
      fallen[k % delay] = left * left / curvature;
      turn(next / left);
      left = next;
      if (k + 1 >= delay && std::accumulate(fallen, fallen + delay, 0.0) <= energy) break;
    }
    answer<Arms::exact>(x);
    return std::isfinite(left) ? 0 : -1;
  }

 private:
  static constexpr long delay = 4;
  /// Of the first residual's square, what rounding leaves.
  static constexpr double no_digits_left = 1e-30;

  /// ê·z and ê·ê of a residual ê and its preconditioned z.
  struct Sizes {
    double preconditioned, plain;
  };
  struct Sums {
    ExactSum preconditioned, plain;
    void operator+=(const Sums& other) {
      preconditioned += other.preconditioned;
      plain += other.plain;
    }
  };

  std::unique_ptr<Halo> halo(std::size_t lines_a_body) const {
    std::vector<Index> first(bodies_ + 1);
    for (std::size_t b = 0; b <= bodies_; ++b) first[b] = Index(b * lines_a_body);
    return std::make_unique<Halo>(place_.share->halo, first, *place_.ranks);
  }

  Index contacts_in_all() const {
    return place_.share ? place_.share->contacts_in_all : Index(place_.layout.contacts.size());
  }

  bool agreed(bool mine) const {
    double failed = mine ? 0 : 1;
    if (place_.ranks) place_.ranks->largest({&failed, 1});
    return failed == 0;
  }

  /// work(place, contact) for the contacts of a chunk.
  template <class Work>
  void each_of(std::size_t chunk, const Work& work) const {
    const Colouring& layout = place_.layout;
    for (auto k = std::size_t(layout.chunk_start[chunk]); k < std::size_t(layout.chunk_start[chunk + 1]); ++k)
      work(k, layout.contacts[k]);
  }

  /// work(place, contact) chunk by chunk and colour by colour, on numbers that pass between ranks.
  template <class Work>
  void in_colours(Halo* passing, double* numbers, const Work& work) const {
    const Colouring& layout = place_.layout;
    for (std::size_t colour = 0; colour < std::size_t(layout.colours()); ++colour) {
      const auto begin = std::size_t(layout.colour_start[colour]);
      share(place_.team, std::size_t(layout.colour_start[colour + 1]) - begin,
            [&](std::size_t chunk) { each_of(begin + chunk, work); });
      if (passing) passing->after_colour(colour, numbers);
    }
    if (!passing) return;
    ++place_.ranks->passes().springs;
    place_.ranks->passes().spring_lines += std::int64_t(passing == halo_.get() ? lines : block_lines_);
    passing->everywhere(numbers);
  }

  /// The bodies of a contact; where there is one, it is both, and the second arm vanishes.
  std::array<std::size_t, 2> bodies_of(Index contact) const {
    const auto [a, b] = place_.bodies.bodies_of(contact);
    return {std::size_t(a), std::size_t(b != BodyGraph::none ? b : a)};
  }

  /// Z⁻¹ H S of a contact.
  void arms_of(Index contact, Arm (&arms)[2]) const {
    place_.sweep.arms(contact, int(rows), arms[0].data(), arms[1].data());
    for (Arm& arm : arms) {
      arm *= scale_[std::size_t(contact)];
      if (!idle_.empty() && idle_[std::size_t(contact)]) arm.rightCols(D - 1).setZero();
    }
  }

  template <Arms which>
  void arms_of(std::size_t k, Index contact, Arm (&arms)[2]) const {
    if constexpr (which == Arms::exact) return arms_of(contact, arms);
    for (int side = 0; side < 2; ++side)
      arms[side] = Eigen::Map<const Eigen::Matrix<float, int(rows), D>>(records_[k].H[side][0])
                       .template cast<double>();
  }

  Eigen::Map<const Motion> motion_of(std::size_t body) const {
    return Eigen::Map<const Motion>(&x_[body * stride]);
  }

  Block block_of(Index contact) const {
    return Eigen::Map<const Block>(blocks_ + std::size_t(contact) * D * D);
  }

  /// False: its block is not positive definite.
  bool fill(Index contact, Record& record) const {
    Block factor = block_of(contact), inverse = Block::Identity();
    if (!cholesky<D>(factor.data())) return false;
    double* c = record.C;
    for (int j = 0; j < D; ++j) {
      solve_lower<D>(factor.data(), &inverse(0, j));
      solve_lower_transposed<D>(factor.data(), &inverse(0, j));
      c = std::copy_n(&inverse(j, j), D - j, c);
    }
    Arm arms[2];
    arms_of(contact, arms);
    for (int side = 0; side < 2; ++side)
      Eigen::Map<Eigen::Matrix<float, int(rows), D>>(record.H[side][0]) = arms[side].template cast<float>();
    return true;
  }

  /// The inverse Cholesky factors of I + Σ H C Hᵀ of each body: of rounded ones the product is positive definite all the same. False: one
  /// block is not.
  bool invert_diagonal() {
    const std::size_t length = block_lines_ * Halo::line;
    RawNumbers diagonal(bodies_ * length);
    in_pieces(place_.team, bodies_, [&](std::size_t begin, std::size_t end) {
      std::fill(diagonal.data() + begin * length, diagonal.data() + end * length, 0.0);
      for (std::size_t b = begin; b < end; ++b)
        for (std::size_t c = 0; c < body_rows_; ++c) diagonal[b * length + c * (rows + 1)] = 1;
    });
    in_colours(block_halo_.get(), diagonal.data(), [&](std::size_t k, Index contact) {
      const auto bodies = bodies_of(contact);
      for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t j = 0; j < D; ++j) {
          double unit[D] = {}, column[D];
          unit[j] = 1;
          records_[k].multiply(unit, column);
          const auto& H = records_[k].H[side];
          double* block = &diagonal[bodies[side] * length];
          for (std::size_t c = 0; c < body_rows_; ++c)
            for (std::size_t q = 0; q < rows; q += 4) {
              Four moved = {};
              for (std::size_t i = 0; i < D; ++i) moved += column[i] * load(&H[i][q]);
              double* to = block + c * rows + q;
              store(to, load(to) + double(H[j][c]) * moved);
            }
        }
    });
    inverse_.resize(bodies_ * body_rows_ * rows);
    std::atomic<bool> definite = true;
    in_pieces(place_.team, bodies_, [&](std::size_t begin, std::size_t end) {
      using Square =
          Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, int(rows), int(rows)>;
      for (std::size_t b = begin; b < end; ++b) {
        const auto n = Eigen::Index(body_rows_);
        const Eigen::LLT<Square> factor(
            Square(Eigen::Map<const Eigen::Matrix<double, int(rows), Eigen::Dynamic>>(&diagonal[b * length],
                                                                                      int(rows), n)
                       .topRows(n)));
        if (factor.info() != Eigen::Success) definite = false;
        const Square inverted = factor.matrixL().solve(Square::Identity(n, n));
        Eigen::Map<Eigen::Matrix<float, int(rows), Eigen::Dynamic>> to(&inverse_[b * body_rows_ * rows],
                                                                       int(rows), n);
        to.setZero();
        to.topRows(n) = inverted.template cast<float>();
      }
    });
    return definite;
  }

  /// r ← Σ Z⁻¹ H B⁻¹ x.
  template <Arms which>
  void push(std::span<const double> x) {
    in_pieces(place_.team, r_.size(),
              [&](std::size_t from, std::size_t to) { std::fill(r_.data() + from, r_.data() + to, 0.0); });
    push_contacts<which, false>(x);
  }

  /// r ← Σ Z⁻¹ H B⁻¹ x − K̂ v̂.
  void push_what_lacks(std::span<const double> x) {
    in_pieces(place_.team, r_.size(), [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) r_[i] = -x_[i];
    });
    push_contacts<Arms::exact, true>(x);
  }

  /// r ← r + Σ Z⁻¹ H B⁻¹ x, or x − Hᵀ v in place of x.
  template <Arms which, bool moving>
  void push_contacts(std::span<const double> x) {
    in_colours(halo_.get(), r_.data(), [&](std::size_t k, Index contact) {
      Column at = Eigen::Map<const Column>(&x[std::size_t(contact) * D]), moved;
      const auto bodies = bodies_of(contact);
      Arm arms[2];
      arms_of<which>(k, contact, arms);
      if constexpr (moving)
        for (std::size_t side = 0; side < 2; ++side) at -= arms[side].transpose() * motion_of(bodies[side]);
      records_[k].multiply(at.data(), moved.data());
      for (std::size_t side = 0; side < 2; ++side)
        Eigen::Map<Motion>(&r_[bodies[side] * stride]) += arms[side] * moved;
    });
  }

  /// x ← B⁻¹ (x − Hᵀ v).
  template <Arms which>
  void answer(std::span<double> x) const {
    share(place_.team, std::size_t(place_.layout.chunks()), [&](std::size_t chunk) {
      each_of(chunk, [&](std::size_t k, Index contact) {
        double* const own = &x[std::size_t(contact) * D];
        Column left = Eigen::Map<const Column>(own);
        const auto bodies = bodies_of(contact);
        Arm arms[2];
        arms_of<which>(k, contact, arms);
        for (std::size_t side = 0; side < 2; ++side) left -= arms[side].transpose() * motion_of(bodies[side]);
        records_[k].multiply(left.data(), own);
      });
    });
  }

  /// p ← z + part p.
  void turn(double part) {
    in_pieces(place_.team, bodies_, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from * stride; i < to * stride; i += 4)
        store(&p_[i], load(&z_[i]) + part * load(&p_[i]));
    });
  }

  /// A step along p, unless it is 0; then z ← L⁻ᵀ L⁻¹ r of each body.
  Sizes precondition(double step) {
    auto sums = sum_in_pieces<Sums>(place_.team, bodies_, [&](std::size_t begin, std::size_t end) {
      Sums part;
      for (std::size_t b = begin; b < end; ++b) {
        double* const r = &r_[b * stride];
        Four own[Q], turned[Q] = {};
        for (std::size_t q = 0; q < Q; ++q) {
          const std::size_t at = b * stride + 4 * q;
          own[q] = load(r + 4 * q);
          if (step == 0) continue;
          store(&x_[at], load(&x_[at]) + step * load(&p_[at]));
          own[q] -= step * load(&y_[at]);
          store(r + 4 * q, own[q]);
        }
        const float* inverse = &inverse_[b * body_rows_ * rows];
        for (std::size_t c = 0; c < body_rows_; ++c)
          for (std::size_t q = 0; q < Q; ++q) turned[q] += r[c] * load(inverse + c * rows + 4 * q);
        for (std::size_t c = 0; c < body_rows_; ++c) {
          Four along = {};
          for (std::size_t q = 0; q < Q; ++q) along += turned[q] * load(inverse + c * rows + 4 * q);
          z_[b * stride + c] = sum(along);
        }
        Four product = {}, square = {};
        for (std::size_t q = 0; q < Q; ++q) {
          product += turned[q] * turned[q];
          square += own[q] * own[q];
        }
        if (!home_[b]) continue;
        part.preconditioned.add(sum(product));
        part.plain.add(sum(square));
      }
      return part;
    });
    add_up(place_.ranks, {&sums.preconditioned, &sums.plain});
    return {sums.preconditioned.value(), sums.plain.value()};
  }

  /// y ← K̂ p; p·y.
  double multiply() {
    copy_in_pieces(place_.team, p_, y_);
    const auto& contacts = place_.layout.contacts;
    in_colours(halo_.get(), y_.data(), [&](std::size_t k, Index contact) {
      constexpr std::size_t ahead = 6;
      if (k + ahead < contacts.size())
        for (const std::size_t body : bodies_of(contacts[k + ahead])) {
          __builtin_prefetch(&p_[body * stride]);
          __builtin_prefetch(&y_[body * stride], 1);
        }
      const auto [a, b] = bodies_of(contact);
      add_spring(records_[k], &p_[a * stride], &p_[b * stride], &y_[a * stride], &y_[b * stride]);
    });
    auto product = sum_in_pieces<ExactSum>(place_.team, bodies_, [&](std::size_t begin, std::size_t end) {
      ExactSum part;
      for (std::size_t i = begin; i < end; ++i) {
        if (!home_[i]) continue;
        Four own = {};
        for (std::size_t q = 0; q < rows; q += 4)
          own += load(&p_[i * stride + q]) * load(&y_[i * stride + q]);
        part.add(sum(own));
      }
      return part;
    });
    add_up(place_.ranks, {&product});
    return product.value();
  }

  /// y ← y + H C Hᵀ p.
  static void add_spring(const Record& record, const double* pa, const double* pb, double* ya, double* yb) {
    Four H[2][D][Q], along[D] = {};
    for (int j = 0; j < D; ++j)
      for (int q = 0; q < Q; ++q) {
        H[0][j][q] = load(&record.H[0][j][4 * q]);
        H[1][j][q] = load(&record.H[1][j][4 * q]);
        along[j] += H[0][j][q] * load(pa + 4 * q) + H[1][j][q] * load(pb + 4 * q);
      }
    double u[D], t[D];
    for (int j = 0; j < D; ++j) u[j] = sum(along[j]);
    record.multiply(u, t);
    const auto push = [&](const Four(&arm)[D][Q], double* y) {
      for (int q = 0; q < Q; ++q) {
        Four to = load(y + 4 * q);
        for (int j = 0; j < D; ++j) to += t[j] * arm[j][q];
        store(y + 4 * q, to);
      }
    };
    push(H[0], ya);
    push(H[1], yb);
  }

  Place place_;
  std::span<const double> scale_;
  std::span<const std::uint8_t> idle_;
  std::size_t body_rows_, block_lines_;  // rows of the largest body; lines of its diagonal block
  std::size_t bodies_;
  std::vector<std::uint8_t> home_;  // bodies whose numbers are added up here
  const double* blocks_ = nullptr;
  double first_size_ = 0;      // of the first residual of go_on with these blocks; 0: there was none
  RawVector<Record> records_;  // in the order of the layout
  RawVector<float> inverse_;   // L⁻¹ of the diagonal blocks
  RawNumbers x_, r_, z_, p_, y_;
  std::unique_ptr<Halo> halo_, block_halo_;
};

}  // namespace

std::unique_ptr<SpringSystem> SpringSystem::make(const Place& place, std::span<const double> scale,
                                                 std::span<const std::uint8_t> idle) {
  double largest = 1;
  for (Index b = 0; b < place.bodies.bodies(); ++b)
    largest = std::max(largest, double(place.bodies.rows(b).size()));
  if (place.ranks) place.ranks->largest({&largest, 1});
  const auto make = [&]<int D, int Q>() -> std::unique_ptr<SpringSystem> {
    return std::make_unique<TypedSpringSystem<D, Q>>(place, scale, idle, std::size_t(largest));
  };
  const auto make_of = [&]<int D>() -> std::unique_ptr<SpringSystem> {
    if (largest <= 4) return make.template operator()<D, 1>();
    if (largest <= 8) return make.template operator()<D, 2>();
    return make.template operator()<D, 3>();
  };
  return place.bodies.problem().dimension() == 3 ? make_of.template operator()<3>()
                                                 : make_of.template operator()<2>();
}

}  // namespace stickslip::internal
