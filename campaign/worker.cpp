#include "campaign/worker.hpp"

#include <time.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/timer.hpp"
#include "campaign/isolated.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::campaign {

using namespace internal;

namespace {

using nlohmann::json;

double processor_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// What was measured over the repetitions of a solve.
struct Times {
  std::vector<double> wall;
  double cpu_start = processor_seconds();  ///< asked rarely: it costs more than the smallest problems
  Timing phases;                           ///< of the fastest

  void add(double seconds, const Timing& timing) {
    if (wall.empty() || seconds < fastest_) {
      fastest_ = seconds;
      phases = timing;
    }
    wall.push_back(seconds);
  }
  double cpu() const { return (processor_seconds() - cpu_start) / double(wall.size()); }
  json to_json() {
    const double mean_cpu = cpu();
    std::sort(wall.begin(), wall.end());
    json out = {{"seconds", wall[0]},
                {"cpu_seconds", mean_cpu},
                {"setup_seconds", phases.setup},
                {"factorisation_seconds", phases.factorisation},
                {"iteration_seconds", phases.iterations},
                {"measuring_seconds", phases.measuring},
                {"repetitions", wall.size()}};
    if (wall.size() > 1 && wall[0] > 0) out["spread"] = wall[wall.size() / 2] / wall[0] - 1;
    return out;
  }

 private:
  double fastest_ = 0;
};

class Work {
 public:
  Work(const ProblemFile& file, const std::string& name, const Task& task, int descriptor)
      : file_(file), solver_(name), descriptor_(descriptor) {
    request_.tolerance = task.tolerance;
    request_.time_limit = task.time_limit;
  }

  void run(const Task& task, const Settings& settings) {
    request_.threads = int(settings.threads);
    const Timer session;
    solve();
    tell_outcome();
    // Hot repetitions, of the same solver: short solves are timed fairly by the fastest of many.
    const auto enough = [&] {
      const double spent = session.seconds();
      if (spent > task.time_limit || times_.wall.size() >= 10'000) return true;
      return times_.wall.size() >= std::size_t(settings.repetitions) && spent >= settings.repeat_for;
    };
    if (result_.status == Status::converged)
      while (!enough()) solve();
    tell(times_.to_json());
    if (settings.history) tell_history();
  }

 private:
  void solve() {
    const Timer timer;
    if (const auto* problem = std::get_if<ReducedProblem>(&file_.problem))
      solver_.solve(*problem, request_, result_);
    else
      result_ = solver_.solve(std::get<GlobalProblem>(file_.problem), request_);
    times_.add(timer.seconds(), result_.timing);
  }

  void tell(const json& part) {
    const std::string line = part.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    if (!write_all(descriptor_, line.data(), line.size())) ::_exit(125);
  }

  void tell_outcome() {
    json out = {{"status", name(result_.status)},
                {"used", result_.stage.empty() ? result_.solver_used : result_.stage},
                {"message", result_.message},
                {"error", result_.error()},
                {"iterations", result_.iterations},
                {"seconds", times_.wall[0]},
                {"cpu_seconds", times_.cpu()},
                {"count", result_.r.size()}};
    tell(out);
    if (!write_all(descriptor_, result_.r.data(), result_.r.size() * sizeof(double))) ::_exit(125);
  }

  void tell_history() {
    request_.history = true;
    const SolveResult again =
        std::visit([&](const auto& p) { return solver_.solve(p, request_); }, file_.problem);
    constexpr std::size_t most = 400;
    const auto& all = again.history;
    const std::size_t kept = std::min(most, all.size());
    json points = json::array();
    for (std::size_t k = 0; k < kept; ++k) {
      const auto& p = all[kept < 2 ? 0 : k * (all.size() - 1) / (kept - 1)];
      points.push_back({p.iteration, p.seconds, p.error});
    }
    tell({{"history", points}});
  }

  const ProblemFile& file_;
  Solver solver_;
  int descriptor_;
  SolveRequest request_;
  SolveResult result_;
  Times times_;
};

void complain(int descriptor, const char* status, const std::string& message) {
  const std::string line = json{{"status", status}, {"message", message}, {"count", 0}}.dump(
                               -1, ' ', false, json::error_handler_t::replace) +
                           "\n";
  write_all(descriptor, line.data(), line.size());
}

}  // namespace

void work(const ProblemFile& file, const std::string& solver, const Task& task, const Settings& settings,
          int descriptor) {
  try {
    Work(file, solver, task, descriptor).run(task, settings);
  } catch (const std::bad_alloc&) {
    static constexpr char line[] =
        "{\"status\":\"killed_memory\",\"message\":\"out of memory\",\"count\":0}\n";
    write_all(descriptor, line, sizeof line - 1);
  } catch (const std::exception& error) {
    complain(descriptor, "crashed", error.what());
  }
}

bool read_work(const std::string& output, RunRecord& run, std::vector<double>& r) {
  const auto take = [](const json& part, const char* key, auto& into) {
    if (part.contains(key) && !part[key].is_null()) into = part[key].get<std::decay_t<decltype(into)>>();
  };
  const auto take_number = [](const json& part, const char* key, std::optional<double>& into) {
    if (part.contains(key) && part[key].is_number()) into = part[key].get<double>();
  };
  std::size_t at = 0;
  bool any = false;
  for (;;) {
    const std::size_t end = output.find('\n', at);
    if (end == std::string::npos) return any;
    const json part = json::parse(output.begin() + std::ptrdiff_t(at), output.begin() + std::ptrdiff_t(end),
                                  nullptr, false);
    if (part.is_discarded()) return any;
    at = end + 1;
    if (part.contains("count")) {
      const std::size_t count = part["count"].get<std::size_t>();
      // The very last part may say that memory ran out after all; the first outcome stays.
      if (any) continue;
      if (output.size() - at < count * sizeof(double)) return false;
      r.resize(count);
      std::memcpy(r.data(), output.data() + at, count * sizeof(double));
      at += count * sizeof(double);
      take(part, "status", run.status);
      take(part, "used", run.used);
      take(part, "message", run.message);
      if (part.contains("iterations")) run.iterations = part["iterations"].get<std::int64_t>();
      any = true;
    }
    for (const auto& [key, into] : {std::pair{"error", &run.error},
                                    {"seconds", &run.seconds},
                                    {"cpu_seconds", &run.cpu_seconds},
                                    {"setup_seconds", &run.setup_seconds},
                                    {"factorisation_seconds", &run.factorisation_seconds},
                                    {"iteration_seconds", &run.iteration_seconds},
                                    {"measuring_seconds", &run.measuring_seconds},
                                    {"spread", &run.spread}})
      take_number(part, key, *into);
    run.repetitions = part.value("repetitions", std::max<std::int64_t>(run.repetitions, 1));
    if (part.contains("history"))
      for (const auto& p : part["history"])
        if (p[2].is_number())
          run.history.push_back({p[0].get<std::int64_t>(), p[1].get<double>(), p[2].get<double>()});
  }
}

}  // namespace stickslip::campaign
