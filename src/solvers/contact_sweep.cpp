#include "solvers/contact_sweep.hpp"

#include <cmath>
#include <type_traits>
#include <vector>

#include "cone/project.hpp"
#include "linalg/block_kernels.hpp"

namespace stickslip {

double Change::relative() const { return size > 0 ? std::sqrt(step / size) : std::sqrt(step); }

namespace {

template <int D, class Local>
class TypedSweep final : public ContactSweep {
 public:
  explicit TypedSweep(const LocalNewtonOptions& newton) : newton_(newton) {}

  void prepare(const ReducedProblem& problem) override {
    problem_ = &problem;
    local_.resize(std::size_t(problem.contacts()));
    for (std::size_t i = 0; i < local_.size(); ++i) {
      const double* A = problem.W().diagonal(Index(i));
      if constexpr (std::is_same_v<Local, NewtonLocalSolver<D>>)
        local_[i].prepare(A, problem.mu()[i], newton_);
      else
        local_[i].prepare(A, problem.mu()[i]);
    }
  }

  Change sweep(std::span<const Index> order, double omega, double* r) override {
    if (omega != 1) return run<true>(order, omega, r);
    return run<false>(order, omega, r);
  }

 private:
  template <bool relaxed>
  Change run(std::span<const Index> order, double omega, double* r) {
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
      local_[std::size_t(i)].solve(b, ri);
      if constexpr (relaxed) {
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

  LocalNewtonOptions newton_;
  const ReducedProblem* problem_ = nullptr;
  std::vector<Local> local_;
};

}  // namespace

std::unique_ptr<ContactSweep> ContactSweep::make(int dimension, const LocalOptions& options) {
  const auto make_typed = [&]<int D>() -> std::unique_ptr<ContactSweep> {
    if (options.kind == LocalOptions::Kind::exact)
      return std::make_unique<TypedSweep<D, ExactLocalSolver<D>>>(options.newton);
    return std::make_unique<TypedSweep<D, NewtonLocalSolver<D>>>(options.newton);
  };
  return dimension == 3 ? make_typed.template operator()<3>() : make_typed.template operator()<2>();
}

}  // namespace stickslip
