// stickslip simulate SCENE: contact dynamics from a scene file or a built-in scene.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.hpp"
#include "ranks.hpp"
#include "ranks_report.hpp"
#include "simulate_progress.hpp"
#include "sparkline.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"
#include "stickslip/record.hpp"
#include "stickslip/simulation.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::app {
namespace {

namespace fs = std::filesystem;

struct SimulateArguments {
  std::string scene, output, solver, problems;
  std::vector<std::string> definitions;
  std::optional<long> steps, every;
  std::optional<double> duration, tolerance;
  int threads = 1;
  bool resume = false, json = false, picture = false, rewind = false;
};

Parameter parse_definition(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || name.empty())
    throw InputError(fmt::format("-D {}: write NAME=VALUE", text));
  const std::string value = text.substr(equals + 1);
  try {
    const Signal signal{std::string_view(value)};
    if (!signal.constant()) throw InputError(fmt::format("'{}': a parameter does not depend on t", value));
    return {name, signal(0)};
  } catch (const InputError& error) {
    throw InputError(fmt::format("-D {}: {}", text, error.what()));
  }
}

Scene load(const SimulateArguments& args, const Session& session) {
  std::vector<Parameter> parameters;
  for (const std::string& definition : args.definitions) parameters.push_back(parse_definition(definition));
  Scene scene;
  std::error_code none;
  if (fs::exists(args.scene, none)) {
    scene = read_scene(args.scene, parameters);
  } else {
    const BuiltInScene& built_in = built_in_scene(args.scene);
    scene = parse_scene(built_in.text, parameters, built_in.name);
  }
  if (scene.bodies.empty()) throw InputError(args.scene + ": the scene has no bodies");
  const auto need = [](bool good, const char* option, const char* rule) {
    if (!good) throw InputError(fmt::format("{}: it must be {}", option, rule));
  };
  need(args.steps.value_or(0) >= 0, "--steps", "≥ 0");
  need(args.duration.value_or(0) >= 0 && std::isfinite(args.duration.value_or(0)), "--duration",
       "a finite number ≥ 0");
  need(args.every.value_or(1) >= 1, "--every", "≥ 1");
  need(args.tolerance.value_or(1) > 0 && std::isfinite(args.tolerance.value_or(1)), "--tolerance",
       "a finite number > 0");
  need(args.threads >= 1 && args.threads <= 1024, "--threads", "from 1 to 1024");
  if (args.steps && args.duration) throw InputError("simulate: give --steps or --duration, not both");
  if (args.steps) scene.duration = double(*args.steps) * scene.step;
  if (args.duration) scene.duration = *args.duration;
  if (args.every) scene.every = *args.every;
  if (!args.solver.empty()) {
    scene.solver.name = args.solver;
    scene.solver.where.clear();
  }
  if (session.systems && scene.solver.name == "auto") {
    scene.solver.name = "nipm";
    say_of_ranks("nipm in place of auto, whose linear systems are not shared", session);
  }
  if (session.ranks && scene.solver.name == "auto")
    say_of_ranks("relaxed in place of auto where packings are large, process 0 alone elsewhere", session);
  if (args.tolerance) scene.solver.tolerance = *args.tolerance;
  scene.threads = args.threads;
  return scene;
}

/// The problem of the last step as a file of its own, with the guess that the solver had.
void dump_problem(const SimulateArguments& args, const Simulation& simulation) {
  const auto problem = simulation.problem();
  std::vector<double> guess = simulation.guess();
  if (!problem) return;
  ProblemFile file{*problem};
  file.guesses.push_back({.u = {}, .r = std::move(guess), .v = {}, .l = {}});
  file.info.title = simulation.scene().title.empty() ? args.scene : simulation.scene().title;
  file.info.description =
      fmt::format("step {}, t = {:.9g} s, h = {:.9g} s, impulses in {:g} N s", simulation.steps(),
                  simulation.time(), simulation.scene().step, simulation.problem_unit());
  const std::string stem = fs::path(args.scene).stem().string();
  write_fclib(fs::path(args.problems) /
                  fmt::format("{}-i{:07d}-{}.hdf5", stem, simulation.steps(), problem->contacts()),
              file);
}

