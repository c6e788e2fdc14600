// The message of a refusal, for tests of bad input.
#pragma once

#include <string>
#include <utility>

#include "stickslip/errors.hpp"

namespace stickslip::tests {

/// What the InputError says that `call` throws.
template <class Call>
std::string refusal(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

}  // namespace stickslip::tests
