#include "solvers/automatic/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/dimension.hpp"
#include "local/exact.hpp"
#include "problem/islands.hpp"
#include "solve/memory.hpp"
#include "solve/monitor/monitor.hpp"
#include "solve/prepared_system.hpp"
#include "solvers/automatic/explained_phase.hpp"
#include "solvers/automatic/stage_methods.hpp"
#include "solvers/automatic/stages.hpp"
#include "solvers/certificate/certificate.hpp"
#include "solvers/interior_point/nipm.hpp"
#include "solvers/interior_point/relaxed_path.hpp"
#include "solvers/parts/island_solver.hpp"
#include "solvers/proximal/proximal.hpp"

namespace stickslip::internal {

void AutomaticOptions::visit(OptionVisitor& v) {
  v.integer("horizon", horizon, {0, 1e9}, "sweeps that plain Gauss–Seidel may be expected to need");
  v.real("mixing", mixing, {0, 1e9},
         "sweeps with Anderson mixing for each contact that are worth as much as the proximal point; 0: no "
         "mixing");
  v.integer("warm", warm, {0, 1e9},
            "contacts up to which the proximal point goes on from a guess before anything is mixed");
  v.integer("warm_horizon", warm_horizon, {0, 1e9},
            "likewise: sweeps with mixing that may be expected to be needed before it");
  v.integer("warm_steps", warm_steps, {1, 1e9}, "likewise: Newton steps that it may take");
  v.real("warm_blocks", warm_blocks, {0, 1e9}, "likewise: blocks a row of W");
  v.integer("lease", lease, {1, 1e9}, "Newton steps of the first proximal phase");
  v.real("lease_per_contact", lease_per_contact, {0, 1e9}, "the same for each contact, where that is more");
  v.integer("growth", growth, {1, 100}, "of the leases from round to round");
  v.integer("rounds", rounds, {1, 100}, "of proximal and interior phases before it gives up");
  v.integer("steps_per_path", steps_per_path, {1, 1e9},
            "Newton steps of a lease that are worth one interior path");
  v.integer("sweeps_per_step", sweeps_per_step, {0, 1e6},
            "sweeps with mixing for each Newton step of a lease");
  v.integer(
      "yielding", yielding, {0, 1e6},
      "leases from the third round on for the proximal point on contacts that yield less and less; 0: none");
  v.real("suspicious", suspicious, {0, 1e9},
         "error above which a proof that there is no solution is looked for");
  v.integer("proof_first", proof_first, {1, 1e9}, "lease from which that comes before the proximal point");
  v.integer("small", small, {0, 1e9},
            "contacts up to which Newton's method and mixing come before the proximal point");
  v.integer("small_horizon", small_horizon, {0, 1e9},
            "horizon up to that many contacts, where Newton's steps are cheap");
  v.integer("small_mixing", small_mixing, {0, 1e9},
            "the same for mixing; sweeps that may be expected to need no more are followed by it");
  v.real("near", near, {0, 1e9}, "error below which Newton's method comes before mixing on small problems");
  v.integer("largest", largest, {0, 1e9},
            "contacts up to which W is factorised where it is all that is known");
  v.integer("bodies", bodies, {0, 1e9},
            "contacts from which global problems are left without W where their contacts are redundant");
  v.integer("body_horizon", body_horizon, {0, 1e9},
            "`horizon` from many_bodies contacts on, where sweeps run on velocities");
  v.integer("body_patience", body_patience, {1, 1e9},
            "likewise: while so many sweeps halve the error, they go on in any case");
  v.real("redundancy", redundancy, {0, 1e9}, "contact unknowns a degree of freedom from which they are");
  v.integer("many_bodies", many_bodies, {0, 1e9}, "contacts from which little_redundancy is enough");
  v.real("little_redundancy", little_redundancy, {0, 1e9}, "the same for many contacts");
  v.integer("patience", patience, {1, 1e9},
            "through the bodies: Newton steps without halving the error before the proximal point is left");
  v.integer("patience_growth", patience_growth, {1, 100}, "of that from round to round");
  v.real("penalty", penalty, {0, 1e6, true},
         "ρ of the alternating directions through the bodies, in scaled units");
  v.integer("penalty_horizon", penalty_horizon, {0, 1e9},
            "iterations that they may be expected to need where contacts are redundant; 0: none");
  v.integer("penalty_mixing", penalty_mixing, {0, 1e9}, "sweeps with mixing that are worth as much");
  v.real("penalty_factors", penalty_factors, {0, 1e9}, "likewise: sweeps that their factorisation may cost");
  v.integer("penalty_patience", penalty_patience, {1, 1e9},
            "likewise: while so many iterations halve the error, they go on in any case");
  v.real("products_penalty", products_penalty, {0, 1e6, true},
         "the same ρ where their system is solved by conjugate gradients, since factors would cost more");
  v.integer("products_horizon", products_horizon, {0, 1e9},
            "likewise: iterations that they may be expected to need");
  v.real("products_steps", products_steps, {0, 1e9},
         "likewise: those that they are taken to need, whose cost mixing may be expected to have");
  v.real("products", products, {0, 1e9}, "likewise: iterations of conjugate gradients for each of them");
  v.real("mixing_steps", mixing_steps, {0, 1e9},
         "through the bodies: Newton steps that mixing may be expected to cost");
  v.real("mixing_patience", mixing_patience, {0, 1e9},
         "through the bodies: while sweeps worth so many factorisations halve the error, mixing goes on in "
         "any case");
  v.real("centre_steps", centre_steps, {0, 1e9}, "the same from the end of the relaxed path");
  v.integer("dear_horizon", dear_horizon, {0, 1e9},
            "where factors cost more than conjugate gradients: sweeps that mixing may be expected to need "
            "before the relaxed path");
  v.integer("dear_patience", dear_patience, {1, 1e9}, "likewise: sweeps without halving the error then");
  v.integer("centre_patience", centre_patience, {1, 1e9},
            "likewise: the same from the end of the relaxed path");
  v.integer("domain_patience", domain_patience, {1, 1e9}, "likewise: the same between domains");
  v.integer(
      "domains", domains, {0, 1e6},
      "likewise: the contacts with the error and those around are solved apart so many times; 0: never");
  v.real("domain_share", domain_share, {0, 1}, "of the squared error, inside of a domain");
  v.integer("domain_seeds", domain_seeds, {1, 1e9},
            "contacts with that share at most, or a hundredth of all contacts");
  v.integer("domain_bodies", domain_bodies, {0, 1e9},
            "contacts from which a domain is solved through its bodies at first");
  v.real("domain_part", domain_part, {0, 1}, "of all contacts, beyond which no domain is tried");
  v.real("brief_part", brief_part, {0, 1},
         "of all contacts, beyond which a domain is given up at the proximal point from the relaxed path at "
         "first");
  v.integer("domain_rounds", domain_rounds, {1, 100},
            "of all stages, with W where it pays, for domains after one that was not solved");
  v.real("mixing_share", mixing_share, {0, 1e9},
         "through the bodies: of the patience, for mixing in the rounds");
  v.integer("body_rounds", body_rounds, {1, 100}, "through the bodies: rounds before it gives up");
  v.integer("doubtful_rounds", doubtful_rounds, {1, 100},
            "the same for packings whose error is still above suspicious");
  v.integer("brief", brief, {0, 100},
            "through the bodies: rounds that end with the proximal point from the relaxed path");
}

namespace {

/// Contacts from which stages give their memory back; below, the next solve finds it.
constexpr Index much_memory = 10000;
/// What a factorisation out of reach counts as, in sweeps.
constexpr double many_sweeps = 1e6;

/// Contact unknowns a degree of freedom.
double redundancy_of(const GlobalProblem& problem) {
  return double(problem.w().size()) / double(problem.degrees_of_freedom());
}

/// ‖A − Aᵀ‖ is rounding: x·Ay = y·Ax for two vectors without pattern.
bool is_symmetric(const SparseMatrix& A) {
  const auto n = std::size_t(A.rows());
  std::vector<double> x(n), y(n), Ax(n, 0.0), Ay(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(double(i + 1)), y[i] = std::cos(1.7 * double(i + 1));
  A.multiply_add(1, x, Ax);
  A.multiply_add(1, y, Ay);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    difference += x[i] * Ay[i] - y[i] * Ax[i];
    size += std::abs(x[i] * Ay[i]) + std::abs(y[i] * Ax[i]);
  }
  return std::abs(difference) <= 1e-12 * size;
}

bool factorises(Stage::Part part) {
  using Part = Stage::Part;
  return part != Part::sweeps && part != Part::islands && part != Part::mixing && part != Part::short_mixing;
}

/// Relaxed paths take conjugate gradients in their place, domains have small ones of their own.
bool needs_factors(Stage::Part part) {
  using Part = Stage::Part;
  return factorises(part) && part != Part::relaxed && part != Part::slipping && part != Part::domains;
}

/// The stages in turn.
class Sequence final : public Method {
 public:
  /// `islands` solves several islands one by one; nullptr: there is one.
  Sequence(const AutomaticOptions& options, std::unique_ptr<Method> islands)
      : options_(options), islands_(std::move(islands)) {}

