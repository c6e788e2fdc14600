// Two campaigns side by side: what got faster, slower, solved, lost; and whether that is more than noise.
//
// Rows belong together when set, problem (by fingerprint), solver label, tolerance and time limit are the
// same. With ℓ = ln(t_B/t_A) of the rows that both solve, a group (a solver, a set) has the ratio exp(mean ℓ).
// Its noise is the factor exp(3σ/√n + δ):
//
//   σ  the larger of 1.2533 · mean |ℓ − median ℓ|, how much the rows of the group disagree (all rows where the
//      group is small), and the median of ln(1 + spread), how much the repetitions of a row disagree
//   δ  the mean of ln(wall clock/processor) of the solves of a millisecond or more: how much other work on the
//      machine disturbed them. It comes in bursts that many rows share, so it does not average out. 0 by
//      processor time.
//
// It is never less than a floor, because two runs of one program on one machine differ by more than these
// show.
#pragma once

#include <string>
#include <vector>

#include "campaign/records.hpp"

namespace stickslip::campaign {

/// Which time is compared: of the wall clock, or of the processor, which other work on the machine disturbs
/// less. The processor's clock is too coarse for solves below a millisecond; there the wall clock counts in
/// any case.
enum class Measure { seconds, cpu_seconds };
/// > 0.
double time_of(const RunRecord& run, Measure measure);

struct CompareOptions {
  double floor = 1.1;  ///< the least factor that counts as a change; ≥ 1
  Measure measure = Measure::seconds;
};

/// A row that both campaigns have.
struct ComparedRow {
  std::string set, problem, solver;
  double tolerance = 0, time_limit = 0;
  bool solved_a = false, solved_b = false;
  std::string status_a, status_b;
  double seconds_a = 0, seconds_b = 0;
  double ratio() const { return seconds_b / seconds_a; }  ///< above 1: B is slower; both solved only
  /// Lost, but A came so close to the limit that noise explains it.
  bool borderline = false;
  bool lost() const { return solved_a && !solved_b && !borderline; }
  bool gained() const { return !solved_a && solved_b; }
};

struct ComparedGroup {
  std::string name;
  std::size_t both = 0, faster = 0, slower = 0, gained = 0, lost = 0, borderline = 0;
  double ratio = 1;  ///< geometric mean of t_B/t_A over the rows that both solve
  double noise = 1;  ///< a ratio beyond this factor, either way, is a change
  bool is_slower() const { return ratio > noise; }
  bool is_faster() const { return ratio < 1 / noise; }
};

struct Comparison {
  std::vector<ComparedRow> rows;  ///< the slowest first, those lost before them
  std::vector<ComparedGroup> solvers, sets;
  ComparedGroup all;
  std::size_t only_a = 0, only_b = 0;  ///< rows that one of them has
  std::vector<std::string> changed;    ///< problems of the same name with other numbers; not compared
  /// Something was lost, or a solver or a set is slower beyond its noise.
  bool regression() const;
};

Comparison compare(const Campaign& a, const Campaign& b, const CompareOptions& options = {});

}  // namespace stickslip::campaign
