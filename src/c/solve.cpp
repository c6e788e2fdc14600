// Solving from C: options in, r, u and figures out.

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <variant>

#include "c/handles.hpp"

namespace stickslip::internal {
namespace {

// Programs are compiled with these sizes: what is added takes room from `reserved`.
static_assert(sizeof(stickslip_options) == 256 && sizeof(stickslip_info) == 512);

std::size_t numbers(const stickslip_problem& problem) {
  return std::visit([](const auto& p) { return std::size_t(p.contacts()) * std::size_t(p.dimension()); },
                    problem.file.problem);
}

SolveRequest request_of(const stickslip_options& options, std::size_t numbers,
                        const std::atomic<bool>& cancelled) {
  if (options.size != sizeof(stickslip_options))
    throw InputError("the options were not made by stickslip_default_options()");
  SolveRequest request;
  request.tolerance = options.tolerance;
  request.time_limit = options.time_limit;
  request.max_iterations = options.max_iterations;
  request.threads = options.threads;
  request.memory_limit = options.memory_limit;
  if (options.guess != nullptr) request.guess = {options.guess, numbers};
  if (options.guess_velocity != nullptr) request.guess_velocity = {options.guess_velocity, numbers};
  if (options.callback != nullptr)
    request.observer = [call = options.callback, user = options.user](const Progress& progress) {
      const stickslip_progress shown = {progress.iteration, progress.seconds, progress.error};
      return call(&shown, user) != 0;
    };
  request.cancel = &cancelled;
  return request;
}

template <std::size_t Size>
void put(char (&field)[Size], const std::string& text) {
  std::strncpy(field, text.c_str(), Size - 1);
  field[Size - 1] = '\0';
}

stickslip_info info_of(const SolveResult& result) {
  stickslip_info info = {};
  info.status = static_cast<std::int32_t>(result.status);
  info.worst_contact = result.worst_contacts.empty() ? -1 : result.worst_contacts.front();
  info.iterations = result.iterations;
  info.error = result.error();
  info.energy_error = result.measures.energy;
  info.impulse_violation = result.measures.impulse_violation;
  info.velocity_violation = result.measures.velocity_violation;
  info.complementarity = result.measures.complementarity;
  info.seconds = result.timing.total;
  info.setup_seconds = result.timing.setup;
  info.factorisation_seconds = result.timing.factorisation;
  info.iteration_seconds = result.timing.iterations;
  info.measuring_seconds = result.timing.measuring;
  info.open = static_cast<std::int64_t>(result.count(ContactStatus::open));
  info.stick = static_cast<std::int64_t>(result.count(ContactStatus::stick));
  info.slip = static_cast<std::int64_t>(result.count(ContactStatus::slip));
  put(info.stage, result.stage);
  put(info.message, result.message);
  return info;
}

stickslip_status solve(stickslip_solver& kept, const stickslip_problem& problem,
                       const stickslip_options& options, double* r, double* u, stickslip_info* info) {
  const SolveRequest request = request_of(options, numbers(problem), kept.cancelled);
  SolveResult& result = kept.result;
  std::visit([&](const auto& p) { kept.solver.solve(p, request, result); }, problem.file.problem);
  kept.cancelled = false;
  if (r != nullptr) std::copy(result.r.begin(), result.r.end(), r);
  if (u != nullptr) std::copy(result.u.begin(), result.u.end(), u);
  if (info != nullptr) *info = info_of(result);
  stickslip_keep_message_(result.message.c_str());
  return static_cast<stickslip_status>(result.status);
}

/// A range that the result owns, as C sees it.
template <class Out, class Range>
const Out* shown(const Range& range, std::int64_t* count) {
  if (count != nullptr) *count = static_cast<std::int64_t>(range.size());
  return range.empty() ? nullptr : reinterpret_cast<const Out*>(range.data());
}

const SolveResult& last(const stickslip_solver* solver) {
  static const SolveResult none;
  return solver == nullptr ? none : solver->result;
}

const char* name_or_auto(const char* name) { return name == nullptr ? "auto" : name; }

}  // namespace
}  // namespace stickslip::internal

using namespace stickslip::internal;

extern "C" {

stickslip_options stickslip_default_options(void) {
  const stickslip::SolveRequest request;
  stickslip_options options = {};
  options.size = sizeof options;
  options.tolerance = request.tolerance;
  options.time_limit = request.time_limit;
  options.max_iterations = request.max_iterations;
  options.threads = request.threads;
  options.memory_limit = request.memory_limit;
  return options;
}

stickslip_solver* stickslip_solver_new(const char* name) {
  return made([&] { return new stickslip_solver{stickslip::Solver(name_or_auto(name))}; });
}

void stickslip_solver_free(stickslip_solver* solver) { delete solver; }

stickslip_status stickslip_solver_solve(stickslip_solver* solver, const stickslip_problem* problem,
                                        const stickslip_options* options, double* r, double* u,
                                        stickslip_info* info) {
  if (info != nullptr) *info = {};
  const stickslip_status status = guarded([&] {
    return solve(given(solver, "the solver"), given(problem, "the problem"),
                 options == nullptr ? stickslip_default_options() : *options, r, u, info);
  });
  if (status < 0 && info != nullptr) {
    info->status = status;
    info->worst_contact = -1;
    info->error = std::numeric_limits<double>::quiet_NaN();
    put(info->message, stickslip_message());
  }
  return status;
}

stickslip_status stickslip_solve(const stickslip_problem* problem, const char* solver,
                                 const stickslip_options* options, double* r, double* u,
                                 stickslip_info* info) {
  stickslip_solver* const made_for_this = stickslip_solver_new(solver);
  if (made_for_this == nullptr) {
    if (info != nullptr) {
      *info = {};
      info->status = STICKSLIP_INPUT_ERROR;
      put(info->message, stickslip_message());
    }
    return STICKSLIP_INPUT_ERROR;
  }
  const stickslip_status status = stickslip_solver_solve(made_for_this, problem, options, r, u, info);
  delete made_for_this;
  return status;
}

void stickslip_solver_cancel(stickslip_solver* solver) {
  if (solver != nullptr) solver->cancelled = true;
}

const double* stickslip_solver_v(const stickslip_solver* solver, int64_t* count) {
  return shown<double>(last(solver).v, count);
}

const double* stickslip_solver_lambda(const stickslip_solver* solver, int64_t* count) {
  return shown<double>(last(solver).lambda, count);
}

const double* stickslip_solver_certificate(const stickslip_solver* solver, int64_t* count) {
  return shown<double>(last(solver).certificate, count);
}

const uint8_t* stickslip_solver_contacts(const stickslip_solver* solver, int64_t* count) {
  return shown<uint8_t>(last(solver).contacts, count);
}

const char* stickslip_solver_report(const stickslip_solver* solver) {
  if (solver == nullptr) return "";
  guarded([&] {
    // The report is a view of the result: making it changes nothing that a caller can see.
    const_cast<stickslip_solver*>(solver)->report = solver->result.report();
    return STICKSLIP_OK;
  });
  return solver->report.c_str();
}

}  // extern "C"