long moving_bodies(const Simulation& simulation) {
  long count = 0;
  for (std::size_t b = 0; b < simulation.scene().bodies.size(); ++b)
    count += simulation.mass(BodyIndex(b)) > 0;
  return count;
}

std::string to_json(const SimulateArguments& args, const Simulation& simulation,
                    const std::optional<internal::SharedReport>& ranks) {
  const Counters& c = simulation.counters();
  const double steps = std::max(1.0, double(c.steps));
  const auto number = [](double x) {
    return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json out;
  out["scene"] = args.scene;
  out["steps"] = simulation.steps();
  out["time"] = simulation.time();
  out["bodies"] = moving_bodies(simulation);
  out["contacts_max"] = c.contacts_max;
  out["contacts_mean"] = c.contacts_sum / steps;
  out["unconverged"] = c.unconverged;
  out["error_max"] = number(c.error_max);
  out["iterations_mean"] = c.iterations_sum / steps;
  out["seconds"] = c.seconds;
  out["detection_seconds"] = c.detection_seconds;
  out["solve_seconds"] = c.solve_seconds;
  out["kinetic"] = number(simulation.kinetic());
  out["potential"] = number(simulation.potential());
  out["elastic"] = number(simulation.elastic());
  out["dissipated"] = number(c.dissipated);
  out["penetration_max"] = number(c.penetration_max);
  out["output"] = args.output.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(args.output);
  out["corrections"] = c.corrections;
  out["correction_energy"] = number(c.correction_energy);
  out["halved"] = c.halved;
  out["messages"] = simulation.messages();
  if (ranks) out["ranks"] = ranks_json(*ranks);
  if (ranks && !ranks->systems.solver.empty()) out["petsc"] = petsc_json(ranks->systems);
  return out.dump();
}

/// What the plot at the end shows of every step of this process.
struct Course {
  std::vector<double> energy, contacts, iterations;

  void add(const StepReport& report) {
    energy.push_back(report.kinetic + report.potential + report.elastic);
    contacts.push_back(double(report.contacts));
    iterations.push_back(double(report.iterations));
  }
};

void print_course(const Course& course) {
  if (course.energy.size() < 2) return;
  constexpr std::size_t columns = 60;
  for (const auto& [name, values] :
       {std::pair{"energy, J", &course.energy}, std::pair{"contacts", &course.contacts},
        std::pair{"iterations", &course.iterations}}) {
    const auto [low, high] = std::minmax_element(values->begin(), values->end());
    fmt::print("  {:<10} {}  {:.4g} … {:.4g}\n", name, sparkline(*values, columns), *low, *high);
  }
}

void print_summary(const SimulateArguments& args, const Simulation& simulation, const Course& course) {
  const Counters& c = simulation.counters();
  const double steps = std::max(1.0, double(c.steps));
  const std::string title = simulation.scene().title;
  fmt::print("{}{}\n", bold(args.scene), title.empty() ? "" : ": " + title);
  fmt::print("  {} steps to t = {:.6g} s, {} bodies that move, {:.3g} s\n", simulation.steps(),
             simulation.time(), moving_bodies(simulation), c.seconds);
  fmt::print("  contacts {:.1f} on average, {} at most; deepest penetration {:.2e} m\n",
             c.contacts_sum / steps, c.contacts_max, c.penetration_max);
  fmt::print(
      "  {:.1f} iterations a step, largest error {:.1e}; detection {:.1f} %, solver {:.1f} % of the time\n",
      c.iterations_sum / steps, c.error_max, 100 * c.detection_seconds / std::max(c.seconds, 1e-300),
      100 * c.solve_seconds / std::max(c.seconds, 1e-300));
  fmt::print("  energy: kinetic {:.6g} J, potential {:.6g} J, elastic {:.6g} J, dissipated {:.6g} J\n",
             simulation.kinetic(), simulation.potential(), simulation.elastic(), c.dissipated);
  if (c.corrections > 0)
    fmt::print("  positions corrected in {} steps, {:.2e} J added\n", c.corrections, c.correction_energy);
  print_course(course);
  if (!args.output.empty()) fmt::print("  record: {}\n", args.output);
}

/// A run: the simulation, its record, and the other processes where there are some, which have no record and say nothing.
struct Run {
  std::optional<Simulation> simulation;
  std::optional<Recorder> recorder;
  std::optional<internal::SharedSolve> others;
  std::optional<Simulation> again;  // takes every step once more
  bool first = true;

  /// What one process alone knows, all know.
  bool agreed(const Session& session, bool mine) const {
    if (!session.ranks) return mine;
    double any = mine ? 1 : 0;
    session.ranks->largest({&any, 1});
    return any > 0;
  }
};

void prepare(const SimulateArguments& args, const Session& session, Run& run) {
  run.first = !session.ranks || session.ranks->rank() == 0;
  Simulation& simulation = run.simulation.emplace(load(args, session));
  simulation.set_cancel(run.first ? &interrupt_requested : nullptr);
  if (session.ranks) {
    session.systems ? run.others.emplace(*session.ranks, simulation.scene().solver.name, *session.systems)
                    : run.others.emplace(*session.ranks, simulation.scene().solver.name);
    simulation.set_processes(*run.others);
  }
  if (args.picture && args.output.empty())
    throw InputError("simulate: --picture draws beside the record, -o RUN.h5");
  if (args.resume && args.output.empty()) throw InputError("simulate: --resume needs the record, -o RUN.h5");
  std::error_code none;
  if (!args.output.empty() && fs::equivalent(args.scene, args.output, none))
    throw InputError(args.output + ": it is the scene; the record needs a name of its own");
  if (args.rewind) {
    if (session.ranks && session.ranks->size() > 1) throw InputError("simulate: --rewind is for one process");
    run.again.emplace(simulation.scene());
  }
  if (!run.first) return;
  if (!args.problems.empty()) {
    std::error_code failure;
    fs::create_directories(args.problems, failure);
    if (failure) throw OutputError(args.problems + ": cannot be created: " + failure.message());
  }
  if (!args.output.empty()) {
    if (args.resume && fs::exists(args.output, none))
      run.recorder.emplace(Recorder::resume(args.output, simulation));
    else
      run.recorder.emplace(args.output, simulation);
    fs::path failed(args.output);
    failed.replace_extension();
    simulation.keep_failed_problems(failed.string() + "-failed");
  }
}

/// A step, and the same once more by a simulation that knows nothing but the saved state.
bool step_twice(Simulation& simulation, Simulation& again) {
  again.restore(simulation.save());
  const bool going = simulation.step();
  again.step();
  if (simulation.save() != again.save())
    throw Error(
        fmt::format("step {}: taken again from its saved state, it has other bits", simulation.steps()));
  return going;
}

/// Prepares on all processes; where one cannot, none begins.
bool prepared_by_all(const SimulateArguments& args, const Session& session, Run& run) {
  std::exception_ptr failure;
  try {
    prepare(args, session, run);
  } catch (...) {
    failure = std::current_exception();
  }
  const bool first_failed = run.agreed(session, run.first && failure);
  const bool failed = run.agreed(session, bool(failure));
  if (failure && !run.first && !first_failed) {
    // The first process has nothing to say of it.
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      fmt::print(stderr, "stickslip: process {} of {}: {}\n", session.ranks->rank(), session.ranks->size(),
                 error.what());
    }
  }
  if (failure) std::rethrow_exception(failure);
  return !failed;
}

