#include "nearest.hpp"

#include <fmt/format.h>

#include "campaign/verification.hpp"
#include "command.hpp"

namespace stickslip::app {

Nearest find_nearest(const ProblemFile& file, double tolerance, double seconds, const SolveResult* known) {
  const NearestRequest request{
      .tolerance = tolerance, .time_limit = seconds, .cancel = &interrupt_requested, .known = known};
  Nearest nearest;
  nearest.result = std::visit([&](const auto& p) { return nearest_feasible(p, request); }, file.problem);
  if (!nearest.result.found) return nearest;
  const auto with = [&](const auto& p) { return ProblemFile{with_room(p, nearest.result.room), {}, {}, {}}; };
  const ProblemFile other = std::visit(with, file.problem);
  nearest.verified = campaign::Verifier(other)(nearest.result.solution.r).error;
  return nearest;
}

std::string nearest_line(const Nearest& nearest) {
  if (!nearest.result.found) return nearest.result.message;
  return fmt::format("{} (independent check: error {:.1e})", nearest.result.message, nearest.verified);
}

nlohmann::ordered_json nearest_json(const Nearest& nearest) {
  nlohmann::ordered_json out;
  out["found"] = nearest.result.found;
  out["message"] = nearest.result.message;
  if (!nearest.result.found) return out;
  out["settled"] = nearest.result.settled;
  out["room_norm"] = nearest.result.size;
  out["squeezed"] = nearest.result.squeezed;
  out["room"] = nearest.result.room;
  out["r"] = nearest.result.solution.r;
  out["error"] = nearest.result.solution.error();
  out["verified_error"] = nearest.verified;
  return out;
}

}  // namespace stickslip::app
