// stickslip info FILE...: what a problem looks like.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "stickslip/stickslip.hpp"

namespace stickslip::app {
namespace {

std::string symmetry(double asymmetry) {
  return asymmetry < 1e-12 ? "symmetric"
                           : fmt::format("{} (‖W−Wᵀ‖/‖W‖ = {:.1e})",
                                         asymmetry < 1e-6 ? "nearly symmetric" : "unsymmetric", asymmetry);
}

template <class T>
nlohmann::ordered_json optional_json(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

enum class Detail { plain, spectrum };

/// W of a global problem is formed for its figures up to this size, in bytes, with its copy.
constexpr double largest_matrix = 2.0 * (1 << 30);

/// What is known of a global problem without W.
Statistics without_matrix(const GlobalProblem& problem) {
  Statistics s;
  s.contacts = problem.contacts();
  s.dimension = problem.dimension();
  s.degrees_of_freedom = problem.degrees_of_freedom();
  if (problem.degrees_of_freedom() > 0) s.density = double(problem.w().size()) / problem.degrees_of_freedom();
  if (const auto mu = problem.mu(); !mu.empty()) {
    const auto [low, high] = std::minmax_element(mu.begin(), mu.end());
    s.mu_min = *low;
    s.mu_max = *high;
  }
  return s;
}

nlohmann::ordered_json memory_json(const MemoryEstimate& memory) {
  nlohmann::ordered_json out;
  out["problem"] = memory.problem;
  out["sweeps"] = memory.sweeps;
  if (memory.bodies > 0) out["bodies"] = memory.bodies;
  out["matrix"] = memory.matrix;
  if (memory.factors > 0) out["factors"] = memory.factors;
  out["auto"] = memory.automatic;
  out["route"] = memory.route;
  return out;
}

std::string memory_words(const MemoryEstimate& memory) {
  std::string text =
      fmt::format("{} itself, {} for sweeps", format_size(memory.problem), format_size(memory.sweeps));
  if (memory.bodies > 0)
    text += fmt::format(", {} factorised through the bodies", format_size(memory.bodies));
  text += memory.factors > 0
              ? fmt::format(", {} with W factorised", format_size(memory.factors))
              : fmt::format(", {} with W, its factors not counted", format_size(memory.matrix));
  const char* const route = memory.route == "matrix"      ? "W"
                            : memory.route == "gradients" ? "the bodies by conjugate gradients"
                                                          : "the bodies";
  return text + fmt::format("; auto: {}, {}", route, format_size(memory.automatic));
}

int inform(const std::vector<std::string>& files, bool json, Detail detail) {
  for (const auto& path : files) {
    const ProblemFile file = read_problem(path);
    const MemoryEstimate memory =
        std::visit([](const auto& problem) { return estimate_memory(problem); }, file.problem);
    std::optional<ReducedProblem> reduced;
    if (file.is_global() && memory.matrix - memory.sweeps <= largest_matrix)
      reduced = Reduction(std::get<GlobalProblem>(file.problem)).reduced();
    const ReducedProblem* problem =
        file.is_global() ? (reduced ? &*reduced : nullptr) : &std::get<ReducedProblem>(file.problem);
    const Statistics s =
        problem ? statistics(*problem) : without_matrix(std::get<GlobalProblem>(file.problem));
    const std::optional<Spectrum> values =
        detail == Detail::spectrum && problem ? std::optional(spectrum(*problem)) : std::nullopt;
    if (json) {
      nlohmann::ordered_json out;
      out["file"] = path;
      out["form"] = file.is_global() ? "global" : "reduced";
      out["contacts"] = s.contacts;
      out["dimension"] = s.dimension;
      out["degrees_of_freedom"] = optional_json(s.degrees_of_freedom);
      out["density"] = optional_json(s.density);
      if (problem) {
        out["blocks"] = s.blocks;
        out["blocks_per_row"] = s.blocks_per_row;
        out["asymmetry"] = s.asymmetry;
        out["smallest_block"] = s.smallest_block;
        out["largest_block"] = s.largest_block;
        out["rank_ratio"] = optional_json(s.rank_ratio);
      }
      if (values) {
        out["largest_singular_value"] = values->largest;
        out["smallest_singular_value"] = values->smallest;
        out["condition"] = values->condition();
        out["rank"] = optional_json(values->rank);
        out["bidiagonalisation_steps"] = values->steps;
      }
      if (problem) out["islands"] = s.islands;
      out["memory"] = memory_json(memory);
      out["mu_min"] = s.mu_min;
      out["mu_max"] = s.mu_max;
      if (problem) out["q_norm"] = s.q_norm;
      out["guesses"] = file.guesses.size();
      out["solution"] = file.solution.has_value();
      out["title"] = file.info.title;
      std::cout << out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
      continue;
    }
    const auto row = [](const char* what, const std::string& value) {
      std::cout << fmt::format("  {:<20} {}\n", what, value);
    };
    std::cout << bold(path) << '\n';
    if (!file.info.title.empty()) row("title", file.info.title);
    row("form", file.is_global() ? "global (M, H, f, w)" : "reduced (W, q)");
    row("contacts", fmt::format("{} in {} dimensions", s.contacts, s.dimension) +
                        (problem ? fmt::format(", {} island{}", s.islands, s.islands == 1 ? "" : "s") : ""));
    row("degrees of freedom", s.degrees_of_freedom ? std::to_string(*s.degrees_of_freedom) : "unknown");
    if (s.density) row("density", fmt::format("{:.3g} (contact unknowns per degree of freedom)", *s.density));
    if (problem) {
      row("blocks of W", fmt::format("{}, {:.1f} a row", s.blocks, s.blocks_per_row));
      row("symmetry", symmetry(s.asymmetry));
      row("scaling", fmt::format("diagonal blocks from {:.3g} to {:.3g}, ‖q‖ = {:.3g}", s.smallest_block,
                                 s.largest_block, s.q_norm));
      row("rank", s.rank_ratio ? fmt::format("{:.4g} of full rank (estimate)", *s.rank_ratio)
                               : "not estimated (too large)");
    } else {
      row("blocks of W", "not counted: W is too large to be formed for it");
    }
    row("memory", memory_words(memory));
    if (values)
      row("singular values",
          fmt::format("{:.3g} to {:.3g}, condition {:.2g} ({})", values->smallest, values->largest,
                      values->condition(),
                      values->rank ? fmt::format("{} of {} above 1e-9 of the largest", *values->rank,
                                                 s.contacts * s.dimension)
                                   : fmt::format("estimate, {} steps of bidiagonalisation", values->steps)));
    row("friction", s.mu_min == s.mu_max ? fmt::format("μ = {:.3g}", s.mu_min)
                                         : fmt::format("μ from {:.3g} to {:.3g}", s.mu_min, s.mu_max));
    row("stored", fmt::format("{} guess{}, {}", file.guesses.size(), file.guesses.size() == 1 ? "" : "es",
                              file.solution ? "a solution ('stickslip check' tests it)" : "no solution"));
  }
  return done;
}

}  // namespace

void add_info(CLI::App& app, Session& session) {
  auto files = std::make_shared<std::vector<std::string>>();
  auto json = std::make_shared<bool>(false), spectrum = std::make_shared<bool>(false);
  auto* command = app.add_subcommand("info", "Show what problems look like");
  command->footer("Example: stickslip info problems/*.hdf5");
  command->add_option("files", *files, "problem files")->required();
  command->add_flag("--json", *json, "one JSON object a line");
  command->add_flag(
      "--spectrum", *spectrum,
      "the extreme singular values of W too: all of them up to 1500 rows, else by bidiagonalisation");
  command->callback([=, &session] {
    session.work = [=] { return inform(*files, *json, *spectrum ? Detail::spectrum : Detail::plain); };
  });
}

}  // namespace stickslip::app
