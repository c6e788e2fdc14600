// The nearest problem that has a solution, as solve and check --existence show it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "stickslip/nearest.hpp"
#include "stickslip/problem_file.hpp"

namespace stickslip::app {

struct Nearest {
  NearestResult result;
  double verified = 0;  ///< the error of its solution, by the independent checker
};

/// Looks for it for at most so many seconds, and has the checker recompute the error of the problem with the room. `known` is what
/// a solve ended with, or nullptr.
Nearest find_nearest(const ProblemFile& file, double tolerance, double seconds, const SolveResult* known);
/// One line, without its end.
std::string nearest_line(const Nearest& nearest);
nlohmann::ordered_json nearest_json(const Nearest& nearest);

}  // namespace stickslip::app
