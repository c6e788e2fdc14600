// One solver for everything: the cheapest method first, the rate watched, the next one taken in time. The stages and their
// limits are a table (stages.hpp); docs/theory/automatic.md has the figures behind the numbers; bench/fit_auto fits them again.
#pragma once

#include <memory>
#include <vector>

#include "solve/method.hpp"
#include "solve/options.hpp"
#include "stickslip/description.hpp"

namespace stickslip::internal {

/// All numbers of `auto`. Sweeps and steps are counted, never seconds, so that the result does not depend on the clock.
struct AutomaticOptions {
  long horizon = 100;  ///< sweeps that plain Gauss–Seidel may be expected to need; more: it is left
  double mixing = 2;   ///< the same for mixing, for each contact; 0: no mixing where W can be factorised
  long warm = 500;  ///< contacts up to which the proximal point goes on from a guess before anything is mixed
  long warm_horizon = 100;  ///< likewise: sweeps with mixing that may be expected to be needed before it
  long warm_steps = 300;    ///< likewise: Newton steps that it may take
  double warm_blocks = 16;  ///< likewise: blocks a row of W, beyond which a Newton step costs too many sweeps
  long lease = 100;         ///< Newton steps of the first proximal phase
  double lease_per_contact = 0.3;  ///< the same for each contact, where that is more
  long growth = 4;                 ///< of a lease from round to round
  long rounds = 4;                 ///< of proximal and interior phases before it gives up
  long steps_per_path = 200;       ///< Newton steps of a lease that are worth one path of the interior point
  long sweeps_per_step = 10;       ///< sweeps with mixing for each Newton step of a lease
  long yielding = 16;              ///< leases for the proximal point with a falling compliance; 0: none
  double suspicious = 1e-4;        ///< error above which a proof of infeasibility is looked for
  long proof_first = 300;  ///< lease from which the proof comes before it: it costs some ten Newton steps
  long small = 64;         ///< contacts up to which Newton's method and mixing come before the proximal point
  long small_horizon = 20;  ///< horizon up to that many contacts
  long small_mixing = 40;   ///< the same for mixing; slower sweeps are followed by Newton's method at once
  double near = 1e-4;       ///< error below which Newton's method comes before mixing on small problems
  long largest = 30000;     ///< contacts up to which W is factorised where it is all that is known
  long bodies =
      100;  ///< contacts from which global problems are left without W where their contacts are redundant
  /// The same as `horizon` from `many_bodies` contacts on, swept on velocities: what comes next costs as much.
  long body_horizon = 500;
  /// Likewise: they go on in any case while so many sweeps halve the error. Groups of contacts that rearrange make it stand still for a while.
  long body_patience = 1000;
  double redundancy = 2;  ///< contact unknowns a degree of freedom from which they are
  long many_bodies =
      600;  ///< contacts from which the following redundancy is enough, and relaxed paths come first
  double little_redundancy = 1.2;
  long patience =
      20;  ///< through the bodies: Newton steps without halving the error before the proximal point is left
  long patience_growth = 4;  ///< of that from round to round
  /// Through the bodies, where contacts are redundant: ρ of alternating directions, the iterations that they may be expected to need, and
  /// the sweeps with mixing that are worth as much.
  double penalty = 1e-3;
  long penalty_horizon = 60, penalty_mixing = 60;
  double penalty_factors =
      200;  ///< likewise: sweeps that their factorisation may cost; beyond, mixing is worth more
  long penalty_patience = 8;  ///< likewise: they go on in any case while so many iterations halve the error
  /// Likewise where their system is solved by conjugate gradients, since factors would cost more.
  double products_penalty = 1e-2;
  long products_horizon = 100;
  double products_steps = 40,
         products = 30;      ///< iterations, and products for each, that they are taken to need
  double mixing_steps = 25;  ///< through the bodies: Newton steps that mixing may be expected to cost
  /// Likewise: it goes on in any case while sweeps worth so many factorisations halve the error.
  double mixing_patience = 3;
  double centre_steps = 6;  ///< the same from the end of the relaxed path
  /// Where factors cost more than conjugate gradients (packings): the sweeps that mixing may be expected to need before the
  /// relaxed path, and those that have to halve the error then.
  long dear_horizon = 100, dear_patience = 50;
  /// Likewise from the end of the relaxed path: those that have to halve the error before the first domain, and between domains.
  long centre_patience = 100, domain_patience = 100;
  long domains = 6;  ///< likewise: contacts with the error and those around are solved apart so many times
  double domain_share = 0.9;   ///< of the squared error, inside
  long domain_seeds = 200;     ///< contacts that it is looked for at; a hundredth of all, where that is more
  double domain_part = 0.5;    ///< of all contacts, beyond which the error is spread and no domain is tried
  double brief_part = 0.1;     ///< of all contacts, from which a domain is tried more briefly at first
  long domain_bodies = 64;     ///< contacts from which a domain is solved through its bodies at first
  long domain_rounds = 2;      ///< of the stages for a domain after one that was not solved
  double mixing_share = 0.25;  ///< of the patience, for mixing in the rounds
  long body_rounds = 8;        ///< through the bodies: rounds before it gives up
  long doubtful_rounds = 3;    ///< likewise, of packings whose error is still above `suspicious`
  long brief = 0;  ///< through the bodies: rounds that end with the proximal point from the relaxed path

  void visit(OptionVisitor& visitor);
};

/// Whether methods that factorise are better off without W: many contact unknowns a degree of freedom.
bool stays_without_matrix(const AutomaticOptions& options, const GlobalProblem& problem);

std::unique_ptr<Method> make_automatic(const AutomaticOptions& options);

/// The rows of its table, for people.
std::vector<StageDescription> automatic_stages();

}  // namespace stickslip::internal
