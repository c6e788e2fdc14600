// Judging from C: the error of any r, whether a solution exists, the reduced form.

#include <algorithm>
#include <variant>

#include "c/handles.hpp"
#include "stickslip/existence.hpp"
#include "stickslip/measures.hpp"

namespace stickslip::internal {
namespace {

/// W and q of a problem in either form.
ReducedProblem reduced_form(const stickslip_problem& problem) {
  if (const auto* p = std::get_if<GlobalProblem>(&problem.file.problem)) {
    ReducedProblem made = Reduction(*p).reduced();
    made.degrees_of_freedom = p->degrees_of_freedom();
    return made;
  }
  return std::get<ReducedProblem>(problem.file.problem);
}

Measures judged(const ReducedProblem& problem, const double* r, double* u) {
  const std::size_t numbers = problem.q().size();
  std::vector<double> velocity(numbers);
  const Measures measures = measure(problem, array(r, numbers, "r"), velocity);
  if (u != nullptr) std::copy(velocity.begin(), velocity.end(), u);
  return measures;
}

}  // namespace
}  // namespace stickslip::internal

using namespace stickslip;
using namespace stickslip::internal;

extern "C" {

stickslip_problem* stickslip_problem_reduce(const stickslip_problem* problem) {
  return made([&] {
    const stickslip_problem& from = given(problem, "the problem");
    auto* to = new stickslip_problem{{reduced_form(from)}};
    to->file.info = from.file.info;
    return to;
  });
}

stickslip_status stickslip_measure(const stickslip_problem* problem, const double* r, double* u,
                                   stickslip_info* info) {
  return guarded([&] {
    const stickslip_problem& judging = given(problem, "the problem");
    const auto* p = std::get_if<ReducedProblem>(&judging.file.problem);
    const Measures m = p != nullptr ? judged(*p, r, u) : judged(reduced_form(judging), r, u);
    if (info == nullptr) return STICKSLIP_OK;
    *info = {};
    info->worst_contact = -1;
    info->error = m.error;
    info->energy_error = m.energy;
    info->impulse_violation = m.impulse_violation;
    info->velocity_violation = m.velocity_violation;
    info->complementarity = m.complementarity;
    return STICKSLIP_OK;
  });
}

stickslip_status stickslip_existence(const stickslip_problem* problem, int32_t* answer, double* margin,
                                     double* proof) {
  return guarded([&] {
    const ExistenceResult result =
        std::visit([](const auto& p) { return existence(p); }, given(problem, "the problem").file.problem);
    const bool exists = result.answer == Existence::exists, none = result.answer == Existence::none;
    if (answer != nullptr) *answer = exists ? 1 : none ? 0 : -1;
    if (margin != nullptr) *margin = result.margin;
    const std::vector<double>& vector = none ? result.certificate : result.r;
    if (proof != nullptr && (exists || none)) std::copy(vector.begin(), vector.end(), proof);
    stickslip_keep_message_(result.message.c_str());
    return STICKSLIP_OK;
  });
}

}  // extern "C"
