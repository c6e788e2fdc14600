// A method by its name, for solvers and for methods made of others.
#pragma once

#include <memory>
#include <string_view>

#include "solve/method.hpp"

namespace stickslip::internal {

/// Throws InputError as Solver does.
std::unique_ptr<Method> make_method(std::string_view name);

}  // namespace stickslip::internal
