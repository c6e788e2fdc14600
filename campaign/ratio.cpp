#include "campaign/ratio.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "stickslip/errors.hpp"

namespace stickslip::campaign {
namespace {

std::set<std::int64_t> members(const Campaign& campaign, const std::vector<std::string>& patterns) {
  std::set<std::int64_t> ids;
  for (const auto& pattern : patterns) {
    bool any = false;
    for (const auto& solver : campaign.solvers)
      if (::fnmatch(pattern.c_str(), solver.label.c_str(), 0) == 0) ids.insert(solver.id), any = true;
    if (!any) {
      std::string known;
      for (const auto& solver : campaign.solvers) known += (known.empty() ? "" : ", ") + solver.label;
      throw InputError("no solver fits '" + pattern + "' (there are: " + known + ")");
    }
  }
  return ids;
}

/// Gathers rows into one line of a table.
class Gather {
 public:
  void add(const RatioRow& row) {
    ++set_.problems;
    set_.only_baseline += !row.baseline.empty() && row.candidate.empty();
    set_.only_candidate += row.baseline.empty() && !row.candidate.empty();
    set_.neither += row.baseline.empty() && row.candidate.empty();
    if (!row.both()) return;
    const double r = row.ratio();
    set_.least = set_.both ? std::min(set_.least, r) : r;
    set_.greatest = set_.both ? std::max(set_.greatest, r) : r;
    ++set_.both;
    sum_ += std::log(r);
  }
  RatioSet result(const std::string& name, double tolerance) const {
    RatioSet set = set_;
    set.name = name;
    set.tolerance = tolerance;
    if (set.both) set.ratio = std::exp(sum_ / double(set.both));
    return set;
  }

 private:
  RatioSet set_;
  double sum_ = 0;
};

}  // namespace

RatioReport ratio(const Campaign& campaign, const RatioRequest& request) {
  const auto baseline = members(campaign, request.baseline), candidate = members(campaign, request.candidate);
  std::map<std::int64_t, const ProblemRecord*> problems;
  for (const auto& p : campaign.problems) problems[p.id] = &p;
  std::map<std::int64_t, std::string> labels;
  for (const auto& s : campaign.solvers) labels[s.id] = s.label;

  std::map<std::tuple<std::int64_t, double, double>, RatioRow> rows;
  for (const auto& run : campaign.runs) {
    const bool in_baseline = baseline.count(run.task.solver), in_candidate = candidate.count(run.task.solver);
    if (!in_baseline && !in_candidate) continue;
    RatioRow& row = rows[{run.task.problem, run.task.tolerance, run.task.time_limit}];
    row.set = problems.at(run.task.problem)->set;
    row.problem = problems.at(run.task.problem)->name;
    row.tolerance = run.task.tolerance;
    row.time_limit = run.task.time_limit;
    if (!run.solved) continue;
    const double seconds = time_of(run, request.measure);
    const auto offer = [&](std::string& who, double& best) {
      if (!who.empty() && best <= seconds) return;
      who = labels.at(run.task.solver);
      best = seconds;
    };
    if (in_baseline) offer(row.baseline, row.baseline_seconds);
    if (in_candidate) offer(row.candidate, row.candidate_seconds);
  }

  RatioReport report;
  std::map<double, Gather, std::greater<>> totals;
  std::map<std::pair<double, std::string>, Gather> sets;
  for (const auto& [key, row] : rows) {
    report.rows.push_back(row);
    totals[row.tolerance].add(row);
    sets[{-row.tolerance, row.set}].add(row);
  }
  for (const auto& [key, gather] : sets) report.sets.push_back(gather.result(key.second, -key.first));
  for (const auto& [tolerance, gather] : totals) {
    RatioReport::Overall overall;
    overall.tolerance = tolerance;
    overall.problems = gather.result("all problems", tolerance);
    double sum = 0;
    std::size_t count = 0;
    for (const auto& set : report.sets) {
      if (set.tolerance != tolerance || set.both == 0) continue;
      if (count++ == 0 || set.ratio < overall.least_ratio)
        overall.least_set = set.name, overall.least_ratio = set.ratio;
      sum += std::log(set.ratio);
    }
    if (count) overall.over_sets = std::exp(sum / double(count));
    report.overall.push_back(overall);
  }
  return report;
}

}  // namespace stickslip::campaign
