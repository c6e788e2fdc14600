#include "ranks_report.hpp"

#include <fmt/format.h>

namespace stickslip::app {

std::string solver_for_ranks(const std::string& name, const Session& session) {
  if (name != "auto") return name;
  const char* const instead = session.system ? "nipm" : "gs(form=velocity)";
  if (!session.quiet)
    fmt::print(stderr, "stickslip: several processes: {} instead of auto, which works in one\n", instead);
  return instead;
}

nlohmann::ordered_json ranks_json(const internal::TogetherReport& report) {
  const auto phase = [](const internal::PhaseTraffic& of) {
    return nlohmann::ordered_json{{"seconds", of.seconds},
                                  {"waiting_seconds", of.traffic.seconds},
                                  {"messages", of.traffic.messages},
                                  {"bytes", of.traffic.bytes},
                                  {"sums", of.traffic.sums}};
  };
  return {{"count", report.contacts.size()},   {"solves", report.solves},
          {"contacts", report.contacts},       {"colours", report.colours},
          {"chunks", report.chunks},           {"sweep_messages", report.sweep_messages},
          {"sweep_bytes", report.sweep_bytes}, {"sharing", phase(report.sharing)},
          {"solving", phase(report.solving)},  {"gathering", phase(report.gathering)}};
}

nlohmann::ordered_json petsc_json(const internal::SharedSystem& system) {
  const auto& report = system.report();
  return {{"solver", system.description()},
          {"rows", report.rows},
          {"factorisations", report.factorisations},
          {"factorisation_seconds", report.factorising},
          {"solves", report.solves},
          {"iterations", report.iterations},
          {"solve_seconds", report.solving}};
}

}  // namespace stickslip::app
