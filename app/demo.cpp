// stickslip demo: a small tour on built-in data. First what the product is for: masonry on which sweeps creep, and a proof that
// there is no solution; then closed forms, families, curves, and a simulation.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>

#include "command.hpp"
#include "plot.hpp"
#include "stickslip/stickslip.hpp"

namespace stickslip::app {
namespace {

void heading(int number, const std::string& text) {
  std::cout << '\n' << bold(fmt::format("{}. {}", number, text)) << "\n\n";
}

std::string counts(const SolveResult& result) {
  return fmt::format("{}/{}/{}", result.count(ContactStatus::open), result.count(ContactStatus::stick),
                     result.count(ContactStatus::slip));
}

std::string time_of(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} µs", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.1f} ms", seconds * 1e3) : fmt::format("{:.1f} s", seconds);
}

std::string status_of(const SolveResult& result) {
  const std::string word(name(result.status));
  return result.converged() || result.status == Status::infeasible ? green(word) : red(word);
}

/// A file with what a solve found.
void write_solved(const std::filesystem::path& path, ProblemFile file, const SolveResult& result) {
  file.solution = StoredPoint{result.u, result.r, result.v, result.lambda, result.certificate};
  write_fclib(path, file);
}

/// Masonry, where sweeps creep and `auto` goes through the bodies.
void wall(const std::filesystem::path& folder) {
  heading(1, "A wall under a sideways load, a fifth of gravity");
  const GenerateRequest request = {.size = 5000, .load = 0.2};
  const ProblemFile file = generate("wall", request);
  const auto& problem = std::get<GlobalProblem>(file.problem);
  std::cout << fmt::format(
      "{} contacts between {} bodies: {} unknown impulses, {} equations. Forces that hold each other can be "
      "added at will.\n\n",
      problem.contacts(), problem.degrees_of_freedom() / 6, 3 * problem.contacts(),
      problem.degrees_of_freedom());
  std::vector<std::vector<std::string>> rows = {
      {"solver", "status", "error", "iterations", "time", "open/stick/slip"}};
  std::vector<std::string> decisions;
  for (const char* solver : {"gs", "auto"}) {
    const auto result = solve(file, {.time_limit = 2, .explain = true}, solver);
    rows.push_back({solver, status_of(result), fmt::format("{:.1e}", result.error()),
                    std::to_string(result.iterations), time_of(result.timing.total), counts(result)});
    decisions = result.explanation;
    if (std::string_view(solver) == "auto") write_solved(folder / "wall.hdf5", file, result);
  }
  std::cout << table(rows)
            << "\nGauss–Seidel creeps. auto watches the rate, leaves, and factorises on the bodies:\n\n";
  for (const std::string& line : decisions) std::cout << "  " << dim(line) << '\n';
  write_picture(folder / "wall.svg", picture("wall", request));
  std::cout << "\nThe wall: " << (folder / "wall.svg").string() << '\n';
}

/// A problem that nothing can solve, and the proof.
void press(const std::filesystem::path& folder) {
  heading(2, "Boxes under a press that closes in: no solution exists");
  const GenerateRequest request = {.size = 60, .seed = 4};
  const ProblemFile file = generate("infeasible", request);
  const auto result = solve(file);
  std::vector<std::vector<std::string>> rows = {{"solver", "status", "error", "iterations", "time"}};
  rows.push_back({"auto", status_of(result), fmt::format("{:.1e}", result.error()),
                  std::to_string(result.iterations), time_of(result.timing.total)});
  std::cout << table(rows);
  if (result.status == Status::infeasible) {
    std::size_t pressed = 0;
    for (double d : result.certificate) pressed += d > 0;
    std::cout << fmt::format(
        "\nThe proof: forces d ≥ 0 at {} contacts that move no body, Wᵀd = 0, and work against the walls, "
        "q·d < 0.\n"
        "Then d·u = q·d < 0 whatever the impulses, and some contact is penetrated. Anybody can check that:\n"
        "  stickslip check {}\n",
        pressed, (folder / "press.hdf5").string());
    write_solved(folder / "press.hdf5", file, result);
  }
  write_picture(folder / "press.svg", picture("infeasible", request));
}

/// The brick's speed along the slope after one step, from the solver and from the closed form.
void incline() {
  heading(3, "A brick on an incline, μ = 0.5: it must slip beyond tan⁻¹ 0.5 = 26.57°");
  std::vector<std::vector<std::string>> rows = {{"angle", "contacts", "speed down the slope", "closed form"}};
  for (const double angle : {10.0, 20.0, 26.5, 26.6, 35.0, 50.0}) {
    const auto result = solve(generate("incline", {.angle = angle}));
    const double a = angle * M_PI / 180,
                 expected = std::max(0.0, 0.01 * 9.81 * (std::sin(a) - 0.5 * std::cos(a)));
    rows.push_back({fmt::format("{:5.1f}°", angle), result.count(ContactStatus::slip) ? "4 slip" : "4 stick",
                    fmt::format("{:.3e} m/s", std::abs(result.v[0]) < 1e-12 ? 0.0 : result.v[0]),
                    fmt::format("{:.3e} m/s", expected)});
  }
  std::cout << table(rows);
}

