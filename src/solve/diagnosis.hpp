// Why a problem may be hard: what a person wants to know when a solve stalled.
#pragma once

#include <string>
#include <vector>

#include "stickslip/problem.hpp"

namespace stickslip::internal {

/// What makes a problem hard, in words with figures, a line each; empty: nothing known, or too large to be looked at.
std::vector<std::string> diagnose(const ReducedProblem& problem);
std::vector<std::string> diagnose(const GlobalProblem& problem);

}  // namespace stickslip::internal
