// Where problems come from: files found by pattern, and built-in families with sizes and seeds. A source is a
// text that is enough to have the problem again: the path of a file, or family(size=…, seed=…).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "campaign/records.hpp"
#include "stickslip/problem_file.hpp"

namespace stickslip::campaign {

/// The problem files that a pattern (* ? [a-z]) stands for, sorted; a folder stands for all problem files in
/// and below it. Relative patterns are looked up in the folders given, in that order; the first with a match
/// counts.
std::vector<std::filesystem::path> find_files(const std::string& pattern,
                                              const std::vector<std::filesystem::path>& folders);

/// Problems by file, named by their file name, or by more of their path where that is not unique.
std::vector<ProblemRecord> problems_of_files(const std::vector<std::filesystem::path>& files);

/// What a set may ask of a family: values for fields of GenerateRequest, by name. Every combination is a
/// problem.
struct FamilyRequest {
  std::string family;
  std::vector<std::pair<std::string, std::vector<double>>> fields = {};
  std::vector<std::int64_t> seeds = {1};
};
std::vector<ProblemRecord> problems_of_family(const FamilyRequest& request);

/// Reads or generates a problem. Throws InputError as read_problem and generate do.
ProblemFile load_source(const std::string& source);

/// A drawing (SVG) of the bodies of a family. Throws InputError where it has none.
std::string picture_of(const std::string& source);

/// Whether a source is a family rather than a file; files are stored as absolute paths.
bool is_family(const std::string& source);

}  // namespace stickslip::campaign
