#include "campaign/host.hpp"

#include <unistd.h>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>

#include "campaign/columns.hpp"
#include "campaign/figures.hpp"
#include "campaign/isolated.hpp"
#include "campaign/solve_task.hpp"
#include "campaign/sources.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"

namespace stickslip::campaign {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Writes fields into an object; absent numbers are left out.
struct ToJson {
  json& out;
  template <class T>
  void operator()(const char* name, const T& field) const {
    out[name] = field;
  }
  template <class T>
  void operator()(const char* name, const std::optional<T>& field) const {
    if (field) out[name] = *field;
  }
};

struct FromJson {
  const json& in;
  template <class T>
  void operator()(const char* name, T& field) const {
    if (in.contains(name) && !in[name].is_null()) field = in[name].get<T>();
  }
  template <class T>
  void operator()(const char* name, std::optional<T>& field) const {
    if (in.contains(name) && !in[name].is_null()) field = in[name].get<T>();
  }
};

json problem_json(const ProblemRecord& problem) {
  json out = {{"id", problem.id}};
  problem_columns(problem, ToJson{out});
  return out;
}

json run_json(const RunRecord& run) {
  json out;
  run_columns(run, ToJson{out});
  json points = json::array();
  for (const auto& p : run.history) points.push_back({p.iteration, p.seconds, p.error});
  if (!points.empty()) out["history"] = std::move(points);
  return out;
}

void tell(int descriptor, const json& message) {
  const std::string line = message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  if (!write_all(descriptor, line.data(), line.size())) ::_exit(0);  // nobody listens any more
}

/// The problem as the solvers get it.
ProblemFile load(const HostOrder& order, ProblemRecord& problem) {
  ProblemFile file = load_source(problem.source);
  problem.given_form = file.is_global() ? "global" : "reduced";
  if (problem.form == "reduced" && file.is_global())
    file.problem = Reduction(std::get<GlobalProblem>(file.problem)).reduced();
  file.solution.reset();  // solvers that read the file of a problem find no answer in it
  file.guesses.clear();
  problem.form = file.is_global() ? "global" : "reduced";
  problem.fingerprint = fingerprint(file);
  if (order.problem.fingerprint.empty()) fill_figures(file, order.settings.rank_limit, problem);
  return file;
}

void work_through(const HostOrder& order, int descriptor) {
  ProblemRecord problem = order.problem;
  std::unique_ptr<ProblemFile> file;
  try {
    file = std::make_unique<ProblemFile>(load(order, problem));
  } catch (const std::bad_alloc&) {
    return tell(descriptor, {{"unloadable", "out of memory"}});
  } catch (const std::exception& error) {
    return tell(descriptor, {{"unloadable", error.what()}});
  }
  if (order.problem.fingerprint.empty()) {
    tell(descriptor, {{"problem", problem_json(problem)}});
  } else if (order.problem.fingerprint != problem.fingerprint) {
    const std::string why = problem.set + ": " + problem.source + " has changed since the campaign began";
    return tell(descriptor, {{"changed", why}});
  }
  const Verifier verifier(*file);
  fs::path written;
  const TaskContext context{
      *file, verifier, order.settings, order.cores, order.plan_folder, order.scratch, [&] {
        if (written.empty()) {
          written = order.scratch / "problem.hdf5";
          write_fclib(written, *file);
        }
        return written.string();
      }};
  for (std::size_t k = 0; k < order.tasks.size(); ++k) {
    tell(descriptor, {{"start", k}});
    tell(descriptor, {{"run", run_json(solve_task(order.tasks[k], order.solvers[k], context))}});
  }
}

}  // namespace

void host(const HostOrder& order, int descriptor) {
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the campaign, which then ends its hosts
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGTERM, [](int) {
    kill_isolated();
    ::_exit(0);
  });
  try {
    work_through(order, descriptor);
  } catch (const std::exception&) {
    ::_exit(1);  // the campaign sees which task was under way
  }
}

HostMessage read_host_line(const std::string& line) {
  const json message = json::parse(line, nullptr, false);
  if (!message.is_object()) return {};
  try {
    if (message.contains("problem")) {
      Loaded loaded;
      loaded.problem.id = message["problem"].at("id").get<std::int64_t>();
      problem_columns(loaded.problem, FromJson{message["problem"]});
      return loaded;
    }
    if (message.contains("unloadable")) return Unloadable{message["unloadable"].get<std::string>()};
    if (message.contains("changed")) return Changed{message["changed"].get<std::string>()};
    if (message.contains("start")) return Started{message["start"].get<std::size_t>()};
    if (message.contains("run")) {
      RunRecord run;
      run_columns(run, FromJson{message["run"]});
      if (message["run"].contains("history"))
        for (const auto& p : message["run"]["history"])
          run.history.push_back({p.at(0).get<std::int64_t>(), p.at(1).get<double>(), p.at(2).get<double>()});
      return run;
    }
  } catch (const json::exception&) {
    return {};
  }
  return {};
}

}  // namespace stickslip::campaign