 private:
  using Part = Stage::Part;

  bool needs_matrix(ContactProblem& problem) const override { return !problem.bodies_pay(); }

  /// Contacts that do not feel each other are solved exactly one by one.
  bool offer(const ReducedProblem& problem, std::span<double> r) override {
    if (problem.W().off_diagonal_blocks() > 0) return false;
    with_dimension(problem.dimension(), [&]<int D>() { solve_each<D>(problem, r.data()); });
    return true;
  }

  template <int D>
  [[gnu::flatten]] static void solve_each(const ReducedProblem& problem, double* r) {
    for (std::size_t i = 0; i < problem.mu().size(); ++i) {
      ExactLocalSolver<D> local;
      local.prepare(problem.W().diagonal(Index(i)), problem.mu()[i]);
      double* own = r + i * D;
      for (int c = 0; c < D; ++c) own[c] = 0;
      local.solve(&problem.q()[i * D], own);
    }
  }

  void iterate(ContactProblem& problem, Monitor& monitor) override {
    const bool guessed = monitor.prefer_zero();
    if (monitor.stopped()) return monitor.note("the guess, or zero, is a solution");
    asked_ = begun_interior_ = gained_ = yielded_ = false;
    tried_.clear();
    Situation situation{
        .options = options_,
        .contacts = problem.contacts(),
        .formed = problem.formed(),
        .lease = std::max(options_.lease, long(options_.lease_per_contact * double(problem.contacts())))};
    situation.patience = options_.patience;
    situation.redundant = problem.global() && redundancy_of(*problem.global()) >= options_.redundancy;
    situation.symmetric = !situation.redundant || is_symmetric(problem.global()->M());
    situation.guessed = guessed && islands_;  // what an island starts from is no guess of the caller
    situation.continued = monitor.has_guess() && islands_;
    for (situation.round = -1; situation.round < situation.rounds(); ++situation.round) {
      for (const Stage& stage : stages()) {
        if (stage.route != (situation.formed ? Stage::Route::matrix : Stage::Route::bodies) &&
            stage.route != Stage::Route::both)
          continue;
        if (situation.round < stage.first_round || situation.round > stage.last_round) continue;
        if ((stage.part == Part::mixing || stage.part == Part::penalty) && !situation.formed &&
            situation.step_in_sweeps == 0) {
          hold_against_limit(problem, monitor, situation);
          if (situation.fits) weigh_a_step(problem, monitor, situation);
        }
        if (situation.formed && situation.blocks_a_row == 0)
          situation.blocks_a_row =
              1 + double(problem.matrix().W().off_diagonal_blocks()) / double(problem.contacts());
        situation.best_error = monitor.best_error();
        situation.expected = monitor.expected();
        situation.asked = asked_;
        situation.gained = gained_;
        situation.yielded = yielded_;
        situation.lost = relaxed_ && !relaxed_->arrived();
        if (factorises(stage.part) && stage.when(situation)) hold_against_limit(problem, monitor, situation);
        if (!situation.fits && factorises(stage.part)) continue;
        if (!situation.direct && needs_factors(stage.part) &&
            !(situation.by_products && stage.part == Part::penalty))
          continue;
        if (stage.when(situation) && run(stage, situation, problem, monitor)) return;
        if (stage.part == Part::sweeps && !situation.formed && situation.fits &&
            !stays_without_matrix(options_, *problem.global())) {
          if (!matrix_fits(problem, monitor)) {
            situation.fits = false;
            continue;
          }
          if (!form(problem, monitor)) return;
          situation.formed = true;
        }
      }
      if (situation.round < 0 && (situation.too_large() || !situation.fits)) break;
      if (!situation.formed && situation.dear && situation.round + 1 >= options_.doubtful_rounds &&
          monitor.best_error() > options_.suspicious)
        break;
      if (situation.round >= 0) {
        situation.lease *= options_.growth;
        situation.patience *= options_.patience_growth;
      }
    }
    std::string all;
    for (std::string_view name : tried_) all += (all.empty() ? "" : ", ") + std::string(name);
    monitor.end(Status::stalled, "tried " + all);
  }