int run_prepared(const SimulateArguments& args, const Session& session, Run& run) {
  Simulation& simulation = *run.simulation;
  std::optional<Recorder>& recorder = run.recorder;
  const Scene& scene = simulation.scene();
  const long last = long(std::ceil(scene.duration / scene.step * (1 - 1e-12)));
  // A run that is taken up again: all are as far as the first.
  simulation.synchronise();
  Course course;
  SimulateProgress progress(last);
  const bool quiet = session.quiet || !run.first;
  const bool show = !quiet && is_terminal(STDERR_FILENO);
  std::size_t said = 0;
  const auto say = [&] {
    for (; said < simulation.messages().size(); ++said)
      if (!quiet) {
        if (show) progress.clear();
        fmt::print(stderr, "stickslip: {}\n", simulation.messages()[said]);
      }
  };
  bool going = true, stopped = run.agreed(session, interrupt_requested);
  while (going && simulation.steps() < last && !stopped) {
    going = run.again ? step_twice(simulation, *run.again) : simulation.step();
    say();
    stopped = run.agreed(session, interrupt_requested);
    const bool due = simulation.steps() % scene.every == 0;
    if (!going || due || stopped || simulation.steps() == last) simulation.gather();
    if (!going || stopped) break;
    course.add(simulation.report());
    if (recorder) recorder->after_step(simulation);
    if (!args.problems.empty() && due) dump_problem(args, simulation);
    if (show) progress.show(simulation);
  }
  if (show) progress.clear();
  if (stopped) {
    if (!quiet)
      fmt::print(stderr, "stickslip: stopped at t = {:.6g} s{}\n", simulation.time(),
                 recorder ? "; --resume goes on from the last record" : "");
    return interrupted;
  }
  if (recorder) recorder->finish(simulation);
  if (args.picture && run.first) {
    export_record(args.output, fs::path(args.output).replace_extension(".svg"));
    // Beside its problems too, where the report of a campaign finds it.
    if (!args.problems.empty())
      export_record(args.output, fs::path(args.problems) / (fs::path(args.scene).stem().string() + ".svg"));
  }
  if (!args.problems.empty() && simulation.steps() % scene.every != 0) dump_problem(args, simulation);

  std::optional<internal::SharedReport> ranks;
  if (run.others) ranks = run.others->report();
  if (args.json)
    std::cout << to_json(args, simulation, ranks) << '\n';
  else
    print_summary(args, simulation, course);
  if (ranks && !args.json) print_ranks(*ranks);
  const long unconverged = simulation.counters().unconverged;
  if (unconverged > 0 && !quiet)
    fmt::print(stderr, "stickslip: {} of {} steps did not converge to {:g}\n", unconverged,
               simulation.steps(), scene.solver.tolerance);
  return going && unconverged == 0 ? done : not_converged;
}

