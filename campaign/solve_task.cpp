#include "campaign/solve_task.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text.hpp"
#include "campaign/command_words.hpp"
#include "campaign/isolated.hpp"
#include "campaign/machine.hpp"
#include "campaign/worker.hpp"
#include "programs/program.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"

namespace stickslip::campaign {

using namespace internal;

namespace {

namespace fs = std::filesystem;

Limits limits_of(const Task& task, const SolverRecord& solver, const TaskContext& context) {
  const double grace = context.settings.grace + 0.1 * task.time_limit;
  Limits limits;
  limits.memory = context.settings.memory_limit * 1024 * 1024;
  limits.cores = context.cores;
  if (solver.external) {
    limits.first_word = limits.seconds = solver.patience * task.time_limit + grace;
  } else {
    // After the first outcome there may be repetitions, within one time limit, and one solve for the history.
    limits.first_word = task.time_limit + grace;
    limits.seconds = 3 * task.time_limit + 2 * grace;
  }
  return limits;
}

/// A process that did not come to a good end, as a status.
void take_end(const Ended& ended, RunRecord& run) {
  switch (ended.how) {
    case Ended::How::killed_time:
      run.status = "killed_time";
      break;
    case Ended::How::killed_memory:
      run.status = "killed_memory";
      break;
    default:
      run.status = "crashed";
  }
  run.message = describe(ended);
  run.seconds = ended.seconds;
}

void solve_internally(const Task& task, const SolverRecord& solver, const TaskContext& context,
                      RunRecord& run, std::vector<double>& r) {
  const Ended ended =
      run_isolated([&](int to) { work(context.file, solver.given, task, context.settings, to); },
                   limits_of(task, solver, context));
  run.peak_memory = ended.memory;
  if (!read_work(ended.output, run, r)) take_end(ended, run);
}

/// The solution of an external solver: a problem file with solution/r, or plain numbers with # comments.
std::vector<double> read_solution(const fs::path& path) {
  if (!fs::exists(path)) throw InputError("it left no solution");
  char head[8] = {};
  std::ifstream in(path, std::ios::binary);
  in.read(head, sizeof head);
  if (std::string_view(head, 4) == "\x89HDF") {
    const ProblemFile file = read_fclib(path);
    if (!file.solution || file.solution->r.empty()) throw InputError("its file holds no solution/r");
    return file.solution->r;
  }
  in.clear();
  in.seekg(0);
  std::vector<double> r;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      double value = 0;
      const auto end = std::from_chars(word.data(), word.data() + word.size(), value);
      if (end.ec != std::errc() || end.ptr != word.data() + word.size())
        throw InputError("its solution holds '" + word.substr(0, 40) + "', which is no number");
      r.push_back(value);
    }
  }
  return r;
}

/// What an external solver says of itself: the last line of its output that is a JSON object.
nlohmann::json report_of(const std::string& output) {
  nlohmann::json report = nlohmann::json::object();
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('{'))
      if (auto object = nlohmann::json::parse(line, nullptr, false); object.is_object())
        report = std::move(object);
  return report;
}

void take_report(const nlohmann::json& report, const Ended& ended, RunRecord& run) {
  const auto number = [&](const char* key) -> std::optional<double> {
    if (!report.contains(key) || !report[key].is_number()) return {};
    const double value = report[key].get<double>();
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  };
  const auto text = [&](const char* key) {
    return report.contains(key) && report[key].is_string() ? report[key].get<std::string>() : std::string();
  };
  run.status = text("status");
  run.used = text("solver_used");
  run.message = text("message");
  run.error = number("error");
  run.seconds = number("seconds");
  run.cpu_seconds = number("cpu_seconds");
  run.setup_seconds = number("setup_seconds");
  run.measuring_seconds = number("measuring_seconds");
  run.spread = number("spread");
  if (const auto count = number("iterations")) run.iterations = std::int64_t(*count);
  run.repetitions = std::int64_t(number("repetitions").value_or(1));
  if (!run.seconds) run.seconds = ended.seconds;
}