  /// False: the solve is over.
  static bool form(ContactProblem& problem, Monitor& monitor) {
    const Turn turn(monitor.watch(), Activity::setup);
    if (problem.form([&] { return monitor.interrupted(); })) return true;
    monitor.over();
    return false;
  }

  /// Whether W, its scaled copy and what sweeps take fit into the memory; if not, says so.
  static bool matrix_fits(ContactProblem& problem, Monitor& monitor) {
    if (!std::isfinite(monitor.memory_limit())) return true;
    const double needed = problem_bytes(*problem.global()) + sweep_bytes(*problem.global()) +
                          2 * matrix_bytes(problem.bodies());
    if (needed <= monitor.memory_limit()) return true;
    monitor.note(fmt::format("W would take the memory to {}, beyond the limit of {}: sweeps with mixing only",
                             size_in_words(needed), size_in_words(monitor.memory_limit())));
    return false;
  }

  /// Before the first factorisation: whether its factors fit into the memory; if not, says so once.
  void hold_against_limit(ContactProblem& problem, Monitor& monitor, Situation& situation) {
    if (situation.held || !std::isfinite(monitor.memory_limit())) return;
    situation.held = true;
    const GlobalProblem* global = problem.global();
    double needed = global ? problem_bytes(*global) + sweep_bytes(*global)
                           : problem_bytes(problem.matrix()) + mixing_bytes(problem.matrix());
    needed += problem.formed() ? problem_bytes(problem.matrix()) : 0;
    const double prepared = needed + (problem.formed() ? 0 : body_system_bytes(*global));
    situation.fits = prepared <= monitor.memory_limit();
    if (situation.fits) {
      const Turn turn(monitor.watch(), Activity::setup);
      const ContactSystem& system = problem.prepared(Scaled::on, Frictionless::whole, monitor.watch()).system;
      situation.direct = needed + system.bytes() <= monitor.memory_limit();
      if (!situation.direct && system.gradients_pay())
        needed += system.loose_bytes() + domain_bytes(*global);
      else if (!situation.direct && system.gradients_pay_for_a_penalty())
        needed += system.loose_bytes();
      else
        needed += system.bytes();
      situation.fits = needed <= monitor.memory_limit();
    }
    if (!situation.fits)
      monitor.note(fmt::format(
          "a factorisation would take the memory to {}, beyond the limit of {}: sweeps with mixing only",
          size_in_words(std::max(needed, prepared)), size_in_words(monitor.memory_limit())));
  }

