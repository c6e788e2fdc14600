#include "campaign/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "campaign/report_facts.hpp"

namespace stickslip::campaign {
namespace {

/// A JSON string that may stand in HTML; bytes that are no UTF-8 become replacement characters.
std::string quoted(const std::string& text) {
  const std::string plain =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string safe;
  safe.reserve(plain.size());
  for (const char letter : plain) {
    if (letter == '<')
      safe += "\\u003c";
    else
      safe += letter;
  }
  return safe;
}

std::string written(const std::string& value) { return quoted(value); }
std::string written(std::int64_t value) { return std::to_string(value); }
std::string written(std::size_t value) { return std::to_string(value); }
std::string written(int value) { return std::to_string(value); }
/// Four digits are more than a figure shows; JSON has no infinity and no NaN.
std::string written(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "null"; }
template <class T>
std::string written(const std::optional<T>& value) {
  return value ? written(*value) : "null";
}

/// [f(item), …]
template <class Items, class Of>
std::string column(const Items& items, Of&& of) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    text += written(of(item));
  }
  return text + "]";
}

/// {"name": value, …} from texts that are JSON already.
class Object {
 public:
  Object& add(const char* name, const std::string& json) {
    text_ += fmt::format("{}\"{}\":", text_.empty() ? "" : ",\n", name);
    text_ += json;
    return *this;
  }
  std::string done() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

/// Values with the place of each; `ordered` sorts them first, otherwise they stand as they came.
template <class T>
class Index {
 public:
  std::size_t operator()(const T& value) {
    const auto [found, is_new] = places_.try_emplace(value, values_.size());
    if (is_new) values_.push_back(value);
    return found->second;
  }
  const std::vector<T>& values() const { return values_; }

 private:
  std::map<T, std::size_t> places_;
  std::vector<T> values_;
};

/// The distinct values of a field of the runs, largest first.
template <class Of>
Index<double> levels(const Campaign& campaign, Of&& of) {
  std::map<double, bool, std::greater<>> seen;
  for (const auto& run : campaign.runs) seen[of(run)] = true;
  Index<double> index;
  for (const auto& [value, unused] : seen) index(value);
  return index;
}

template <class Records>
std::map<std::int64_t, std::size_t> places(const Records& records) {
  std::map<std::int64_t, std::size_t> found;
  for (std::size_t k = 0; k < records.size(); ++k) found[records[k].id] = k;
  return found;
}

/// Every step-th point, the first and the last among them.
std::vector<HistoryPoint> thinned(const std::vector<HistoryPoint>& history, std::size_t most) {
  if (history.size() <= most) return history;
  std::vector<HistoryPoint> few;
  for (std::size_t k = 0; k < most; ++k) few.push_back(history[k * (history.size() - 1) / (most - 1)]);
  return few;
}

std::string histories(const Campaign& campaign, std::size_t points) {
  std::size_t rows = 0;
  for (const auto& run : campaign.runs) rows += !run.history.empty();
  const std::size_t most = std::max<std::size_t>(4, rows == 0 ? 4 : points / rows);
  // log₁₀ e · 100 as an integer: the error to 1 %, in four letters.
  const auto logarithm = [](const HistoryPoint& p) {
    return p.error > 0 && std::isfinite(p.error) ? int(std::lround(100 * std::log10(p.error))) : -2000;
  };
  Object all;
  for (std::size_t row = 0; row < campaign.runs.size(); ++row) {
    if (campaign.runs[row].history.empty()) continue;
    const auto history = thinned(campaign.runs[row].history, most);
    Object one;
    one.add("iteration", column(history, [](const HistoryPoint& p) { return p.iteration; }));
    one.add("error", column(history, logarithm));
    one.add("seconds", column(history, [](const HistoryPoint& p) { return p.seconds; }));
    all.add(std::to_string(row).c_str(), one.done());
  }
  return all.done();
}

std::string problems(const Campaign& campaign, Index<std::string>& sets,
                     const std::map<std::size_t, std::string>& pictures) {
  const auto of = [&](auto field) {
    return column(campaign.problems, [field](const ProblemRecord& p) { return p.*field; });
  };
  using P = ProblemRecord;
  std::vector<std::string> drawn(campaign.problems.size());
  for (const auto& [problem, path] : pictures) drawn[problem] = path;
  return Object()
      .add("name", of(&P::name))
      .add("set", column(campaign.problems, [&](const P& p) { return sets(p.set); }))
      .add("contacts", of(&P::contacts))
      .add("dofs", of(&P::degrees_of_freedom))
      .add("density", of(&P::density))
      .add("rank_ratio", column(campaign.problems,
                                [](const P& p) {
                                  return p.rank_ratio && *p.rank_ratio > 0
                                             ? std::optional<double>(1 / *p.rank_ratio)
                                             : std::nullopt;
                                }))
      .add("conditioning", of(&P::conditioning))
      .add("asymmetry", of(&P::asymmetry))
      .add("mu_min", of(&P::mu_min))
      .add("mu_max", of(&P::mu_max))
      .add("picture", column(drawn, [](const std::string& path) { return path; }))
      .done();
}

std::string solvers(const Campaign& campaign) {
  const auto of = [&](auto field) {
    return column(campaign.solvers, [field](const SolverRecord& s) { return s.*field; });
  };
  using S = SolverRecord;
  return Object()
      .add("label", of(&S::label))
      .add("family", of(&S::family))
      .add("given", of(&S::given))
      .add("composition", of(&S::composition))
      .done();
}

struct Indices {
  Index<double> tolerances, limits;
  Index<std::string> statuses, texts;
};

std::string rows(const Campaign& campaign, Indices& index) {
  const auto problem = places(campaign.problems);
  const auto solver = places(campaign.solvers);
  const auto of = [&](auto get) { return column(campaign.runs, get); };
  return Object()
      .add("solver", of([&](const RunRecord& r) { return solver.at(r.task.solver); }))
      .add("problem", of([&](const RunRecord& r) { return problem.at(r.task.problem); }))
      .add("tolerance", of([&](const RunRecord& r) { return index.tolerances(r.task.tolerance); }))
      .add("limit", of([&](const RunRecord& r) { return index.limits(r.task.time_limit); }))
      .add("status", of([&](const RunRecord& r) { return index.statuses(r.status); }))
      .add("solved", of([](const RunRecord& r) { return r.solved ? 1 : 0; }))
      .add("error", of([](const RunRecord& r) { return r.verified_error ? r.verified_error : r.error; }))
      .add("reported", of([](const RunRecord& r) { return r.error; }))
      .add("iterations", of([](const RunRecord& r) { return r.iterations; }))
      .add("seconds", of([](const RunRecord& r) { return r.seconds; }))
      .add("cpu", of([](const RunRecord& r) { return r.cpu_seconds; }))
      .add("setup", of([](const RunRecord& r) { return r.setup_seconds; }))
      .add("factorisation", of([](const RunRecord& r) { return r.factorisation_seconds; }))
      .add("repetitions", of([](const RunRecord& r) { return r.repetitions; }))
      .add("spread", of([](const RunRecord& r) { return r.spread; }))
      .add("memory", of([](const RunRecord& r) { return r.peak_memory; }))
      .add("load", of([](const RunRecord& r) { return r.load; }))
      .add("message", of([&](const RunRecord& r) { return index.texts(r.message); }))
      .add("used", of([&](const RunRecord& r) { return index.texts(r.used); }))
      .done();
}

}  // namespace

