// Problem files: FCLIB (HDF5), Siconos text, Matrix Market folders. Every file is treated as hostile.
#pragma once

#include <filesystem>
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

/// Reads FCLIB HDF5, a Siconos text problem or a Matrix Market folder, told apart by content, not by name.
/// Throws InputError with one line that names the file, the object and the rule.
ProblemFile read_problem(const std::filesystem::path& path);
ProblemFile read_fclib(const std::filesystem::path& path);
ProblemFile read_siconos_text(const std::filesystem::path& path);
ProblemFile read_matrix_market(const std::filesystem::path& folder);

/// Write to a temporary name beside the target, then rename: a failure leaves nothing behind and throws
/// OutputError.
void write_fclib(const std::filesystem::path& path, const ProblemFile& file);
void write_siconos_text(const std::filesystem::path& path, const ProblemFile& file);
void write_matrix_market(const std::filesystem::path& folder, const ProblemFile& file);

}  // namespace stickslip