/// Solves some built-in families, keeping the files.
void families(const std::filesystem::path& folder) {
  heading(4, "Built-in problems: generated, written as FCLIB files, solved by auto");
  struct Case {
    const char* name;
    GenerateRequest request;
  };
  const Case cases[] = {{"arch", {.size = 500}},
                        {"dome", {.size = 2000}},
                        {"spheres", {.size = 300}},
                        {"rover", {}},
                        {"elastic_cubes", {.size = 200}},
                        {"manufactured", {.size = 20000, .mu = 0.5}},
                        {"manufactured_unsymmetric", {.size = 500}},
                        {"random", {.size = 60}},
                        {"bad_boy", {}},
                        {"bead", {}}};
  std::vector<std::vector<std::string>> rows = {
      {"problem", "contacts", "status", "error", "ended by", "iterations", "time", "open/stick/slip"}};
  for (const auto& [family, request] : cases) {
    const ProblemFile file = generate(family, request);
    const auto result = solve(file, {.time_limit = 5});
    rows.push_back({family, std::to_string(result.contacts.size()), status_of(result),
                    fmt::format("{:.1e}", result.error()), result.stage.empty() ? "zero" : result.stage,
                    std::to_string(result.iterations), time_of(result.timing.total), counts(result)});
    write_solved(folder / fmt::format("{}-{}.hdf5", family, result.contacts.size()), file, result);
  }
  std::cout << table(rows);
}

void histories() {
  heading(5, "How the error falls: 300 contacts, orders of the sweep and Anderson mixing");
  const ProblemFile file = generate("manufactured", {.size = 300, .mu = 0.6, .seed = 3});
  std::vector<Curve> curves;
  for (const char* solver : {"gs", "gs(order=symmetric)", "gs(relaxation=0.7)", "gs(anderson=8)"})
    curves.push_back({solver, solve(file, {.max_iterations = 400, .history = true}, solver).history});
  std::cout << plot_errors(curves, 1e-8);
}

#ifdef STICKSLIP_HAVE_DYNAMICS
/// Steps in time: the contact problem of each is solved as above.
void dominoes(const std::filesystem::path& folder) {
  heading(6, "A simulation: dominoes on a curve, the first one is pushed");
  Scene scene = parse_scene(built_in_scene("dominoes").text);
  scene.every = 50;
  Simulation simulation(scene);
  Recorder recorder(folder / "dominoes.h5", simulation);
  std::vector<std::vector<std::string>> rows = {
      {"time", "fallen", "contacts", "iterations", "kinetic energy", "contact work"}};
  const auto fallen = [&] {
    // The vertical of a domino lies when it has turned by more than 45°: Q₃₃ = 1 − 2 (x² + y²) < √½.
    long count = 0;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      const Quaternion& q = simulation.orientation(BodyIndex(b));
      count += 1 - 2 * (q[1] * q[1] + q[2] * q[2]) < std::sqrt(0.5);
    }
    return count;
  };
  double work = 0;
  for (int k = 1; k <= 800 && simulation.step(); ++k) {
    recorder.after_step(simulation);
    work += simulation.report().contact_work;
    if (k % 200 == 0)
      rows.push_back({fmt::format("{:.1f} s", simulation.time()), std::to_string(fallen()),
                      std::to_string(simulation.report().contacts),
                      std::to_string(simulation.report().iterations),
                      fmt::format("{:.2e} J", simulation.kinetic()), fmt::format("{:.2e} J", work)});
  }
  recorder.finish(simulation);
  export_record(folder / "dominoes.h5", folder / "dominoes.svg");
  std::cout << table(rows)
            << fmt::format("\n{} steps in {}, {} of them not solved to 1e-8. The last state: {}\n",
                           simulation.steps(), time_of(simulation.counters().seconds),
                           simulation.counters().unconverged, (folder / "dominoes.svg").string());
}
#endif

int tour(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw OutputError(folder + ": cannot be created: " + failure.message());
  std::cout << bold("stickslip") << " " << version()
            << ": forces between bodies that touch, stick and slide\n";
  wall(folder);
  press(folder);
  incline();
  families(folder);
  histories();
#ifdef STICKSLIP_HAVE_DYNAMICS
  dominoes(folder);
#endif
  heading(7, "Go on");
  const std::pair<std::string, const char*> steps[] = {
      {"stickslip check " + folder + "/*.hdf5", "verify what was written"},
      {"stickslip info --spectrum " + folder + "/arch-*.hdf5", "look at a problem"},
      {"stickslip solve " + folder + "/wall.hdf5 --explain", "what auto tries"},
      {"stickslip list", "every solver"},
      {"stickslip scenes", "every scene to simulate"},
      {"man stickslip", "every option"}};
  for (const auto& [command, what] : steps) std::cout << fmt::format("  {:<54}{}\n", command, what);
  return done;
}

}  // namespace

void add_demo(CLI::App& app, Session& session) {
  auto folder = std::make_shared<std::string>("stickslip-demo");
  auto* command = app.add_subcommand("demo", "A complete small tour on built-in data");
  command->footer("Example: stickslip demo -o /tmp/demo");
  command->add_option("-o,--output", *folder, "folder for the files")->capture_default_str();
  command->callback([=, &session] { session.work = [=] { return tour(*folder); }; });
}

}  // namespace stickslip::app
