#include "solvers/gauss_seidel/gauss_seidel.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/pieces.hpp"
#include "solve/monitor/monitor.hpp"
#include "solvers/parts/aitken.hpp"
#include "solvers/parts/anderson.hpp"
#include "solvers/parts/contact_order.hpp"
#include "solvers/parts/island_solver.hpp"
#include "solvers/parts/local_options.hpp"

namespace stickslip::internal {

namespace {

constexpr std::array<std::string_view, 5> rho_rules = {"one", "spectral", "split", "split_conditioned",
                                                       "norm"};

void visit_newton(OptionVisitor& v, LocalNewtonOptions& newton) {
  static constexpr std::array<std::string_view, 2> maps = {"ac", "jm"},
                                                   searches = {"none", "goldstein_price"};
  int map = newton.map == Map::jean_moreau;
  v.choice("map", map, maps, "Alart–Curnier RR (62) or Jean–Moreau RR (60)");
  newton.map = map ? Map::jean_moreau : Map::alart_curnier;
  v.choice("search", newton.search, searches, "line search on ½‖Φ‖²");
  v.choice("rho", newton.rho, rho_rules, "ρ = 1, or the rules RR (110), (111), (112), (109)");
  v.real("tolerance", newton.tolerance, {0, 1, true}, "on ‖Φ‖ relative to the size of r and ρb");
  v.integer("iterations", newton.iterations, {1, 1e6}, "Newton steps of a visit at most");
}

void visit_hybrid(OptionVisitor& v, LocalHybridOptions& hybrid) {
  static constexpr std::array<std::string_view, 2> firsts = {"fixed_point", "newton"};
  v.choice("first", hybrid.first, firsts,
           "what comes before the loops of fixed point and Newton: nothing, or Newton once");
  v.integer("projections", hybrid.projections, {1, 1e6}, "steps of the fixed point in a loop");
  v.integer("loops", hybrid.loops, {1, 1e6}, "of fixed point and Newton");
  visit_newton(v, hybrid.newton);
  hybrid.fixed_point.iterations = hybrid.projections;
  hybrid.fixed_point.tolerance = hybrid.newton.tolerance;
}

void visit_local(OptionVisitor& v, LocalOptions& local) {
  static constexpr std::array<std::string_view, 4> kinds = {"exact", "newton", "fixed_point", "hybrid"};
  static constexpr std::array<std::string_view, 2> fallbacks = {"none", "exact"};
  int chosen = static_cast<int>(local.kind);
  v.part("local", chosen, kinds, "how the problem of one contact is solved", [&](OptionVisitor& inner) {
    switch (static_cast<LocalOptions::Kind>(chosen)) {
      case LocalOptions::Kind::newton:
        visit_newton(inner, local.newton);
        return inner.choice("fallback", local.newton.fallback, fallbacks,
                            "where Newton fails: the exact solver, or what it has reached, as published");
      case LocalOptions::Kind::fixed_point:
        return visit_fixed_point(inner, local.fixed_point, rho_rules);
      case LocalOptions::Kind::hybrid:
        return visit_hybrid(inner, local.hybrid);
      case LocalOptions::Kind::exact:
        return;
    }
  });
  local.kind = static_cast<LocalOptions::Kind>(chosen);
}

}  // namespace

void GaussSeidelOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 7> orders = {
      "auto", "given", "shuffled", "reshuffled", "symmetric", "bandwidth", "coloured"};
  static constexpr std::array<std::string_view, 3> forms = {"auto", "matrix", "velocity"};
  static constexpr std::array<std::string_view, 2> switches = {"off", "on"},
                                                   tolerances = {"fixed", "adaptive"},
                                                   extrapolations = {"off", "aitken"};
  visit_local(v, local);
  v.choice("local_tolerance", local_tolerance, tolerances,
           "of iterative local solvers: as given, or a tenth of the error reached so far (RR 6.3)");
  static constexpr std::array<std::string_view, 2> kinds = {"average", "local"};
  v.real("relaxation", relaxation, {0, 2, true}, "ω of PSOR; below 1 damps a cycle, above 1 seldom helps");
  v.choice(
      "relaxed", relaxed, kinds,
      "what ω relaxes: r ← ω r_new + (1 − ω) r, or the local problem, W_αα/ω, as published (RR (117)–(119))");
  v.choice("order", order, orders,
           "contacts as given, shuffled once, shuffled at each sweep, forth and back, by bandwidth, or in "
           "coloured chunks "
           "that threads share; auto: coloured from 10000 contacts on, as given below");
  v.integer("seed", seed, {0, 1e15}, "of the shuffled orders");
  v.integer("anderson", anderson, {0, Anderson::most}, "differences mixed by Anderson acceleration; 0: none");
  v.choice("extrapolation", extrapolation, extrapolations,
           "aitken: jump along the last change where changes shrink evenly");
  v.integer("freeze", freeze, {0, 1000},
            "contacts that moved less than a hundredth of the mean rest for so many sweeps; 0: none do");
  v.choice(
      "form", form, forms,
      "of global problems: form W, or keep the velocities of the bodies instead; auto: what sweeps faster");
  v.choice("islands", islands, switches,
           "whether groups of contacts that do not feel each other are solved one by one");
}

