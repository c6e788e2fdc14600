#include "solvers/gauss_seidel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "cone/project.hpp"
#include "linalg/block_kernels.hpp"
#include "solve/monitor.hpp"
#include "solvers/contact_order.hpp"

namespace stickslip {

void GaussSeidelOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 2> locals = {"exact", "newton"};
  static constexpr std::array<std::string_view, 5> orders = {"given", "shuffled", "reshuffled", "symmetric", "bandwidth"};
  int kind = static_cast<int>(local);
  v.part("local", kind, locals, "how the problem of one contact is solved", [&](OptionVisitor& inner) {
    if (kind == static_cast<int>(Local::newton)) {
      static constexpr std::array<std::string_view, 2> maps = {"ac", "jm"}, searches = {"none", "goldstein_price"};
      static constexpr std::array<std::string_view, 4> rules = {"one", "spectral", "split", "split_conditioned"};
      int map = newton.map == Map::jean_moreau;
      inner.choice("map", map, maps, "Alart–Curnier RR (62) or Jean–Moreau RR (60)");
      newton.map = map ? Map::jean_moreau : Map::alart_curnier;
      inner.choice("search", newton.search, searches, "line search on ½‖Φ‖²");
      inner.choice("rho", newton.rho, rules, "ρ = 1, or the rules RR (110), (111), (112)");
      inner.real("tolerance", newton.tolerance, {0, 1, true}, "on ‖Φ‖ relative to the size of r and ρb");
      inner.integer("iterations", newton.iterations, {1, 1e6}, "Newton steps before the exact solver takes over");
    }
  });
  local = static_cast<Local>(kind);
  v.real("relaxation", relaxation, {0, 2, true},
         "ω of PSOR: r ← ω r_new + (1 − ω) r; below 1 damps a cycle, above 1 seldom helps");
  v.choice("order", order, orders,
           "contacts as given, shuffled once, shuffled at each sweep, forth and back, or by bandwidth");
  v.integer("seed", seed, {0, 1e15}, "of the shuffled orders");
}

namespace {

/// One sweep over all contacts: b_i = q_i + Σ_{j≠i} W_ij r_j, then the local problem. One pass over the blocks of W,
/// no allocation, no virtual call. Returns Σ‖Δr_i‖² and Σ‖r_i‖².
struct Change {
  double step = 0, size = 0;
};

template <int D, class Local, bool relaxed>
Change sweep(const ReducedProblem& p, std::span<const Index> order, double omega, Local* local, double* r) {
  const Index* start = p.W().row_start().data();
  const Index* column = p.W().column().data();
  const double* blocks = p.W().block(0);
  const double* q = p.q().data();
  Change change;
  const auto visit = [&](Index i) {
    double* ri = r + std::size_t(i) * D;
    double b[D], old[D];
    for (int c = 0; c < D; ++c) b[c] = q[std::size_t(i) * D + std::size_t(c)], old[c] = ri[c];
    add_row<D>(blocks, column, start[i], start[i + 1], r, b);
    local[i].solve(b, ri);
    if constexpr (relaxed) {
      Vec<D> x;
      for (int c = 0; c < D; ++c) x[std::size_t(c)] = omega * ri[c] + (1 - omega) * old[c];
      x = project_on_cone<D>(x, p.mu()[std::size_t(i)]);  // only ω > 1 can leave K
      for (int c = 0; c < D; ++c) ri[c] = x[std::size_t(c)];
    }
    for (int c = 0; c < D; ++c) {
      change.step += (ri[c] - old[c]) * (ri[c] - old[c]);
      change.size += ri[c] * ri[c];
    }
  };
  if (order.empty())
    for (Index i = 0; i < p.contacts(); ++i) visit(i);
  else
    for (Index i : order) visit(i);
  return change;
}

class GaussSeidel final : public Solver {
 public:
  explicit GaussSeidel(const GaussSeidelOptions& options) : options_(options) {}

 private:
  void do_solve(const ReducedProblem& problem, Monitor& monitor) override {
    const bool exact = options_.local == GaussSeidelOptions::Local::exact;
    if (problem.dimension() == 3)
      exact ? run<3>(problem, monitor, exact3_) : run<3>(problem, monitor, newton3_);
    else
      exact ? run<2>(problem, monitor, exact2_) : run<2>(problem, monitor, newton2_);
  }

  template <int D, class Local>
  void run(const ReducedProblem& problem, Monitor& monitor, std::vector<Local>& local) {
    local.resize(std::size_t(problem.contacts()));
    for (Index i = 0; i < problem.contacts(); ++i) {
      const double* A = problem.W().diagonal(i);
      const double mu = problem.mu()[std::size_t(i)];
      if constexpr (std::is_same_v<Local, NewtonLocalSolver<D>>)
        local[std::size_t(i)].prepare(A, mu, options_.newton);
      else
        local[std::size_t(i)].prepare(A, mu);
    }
    r_.assign(monitor.start().begin(), monitor.start().end());
    Random random(static_cast<std::uint64_t>(options_.seed));
    first_order(problem, random);
    monitor.setup_done();

    const auto once = options_.relaxation == 1 ? &sweep<D, Local, false> : &sweep<D, Local, true>;
    for (bool done = false; !done;) {
      const Change change = once(problem, order_, options_.relaxation, local.data(), r_.data());
      done = monitor.show(r_, change.size > 0 ? std::sqrt(change.step / change.size) : std::sqrt(change.step));
      if (!done) next_order(random);
    }
  }

  void first_order(const ReducedProblem& problem, Random& random) {
    using Order = GaussSeidelOptions::Order;
    order_.clear();
    if (options_.order == Order::given) return;
    if (options_.order == Order::bandwidth) {
      order_ = bandwidth_order(problem.W());
      return;
    }
    order_.resize(std::size_t(problem.contacts()));
    std::iota(order_.begin(), order_.end(), 0);
    if (options_.order != Order::symmetric) shuffle(order_, random);
  }

  void next_order(Random& random) {
    if (options_.order == GaussSeidelOptions::Order::reshuffled) shuffle(order_, random);
    if (options_.order == GaussSeidelOptions::Order::symmetric) std::reverse(order_.begin(), order_.end());
  }

  GaussSeidelOptions options_;
  std::vector<double> r_;
  std::vector<Index> order_;
  std::vector<ExactLocalSolver<2>> exact2_;
  std::vector<ExactLocalSolver<3>> exact3_;
  std::vector<NewtonLocalSolver<2>> newton2_;
  std::vector<NewtonLocalSolver<3>> newton3_;
};

}  // namespace

std::unique_ptr<Solver> make_gauss_seidel(const GaussSeidelOptions& options) {
  return std::make_unique<GaussSeidel>(options);
}

}  // namespace stickslip
