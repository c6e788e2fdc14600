#include "solvers/parts/contact_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>
#include <vector>

#include "cone/project.hpp"
#include "linalg/block_kernels.hpp"
#include "solvers/parts/single_body.hpp"

namespace stickslip::internal {

namespace {

template <int D, class Local>
class TypedSweep final : public ContactSweep {
 public:
  explicit TypedSweep(const LocalOptions& options) : options_(options) {}

  void prepare(const ReducedProblem& problem) override {
    problem_ = &problem;
    local_.resize(std::size_t(problem.contacts()));
    for (std::size_t i = 0; i < local_.size(); ++i) {
      const double* A = local_block(problem, i);
      if constexpr (std::is_same_v<Local, NewtonLocalSolver<D>>)
        local_[i].prepare(A, problem.mu()[i], options_.newton);
      else if constexpr (std::is_same_v<Local, FixedPointLocalSolver<D>>)
        local_[i].prepare(A, problem.mu()[i], options_.fixed_point);
      else if constexpr (std::is_same_v<Local, HybridLocalSolver<D>>)
        local_[i].prepare(A, problem.mu()[i], options_.hybrid);
      else
        local_[i].prepare(A, problem.mu()[i]);
    }
    follows_ = false;
    body_.forget();
    if constexpr (std::is_same_v<Local, ExactLocalSolver<D>>)
      if (problem.contacts() >= SingleBody<D>::least_contacts && options_.omega == 1) body_.find(problem.W());
  }

  void start(std::span<const double> r) override {
    if (!body_.found()) return;
    body_.start(r);
    follows_ = true;
  }

  void set_local_tolerance(double tolerance) override { options_.set_tolerance(tolerance); }

  Change sweep(std::span<const Index> order, double omega, double* r) override {
    if (body_.found() && order.empty() && omega == 1) return run_on_body(r);
    if (follows_) follows_ = false;  // threads only read
    if (options_.omega != 1) return run<Relaxed::local>(order, omega, r);
    if (omega != 1) return run<Relaxed::average>(order, omega, r);
    return run<Relaxed::no>(order, omega, r);
  }

  bool velocity_at_hand(std::span<double> u) override {
    if (!follows_) return false;
    std::ranges::copy(problem_->q(), u.begin());
    for (Index i = 0; i < problem_->contacts(); ++i) body_.add_velocity(i, &u[std::size_t(i) * D]);
    return true;
  }

  Change sweep(const Colouring& colouring, ThreadTeam& team, double omega, double* r) override {
    follows_ = false;
    changes_.resize(std::size_t(colouring.chunks()));
    const auto work = [&](int thread) {
      for (Index colour = 0; colour < colouring.colours(); ++colour) {
        // Each thread takes a contiguous part of the colour's chunks.
        const Index first = colouring.colour_start[std::size_t(colour)];
        const Index count = colouring.colour_start[std::size_t(colour) + 1] - first;
        const Index begin = first + count * thread / team.size(),
                    end = first + count * (thread + 1) / team.size();
        for (Index chunk = begin; chunk < end; ++chunk) {
          const Index at = colouring.chunk_start[std::size_t(chunk)],
                      stop = colouring.chunk_start[std::size_t(chunk) + 1];
          changes_[std::size_t(chunk)] =
              sweep(std::span(colouring.contacts).subspan(std::size_t(at), std::size_t(stop - at)), omega, r);
        }
        team.barrier();
      }
    };
    team.run(std::ref(work));  // by reference: a std::function of this size would allocate
    Change sum;
    for (const Change& part : changes_) sum.step += part.step, sum.size += part.size;  // always in this order
    return sum;
  }

 private:
  enum class Relaxed { no, average, local };

  /// W_αα, or W_αα/ω.
  const double* local_block(const ReducedProblem& problem, std::size_t i) {
    const double* A = problem.W().diagonal(Index(i));
    if (options_.omega == 1) return A;
    divided_.resize(local_.size() * D * D);
    double* const block = &divided_[i * D * D];
    for (int k = 0; k < D * D; ++k) block[k] = A[k] / options_.omega;
    return block;
  }

