#include "solvers/gauss_seidel.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "solve/monitor.hpp"
#include "solvers/anderson.hpp"
#include "solvers/contact_order.hpp"

namespace stickslip {

namespace {

void visit_local(OptionVisitor& v, LocalOptions& local) {
  static constexpr std::array<std::string_view, 2> kinds = {"exact", "newton"};
  static constexpr std::array<std::string_view, 2> maps = {"ac", "jm"}, searches = {"none", "goldstein_price"};
  static constexpr std::array<std::string_view, 4> rules = {"one", "spectral", "split", "split_conditioned"};
  int kind = static_cast<int>(local.kind);
  v.part("local", kind, kinds, "how the problem of one contact is solved", [&](OptionVisitor& inner) {
    if (kind != static_cast<int>(LocalOptions::Kind::newton)) return;
    LocalNewtonOptions& newton = local.newton;
    int map = newton.map == Map::jean_moreau;
    inner.choice("map", map, maps, "Alart–Curnier RR (62) or Jean–Moreau RR (60)");
    newton.map = map ? Map::jean_moreau : Map::alart_curnier;
    inner.choice("search", newton.search, searches, "line search on ½‖Φ‖²");
    inner.choice("rho", newton.rho, rules, "ρ = 1, or the rules RR (110), (111), (112)");
    inner.real("tolerance", newton.tolerance, {0, 1, true}, "on ‖Φ‖ relative to the size of r and ρb");
    inner.integer("iterations", newton.iterations, {1, 1e6}, "Newton steps before the exact solver takes over");
  });
  local.kind = static_cast<LocalOptions::Kind>(kind);
}

}  // namespace

void GaussSeidelOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 5> orders = {"given", "shuffled", "reshuffled", "symmetric", "bandwidth"};
  visit_local(v, local);
  v.real("relaxation", relaxation, {0, 2, true},
         "ω of PSOR: r ← ω r_new + (1 − ω) r; below 1 damps a cycle, above 1 seldom helps");
  v.choice("order", order, orders,
           "contacts as given, shuffled once, shuffled at each sweep, forth and back, or by bandwidth");
  v.integer("seed", seed, {0, 1e15}, "of the shuffled orders");
  v.integer("anderson", anderson, {0, 50}, "differences mixed by Anderson acceleration; 0: none");
}

namespace {

class GaussSeidel final : public Solver {
 public:
  explicit GaussSeidel(const GaussSeidelOptions& options) : options_(options), mixing_(options.anderson) {}

 private:
  void do_solve(const ReducedProblem& problem, Monitor& monitor) override {
    auto& sweep = sweeps_[problem.dimension() == 3];
    if (!sweep) sweep = ContactSweep::make(problem.dimension(), options_.local);
    sweep->prepare(problem);
    r_.assign(monitor.start().begin(), monitor.start().end());
    Random random(static_cast<std::uint64_t>(options_.seed));
    first_order(problem, random);
    if (mixing_.active()) mixing_.start(problem.dimension(), problem.mu(), contact_scale(problem.W()));
    monitor.setup_done();
    for (;;) {
      if (mixing_.active()) before_ = r_;
      const Change change = sweep->sweep(order_, options_.relaxation, r_.data());
      if (monitor.show(r_, change.relative())) return;
      if (mixing_.active()) {
        mixing_.next(before_, r_);
        std::swap(before_, r_);
      }
      next_order(random);
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
  Anderson mixing_;
  std::vector<double> r_, before_;
  std::vector<Index> order_;
  std::unique_ptr<ContactSweep> sweeps_[2];  // in two and in three dimensions
};

}  // namespace

std::unique_ptr<Solver> make_gauss_seidel(const GaussSeidelOptions& options) {
  return std::make_unique<GaussSeidel>(options);
}

}  // namespace stickslip