int simulate(const SimulateArguments& args, const Session& session) {
  install_interrupt_handler();
  Run run;
  if (!prepared_by_all(args, session, run)) return bad_input;
  if (!session.ranks || session.ranks->size() == 1) return run_prepared(args, session, run);
  // From here on the others wait for messages: what goes wrong on one ends all.
  try {
    return run_prepared(args, session, run);
  } catch (const std::exception& error) {
    fmt::print(stderr, "stickslip: {}{}\n",
               run.first ? std::string() : fmt::format("process {}: ", session.ranks->rank()), error.what());
    session.ranks->abort(bad_input);
  }
  return bad_input;
}

}  // namespace

void add_simulate(CLI::App& app, Session& session) {
  auto args = std::make_shared<SimulateArguments>();
  auto* command = app.add_subcommand("simulate", "Run a scene of contact dynamics");
  command->footer("Example: stickslip simulate incline -D angle=27 -o run.h5");
  command->add_option("scene", args->scene, "a scene file, or the name of a built-in scene")->required();
  command->add_option("-o,--output", args->output, "the record, an HDF5 file");
  command->add_option("-D,--define", args->definitions, "NAME=VALUE: a parameter of the scene")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--steps", args->steps, "so many steps, instead of the scene's duration");
  command->add_option("--duration", args->duration, "so many seconds, instead of the scene's duration");
  command->add_option("--every", args->every, "steps between two records");
  command->add_option("--solver", args->solver, "instead of the scene's; 'stickslip list' shows all");
  command->add_option("--tolerance", args->tolerance, "instead of the scene's");
  command->add_option("--threads", args->threads, "changes no bit of the result")->capture_default_str();
  command->add_option("--dump-problems", args->problems,
                      "write the problem of every recorded step to this folder");
  add_petsc_option(*command, session);
  command->add_flag("--resume", args->resume, "go on from the last state of the record");
  command->add_flag("--rewind", args->rewind,
                    "take every step once more from its saved state, and compare the bits");
  command->add_flag("--picture", args->picture, "draw the last state beside the record, as SVG");
  command->add_flag("--json", args->json, "print one JSON object at the end");
  command->callback([args, &session] {
    session.sharing = Session::Sharing::alike;
    session.work = [args, &session] { return simulate(*args, session); };
  });
}

}  // namespace stickslip::app
