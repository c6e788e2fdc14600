// From the global to the reduced form: W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w, RR (32)–(33).
//
// With bilateral constraints M⁻¹ is replaced by the velocity part of the saddle point's inverse,
//   [ M  −G ] [v]   [ H r + f ]
//   [ Gᵀ  0 ] [λ] = [   −b    ].

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/interrupted.hpp"
#include "linalg/factorisation.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/problem.hpp"

namespace stickslip {

using namespace internal;

namespace {

Factorisation factorise(const GlobalProblem& p, const Stop& stop) {
  const Index n = p.degrees_of_freedom(), constraints = p.bilateral_constraints();
  if (constraints == 0) {
    std::vector<char> touched(std::size_t(n), 0);
    for (std::size_t i = 0; i < touched.size(); ++i)
      touched[i] = p.H().row_start()[i] < p.H().row_start()[i + 1];
    return {p.M(), Definiteness::positive, "M", stop, touched};
  }
  Factorisation definite(p.M(), Definiteness::positive, "M", stop);  // only to refuse what is not
  auto entries = p.M().triplets();
  for (const Triplet& e : p.G().triplets()) {
    entries.push_back({e.row, n + e.column, -e.value});
    entries.push_back({n + e.column, e.row, e.value});
  }
  return {SparseMatrix(n + constraints, n + constraints, entries), Definiteness::indefinite,
          "the system of M and G (are the constraints in G independent?)", stop};
}

/// Collects the blocks of W row by row.
class RowAssembler {
 public:
  RowAssembler(Index contacts, int d) : d_(d), slot_(std::size_t(contacts), -1) {}

  /// The block (current row, j), zero at first touch.
  double* block(Index j) {
    auto& slot = slot_[std::size_t(j)];
    if (slot < 0) {
      slot = Index(touched_.size());
      touched_.push_back(j);
      values_.resize(touched_.size() * size(), 0.0);
    }
    return &values_[std::size_t(slot) * size()];
  }

  void finish_row(Index i) {
    std::sort(touched_.begin(), touched_.end());
    diagonal_.resize(diagonal_.size() + size(), 0.0);
    for (Index j : touched_) {
      const double* from = &values_[std::size_t(slot_[std::size_t(j)]) * size()];
      slot_[std::size_t(j)] = -1;
      if (j == i) {
        std::copy_n(from, size(), diagonal_.end() - long(size()));
      } else if (std::any_of(from, from + size(), [](double x) { return x != 0; })) {
        column_.push_back(j);
        blocks_.insert(blocks_.end(), from, from + size());
      }
    }
    row_start_.push_back(Index(column_.size()));
    touched_.clear();
    values_.clear();
  }

  BlockMatrix matrix() {
    return {d_, std::move(row_start_), std::move(column_), std::move(blocks_), std::move(diagonal_)};
  }

 private:
  std::size_t size() const { return std::size_t(d_) * std::size_t(d_); }

  int d_;
  std::vector<Index> slot_, touched_;
  std::vector<double> values_;
  std::vector<Index> row_start_ = {0}, column_;
  std::vector<double> blocks_, diagonal_;
};

}  // namespace

struct Reduction::Parts {
  const GlobalProblem* problem;
  Factorisation factors;
  std::vector<double> q;
  mutable std::vector<double> work;

