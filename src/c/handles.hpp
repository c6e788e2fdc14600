// What stands behind the handles of the C interface, and the wall that no exception crosses.
#pragma once

#include <atomic>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "stickslip/errors.hpp"
#include "stickslip/problem_file.hpp"
#include "stickslip/solver.hpp"
#include "stickslip/stickslip.h"

struct stickslip_problem {
  stickslip::ProblemFile file;
};

struct stickslip_solver {
  stickslip::Solver solver;
  stickslip::SolveResult result = {};
  std::string report = {};
  std::atomic<bool> cancelled = false;
};

extern "C" {
/// Keeps what stickslip_message() says in this thread. Shown by the core so that the files, another library, say it too.
STICKSLIP_C_EXPORT void stickslip_keep_message_(const char* text);
}

namespace stickslip::internal {

/// The numbers at `data`, named `what` in the message when they should be there and are not. Throws InputError.
template <class Number>
std::span<const Number> array(const Number* data, std::size_t count, const char* what) {
  if (data == nullptr && count > 0)
    throw InputError(std::string(what) + " is NULL; it must have " + std::to_string(count) + " numbers");
  return {data, count};
}

template <class Object>
Object& given(Object* object, const char* what) {
  if (object == nullptr) throw InputError(std::string(what) + " is NULL");
  return *object;
}

/// Runs `work`; whatever it throws becomes a status, and its text the message of this thread.
template <class Work>
stickslip_status guarded(Work&& work) noexcept {
  const auto failed = [](stickslip_status status, const char* text) {
    stickslip_keep_message_(text);
    return status;
  };
  try {
    stickslip_keep_message_("");
    return std::forward<Work>(work)();
  } catch (const OutputError& error) {
    return failed(STICKSLIP_OUTPUT_ERROR, error.what());
  } catch (const MissingComponent& error) {
    return failed(STICKSLIP_MISSING_COMPONENT, error.what());
  } catch (const Error& error) {
    return failed(STICKSLIP_INPUT_ERROR, error.what());
  } catch (const std::bad_alloc&) {
    return failed(STICKSLIP_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return failed(STICKSLIP_INTERNAL_ERROR, error.what());
  } catch (...) {
    return failed(STICKSLIP_INTERNAL_ERROR, "an unknown exception");
  }
}

/// The same for what makes a handle: NULL when it fails.
template <class Make>
auto made(Make&& make) noexcept {
  decltype(make()) handle = nullptr;
  guarded([&] {
    handle = make();
    return STICKSLIP_OK;
  });
  return handle;
}

}  // namespace stickslip::internal
