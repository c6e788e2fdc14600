// The stages of `auto` as data: what runs, from where, for how long, and when.
#pragma once

#include <cmath>
#include <span>
#include <string_view>

#include "solve/monitor/rate_watch.hpp"
#include "solvers/automatic/automatic.hpp"

namespace stickslip::internal {

/// What the rules of a stage may look at.
struct Situation {
  const AutomaticOptions& options;
  Index contacts;
  bool formed;  ///< W is there
  long lease;   ///< Newton steps of the present round
  long round = -1;
  double blocks_a_row = 0;             ///< of W; 0: not known yet
  long patience = 0;                   ///< Newton steps of the present round without halving the error
  double step_in_sweeps = 0;           ///< through the bodies: what a Newton step costs; 0: not known yet
  double factorisation_in_sweeps = 0;  ///< the part of it that grows with the fronts
  bool dear = false;                   ///< conjugate gradients cost less than a factorisation
  bool by_products = false;            ///< likewise for the system of alternating directions
  double product_in_sweeps = 0;        ///< what an iteration of conjugate gradients costs
  bool direct = true;                  ///< a factorisation is within reach
  bool redundant = false;              ///< `redundancy` contact unknowns a degree of freedom or more
  bool symmetric = true;               ///< M is; not looked at unless contacts are redundant
  double best_error = 0;               ///< so far
  double expected = 0;                 ///< sweeps to the tolerance at the rate seen last
  bool asked = false;                  ///< whether a proof was looked for
  bool lost = false;                   ///< the last relaxed path did not arrive
  bool gained = false;                 ///< the last stage was the proximal point, and the best error halved
  bool yielded = false;                ///< the same of the proximal point on contacts that yield
  bool guessed = false;                ///< a guess was given and kept
  bool continued = false;              ///< a guess was given, kept or not: one of the problems of a loop
  bool fits = true;                    ///< a factorisation fits into the memory that may be taken
  bool held = false;                   ///< whether that was looked at

  bool small() const { return contacts <= options.small; }
  bool too_large() const { return formed && contacts > options.largest; }
  long rounds() const { return formed ? options.rounds : options.body_rounds; }
  /// Whether the round ends with the proximal point from the relaxed path.
  bool brief() const { return round < options.brief; }
  /// A proof is worth nothing where the problem is a part of another.
  bool may_ask() const { return std::isfinite(options.suspicious); }
  bool last_round() const { return round + 1 == rounds(); }
  /// Whether mixing comes before Newton's method on a small problem: the sweeps were not slow, and the end is not near.
  bool mixing_first() const { return best_error > options.near && expected <= double(options.small_mixing); }
};

struct Stage {
  enum class Part {
    sweeps,
    warm,
    islands,
    mixing,
    short_mixing,
    penalty,
    newton,
    proximal,
    natural,
    yielding,
    relaxed,
    slipping,
    deep,
    domains,
    proof,
    interior
  };
  /// Problems with W, and those left to their bodies.
  enum class Route { both, matrix, bodies };
  enum class Start {
    best,    ///< the best iterate of all stages before
    guess,   ///< that of the request
    resume,  ///< where the same part ended the last time
    centre,  ///< where the relaxed path ended
    zero
  };

  std::string_view name;
  Part part;
  Route route;
  Start start;
  long first_round, last_round;  ///< −1: before the rounds
  bool (*when)(const Situation&);
  Phase (*phase)(const Situation&);
  std::string_view when_text, phase_text;
};

/// In the order in which they are tried; those of the rounds are taken again in each round that they name.
std::span<const Stage> stages();

}  // namespace stickslip::internal
