#include "solvers/automatic/stages.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace stickslip::internal {
namespace {

using Part = Stage::Part;
using Start = Stage::Start;
using Route = Stage::Route;

constexpr long before = -1, last = std::numeric_limits<long>::max();
/// The first sweeps of a small problem fall faster and say nothing about the others.
constexpr long settling_sweeps = 4;
/// An iteration of alternating directions beside its solve, in sweeps.
constexpr double penalty_sweeps = 2;

Phase unlimited(const Situation&) { return {}; }
/// Whether few Newton steps from the guess are likely, and cheap.
bool goes_on(const Situation& s) {
  return s.formed && s.guessed && !s.small() && s.contacts <= s.options.warm &&
         s.blocks_a_row <= s.options.warm_blocks;
}
Phase horizon_of_sweeps(const Situation& s) {
  const auto& o = s.options;
  if (!s.formed && !s.redundant && s.continued && s.contacts >= o.many_bodies)
    return {.horizon = std::max(o.body_horizon, o.horizon), .patience = o.body_patience};
  return {.horizon = s.small() ? std::min(o.small_horizon, o.horizon) : o.horizon,
          .settle = s.small() ? settling_sweeps : 0};
}
Phase horizon_of_short_mixing(const Situation& s) { return {.horizon = s.options.small_mixing, .looks = 2}; }
long mixing_horizon(const Situation& s) { return long(s.options.mixing * double(s.contacts)); }
Phase horizon_of_mixing(const Situation& s) { return {.horizon = mixing_horizon(s), .looks = 2}; }
bool with_penalty(const Situation& s) {
  return s.redundant && s.symmetric && s.contacts >= s.options.many_bodies && s.options.penalty_horizon > 0 &&
         (s.by_products || (s.direct && s.factorisation_in_sweeps <= s.options.penalty_factors));
}
Phase mixing_worth_its_cost(const Situation& s) {
  if (s.dear) return {.horizon = s.options.dear_horizon, .patience = s.options.dear_patience, .looks = 2};
  return {.horizon = long(s.options.mixing_steps * s.step_in_sweeps),
          .patience = long(s.options.mixing_patience * s.factorisation_in_sweeps),
          .looks = 2};
}
/// Alternating directions come next, which fall evenly.
Phase mixing_worth_a_penalty(const Situation& s) {
  if (!with_penalty(s)) return mixing_worth_its_cost(s);
  if (s.by_products)
    return {.horizon =
                long(s.options.products_steps * (penalty_sweeps + s.options.products * s.product_in_sweeps))};
  return {.horizon = std::max(s.options.penalty_mixing, long(s.options.centre_steps * s.step_in_sweeps))};
}
Phase horizon_of_penalty(const Situation& s) {
  return {.horizon = s.by_products ? s.options.products_horizon : s.options.penalty_horizon,
          .patience = s.options.penalty_patience,
          .looks = 3};
}
Phase mixing_from_the_centre(const Situation& s) {
  if (s.dear) return {.patience = s.options.centre_patience};
  return {.horizon = long(s.options.centre_steps * s.step_in_sweeps),
          .patience = long(s.options.mixing_patience * s.factorisation_in_sweeps),
          .looks = 2};
}
Phase patient(const Situation& s) { return {.patience = s.patience}; }
Phase more_patient(const Situation& s) { return {.patience = s.patience * s.options.patience_growth}; }
Phase most_patient(const Situation& s) {
  return {.patience = s.patience * s.options.patience_growth * s.options.patience_growth};
}
Phase mixing_by_turns(const Situation& s) {
  return {.patience = long(s.options.mixing_share * double(s.patience) * s.step_in_sweeps)};
}
Phase leased(const Situation& s) { return {.iterations = s.lease}; }
Phase steps_from_a_guess(const Situation& s) { return {.iterations = s.options.warm_steps}; }
Phase leased_yielding(const Situation& s) { return {.iterations = s.lease * s.options.yielding}; }
Phase more_yielding(const Situation& s) {
  return {.iterations = s.lease * s.options.growth * s.options.yielding};
}
Phase leased_sweeps(const Situation& s) { return {.iterations = s.lease * s.options.sweeps_per_step}; }

bool always(const Situation&) { return true; }
bool whole(const Situation& s) { return !s.brief(); }
bool gained(const Situation& s) { return s.gained && !s.brief(); }
/// Small problems are solved by the proximal point before a path has ended.
bool large(const Situation& s) { return s.contacts >= s.options.many_bodies; }
bool dear(const Situation& s) { return large(s) && s.dear; }
bool domains(const Situation& s) { return dear(s) && s.options.domains > 0; }
bool no_domains(const Situation& s) { return large(s) && !domains(s); }

constexpr std::string_view text_of_guess =
    "a guess that is not worse than zero, up to `warm` contacts and `warm_blocks` blocks a row of W";
constexpr std::string_view text_of_gain = "the proximal point has just halved the best error";
constexpr std::string_view text_of_large = "W is not formed, `many_bodies` contacts or more";
constexpr std::string_view
    text_of_cheap = "the same, and domains are not taken",
    text_of_dear = "the same, conjugate gradients cost less than factors",
    text_of_centre =
        "it would cost more than `centre_steps` Newton steps, and `mixing_patience` did not halve the error",
    text_of_domains = "`domains` times did not bring mixing to the end";

constexpr std::array table = {
    Stage{"sweeps", Part::sweeps, Route::both, Start::best, before, before,
          [](const Situation& s) { return s.options.horizon > 0; }, horizon_of_sweeps, "always",
          "the rate would take more than `horizon` sweeps (`small_horizon` on small problems, `body_horizon` "
          "on velocities where a guess was given and contacts are not redundant, and not before "
          "`body_patience` "
          "sweeps without "
          "halving the error)"},
    Stage{"mixing", Part::mixing, Route::matrix, Start::best, before, before, goes_on,
          [](const Situation& s) { return Phase{.horizon = s.options.warm_horizon, .looks = 2}; },
          text_of_guess, "the rate would take more than `warm_horizon` sweeps"},
    // In a time loop the impulses of the last step know how the load spreads: from them, not from what sweeps have made of them, few
    // Newton steps are needed. Islands need not be told apart.
    Stage{"proximal", Part::warm, Route::matrix, Start::guess, before, before, goes_on, steps_from_a_guess,
          text_of_guess, "`warm_steps` Newton steps"},
    Stage{"islands", Part::islands, Route::matrix, Start::best, before, before,
          [](const Situation& s) { return s.formed && s.contacts > 1; }, unlimited,
          "groups of contacts do not feel each other", "each goes through these stages by itself"},
    Stage{"mixing", Part::mixing, Route::matrix, Start::best, before, before,
          [](const Situation& s) { return s.too_large(); }, unlimited, "more than `largest` contacts",
          "none: W is not factorised"},
    Stage{"mixing", Part::short_mixing, Route::matrix, Start::best, before, before,
          [](const Situation& s) { return s.small() && s.mixing_first(); }, horizon_of_short_mixing,
          "small, sweeps not slow, error above `near`",
          "the rate would take more than `small_mixing` sweeps"},
    Stage{"newton", Part::newton, Route::matrix, Start::best, before, before,
          [](const Situation& s) { return s.small(); }, unlimited, "small", "four steps without progress"},
    Stage{"mixing", Part::short_mixing, Route::matrix, Start::best, before, before,
          [](const Situation& s) { return s.small() && !s.mixing_first(); }, horizon_of_short_mixing,
          "small, not before", "the rate would take more than `small_mixing` sweeps"},
    Stage{"mixing", Part::mixing, Route::matrix, Start::best, before, before,
          [](const Situation& s) { return !s.too_large() && mixing_horizon(s) > s.options.horizon; },
          horizon_of_mixing, "`mixing`·contacts exceeds `horizon`",
          "the rate would take more than `mixing` sweeps a contact"},
    Stage{"proof", Part::proof, Route::matrix, Start::best, 0, 0,
          [](const Situation& s) {
            return s.best_error > s.options.suspicious && s.lease >= s.options.proof_first;
          },
          unlimited, "the error is still above `suspicious`, the lease not below `proof_first`", "–"},
    // A small error is not nearness: from the best iterate the proximal point may get no further. So it first goes on where
    // it was, since most problems need a little longer and its steps are the cheapest, then starts afresh, and only then
    // follows the best.
    Stage{"proximal", Part::proximal, Route::matrix, Start::best, 0, 0, always, leased, "always",
          "a lease of Newton steps"},
    Stage{"proof", Part::proof, Route::matrix, Start::best, 0, 0,
          [](const Situation& s) { return s.best_error > s.options.suspicious && !s.asked; }, unlimited,
          "the error is still above `suspicious`, not asked yet", "–"},
    Stage{"proximal", Part::proximal, Route::matrix, Start::resume, 1, 1, always, leased, "always",
          "a longer lease"},
    Stage{"proximal", Part::proximal, Route::matrix, Start::zero, 2, 2, always, leased, "always",
          "a longer lease"},
    Stage{"proximal", Part::proximal, Route::matrix, Start::best, 3, last, always, leased, "always",
          "a longer lease"},
    // What gains is not left for the others.
    Stage{"proximal", Part::proximal, Route::matrix, Start::resume, 1, last,
          [](const Situation& s) { return s.gained; }, leased, text_of_gain, "another lease"},
    Stage{"proof", Part::proof, Route::both, Start::best, 0, last,
          [](const Situation& s) { return s.last_round() && !s.asked && s.may_ask(); }, unlimited,
          "last round, not asked yet", "–"},
    Stage{"interior", Part::interior, Route::matrix, Start::resume, 1, last, always, unlimited, "always",
          "a path for each `steps_per_path` of the lease"},
    Stage{"mixing", Part::mixing, Route::matrix, Start::best, 1, last, always, leased_sweeps, "always",
          "`sweeps_per_step` sweeps for each step of the lease"},
    // The last resort: slow and steady. Where the room does not vanish it ends by itself.
    Stage{"yielding", Part::yielding, Route::matrix, Start::zero, 2, 2,
          [](const Situation& s) { return s.options.yielding > 0; }, leased_yielding, "`yielding` > 0",
          "`yielding` times the lease, or the room that contacts lack does not fall"},
    Stage{"yielding", Part::yielding, Route::matrix, Start::resume, 2, 2,
          [](const Situation& s) { return s.yielded; }, more_yielding, "it has just halved the best error",
          "`yielding` times the lease of the next round"},
    Stage{"yielding", Part::yielding, Route::matrix, Start::resume, 3, last,
          [](const Situation& s) { return s.options.yielding > 0; }, leased_yielding, "`yielding` > 0",
          "the same"},
    // Through the bodies: the proximal point and the interior point by turns, since each fails where the other does not.
    Stage{"admm", Part::penalty, Route::bodies, Start::guess, before, before,
          [](const Situation& s) { return s.guessed && with_penalty(s); }, horizon_of_penalty,
          "a guess that is not worse than zero, `many_bodies` redundant contacts or more, M symmetric, "
          "factors cost `penalty_factors` sweeps at most, or more than conjugate gradients",
          "the rate would take more than `penalty_horizon` iterations, and `penalty_patience` did not halve "
          "the error"},
    Stage{"mixing", Part::mixing, Route::bodies, Start::best, before, before, always, mixing_worth_a_penalty,
          "W is not formed",
          "contacts are redundant: the rate would take more than `penalty_mixing` sweeps and `centre_steps` "
          "Newton "
          "steps; else it would cost more than `mixing_steps` "
          "Newton steps, and `mixing_patience` did not halve the error"},
    Stage{"admm", Part::penalty, Route::bodies, Start::zero, before, before, with_penalty, horizon_of_penalty,
          "`many_bodies` redundant contacts or more, M symmetric, factors cost `penalty_factors` sweeps at "
          "most, or more than conjugate gradients",
          "the rate would take more than `penalty_horizon` iterations, and `penalty_patience` did not halve "
          "the error"},
    // Most large problems stand still: the relaxation has their solutions, and its path does not fold. Where few contacts slip,
    // another path takes their speeds from the best iterate.
    Stage{"relaxed", Part::relaxed, Route::bodies, Start::best, 0, 0, large, unlimited, text_of_large,
          "the end of the path"},
    // Where the relaxation has no solution its path does not arrive, and a certificate is likely. By conjugate gradients a path may get
    // lost for want of digits, and the proof costs more than the domains: there it waits for them.
    Stage{"proof", Part::proof, Route::bodies, Start::best, 0, 0,
          [](const Situation& s) { return no_domains(s) && s.lost && s.best_error > s.options.suspicious; },
          unlimited, "the path did not arrive, domains are not taken, the error is still above `suspicious`",
          "–"},
    Stage{"mixing", Part::mixing, Route::bodies, Start::centre, 0, 0, no_domains, mixing_from_the_centre,
          text_of_cheap, text_of_centre},
    // On packings mixing from there gets stuck at a few places at most: these are solved apart.
    Stage{"domains", Part::domains, Route::bodies, Start::centre, 0, 0, domains, unlimited, text_of_dear,
          text_of_domains},
    Stage{"relaxed", Part::slipping, Route::bodies, Start::best, 0, 0, dear, unlimited, text_of_dear,
          "the end of the path with the slip speeds of the best iterate"},
    Stage{"domains", Part::domains, Route::bodies, Start::centre, 0, 0, domains, unlimited, text_of_dear,
          text_of_domains},
    Stage{"relaxed", Part::deep, Route::bodies, Start::best, 0, 0, dear, unlimited, text_of_dear,
          "the end of the path with factors, further down"},
    Stage{"domains", Part::domains, Route::bodies, Start::centre, 0, 0, domains, unlimited, text_of_dear,
          text_of_domains},
    Stage{"proof", Part::proof, Route::bodies, Start::best, 0, 0,
          [](const Situation& s) { return domains(s) && s.best_error > s.options.suspicious; }, unlimited,
          "after domains, the error is still above `suspicious`", "–"},
    Stage{"proximal", Part::proximal, Route::bodies, Start::centre, 0, 0, large, patient, text_of_large,
          "`patience` steps without halving the error"},
    Stage{"relaxed", Part::slipping, Route::bodies, Start::best, 1, last, always, unlimited,
          "W is not formed", "the end of the path with the slip speeds of the best iterate"},
    Stage{"mixing", Part::mixing, Route::bodies, Start::centre, 1, last,
          [](const Situation& s) { return !domains(s); }, mixing_from_the_centre, "W is not formed",
          text_of_centre},
    Stage{"domains", Part::domains, Route::bodies, Start::centre, 1, last, domains, unlimited, text_of_dear,
          text_of_domains},
    Stage{"proximal", Part::proximal, Route::bodies, Start::zero, 0, 0, whole, patient, "W is not formed",
          "`patience` steps without halving the error"},
    Stage{"interior", Part::interior, Route::bodies, Start::resume, 0, last, whole, unlimited,
          "W is not formed", "one path"},
    Stage{"proof", Part::proof, Route::bodies, Start::best, 0, 0,
          [](const Situation& s) { return s.best_error > s.options.suspicious && !s.asked; }, unlimited,
          "the error is still above `suspicious`, not asked yet", "–"},
    Stage{"proximal", Part::proximal, Route::bodies, Start::best, 0, 0, whole, patient, "W is not formed",
          "`patience`"},
    Stage{"proximal", Part::proximal, Route::bodies, Start::resume, 1, last, always, patient,
          "W is not formed", "a longer patience"},
    // What gains is not left for the others.
    Stage{"proximal", Part::proximal, Route::bodies, Start::resume, 0, last, gained, more_patient,
          text_of_gain, "the patience of the next round"},
    Stage{"proximal", Part::proximal, Route::bodies, Start::resume, 0, last, gained, most_patient,
          text_of_gain, "the patience of the round after it"},
    Stage{"natural", Part::natural, Route::bodies, Start::zero, 0, 0, whole, patient, "W is not formed",
          "`patience`"},
    Stage{"natural", Part::natural, Route::bodies, Start::resume, 1, last, always, patient, "W is not formed",
          "a longer patience"},
    Stage{"mixing", Part::mixing, Route::bodies, Start::best, 0, last, whole, mixing_by_turns,
          "W is not formed", "`mixing_share` of the patience in sweeps without halving the error"},
};

std::string_view words(Start start) {
  switch (start) {
    case Start::best:
      return "the best iterate";
    case Start::guess:
      return "the guess";
    case Start::resume:
      return "where it ended";
    case Start::centre:
      return "the relaxed path's end";
    case Start::zero:
      break;
  }
  return "zero";
}

std::string rounds(const Stage& stage) {
  if (stage.first_round == before) return "before";
  if (stage.first_round == stage.last_round) return std::to_string(stage.first_round + 1);
  return std::to_string(stage.first_round + 1) + " …";
}

}  // namespace

std::span<const Stage> stages() { return table; }

std::vector<StageDescription> automatic_stages() {
  std::vector<StageDescription> rows;
  for (const Stage& stage : table)
    rows.push_back({std::string(stage.name), rounds(stage), std::string(words(stage.start)),
                    std::string(stage.when_text), std::string(stage.phase_text)});
  return rows;
}

}  // namespace stickslip::internal
