// stickslip solve FILE: one problem, one solver.

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "catalog/make_method.hpp"
#include "command.hpp"
#include "nearest.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "ranks_report.hpp"
#include "stickslip/stickslip.hpp"

namespace stickslip::app {
namespace {

struct SolveArguments {
  std::string file, solver = "auto", guess, history, output, failed, memory_limit;
  double tolerance = 1e-8, time_limit = std::numeric_limits<double>::infinity();
  long max_iterations = std::numeric_limits<long>::max();
  int threads = 1;
  bool json = false, explain = false;
};

/// A stored guess, its impulses at least: of the problem's own file ("stored") or of another FCLIB file.
StoredPoint read_guess(const std::string& from, const ProblemFile& problem, const std::string& file) {
  const auto pick = [](const ProblemFile& source, const std::string& name) {
    if (source.solution && !source.solution->r.empty()) return *source.solution;
    for (const auto& guess : source.guesses)
      if (!guess.r.empty()) return guess;
    throw InputError(name + ": holds neither a solution nor a guess with r");
  };
  return from == "stored" ? pick(problem, file) : pick(read_problem(from), from);
}

std::string to_json(const SolveArguments& args, const ProblemFile& file, const SolveResult& result,
                    const std::optional<ExistenceResult>& exists, const std::optional<Nearest>& nearest,
                    const Session& session) {
  const auto number = [](double x) {
    return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json out;
  out["file"] = args.file;
  out["contacts"] = result.contacts.size();
  const auto dofs = file.is_global()
                        ? std::optional(std::get<GlobalProblem>(file.problem).degrees_of_freedom())
                        : std::get<ReducedProblem>(file.problem).degrees_of_freedom;
  out["degrees_of_freedom"] = dofs ? nlohmann::ordered_json(*dofs) : nlohmann::ordered_json();
  out["form"] = file.is_global() ? "global" : "reduced";
  out["solver"] = result.solver;
  out["solver_used"] = result.solver_used;
  if (!result.stage.empty()) out["stage"] = result.stage;
  out["status"] = name(result.status);
  out["tolerance"] = result.tolerance;
  out["error"] = number(result.error());
  out["energy_error"] = number(result.measures.energy);
  out["iterations"] = result.iterations;
  out["seconds"] = result.timing.total;
  out["setup_seconds"] = result.timing.setup;
  out["factorisation_seconds"] = result.timing.factorisation;
  out["iterations_seconds"] = result.timing.iterations;
  out["measuring_seconds"] = result.timing.measuring;
  out["open"] = result.count(ContactStatus::open);
  out["stick"] = result.count(ContactStatus::stick);
  out["slip"] = result.count(ContactStatus::slip);
  out["impulse_violation"] = number(result.measures.impulse_violation);
  out["velocity_violation"] = number(result.measures.velocity_violation);
  out["complementarity"] = number(result.measures.complementarity);
  out["rounding"] = number(result.measures.rounding);
  out["message"] = result.message;
  if (!result.worst_contacts.empty()) out["worst_contacts"] = result.worst_contacts;
  if (result.status == Status::stalled) out["diagnosis"] = result.diagnosis;
  if (!result.certificate.empty()) out["certificate"] = result.certificate;
  if (exists) out["existence"] = stickslip::name(exists->answer);
  if (nearest) out["nearest"] = nearest_json(*nearest);
  if (args.explain) out["explanation"] = result.explanation;
  if (session.together) out["ranks"] = ranks_json(session.together->report());
  if (session.system) out["petsc"] = petsc_json(session.system->report());
  return out.dump();
}

/// Whether the nearest problem with a solution is worth looking for, and for how long: no longer than the solve took, a second
/// at least.
std::optional<Nearest> look_for_nearest(const SolveArguments& args, const ProblemFile& file,
                                        const SolveResult& result) {
  constexpr std::size_t largest = 20000;
  if (result.status != Status::stalled && result.status != Status::infeasible) return {};
  if (result.contacts.size() > largest) return {};
  return find_nearest(file, args.tolerance, std::max(1.0, result.timing.total), &result);
}

/// Of a solve that stalled: whether there is a solution at all, looked for no longer than the solve took, a second at least.
std::optional<ExistenceResult> look_for_existence(const ProblemFile& file, const SolveResult& result) {
  constexpr std::size_t largest = 5000;
  if (result.status != Status::stalled || result.contacts.size() > largest) return {};
  const auto begun = std::chrono::steady_clock::now();
  const std::chrono::duration<double> most(std::max(1.0, result.timing.total));
  const auto stop = [&] {
    return interrupt_requested.load() || std::chrono::steady_clock::now() - begun > most;
  };
  return std::visit([&](const auto& problem) { return existence(problem, stop); }, file.problem);
}

/// Ranks share bodies.
const GlobalProblem& global_problem(const ProblemFile& file, const std::string& path) {
  if (!file.is_global())
    throw InputError(path + ": holds W; several processes share bodies, and need the global form (M, H)");
  return std::get<GlobalProblem>(file.problem);
}

/// One process iterates, all of them solve its linear systems.
SolveResult solve_with(internal::SharedSystem& system, const GlobalProblem& problem, const std::string& name,
                       const SolveRequest& request) {
  const auto method = internal::make_method(name);
  method->set_body_solver(&system);
  return method->solve(problem, request);
}

void write_history(const std::string& path, const SolveResult& result) {
  std::ofstream out(path);
  out << "iteration,seconds,error\n";
  for (const auto& p : result.history)
    out << fmt::format("{},{:.9f},{:.17g}\n", p.iteration, p.seconds, p.error);
  out.close();
  if (!out) throw OutputError(path + ": cannot be written");
}

int solve_file(const SolveArguments& args, const Session& session) {
  if (!args.memory_limit.empty()) parse_size(args.memory_limit);
  std::string name = args.solver;
  if (session.system && name == "auto") {
    name = "nipm";
    say_of_ranks("nipm in place of auto, whose linear systems are not shared", session);
  }
  if (session.together)
    session.together->set_notice([&](std::string_view words) { say_of_ranks(words, session); });
  Solver solver(name);  // before the file is read: a wrong name is found at once
  ProblemFile file = read_problem(args.file);
  const StoredPoint guess = args.guess.empty() ? StoredPoint{} : read_guess(args.guess, file, args.file);

  install_interrupt_handler();
  SolveRequest request{
      .tolerance = args.tolerance,
      .time_limit = args.time_limit,
      .max_iterations = args.max_iterations,
      .guess = guess.r,
      .guess_velocity = std::span(guess.u).first(guess.u.size() == guess.r.size() ? guess.u.size() : 0),
      .threads = args.threads,
      .memory_limit =
          args.memory_limit.empty() ? std::numeric_limits<double>::infinity() : parse_size(args.memory_limit),
      .history = !args.history.empty(),
      .explain = args.explain,
      .cancel = &interrupt_requested};
  ProgressLine progress(args.tolerance);
  if (!session.quiet && is_terminal(STDERR_FILENO)) request.observer = std::ref(progress);
  const SolveResult result =
      session.together
          ? std::visit([&](const auto& problem) { return session.together->solve(problem, name, request); },
                       file.problem)
      : session.system
          ? solve_with(*session.system, global_problem(file, args.file), name, request)
          : std::visit([&](const auto& problem) { return solver.solve(problem, request); }, file.problem);
  progress.clear();
  const std::optional<ExistenceResult> exists = look_for_existence(file, result);
  const std::optional<Nearest> nearest = look_for_nearest(args, file, result);

  const bool keep_failed = !args.failed.empty() && !result.converged();
  if (!args.output.empty() || keep_failed)
    file.solution = StoredPoint{result.u, result.r, result.v, result.lambda, result.certificate};
  if (!args.output.empty()) write_fclib(args.output, file);
  if (keep_failed) {
    write_fclib(args.failed, file);
    if (!session.quiet)
      fmt::print(stderr, "stickslip: not solved; the problem and the best point are in {}\n", args.failed);
  }
  if (!args.history.empty()) write_history(args.history, result);
  if (session.verbose)
    fmt::print(stderr,
               "stickslip: {:.3g} s in all: set-up {:.3g}, factorisation {:.3g}, iterations {:.3g}, "
               "measuring {:.3g}\n",
               result.timing.total, result.timing.setup, result.timing.factorisation,
               result.timing.iterations, result.timing.measuring);
  if (args.json) {
    std::cout << to_json(args, file, result, exists, nearest, session) << '\n';
  } else {
    for (const auto& line : result.explanation) fmt::print(stderr, "stickslip: {}\n", line);
    std::cout << result.report();
    if (exists)
      std::cout << "  existence        " << stickslip::name(exists->answer) << ": " << exists->message
                << '\n';
    if (nearest) std::cout << "  nearest          " << nearest_line(*nearest) << '\n';
  }
  if (result.status == Status::cancelled) return interrupted;
  return result.converged() ? done : not_converged;
}

}  // namespace

void add_solve(CLI::App& app, Session& session) {
  auto args = std::make_shared<SolveArguments>();
  auto* command = app.add_subcommand("solve", "Solve one problem");
  command->footer("Example: stickslip solve stack.hdf5 --solver NSGS-AC --tolerance 1e-6 -o solved.hdf5");
  command->add_option("file", args->file, "FCLIB HDF5, Siconos text (.dat) or Matrix Market folder")
      ->required();
  command->add_option("--solver", args->solver, "a label of 'stickslip list', with options if need be")
      ->capture_default_str();
  command->add_option("--tolerance", args->tolerance, "on the natural-map error")->capture_default_str();
  command->add_option("--time-limit", args->time_limit, "seconds; none by default");
  command->add_option("--max-iterations", args->max_iterations, "of the outermost loop; none by default");
  command->add_option("--guess", args->guess, "first impulses: 'stored', or an FCLIB file with a solution");
  command->add_option("--threads", args->threads, "threads")->capture_default_str();
  add_petsc_option(*command, session);
  command->add_option(
      "--memory-limit", args->memory_limit,
      "bytes that may be taken, such as 4G or 500M; held against what W or a factorisation needs");
  command->add_option("--history", args->history, "write iteration, seconds, error to this CSV file");
  command->add_option("-o,--output", args->output, "write problem and solution to this FCLIB file");
  command->add_option("--write-failed", args->failed,
                      "write problem and best point to this FCLIB file unless it converges");
  command->add_flag("--explain", args->explain,
                    "say on standard error what auto tried, with figures; with --json under 'explanation'");
  command->add_flag("--json", args->json, "print one JSON object");
  command->callback([args, &session] {
    session.sharing = Session::Sharing::led;
    session.work = [args, &session] { return solve_file(*args, session); };
  });
}

}  // namespace stickslip::app