std::string report_json(const Campaign& campaign, std::size_t history_points,
                        const std::map<std::size_t, std::string>& pictures) {
  const auto meta = [&](const char* key) {
    const auto found = campaign.meta.find(key);
    return found == campaign.meta.end() ? std::string() : found->second;
  };
  const auto same = [](const std::string& text) { return text; };
  Indices index{levels(campaign, [](const RunRecord& r) { return r.task.tolerance; }),
                levels(campaign, [](const RunRecord& r) { return r.task.time_limit; }),
                {},
                {}};
  Index<std::string> sets;
  const std::string problem_columns = problems(campaign, sets, pictures);
  const std::string row_columns = rows(campaign, index);
  std::string facts = "[";
  for (const auto& [name, value] : report_facts(campaign))
    facts += fmt::format("{}[{},{}]", facts.size() > 1 ? "," : "", quoted(name), quoted(value));
  std::string title = meta("title");
  if (title.empty()) title = meta("plan_name");
  return Object()
      .add("format", "1")
      .add("title", quoted(title.empty() ? "Campaign" : title))
      .add("facts", facts + "]")
      .add("warnings", column(report_warnings(campaign), same))
      .add("plan", quoted(meta("plan")))
      .add("solvers", solvers(campaign))
      .add("sets", column(sets.values(), same))
      .add("tolerances", column(index.tolerances.values(), [](double value) { return value; }))
      .add("limits", column(index.limits.values(), [](double value) { return value; }))
      .add("statuses", column(index.statuses.values(), same))
      .add("texts", column(index.texts.values(), same))
      .add("problems", problem_columns)
      .add("rows", row_columns)
      .add("history", histories(campaign, history_points))
      .done();
}

}  // namespace stickslip::campaign
