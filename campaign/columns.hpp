// The columns of each table, once: their names, order and fields. The schema, reading, writing and the export
// follow from these lists.
#pragma once

#include "campaign/records.hpp"

namespace stickslip::campaign {

/// Calls visit(name, field) for each column but the id. `R` is the record, const or not.
template <class R, class Visit>
void machine_columns(R& m, Visit&& visit) {
  visit("name", m.name);
  visit("processor", m.processor);
  visit("cores", m.cores);
  visit("memory", m.memory);
  visit("system", m.system);
  visit("compiler", m.compiler);
  visit("version", m.version);
}

/// What is known of a problem before it is loaded.
template <class R, class Visit>
void problem_identity(R& p, Visit&& visit) {
  visit("set_name", p.set);
  visit("name", p.name);
  visit("source", p.source);
}

/// What loading it tells.
template <class R, class Visit>
void problem_figures(R& p, Visit&& visit) {
  visit("fingerprint", p.fingerprint);
  visit("given_form", p.given_form);
  visit("form", p.form);
  visit("contacts", p.contacts);
  visit("dimension", p.dimension);
  visit("degrees_of_freedom", p.degrees_of_freedom);
  visit("density", p.density);
  visit("blocks", p.blocks);
  visit("blocks_per_row", p.blocks_per_row);
  visit("rank_ratio", p.rank_ratio);
  visit("conditioning", p.conditioning);
  visit("asymmetry", p.asymmetry);
  visit("smallest_block", p.smallest_block);
  visit("largest_block", p.largest_block);
  visit("islands", p.islands);
  visit("mu_min", p.mu_min);
  visit("mu_max", p.mu_max);
  visit("q_norm", p.q_norm);
  visit("message", p.message);
}

template <class R, class Visit>
void problem_columns(R& p, Visit&& visit) {
  problem_identity(p, visit);
  problem_figures(p, visit);
}

template <class R, class Visit>
void solver_columns(R& s, Visit&& visit) {
  visit("label", s.label);
  visit("given", s.given);
  visit("composition", s.composition);
  visit("family", s.family);
  visit("reference", s.reference);
  visit("external", s.external);
  visit("patience", s.patience);
}

template <class R, class Visit>
void task_columns(R& t, Visit&& visit) {
  visit("problem", t.problem);
  visit("solver", t.solver);
  visit("tolerance", t.tolerance);
  visit("time_limit", t.time_limit);
}

/// What a solve gives; the history apart.
template <class R, class Visit>
void outcome_columns(R& r, Visit&& visit) {
  visit("status", r.status);
  visit("solved", r.solved);
  visit("used", r.used);
  visit("error", r.error);
  visit("verified_error", r.verified_error);
  visit("verified_rounding", r.verified_rounding);
  visit("verified_energy", r.verified_energy);
  visit("iterations", r.iterations);
  visit("seconds", r.seconds);
  visit("cpu_seconds", r.cpu_seconds);
  visit("setup_seconds", r.setup_seconds);
  visit("factorisation_seconds", r.factorisation_seconds);
  visit("iteration_seconds", r.iteration_seconds);
  visit("measuring_seconds", r.measuring_seconds);
  visit("repetitions", r.repetitions);
  visit("spread", r.spread);
  visit("open", r.open);
  visit("stick", r.stick);
  visit("slip", r.slip);
  visit("peak_memory", r.peak_memory);
  visit("load", r.load);
  visit("message", r.message);
  visit("machine", r.machine);
  visit("started", r.started);
}

template <class R, class Visit>
void run_columns(R& r, Visit&& visit) {
  task_columns(r.task, visit);
  outcome_columns(r, visit);
}

}  // namespace stickslip::campaign
