// stickslip demo: a small tour on built-in data, from a file to a picture.

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

/// The brick's speed along the slope after one step, from the solver and from the closed form.
void incline() {
  heading(1, "A brick on an incline, μ = 0.5: it must slip beyond tan⁻¹ 0.5 = 26.57°");
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

/// Solves the built-in families with both solvers, keeping the files.
void families(const std::filesystem::path& folder) {
  heading(2, "Built-in problems: generated, written as FCLIB files, solved");
  struct Case {
    const char* name;
    GenerateRequest request;
  };
  const Case cases[] = {{"manufactured", {.size = 500}},
                        {"manufactured", {.size = 20000, .mu = 0.5}},
                        {"manufactured_unsymmetric", {.size = 500}},
                        {"random", {.size = 60}},
                        {"bad_boy", {}},
                        {"bead", {}}};
  std::vector<std::vector<std::string>> rows = {
      {"problem", "contacts", "solver", "status", "error", "sweeps", "time", "open/stick/slip"}};
  for (const auto& [family, request] : cases) {
    const ProblemFile file = generate(family, request);
    for (const char* solver : {"gs", "gs(local=newton)"}) {
      const auto result = solve(file, {.time_limit = 5}, solver);
      const auto seconds = result.timing.total;
      rows.push_back(
          {family, std::to_string(result.contacts.size()), solver,
           result.converged() ? green("converged") : red(std::string(name(result.status))),
           fmt::format("{:.1e}", result.error()), std::to_string(result.iterations),
           seconds < 1e-3 ? fmt::format("{:.0f} µs", seconds * 1e6) : fmt::format("{:.1f} ms", seconds * 1e3),
           fmt::format("{}/{}/{}", result.count(ContactStatus::open), result.count(ContactStatus::stick),
                       result.count(ContactStatus::slip))});
      if (std::string_view(solver) == "gs") {
        ProblemFile solved = file;
        solved.solution = StoredPoint{result.u, result.r, result.v, result.lambda};
        write_fclib(folder / fmt::format("{}-{}.hdf5", family, result.contacts.size()), solved);
      }
    }
  }
  std::cout << table(rows);
}

void histories() {
  heading(3, "How the error falls: 300 contacts, three orders of the contacts and a relaxation");
  const ProblemFile file = generate("manufactured", {.size = 300, .mu = 0.6, .seed = 3});
  std::vector<Curve> curves;
  for (const char* solver : {"gs", "gs(order=shuffled)", "gs(order=symmetric)", "gs(relaxation=0.7)"})
    curves.push_back({solver, solve(file, {.max_iterations = 400, .history = true}, solver).history});
  std::cout << plot_errors(curves, 1e-8);
}

int tour(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw OutputError(folder + ": cannot be created: " + failure.message());
  std::cout << bold("stickslip") << " " << version()
            << ": forces between bodies that touch, stick and slide\n";
  incline();
  families(folder);
  histories();
  heading(4, "Go on");
  std::cout << "  stickslip check " << folder << "/*.hdf5              verify what was written\n"
            << "  stickslip info " << folder << "/manufactured-500.hdf5  look at a problem\n"
            << "  stickslip solve " << folder << "/manufactured-500.hdf5 --solver NSGS-AC --json\n"
            << "  stickslip list                                  every solver\n";
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
