#include "campaign/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace stickslip::campaign {
namespace {

using Key = std::tuple<std::string, std::string, std::string, double, double>;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// 1.2533 times the mean absolute deviation from the median: σ where the numbers are normal, and less moved
/// by a few outliers than the root of the mean square.
double deviation(const std::vector<double>& values) {
  const double centre = median(values);
  double sum = 0;
  for (const double v : values) sum += std::abs(v - centre);
  return values.empty() ? 0 : 1.2533 * sum / double(values.size());
}

template <class T>
std::map<std::int64_t, const T*> by_id(const std::vector<T>& list) {
  std::map<std::int64_t, const T*> map;
  for (const auto& entry : list) map[entry.id] = &entry;
  return map;
}

std::map<Key, const RunRecord*> rows_of(const Campaign& c) {
  const auto problems = by_id(c.problems);
  const auto solvers = by_id(c.solvers);
  std::map<Key, const RunRecord*> rows;
  for (const auto& run : c.runs) {
    const auto& p = *problems.at(run.task.problem);
    rows[{p.set, p.name, solvers.at(run.task.solver)->label, run.task.tolerance, run.task.time_limit}] = &run;
  }
  return rows;
}

std::map<std::pair<std::string, std::string>, std::string> fingerprints(const Campaign& c) {
  std::map<std::pair<std::string, std::string>, std::string> map;
  for (const auto& p : c.problems) map[{p.set, p.name}] = p.fingerprint;
  return map;
}

/// Rows with what is needed to judge a group of them.
struct Sample {
  std::vector<const ComparedRow*> rows;
  std::vector<double> spreads, disturbances;
};

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / double(values.size());
}

/// ln(wall clock/processor) where both clocks are good enough to say.
double disturbance(const RunRecord& run) {
  const double wall = run.seconds.value_or(0), cpu = run.cpu_seconds.value_or(0);
  return wall >= 1e-3 && cpu > 0 ? std::max(0.0, std::log(wall / cpu)) : 0;
}

std::vector<double> logs(const Sample& sample) {
  std::vector<double> values;
  for (const auto* row : sample.rows)
    if (row->solved_a && row->solved_b) values.push_back(std::log(row->ratio()));
  return values;
}

ComparedGroup judge(const std::string& name, const Sample& sample, double overall,
                    const CompareOptions& options) {
  ComparedGroup group;
  group.name = name;
  const auto ell = logs(sample);
  group.both = ell.size();
  if (!ell.empty()) {
    group.ratio = std::exp(mean(ell));
    const double sigma = std::max(ell.size() < 5 ? overall : deviation(ell), median(sample.spreads));
    group.noise = std::exp(3 * sigma / std::sqrt(double(ell.size())) + mean(sample.disturbances));
  }
  group.noise = std::max(group.noise, options.floor);
  for (const auto* row : sample.rows) {
    const bool both = row->solved_a && row->solved_b;
    group.faster += both && row->ratio() < 1 / options.floor;
    group.slower += both && row->ratio() > options.floor;
    group.gained += row->gained();
    group.lost += row->lost();
    group.borderline += row->borderline;
  }
  return group;
}

}  // namespace

double time_of(const RunRecord& run, Measure measure) {
  const double wall = run.seconds.value_or(0);
  const bool by_processor = measure == Measure::cpu_seconds && run.cpu_seconds && wall >= 1e-3;
  return std::max(by_processor ? *run.cpu_seconds : wall, 1e-9);
}

bool Comparison::regression() const {
  const auto slower = [](const ComparedGroup& group) { return group.is_slower(); };
  return all.lost > 0 || all.is_slower() || std::any_of(solvers.begin(), solvers.end(), slower) ||
         std::any_of(sets.begin(), sets.end(), slower);
}

Comparison compare(const Campaign& a, const Campaign& b, const CompareOptions& options) {
  Comparison result;
  const auto in_a = rows_of(a), in_b = rows_of(b);
  const auto prints_a = fingerprints(a), prints_b = fingerprints(b);
  for (const auto& [problem, print] : prints_a)
    if (const auto other = prints_b.find(problem); other != prints_b.end() && other->second != print)
      result.changed.push_back(problem.first + "/" + problem.second);

  std::vector<double> spreads, disturbances;
  for (const auto& [key, run_a] : in_a) {
    const auto found = in_b.find(key);
    if (found == in_b.end()) {
      ++result.only_a;
      continue;
    }
    const auto& [set, problem, solver, tolerance, limit] = key;
    if (prints_a.at({set, problem}) != prints_b.at({set, problem})) continue;
    const RunRecord& run_b = *found->second;
    ComparedRow row{set,           problem,      solver,        tolerance,   limit,
                    run_a->solved, run_b.solved, run_a->status, run_b.status};
    row.seconds_a = time_of(*run_a, options.measure);
    row.seconds_b = time_of(run_b, options.measure);
    row.borderline = row.solved_a && !row.solved_b && row.seconds_a * options.floor * options.floor > limit &&
                     (row.status_b == "time_limit" || row.status_b == "killed_time");
    spreads.push_back(std::log1p(std::max(run_a->spread.value_or(0), run_b.spread.value_or(0))));
    disturbances.push_back(
        options.measure == Measure::seconds ? std::max(disturbance(*run_a), disturbance(run_b)) : 0);
    result.rows.push_back(std::move(row));
  }
  for (const auto& [key, run] : in_b) result.only_b += !in_a.count(key);

  Sample everything;
  std::map<std::string, Sample> solvers, sets;
  for (std::size_t k = 0; k < result.rows.size(); ++k) {
    const ComparedRow& row = result.rows[k];
    for (Sample* sample : {&everything, &solvers[row.solver], &sets[row.set]}) {
      sample->rows.push_back(&row);
      sample->spreads.push_back(spreads[k]);
      sample->disturbances.push_back(disturbances[k]);
    }
  }
  const double overall = deviation(logs(everything));
  result.all = judge("all", everything, overall, options);
  for (const auto& [name, sample] : solvers) result.solvers.push_back(judge(name, sample, overall, options));
  for (const auto& [name, sample] : sets) result.sets.push_back(judge(name, sample, overall, options));
  const auto weight = [](const ComparedRow& row) {
    return row.lost() ? 1e300 : row.solved_a && row.solved_b ? row.ratio() : 0;
  };
  std::stable_sort(result.rows.begin(), result.rows.end(),
                   [&](const auto& x, const auto& y) { return weight(x) > weight(y); });
  return result;
}

}  // namespace stickslip::campaign