namespace {

class GaussSeidel final : public Method {
 public:
  explicit GaussSeidel(const GaussSeidelOptions& options) : options_(options), mixing_(options.anderson) {
    if (options.relaxed == GaussSeidelOptions::Relaxed::local)
      std::swap(options_.local.omega, options_.relaxation);
    sweep_ = KeptSweep(options_.local);
  }

 private:
  using Form = GaussSeidelOptions::Form;
  using Order = GaussSeidelOptions::Order;

  bool needs_matrix(ContactProblem& problem) const override {
    const bool by_pattern = options_.order == Order::bandwidth || options_.order == Order::coloured;
    const bool on_matrix = options_.local.kind == LocalOptions::Kind::hybrid || options_.local.omega != 1;
    if (options_.form == Form::matrix || by_pattern || on_matrix) return true;
    if (options_.form == Form::velocity) return !problem.bodies().applies();
    // A mixed point costs a product more on velocities.
    return options_.anderson > 0 || options_.freeze > 0 || !velocity_form_pays(problem.bodies());
  }

  std::string refusal_of_ranks() const override {
    const bool in_order = options_.order == Order::automatic || options_.order == Order::given;
    if (options_.form != Form::velocity) return "the form must be velocity";
    if (!in_order) return "the order must be auto or given";
    if (options_.freeze > 0 || options_.extrapolation != GaussSeidelOptions::Extrapolation::off)
      return "extrapolation and freeze are not for ranks";
    if (options_.local.kind == LocalOptions::Kind::hybrid || options_.local.omega != 1)
      return "this local solver or relaxation needs W";
    return {};
  }

  std::string refusal(ContactProblem& problem) const override {
    if (options_.form != Form::velocity || !problem.formed() || !problem.global()) return {};
    return "velocity form: " + (problem.bodies().applies() ? "this order, local solver or relaxation needs W"
                                                           : problem.bodies().reason());
  }