  /// work ← (H r + f·with_load ; −b·with_load), solved.
  void solve(std::span<const double> r, bool with_load) const {
    const auto n = std::size_t(problem->degrees_of_freedom());
    work.assign(n + std::size_t(problem->bilateral_constraints()), 0.0);
    if (with_load) {
      std::copy(problem->f().begin(), problem->f().end(), work.begin());
      std::transform(problem->b().begin(), problem->b().end(), work.begin() + long(n),
                     [](double x) { return -x; });
    }
    if (!r.empty()) problem->H().multiply_add(1, r, work);
    factors.solve(work);
  }
};

Reduction::Reduction(const GlobalProblem& problem, const Stop& stop)
    : parts_(new Parts{&problem, factorise(problem, stop), {problem.w().begin(), problem.w().end()}, {}}) {
  parts_->solve({}, true);
  problem.H().transpose_multiply_add(1, parts_->work, parts_->q);
}

Reduction::~Reduction() = default;
Reduction::Reduction(Reduction&&) noexcept = default;
Reduction& Reduction::operator=(Reduction&&) noexcept = default;

std::span<const double> Reduction::q() const { return parts_->q; }

void Reduction::apply(std::span<const double> r, std::span<double> u) const {
  parts_->solve(r, false);
  std::fill(u.begin(), u.end(), 0.0);
  parts_->problem->H().transpose_multiply_add(1, parts_->work, u);
}

void Reduction::velocity(std::span<const double> r, std::vector<double>& v,
                         std::vector<double>& lambda) const {
  parts_->solve(r, true);
  const long n = parts_->problem->degrees_of_freedom();
  v.assign(parts_->work.begin(), parts_->work.begin() + n);
  lambda.assign(parts_->work.begin() + n, parts_->work.end());
}

namespace {

/// Rows of W between two looks at the clock.
constexpr Index contacts_between_looks = 64;

/// The part of H that belongs to one body: its rows, the contacts that touch it, Y = M_b⁻¹ H_b.
struct Body {
  std::vector<Index> contacts;
  std::vector<double> H, Y;  // rows × d·contacts, column-major
};

BlockMatrix assemble_by_bodies(const GlobalProblem& p, const Factorisation& factors, const Stop& stop) {
  const int d = p.dimension();
  const SparseMatrix& H = p.H();
  std::vector<Body> bodies(std::size_t(factors.components()));
  std::vector<std::vector<Index>> bodies_of(std::size_t(p.contacts()));
  for (std::size_t c = 0; c < bodies.size(); ++c) {
    Body& body = bodies[c];
    const auto rows = factors.rows(Index(c));
    const auto velocities = std::count_if(rows.begin(), rows.end(), [&](Index i) { return i < H.rows(); });
    const auto rows_of_H = rows.first(std::size_t(velocities));  // those of multipliers come last
    for (Index i : rows_of_H)
      for (Index k = H.row_start()[std::size_t(i)]; k < H.row_start()[std::size_t(i) + 1]; ++k)
        body.contacts.push_back(H.column()[std::size_t(k)] / d);
    std::sort(body.contacts.begin(), body.contacts.end());
    body.contacts.erase(std::unique(body.contacts.begin(), body.contacts.end()), body.contacts.end());
    const int columns = d * int(body.contacts.size());
    body.H.assign(rows.size() * std::size_t(columns), 0.0);
    for (std::size_t a = 0; a < rows_of_H.size(); ++a)
      for (auto k = std::size_t(H.row_start()[std::size_t(rows[a])]);
           k < std::size_t(H.row_start()[std::size_t(rows[a]) + 1]); ++k) {
        const auto place = std::lower_bound(body.contacts.begin(), body.contacts.end(), H.column()[k] / d) -
                           body.contacts.begin();
        body.H[a + rows.size() * std::size_t(place * d + H.column()[k] % d)] = H.value()[k];
      }
    body.Y = body.H;
    factors.solve_component(Index(c), body.Y.data(), columns);
    for (Index contact : body.contacts) bodies_of[std::size_t(contact)].push_back(Index(c));
  }

  RowAssembler rows(p.contacts(), d);
  for (Index i = 0; i < p.contacts(); ++i) {
    if (i % contacts_between_looks == 0) ask(stop);
    for (Index c : bodies_of[std::size_t(i)]) {
      const Body& body = bodies[std::size_t(c)];
      const std::size_t n = factors.rows(c).size();
      const auto mine =
          std::lower_bound(body.contacts.begin(), body.contacts.end(), i) - body.contacts.begin();
      const double* Hi = &body.H[n * std::size_t(mine * d)];
      for (std::size_t j = 0; j < body.contacts.size(); ++j) {
        double* B = rows.block(body.contacts[j]);
        const double* Yj = &body.Y[n * j * std::size_t(d)];
        for (int b = 0; b < d; ++b)
          for (int a = 0; a < d; ++a)
            for (std::size_t k = 0; k < n; ++k)
              B[a + d * b] += Hi[std::size_t(a) * n + k] * Yj[std::size_t(b) * n + k];
      }
    }
    rows.finish_row(i);
  }
  return rows.matrix();
}

/// The contacts that contact i shares a component with, itself left out: the pattern of W.
struct Pattern {
  std::vector<Index> row_start = {0}, column;
};

Pattern coupling(const std::vector<std::vector<Index>>& components_of,
                 const std::vector<std::vector<Index>>& contacts_of) {
  Pattern pattern;
  std::vector<Index> row;
  for (std::size_t i = 0; i < components_of.size(); ++i) {
    row.clear();
    for (Index c : components_of[i])
      for (Index j : contacts_of[std::size_t(c)])
        if (j != Index(i)) row.push_back(j);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    pattern.column.insert(pattern.column.end(), row.begin(), row.end());
    pattern.row_start.push_back(Index(pattern.column.size()));
  }
  return pattern;
}

/// For large bodies, whose part of H is sparse: a few contacts' columns of M_b⁻¹ H_b at a time, on the rows that contacts touch where their
/// compliance is known.
BlockMatrix assemble_by_columns(const GlobalProblem& p, const Factorisation& factors, const Stop& stop) {
  const int d = p.dimension();
  const auto size = std::size_t(d * d);
  const SparseMatrix Ht = p.H().transposed();
  const auto entries = [&](Index row) {  // places of a row of Hᵀ
    return std::pair(std::size_t(Ht.row_start()[std::size_t(row)]),
                     std::size_t(Ht.row_start()[std::size_t(row) + 1]));
  };
  // The components each contact touches, and the contacts of each component.
  std::vector<std::vector<Index>> components_of(std::size_t(p.contacts())),
      contacts_of(std::size_t(factors.components()));
  for (Index i = 0; i < p.contacts(); ++i) {
    auto& mine = components_of[std::size_t(i)];
    for (std::size_t k = entries(i * d).first; k < entries(i * d + d - 1).second; ++k)
      mine.push_back(factors.component()[std::size_t(Ht.column()[k])]);
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    for (Index c : mine) contacts_of[std::size_t(c)].push_back(i);
  }
  Pattern pattern = coupling(components_of, contacts_of);
  std::vector<double> blocks(pattern.column.size() * size), diagonal(std::size_t(p.contacts()) * size);
  const auto block = [&](Index i, Index j) {
    if (i == j) return &diagonal[std::size_t(i) * size];
    const auto begin = pattern.column.begin() + pattern.row_start[std::size_t(i)],
               end = pattern.column.begin() + pattern.row_start[std::size_t(i) + 1];
    return &blocks[std::size_t(std::lower_bound(begin, end, j) - pattern.column.begin()) * size];
  };

  constexpr std::size_t contacts_at_a_time = 16;
  std::vector<Index> place(factors.component().size());  // of a row in its component
  std::vector<double> X;
  for (Index c = 0; c < factors.components(); ++c) {
    const auto rows = factors.rows(c);
    const auto compliance = contacts_of[std::size_t(c)].empty() ? std::nullopt : factors.compliance(c);
    const std::size_t height = compliance ? compliance->rows.size() : rows.size();
    for (std::size_t k = 0; k < height; ++k)
      place[std::size_t(rows[compliance ? std::size_t(compliance->rows[k]) : k])] = Index(k);
    const std::vector<Index>& contacts = contacts_of[std::size_t(c)];
    /// Calls visit(place in the component, value) for the entries of a column of H_b.
    const auto for_each_entry = [&](Index column, auto&& visit) {
      for (auto [k, end] = entries(column); k < end; ++k)
        if (const auto row = std::size_t(Ht.column()[k]); factors.component()[row] == c)
          visit(std::size_t(place[row]), Ht.value()[k]);
    };
    for (std::size_t from = 0; from < contacts.size(); from += contacts_at_a_time) {
      ask(stop);
      const std::size_t count = std::min(contacts_at_a_time, contacts.size() - from);
      X.assign(height * count * std::size_t(d), 0.0);
      for (std::size_t j = 0; j < count; ++j)
        for (int b = 0; b < d; ++b) {
          double* x = &X[(j * std::size_t(d) + std::size_t(b)) * height];
          for_each_entry(contacts[from + j] * d + b, [&](std::size_t k, double value) {
            if (!compliance) {
              x[k] = value;
              return;
            }
            const double* column = compliance->inverse.data() + k * height;
            for (std::size_t i = 0; i < height; ++i) x[i] += value * column[i];
          });
        }
      if (!compliance) factors.solve_component(c, X.data(), int(count) * d);
      for (Index i : contacts)
        for (std::size_t j = 0; j < count; ++j) {
          double* W = block(i, contacts[from + j]);
          for (int b = 0; b < d; ++b)
            for (int a = 0; a < d; ++a) {
              const double* x = &X[(j * std::size_t(d) + std::size_t(b)) * height];
              double sum = 0;
              for_each_entry(i * d + a, [&](std::size_t k, double value) { sum += value * x[k]; });
              W[a + d * b] += sum;
            }
        }
    }
  }
  return {d, std::move(pattern.row_start), std::move(pattern.column), std::move(blocks), std::move(diagonal)};
}

/// A contact with less than `held` of the compliance that it has without constraints has nothing but rounding left: it keeps `least_compliance`
/// of it, and no velocity below `noise_of_constraints` of that without them.
constexpr double held = 1e-14, least_compliance = 1e-12, noise_of_constraints = 1e-11;

/// The diagonal blocks of W, and q, of contacts that constraints hold and nothing presses: nothing would be left in them but rounding.
void keep_compliance(const GlobalProblem& p, std::vector<double>& diagonal, std::vector<double>& q,
                     const Stop& stop) {
  const SparseMatrix& H = p.H();
  const auto d = std::size_t(p.dimension());
  std::vector<double> mass(std::size_t(H.rows()), 0.0), alone(std::size_t(p.contacts()), 0.0);
  for (const Triplet& e : p.M().triplets())
    if (e.row == e.column) mass[std::size_t(e.row)] += e.value;
  for (const Triplet& e : H.triplets())
    alone[std::size_t(e.column) / d] += e.value * e.value / mass[std::size_t(e.row)];
  std::vector<double> velocity;  // of all bodies without constraints, once it is asked for
  for (std::size_t i = 0; i < alone.size(); ++i) {
    double* A = &diagonal[i * d * d];
    if (std::abs(A[0]) > held * alone[i]) continue;  // what is held along the ground alone may stay so
    if (velocity.empty()) {
      std::vector<double> v(p.f().begin(), p.f().end());
      Factorisation(p.M(), Definiteness::positive, "M", stop).solve(v);
      velocity.assign(q.size(), 0.0);
      H.transpose_multiply_add(1, v, velocity);
    }
    for (std::size_t c = i * d; c < (i + 1) * d; ++c)
      if (std::abs(q[c]) <= noise_of_constraints * (std::abs(velocity[c]) + std::abs(p.w()[c]))) q[c] = 0;
    if (!(q[i * d] >= 0)) {
      A[0] =
          0;  // held and pressed: no solution, and refused, since what a small compliance balances would only look like one
      continue;
    }
    for (std::size_t c = 0; c < d; ++c) A[c * (d + 1)] += least_compliance * alone[i];
  }
}

}  // namespace

ReducedProblem Reduction::reduced(const Stop& stop) const {
  const GlobalProblem& p = *parts_->problem;
  BlockMatrix W = parts_->factors.by_blocks() ? assemble_by_bodies(p, parts_->factors, stop)
                                              : assemble_by_columns(p, parts_->factors, stop);
  std::vector<double> q = parts_->q;
  if (p.bilateral_constraints() > 0) {
    BlockMatrix::Parts parts = std::move(W).release();
    const auto d = std::size_t(p.dimension());
    parts.blocks.resize(parts.column.size() * d * d);  // behind them is padding
    keep_compliance(p, parts.diagonal, q, stop);
    W = BlockMatrix(p.dimension(), std::move(parts.row_start), std::move(parts.column),
                    std::move(parts.blocks), std::move(parts.diagonal));
  }
  ReducedProblem result(std::move(W), std::move(q), {p.mu().begin(), p.mu().end()});
  result.degrees_of_freedom = p.degrees_of_freedom();
  return result;
}

ReducedProblem eliminate_equalities(int dimension, const SparseMatrix& W, const SparseMatrix& V,
                                    const SparseMatrix& R, std::vector<double> q, std::span<const double> s,
                                    std::vector<double> mu) {
  if (V.rows() != W.rows() || V.columns() != R.rows() || R.rows() != R.columns() ||
      s.size() != std::size_t(R.rows()) || q.size() != std::size_t(W.rows()))
    throw InputError("V must have as many rows as W and as many columns as R and s; R must be square");
  const Factorisation factors(R, Definiteness::indefinite, "R");
  // l = −R⁻¹(Vᵀ r + s), so W ← W − V R⁻¹ Vᵀ and q ← q − V R⁻¹ s.
  std::vector<double> x(s.begin(), s.end());
  factors.solve(x);
  V.multiply_add(-1, x, q);
  auto entries = W.triplets();
  std::vector<double> column(q.size());
  for (std::size_t j = 0; j < std::size_t(V.rows()); ++j) {
    if (V.row_start()[j] == V.row_start()[j + 1]) continue;
    std::fill(x.begin(), x.end(), 0.0);
    for (auto k = std::size_t(V.row_start()[j]); k < std::size_t(V.row_start()[j + 1]); ++k)
      x[std::size_t(V.column()[k])] = V.value()[k];
    factors.solve(x);
    std::fill(column.begin(), column.end(), 0.0);
    V.multiply_add(-1, x, column);
    for (std::size_t i = 0; i < column.size(); ++i)
      if (column[i] != 0) entries.push_back({Index(i), Index(j), column[i]});
  }
  return {BlockMatrix(SparseMatrix(W.rows(), W.columns(), entries), dimension), std::move(q), std::move(mu)};
}

}  // namespace stickslip
