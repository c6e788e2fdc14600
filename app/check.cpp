// stickslip check FILE...: verifies stored solutions by code that shares nothing with the solvers
// (tests/verify).

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "campaign/verification.hpp"
#include "command.hpp"
#include "stickslip/stickslip.hpp"

namespace stickslip::app {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  std::string solution;
  double tolerance = 1e-8;
  bool json = false;
};

int check(const CheckArguments& args) {
  if (!(args.tolerance > 0)) throw InputError("--tolerance must be > 0");
  if (!args.solution.empty() && args.files.size() != 1)
    throw InputError("--solution goes with one problem file");
  int status = done;
  for (const auto& path : args.files) {
    const ProblemFile file = read_problem(path);
    const std::string source = args.solution.empty() ? path : args.solution;
    const ProblemFile other = args.solution.empty() ? ProblemFile{file} : read_problem(args.solution);
    if (!other.solution || other.solution->r.empty())
      throw InputError(source + ": holds no solution/r to check");
    const auto& r = other.solution->r;
    const auto expected = std::visit(
        [](const auto& p) { return std::size_t(p.contacts()) * std::size_t(p.dimension()); }, file.problem);
    if (r.size() != expected)
      throw InputError(
          fmt::format("{}: solution/r has {} numbers, the problem needs {}", source, r.size(), expected));
    const auto report = campaign::Verifier(file)(r);
    const bool good = report.error <= args.tolerance && report.rounding <= args.tolerance;
    if (!good) status = not_converged;
    if (args.json) {
      nlohmann::ordered_json out;
      out["file"] = path;
      out["solution"] = source;
      out["verdict"] = good ? "good" : "wanting";
      out["tolerance"] = args.tolerance;
      out["error"] = report.error;
      out["energy_error"] = report.energy;
      out["impulse_violation"] = report.impulse_violation;
      out["velocity_violation"] = report.velocity_violation;
      out["complementarity"] = report.complementarity;
      out["rounding"] = report.rounding;
      out["open"] = report.open;
      out["stick"] = report.stick;
      out["slip"] = report.slip;
      std::cout << out.dump() << '\n';
    } else {
      std::cout << fmt::format(
          "{}  {}  error {:.3e}  outside K {:.1e}  penetration {:.1e}  |r·û| {:.1e}  {} open, {} stick, {} "
          "slip{}\n",
          path, good ? green("good") : red("wanting"), report.error, report.impulse_violation,
          report.velocity_violation, report.complementarity, report.open, report.stick, report.slip,
          report.rounding > args.tolerance ? "  (impulses too large: rounding hides the error)" : "");
    }
  }
  return status;
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  auto args = std::make_shared<CheckArguments>();
  auto* command = app.add_subcommand("check", "Verify stored solutions by code independent of the solvers");
  command->footer("Example: stickslip check solved.hdf5 --tolerance 1e-6");
  command->add_option("files", args->files, "problem files with a solution")->required();
  command->add_option("--solution", args->solution, "take the solution from this file instead");
  command->add_option("--tolerance", args->tolerance, "on the natural-map error")->capture_default_str();
  command->add_flag("--json", args->json, "one JSON object a line");
  command->callback([args, &session] { session.work = [args] { return check(*args); }; });
}

}  // namespace stickslip::app
