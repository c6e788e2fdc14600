#include "campaign/merge.hpp"

#include <map>
#include <set>

#include "campaign/machine.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::campaign {
namespace {

/// Takes campaigns one after the other into a store and keeps track of what is there.
class Merger {
 public:
  explicit Merger(Store& into) : into_(into) {}

  void take(const Campaign& c) {
    std::map<std::int64_t, std::int64_t> problem, solver, machine;
    for (Machine m : c.machines) {
      const auto old = m.id;
      into_.add(m);
      machine[old] = m.id;
    }
    for (const auto& p : c.problems) problem[p.id] = take(p);
    for (const auto& s : c.solvers) solver[s.id] = take(s);
    const auto moved = [&](Task t) {
      return Task{problem.at(t.problem), solver.at(t.solver), t.tolerance, t.time_limit};
    };
    for (const auto& t : c.tasks) into_.add(moved(t));
    for (RunRecord run : c.runs) {
      run.task = moved(run.task);
      if (machine.count(run.machine)) run.machine = machine.at(run.machine);
      if (!rows_.insert(run.task).second) {
        ++summary.double_rows;
        continue;
      }
      into_.add(run);
      ++summary.rows;
    }
  }

  MergeSummary summary;

 private:
  std::int64_t take(ProblemRecord problem) {
    const auto [at, fresh] = problems_.try_emplace({problem.set, problem.name});
    if (fresh) {
      into_.add(problem);
      at->second = problem;
    } else if (at->second.fingerprint.empty() && !problem.fingerprint.empty()) {
      problem.id = at->second.id;
      into_.set_figures(problem);
      at->second = problem;
    } else if (!problem.fingerprint.empty() && problem.fingerprint != at->second.fingerprint) {
      throw InputError("problem '" + problem.name + "' of set '" + problem.set +
                       "' is not the same in the two campaigns");
    }
    return at->second.id;
  }

  std::int64_t take(SolverRecord solver) {
    const auto [at, fresh] = solvers_.try_emplace(solver.label);
    if (fresh) {
      into_.add(solver);
      at->second = solver;
    } else if (solver.external != at->second.external ||
               (!solver.external && solver.composition != at->second.composition)) {
      throw InputError("solver '" + solver.label + "' is not the same in the two campaigns: " +
                       at->second.composition + " and " + solver.composition);
    }
    return at->second.id;
  }

  Store& into_;
  std::map<std::pair<std::string, std::string>, ProblemRecord> problems_;
  std::map<std::string, SolverRecord> solvers_;
  std::set<Task> rows_;
};

}  // namespace

MergeSummary merge(const Store& a, const Store& b, Store& into) {
  auto transaction = into.transaction();
  const Campaign first = a.read(), second = b.read();
  Merger merger(into);
  merger.take(first);
  merger.take(second);
  for (const auto& [key, value] : first.meta) into.set_meta(key, value);
  const auto title = [](const Campaign& c) {
    return c.meta.count("title") ? c.meta.at("title") : "untitled";
  };
  into.set_meta("title",
                title(first) == title(second) ? title(first) : title(first) + " and " + title(second));
  into.set_meta("merged", now_utc());
  if (second.meta.count("plan")) into.set_meta("plan_2", second.meta.at("plan"));
  transaction.commit();
  return merger.summary;
}

}  // namespace stickslip::campaign
