// A problem with what belongs to it: where it comes from, guesses, a solution. What the readers give, the writers take and the
// built-in families make.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stickslip/problem.hpp"

namespace stickslip {

/// A point stored with a problem: a guess or a solution. Never trusted; parts that the file lacks are empty.
struct StoredPoint {
  std::vector<double> u, r, v, l;
  std::vector<double> certificate =
      {};  ///< of a problem without solution (SolveResult::certificate); FCLIB only
};

struct ProblemInfo {
  std::string title, description, math_info;
};

/// What one problem file holds.
struct ProblemFile {
  std::variant<ReducedProblem, GlobalProblem> problem;
  std::optional<StoredPoint> solution = {};
  std::vector<StoredPoint> guesses = {};
  ProblemInfo info = {};

  bool is_global() const { return std::holds_alternative<GlobalProblem>(problem); }
};

}  // namespace stickslip