void solve_externally(const Task& task, const SolverRecord& solver, const TaskContext& context,
                      RunRecord& run, std::vector<double>& r) {
  const fs::path solution = context.scratch / "solution", errors = context.scratch / "errors";
  std::error_code ignored;
  fs::remove(solution, ignored);
  std::vector<std::string> words = split_command(solver.given);
  for (auto& word : words)
    word = fill_in(word, {{"problem", context.problem_file()},
                          {"solution", solution.string()},
                          {"tolerance", shortest(task.tolerance)},
                          {"time_limit", shortest(task.time_limit)},
                          {"threads", std::to_string(context.settings.threads)},
                          {"repetitions", std::to_string(context.settings.repetitions)},
                          {"repeat_for", shortest(context.settings.repeat_for)}});
  const fs::path program = find_program(words[0], context.plan_folder);
  if (program.empty()) throw InputError("command '" + words[0] + "' is not there");
  const Ended ended = run_program(words, program.string(), errors.string(), limits_of(task, solver, context));
  run.peak_memory = ended.memory;
  // Exit status 1 means "did not converge", here as in our own command line.
  const bool ended_well = ended.how == Ended::How::exited && (ended.code == 0 || ended.code == 1);
  if (!ended_well) {
    take_end(ended, run);
    if (const std::string said = programs::last_line(errors); !said.empty())
      run.message += "; it said: " + said;
    return;
  }
  take_report(report_of(ended.output), ended, run);
  if (run.status == "not_applicable") return;
  try {
    r = read_solution(solution);
  } catch (const Error& error) {
    const bool said = !run.status.empty() && run.status != "converged";
    if (!said) run.status = "crashed";
    if (run.message.empty()) run.message = error.what();
  }
}

/// Recomputes what can be, and holds the status against it.
void judge(const TaskContext& context, const SolverRecord& solver, const std::vector<double>& r,
           RunRecord& run) {
  if (!r.empty() || run.status == "converged") try {
      const auto report = context.verifier(r);
      if (std::isfinite(report.error)) run.verified_error = report.error;
      if (std::isfinite(report.rounding)) run.verified_rounding = report.rounding;
      if (std::isfinite(report.energy)) run.verified_energy = report.energy;
      run.open = report.open;
      run.stick = report.stick;
      run.slip = report.slip;
    } catch (const std::exception& error) {
      if (run.status == "converged" || run.status.empty()) run.status = "wrong";
      run.message = fmt::format("cannot be verified: {}", error.what());
      return;
    }
  // The two computations of an error differ by rounding: a hundredth of the tolerance, or what rounding
  // hides.
  const double tolerance = run.task.tolerance;
  const bool good =
      run.verified_error &&
      *run.verified_error <= tolerance + std::max(0.01 * tolerance, 4 * run.verified_rounding.value_or(0)) &&
      run.verified_rounding.value_or(0) <= tolerance;
  if (run.status.empty()) run.status = good ? "converged" : "stalled";
  if (run.status == "converged" && !good) {
    run.status = "wrong";
    run.message = fmt::format("claims to have converged, the recomputed error is {:.3e}",
                              run.verified_error.value_or(std::nan("")));
  }
  if (solver.external && run.status == "converged" && run.seconds.value_or(0) > run.task.time_limit) {
    run.status = "time_limit";
    run.message = "solved, but not within the time limit";
  }
  run.solved = run.status == "converged";
}

}  // namespace

RunRecord solve_task(const Task& task, const SolverRecord& solver, const TaskContext& context) {
  RunRecord run;
  run.task = task;
  run.started = now_utc();
  run.load = load_average();
  std::vector<double> r;
  try {
    if (solver.external)
      solve_externally(task, solver, context, run, r);
    else
      solve_internally(task, solver, context, run, r);
  } catch (const Error& error) {
    run.status = "crashed";
    run.message = error.what();
    return run;
  }
  judge(context, solver, r, run);
  return run;
}

}  // namespace stickslip::campaign
