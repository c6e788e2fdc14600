#include "ranks_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace stickslip::app {

void say_of_ranks(std::string_view words, const Session& session) {
  if (!session.quiet && (!session.ranks || session.ranks->rank() == 0))
    fmt::print(stderr, "stickslip: several processes: {}\n", words);
}

namespace {

constexpr std::array<const char*, internal::shared_phases> phase_names = {"detection", "agreeing",  "sharing",
                                                                          "solving",   "gathering", "moving"};

nlohmann::ordered_json phase(const internal::PhaseTraffic& of) {
  return {{"seconds", of.seconds},
          {"waiting_seconds", of.traffic.seconds},
          {"messages", of.traffic.messages},
          {"bytes", of.traffic.bytes},
          {"sums", of.traffic.sums}};
}

/// What was foretold, of a sweep, of a product and of all that passed.
template <class Report>
void add_plan(const Report& report, nlohmann::ordered_json& out) {
  const auto add = [&](const std::string& what, const internal::Sent& sent) {
    out[what + "_messages"] = sent.messages;
    out[what + "_bytes"] = sent.bytes;
  };
  add("sweep", report.plan.sweep());
  add("product", report.plan.product());
  out["sweeps"] = report.passes.sweeps;
  out["products"] = report.passes.products + report.passes.springs;
  out["looks"] = report.passes.looks;
  add("planned", report.planned);
  out["peak_memory"] = report.peak_memory;
}

}  // namespace

nlohmann::ordered_json ranks_json(const internal::SharedReport& report) {
  nlohmann::ordered_json out = {{"count", report.contacts.size()}, {"solves", report.solves},
                                {"solved_alone", report.alone},    {"contacts", report.contacts},
                                {"colours", report.colours},       {"chunks", report.chunks}};
  add_plan(report, out);
  for (std::size_t k = 0; k < internal::shared_phases; ++k) out[phase_names[k]] = phase(report.phases[k]);
  return out;
}

void print_ranks(const internal::SharedReport& report) {
  fmt::print("  {} processes, {} solves shared, {} by process 0 alone\n", report.contacts.size(),
             report.solves, report.alone);
  std::vector<std::vector<std::string>> rows = {{"phase", "seconds", "waiting", "messages", "MB", "sums"}};
  for (std::size_t k = 0; k < internal::shared_phases; ++k) {
    const auto& of = report.phases[k];
    rows.push_back({phase_names[k], fmt::format("{:.3f}", of.seconds),
                    fmt::format("{:.3f}", of.traffic.seconds), fmt::format("{}", of.traffic.messages),
                    fmt::format("{:.3f}", 1e-6 * double(of.traffic.bytes)),
                    fmt::format("{}", of.traffic.sums)});
  }
  fmt::print("{}", table(rows));
  const auto& solving = report.phases[std::size_t(internal::SharedPhase::solving)].traffic;
  if (report.planned.messages > 0)
    fmt::print(
        "  solving: {} sweeps, {} products and {} looks pass {} messages and {:.3f} MB by the plan, {:.3f} "
        "and "
        "{:.3f} of it were counted\n",
        report.passes.sweeps, report.passes.products + report.passes.springs, report.passes.looks,
        report.planned.messages, 1e-6 * double(report.planned.bytes),
        double(solving.messages) / double(report.planned.messages),
        double(solving.bytes) / double(report.planned.bytes));
  if (!report.peak_memory.empty()) {
    const auto [least, most] = std::ranges::minmax(report.peak_memory);
    fmt::print("  memory of a process {:.2f} to {:.2f} GiB at most\n", double(least) / double(1 << 30),
               double(most) / double(1 << 30));
  }
}

nlohmann::ordered_json ranks_json(const internal::TogetherReport& report) {
  nlohmann::ordered_json out = {{"count", report.contacts.size()}, {"solves", report.solves},
                                {"division", report.division},     {"contacts", report.contacts},
                                {"colours", report.colours},       {"chunks", report.chunks}};
  add_plan(report, out);
  out["sharing"] = phase(report.sharing);
  out["solving"] = phase(report.solving);
  out["gathering"] = phase(report.gathering);
  return out;
}

nlohmann::ordered_json petsc_json(const internal::SharedSystem::Report& report) {
  return {{"solver", report.solver},
          {"rows", report.rows},
          {"blocks_between_ranks", report.between},
          {"factorisations", report.factorisations},
          {"factorisation_seconds", report.factorising},
          {"solves", report.solves},
          {"iterations", report.iterations},
          {"solve_seconds", report.solving}};
}

}  // namespace stickslip::app