  /// A Newton step through the bodies in sweeps with mixing: measured, 7 for assembling and solving, and a sweep a contact for
  /// each 300 multiplications of the factorisation.
  static void weigh_a_step(ContactProblem& problem, Monitor& monitor, Situation& situation) {
    const Turn turn(monitor.watch(), Activity::setup);
    const ContactSystem& system = problem.prepared(Scaled::on, Frictionless::whole, monitor.watch()).system;
    const double work = system.work();
    situation.dear = system.gradients_pay();
    situation.by_products = system.gradients_pay_for_a_penalty();
    situation.product_in_sweeps = system.product_work() / (300 * double(problem.contacts()));
    situation.direct = situation.direct && std::isfinite(work);
    situation.factorisation_in_sweeps =
        !std::isfinite(work) ? many_sweeps : work / (300 * double(problem.contacts()));
    situation.step_in_sweeps = 7 + situation.factorisation_in_sweeps;
    if (monitor.explaining())
      monitor.note(
          situation.direct
              ? fmt::format(
                    "{} contacts between {} bodies: W is not formed, a Newton step costs {:.0f} sweeps",
                    problem.contacts(), problem.bodies().bodies(), situation.step_in_sweeps)
              : fmt::format("{} contacts between {} bodies: W is not formed, factors are out of reach",
                            problem.contacts(), problem.bodies().bodies()));
  }

  /// True: the solve is over.
  bool run(const Stage& stage, const Situation& situation, ContactProblem& problem, Monitor& monitor) {
    if (stage.part == Part::proof) return prove(problem, monitor);
    if (stage.part == Part::islands) return split(problem, monitor);
    if (std::ranges::find(tried_, stage.name) == tried_.end()) tried_.push_back(stage.name);
    if (problem.contacts() >= much_memory) give_back(stage.part);
    if (stage.start == Stage::Start::zero) monitor.start_from_zero();
    if (stage.start == Stage::Start::guess) monitor.start_from(monitor.guess());
    if (stage.start == Stage::Start::centre) monitor.start_from(relaxed_->end());
    // Without memory mixing is all there is.
    ExplainedPhase phase(stage.name, monitor, situation.fits ? stage.phase(situation) : Phase{});
    Method& method = method_of(stage.part, situation, problem);
    const bool resume =
        stage.start == Stage::Start::resume && (stage.part != Part::interior || begun_interior_);
    begun_interior_ = begun_interior_ || stage.part == Part::interior;
    resume ? method.resume_within(problem, monitor) : method.iterate_within(problem, monitor);
    const bool over = phase.end();
    gained_ = phase.halved() && stage.part == Part::proximal;
    yielded_ = phase.halved() && stage.part == Part::yielding;
    return over;
  }

