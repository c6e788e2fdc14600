// stickslip check FILE...: verifies stored solutions by code that shares nothing with the solvers
// (verify).

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "campaign/verification.hpp"
#include "command.hpp"
#include "nearest.hpp"
#include "stickslip/stickslip.hpp"

namespace stickslip::app {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  std::string solution;
  double tolerance = 1e-8;
  bool json = false, existence = false;
};

/// The reduced form and a certificate through the independent checker.
struct CertificateVerdict {
  bool proves;
  std::string text;
};
CertificateVerdict check_certificate(const ProblemFile& file, std::span<const double> d) {
  const ReducedProblem p = file.is_global() ? Reduction(std::get<GlobalProblem>(file.problem)).reduced()
                                            : std::get<ReducedProblem>(file.problem);
  const auto W = campaign::to_raw(p.W().to_sparse());
  return {stickslip_verify::check_certificate(p.dimension(), W, p.q(), p.mu(), d).proves_infeasible(),
          stickslip_verify::verify_certificate(p.dimension(), W, p.q(), p.mu(), d)};
}

/// The search for the nearest problem with a solution ends after that.
constexpr double nearest_seconds = 60;

/// Slater's condition, or a certificate, which the independent checker looks at once more.
int check_existence(const CheckArguments& args) {
  int status = done;
  for (const auto& path : args.files) {
    const ProblemFile file = read_problem(path);
    ExistenceResult result = std::visit([](const auto& p) { return existence(p); }, file.problem);
    std::string verdict;
    if (result.answer == Existence::none) {
      const auto found = check_certificate(file, result.certificate);
      verdict = found.text;
      if (!found.proves) result.answer = Existence::undecided;
    }
    std::optional<Nearest> nearest;
    if (result.answer != Existence::exists) {
      status = not_converged;
      nearest = find_nearest(file, args.tolerance, nearest_seconds, nullptr);
    }
    if (args.json) {
      nlohmann::ordered_json out;
      out["file"] = path;
      out["existence"] = name(result.answer);
      if (result.answer == Existence::exists) {
        out["margin"] = result.margin;
        out[file.is_global() ? "v" : "r"] = file.is_global() ? result.v : result.r;
      }
      if (result.answer == Existence::none) out["certificate"] = result.certificate;
      out["message"] = result.message;
      if (nearest) out["nearest"] = nearest_json(*nearest);
      std::cout << out.dump() << '\n';
    } else {
      const std::string word(name(result.answer));
      std::cout << fmt::format("{}  {}  {}\n", path,
                               result.answer == Existence::exists ? green(word)
                               : result.answer == Existence::none ? red(word)
                                                                  : word,
                               result.message);
      if (!verdict.empty()) std::cout << "  independent check: " << verdict << '\n';
      if (nearest) std::cout << "  nearest: " << nearest_line(*nearest) << '\n';
    }
  }
  return status;
}

void require_size(const ProblemFile& file, const std::string& what, std::size_t size) {
  const auto expected = std::visit(
      [](const auto& p) { return std::size_t(p.contacts()) * std::size_t(p.dimension()); }, file.problem);
  if (size != expected)
    throw InputError(fmt::format("{} has {} numbers, the problem needs {}", what, size, expected));
}

/// A file that holds a certificate claims that no solution exists. True: it does not.
bool report_certificate(const CheckArguments& args, const ProblemFile& file, const std::string& path,
                        const std::string& source, std::span<const double> d) {
  require_size(file, source + ": solution/certificate", d.size());
  const auto found = check_certificate(file, d);
  if (args.json) {
    nlohmann::ordered_json out;
    out["file"] = path;
    out["solution"] = source;
    out["verdict"] = found.proves ? "infeasible" : "wanting";
    out["certificate"] = found.text;
    std::cout << out.dump() << '\n';
  } else {
    std::cout << fmt::format("{}  {}  {}\n", path, found.proves ? green("infeasible") : red("wanting"),
                             found.text);
  }
  return found.proves;
}

int check(const CheckArguments& args) {
  if (args.existence) return check_existence(args);
  if (!(args.tolerance > 0)) throw InputError("--tolerance must be > 0");
  if (!args.solution.empty() && args.files.size() != 1)
    throw InputError("--solution goes with one problem file");
  int status = done;
  for (const auto& path : args.files) {
    const ProblemFile file = read_problem(path);
    const std::string source = args.solution.empty() ? path : args.solution;
    const ProblemFile other = args.solution.empty() ? ProblemFile{file} : read_problem(args.solution);
    if (other.solution && !other.solution->certificate.empty()) {
      if (!report_certificate(args, file, path, source, other.solution->certificate)) status = not_converged;
      continue;
    }
    if (!other.solution || other.solution->r.empty())
      throw InputError(source + ": holds no solution/r to check");
    const auto& r = other.solution->r;
    require_size(file, source + ": solution/r", r.size());
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
  command->add_flag(
      "--existence", args->existence,
      "ask instead whether a solution exists: Slater's condition, or a certificate that none does");
  command->add_flag("--json", args->json, "one JSON object a line");
  command->callback([args, &session] { session.work = [args] { return check(*args); }; });
}

}  // namespace stickslip::app
