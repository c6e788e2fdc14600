// Two groups of solvers within one campaign: for each problem the best time of the baseline group over the
// best time of the candidate group. Above 1: the candidates are faster.
#pragma once

#include <string>
#include <vector>

#include "campaign/compare.hpp"
#include "campaign/records.hpp"

namespace stickslip::campaign {

/// Labels by patterns (* ? [a-z]); a label belongs to a group when one of its patterns fits.
struct RatioRequest {
  std::vector<std::string> baseline, candidate;
  Measure measure = Measure::seconds;
};

struct RatioRow {
  std::string set, problem;
  double tolerance = 0, time_limit = 0;
  std::string baseline, candidate;  ///< the fastest solver of each group; empty: none solves it
  double baseline_seconds = 0, candidate_seconds = 0;
  bool both() const { return !baseline.empty() && !candidate.empty(); }
  double ratio() const { return baseline_seconds / candidate_seconds; }
};

struct RatioSet {
  std::string name;
  double tolerance = 0;
  std::size_t problems = 0, both = 0, only_baseline = 0, only_candidate = 0, neither = 0;
  double ratio = 1;                ///< geometric mean over the problems that both solve
  double least = 1, greatest = 1;  ///< over these problems
};

struct RatioReport {
  std::vector<RatioRow> rows;
  std::vector<RatioSet> sets;  ///< by set and tolerance
  /// For each tolerance: over all problems, and the geometric mean of the sets' ratios.
  struct Overall {
    double tolerance = 0;
    RatioSet problems;
    double over_sets = 1;
    std::string least_set;
    double least_ratio = 1;
  };
  std::vector<Overall> overall;
};

/// Throws InputError when a pattern fits no solver of the campaign.
RatioReport ratio(const Campaign& campaign, const RatioRequest& request);

}  // namespace stickslip::campaign