  /// The memory of first-order stages, a fifth of what a large problem takes, is not kept through the others.
  void give_back(Part part) {
    if (part != Part::sweeps && part != Part::mixing) {
      sweeps_.reset();
      mixing_.reset();
    }
    if (part != Part::penalty) {
      penalty_.reset();
      product_penalty_.reset();
    }
  }

  /// Made at its first use: most problems need few of them.
  Method& method_of(Part part, const Situation& situation, ContactProblem& problem) {
    const auto made = [](std::unique_ptr<Method>& method, auto&& make) -> Method& {
      if (!method) method = make();
      return *method;
    };
    switch (part) {
      case Part::sweeps:
        return made(sweeps_, make_sweeps);
      case Part::warm:
        return made(warm_, make_warm_proximal);
      case Part::mixing:
        return made(mixing_, [] { return make_mixing(8); });
      case Part::short_mixing:
        return made(short_mixing_, [] { return make_mixing(5); });
      case Part::newton:
        return made(newton_, make_short_newton);
      case Part::penalty:
        if (situation.by_products)
          return made(product_penalty_, [&] { return make_penalty(options_.products_penalty); });
        return made(penalty_, [&] { return make_penalty(options_.penalty); });
      case Part::natural:
        return made(natural_, [] { return make_body_proximal(Map::natural); });
      case Part::yielding:
        return made(yielding_, make_yielding);
      case Part::relaxed:
      case Part::slipping:
      case Part::deep:
        if (!relaxed_) relaxed_ = std::make_unique<RelaxedPath>();
        relaxed_->set_system(situation.dear && problem.bodies().symmetric() &&
                                     situation.contacts >= InteriorPoint::very_many
                                 ? RelaxedPath::System::springs
                                 : RelaxedPath::System::factors);
        relaxed_->set_slip(part == Part::slipping ? RelaxedPath::Slip::of_the_start
                                                  : RelaxedPath::Slip::none);
        relaxed_->set_digits(part == Part::deep ? InteriorPoint::Digits::all : InteriorPoint::Digits::few);
        return *relaxed_;
      case Part::domains:
        return made(domains_, [&] { return make_domains(options_); });
      case Part::interior:
        if (!interior_) interior_ = make_interior();
        interior_->set_paths(situation.formed ? std::max(1L, situation.lease / options_.steps_per_path) : 1);
        return *interior_;
      default:
        break;
    }
    if (situation.formed) return made(proximal_, [] { return make_proximal({}); });
    return made(body_proximal_, [] { return make_body_proximal(Map::alart_curnier); });
  }

  /// True: there are several islands, and each had its turn.
  bool split(ContactProblem& problem, Monitor& monitor) {
    if (!islands_) return false;
    parts_.find(problem.matrix().W());
    if (parts_.count() == 1) return false;
    islands_->iterate_within(problem, monitor);
    return true;
  }

  bool prove(ContactProblem& problem, Monitor& monitor) {
    asked_ = true;
    auto d = prove_infeasible(problem, [&] { return monitor.interrupted(); });
    monitor.note(d ? "proof: a certificate shows that there is no solution"
                   : "proof: no certificate against a solution found");
    if (d) monitor.infeasible(std::move(*d));
    return monitor.over();
  }

  AutomaticOptions options_;
  std::unique_ptr<Method> islands_, sweeps_, mixing_, short_mixing_, newton_, proximal_, warm_,
      body_proximal_, natural_, yielding_, penalty_, product_penalty_, domains_;
  std::unique_ptr<RelaxedPath> relaxed_;
  std::unique_ptr<Nipm> interior_;
  Islands parts_;
  std::vector<std::string_view> tried_;
  bool asked_ = false;           // for a proof that there is no solution
  bool begun_interior_ = false;  // in this solve
  bool gained_ = false;          // the proximal point, by half, in the last stage
  bool yielded_ = false;         // the same of contacts that yield
};

}  // namespace

bool stays_without_matrix(const AutomaticOptions& options, const GlobalProblem& problem) {
  const double redundancy = redundancy_of(problem);
  return (problem.contacts() >= options.bodies && redundancy >= options.redundancy) ||
         (problem.contacts() >= options.many_bodies && redundancy >= options.little_redundancy);
}

std::unique_ptr<Method> make_automatic(const AutomaticOptions& options) {
  auto part = std::make_unique<Sequence>(options, nullptr);
  return std::make_unique<Sequence>(options, make_island_solver(std::move(part)));
}

}  // namespace stickslip::internal
