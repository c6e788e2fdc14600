// Problem files: FCLIB (HDF5), Siconos text, Matrix Market folders. Every file is treated as hostile.
#pragma once

#include <filesystem>

#include "stickslip/export.hpp"
#include "stickslip/problem_file.hpp"

namespace stickslip {

/// Reads FCLIB HDF5, a Siconos text problem or a Matrix Market folder, told apart by content, not by name.
/// Throws InputError with one line that names the file, the object and the rule.
STICKSLIP_EXPORT ProblemFile read_problem(const std::filesystem::path& path);
STICKSLIP_EXPORT ProblemFile read_fclib(const std::filesystem::path& path);
STICKSLIP_EXPORT ProblemFile read_siconos_text(const std::filesystem::path& path);
STICKSLIP_EXPORT ProblemFile read_matrix_market(const std::filesystem::path& folder);

/// Write to a temporary name beside the target, then rename: a failure leaves nothing behind and throws
/// OutputError.
STICKSLIP_EXPORT void write_fclib(const std::filesystem::path& path, const ProblemFile& file);
STICKSLIP_EXPORT void write_siconos_text(const std::filesystem::path& path, const ProblemFile& file);
STICKSLIP_EXPORT void write_matrix_market(const std::filesystem::path& folder, const ProblemFile& file);

}  // namespace stickslip