  /// The same with W = A Bᵀ: b_i = q_i + A_i v − W_ii r_i.
  [[gnu::flatten]] Change run_on_body(double* r) {
    const auto n = std::size_t(problem_->contacts());
    if (!follows_) start({r, n * D});
    Change change;
    for (std::size_t i = 0; i < n; ++i) {
      double* ri = r + i * D;
      double b[D], old[D], step[D];
      for (std::size_t c = 0; c < D; ++c) b[c] = problem_->q()[i * D + c], old[c] = ri[c], step[c] = -ri[c];
      body_.add_velocity(Index(i), b);
      add_block<D>(problem_->W().diagonal(Index(i)), step, b);
      local_[i].solve(b, ri);
      for (std::size_t c = 0; c < D; ++c) {
        step[c] = ri[c] - old[c];
        change.step += step[c] * step[c];
        change.size += ri[c] * ri[c];
      }
      body_.add_impulse(Index(i), step);
    }
    return change;
  }

  template <Relaxed relaxed>
  [[gnu::flatten]] Change run(std::span<const Index> order, double omega,
                              double* r) {  // the local solver inline
    const Index* start = problem_->W().row_start().data();
    const Index* column = problem_->W().column().data();
    const double* blocks = problem_->W().block(0);
    const double* q = problem_->q().data();
    Change change;
    const auto visit = [&](Index i) {
      double* ri = r + std::size_t(i) * D;
      double b[D], old[D];
      for (int c = 0; c < D; ++c) b[c] = q[std::size_t(i) * D + std::size_t(c)], old[c] = ri[c];
      add_row<D>(blocks, column, start[i], start[i + 1], r, b);
      if constexpr (relaxed == Relaxed::local) {  // RR (119): + (W_αα − W_αα/ω) r_α
        const double* A = problem_->W().diagonal(i);
        const double share = 1 - 1 / options_.omega;
        for (int j = 0; j < D; ++j)
          for (int c = 0; c < D; ++c) b[c] += share * A[c + D * j] * old[j];
      }
      local_[std::size_t(i)].solve(b, ri);
      if constexpr (relaxed == Relaxed::average) {
        Vec<D> x;
        for (int c = 0; c < D; ++c) x[std::size_t(c)] = omega * ri[c] + (1 - omega) * old[c];
        x = project_on_cone<D>(x, problem_->mu()[std::size_t(i)]);  // only ω > 1 can leave K
        for (int c = 0; c < D; ++c) ri[c] = x[std::size_t(c)];
      }
      for (int c = 0; c < D; ++c) {
        change.step += (ri[c] - old[c]) * (ri[c] - old[c]);
        change.size += ri[c] * ri[c];
      }
    };
    if (order.empty())
      for (Index i = 0; i < problem_->contacts(); ++i) visit(i);
    else
      for (Index i : order) visit(i);
    return change;
  }

  LocalOptions options_;
  const ReducedProblem* problem_ = nullptr;
  std::vector<Local> local_;
  SingleBody<D> body_;           // where W is that of one
  bool follows_ = false;         // its velocity, r
  std::vector<double> divided_;  // W_αα/ω of PSOR
  std::vector<Change> changes_;
};

}  // namespace

std::unique_ptr<ContactSweep> ContactSweep::make(int dimension, const LocalOptions& options) {
  const auto make_typed = [&]<int D>() -> std::unique_ptr<ContactSweep> {
    switch (options.kind) {
      case LocalOptions::Kind::newton:
        return std::make_unique<TypedSweep<D, NewtonLocalSolver<D>>>(options);
      case LocalOptions::Kind::fixed_point:
        return std::make_unique<TypedSweep<D, FixedPointLocalSolver<D>>>(options);
      case LocalOptions::Kind::hybrid:
        return std::make_unique<TypedSweep<D, HybridLocalSolver<D>>>(options);
      case LocalOptions::Kind::exact:
        break;
    }
    return std::make_unique<TypedSweep<D, ExactLocalSolver<D>>>(options);
  };
  return dimension == 3 ? make_typed.template operator()<3>() : make_typed.template operator()<2>();
}

}  // namespace stickslip::internal