  void iterate(ContactProblem& problem, Monitor& monitor) override {
    ContactSweep* const on_matrix = problem.formed() ? &sweep_.prepare(problem.matrix()) : nullptr;
    const auto own = problem.formed() || options_.local.kind == LocalOptions::Kind::exact
                         ? nullptr
                         : problem.make_velocity_sweep(options_.local);
    Sweep& sweep = on_matrix ? static_cast<Sweep&>(*on_matrix) : own ? *own : problem.velocity_sweep();
    r_.assign(monitor.start().begin(), monitor.start().end());
    Random random(static_cast<std::uint64_t>(options_.seed));
    first_order(problem, random, monitor.threads());
    if (mixing_.active()) mixing_.start(problem);
    const bool extrapolating = options_.extrapolation == GaussSeidelOptions::Extrapolation::aitken;
    aitken_.start();
    sweep.start(r_);
    monitor.setup_done();
    for (long k = 0;; ++k) {
      if (options_.local_tolerance == GaussSeidelOptions::LocalTolerance::adaptive)
        sweep.set_local_tolerance(std::clamp(0.1 * monitor.best_error(), 1e-14, 0.1));
      const bool look =
          options_.freeze > 0 && k % (options_.freeze + 1) == 0;  // all contacts move, and are watched
      if (mixing_.active() || extrapolating || look) {
        before_.resize(r_.size());
        copy_in_pieces(problem.team(), r_, before_);
      }
      const Change change = coloured_ ? on_matrix->sweep(colouring_, *team_, options_.relaxation, r_.data())
                                      : sweep.sweep(order_, options_.relaxation, r_.data());
      if (monitor.show(r_, change, sweep)) return;
      bool moved = false;
      if (mixing_.active()) {
        moved = mixing_.next(before_, r_);
        std::swap(before_, r_);
      }
      if (extrapolating)
        moved = problem.dimension() == 3 ? aitken_.look<3>(before_, r_, problem.mu(), change.step)
                                         : aitken_.look<2>(before_, r_, problem.mu(), change.step);
      if (moved) sweep.start(r_);
      if (look)
        freeze_still_contacts(problem, change);
      else if (options_.freeze > 0 && (k + 1) % (options_.freeze + 1) == 0)
        order_ = all_;
      next_order(random);
    }
  }

  /// Leaves in the order only the contacts that moved; before_ holds the impulses before the sweep.
  void freeze_still_contacts(const ContactProblem& problem, const Change& change) {
    const auto d = std::size_t(problem.dimension());
    const double little = 1e-4 * change.step / double(problem.contacts());
    if (all_.empty()) {
      all_ = order_;
      if (all_.empty()) {
        all_.resize(std::size_t(problem.contacts()));
        std::iota(all_.begin(), all_.end(), 0);
      }
    }
    order_.clear();
    for (Index i : all_) {
      double moved = 0;
      for (std::size_t c = std::size_t(i) * d; c < (std::size_t(i) + 1) * d; ++c)
        moved += (r_[c] - before_[c]) * (r_[c] - before_[c]);
      if (moved > little) order_.push_back(i);
    }
    if (order_.empty()) order_ = all_;
  }

  void first_order(const ContactProblem& problem, Random& random, int threads) {
    order_.clear();
    all_.clear();
    coloured_ =
        options_.order == Order::coloured || (options_.order == Order::automatic && options_.freeze == 0 &&
                                              problem.formed() && problem.contacts() >= coloured_contacts);
    if (coloured_) {
      colouring_ = colour_contacts(problem.matrix().W());
      if (!team_ || team_->size() != threads) team_ = std::make_unique<ThreadTeam>(threads);
    } else if (options_.order == Order::bandwidth) {
      order_ = bandwidth_order(problem.matrix().W());
    } else {
      number_contacts(problem.contacts(), random);
    }
  }

  /// The orders that need only the number of contacts; empty: as given.
  void number_contacts(Index contacts, Random& random) {
    order_.clear();
    if (options_.order == Order::given || options_.order == Order::automatic) return;
    order_.resize(std::size_t(contacts));
    std::iota(order_.begin(), order_.end(), 0);
    if (options_.order != Order::symmetric) shuffle(order_, random);
  }

  void next_order(Random& random) {
    if (options_.order == Order::reshuffled) shuffle(order_, random);
    if (options_.order == Order::symmetric) std::reverse(order_.begin(), order_.end());
  }

  GaussSeidelOptions options_;
  Anderson mixing_;
  Aitken aitken_;
  std::vector<double> r_, before_;
  std::vector<Index> order_, all_;
  bool coloured_ = false;
  Colouring colouring_;
  std::unique_ptr<ThreadTeam> team_;
  KeptSweep sweep_;
};

}  // namespace

std::unique_ptr<Method> make_gauss_seidel(const GaussSeidelOptions& options) {
  auto solver = std::make_unique<GaussSeidel>(options);
  if (options.islands == GaussSeidelOptions::Islands::on) return make_island_solver(std::move(solver));
  return solver;
}

}  // namespace stickslip::internal
