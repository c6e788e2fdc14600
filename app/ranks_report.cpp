#include "ranks_report.hpp"

#include <fmt/format.h>

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

}  // namespace

nlohmann::ordered_json ranks_json(const internal::SharedReport& report) {
  nlohmann::ordered_json out = {{"count", report.contacts.size()},
                                {"solves", report.solves},
                                {"solved_alone", report.alone},
                                {"contacts", report.contacts},
                                {"colours", report.colours},
                                {"chunks", report.chunks},
                                {"sweep_messages", report.sweep_messages},
                                {"sweep_bytes", report.sweep_bytes}};
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
}

nlohmann::ordered_json ranks_json(const internal::TogetherReport& report) {
  return {{"count", report.contacts.size()},
          {"solves", report.solves},
          {"division", report.division},
          {"contacts", report.contacts},
          {"colours", report.colours},
          {"chunks", report.chunks},
          {"sweep_messages", report.sweep_messages},
          {"sweep_bytes", report.sweep_bytes},
          {"sharing", phase(report.sharing)},
          {"solving", phase(report.solving)},
          {"gathering", phase(report.gathering)}};
}

nlohmann::ordered_json petsc_json(const internal::SharedSystem::Report& report) {
  return {{"solver", report.solver},
          {"rows", report.rows},
          {"factorisations", report.factorisations},
          {"factorisation_seconds", report.factorising},
          {"solves", report.solves},
          {"iterations", report.iterations},
          {"solve_seconds", report.solving}};
}

}  // namespace stickslip::app
