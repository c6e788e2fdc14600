// The wording of errors that all formats share: `FILE: OBJECT: rule, got VALUE`, always one line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "stickslip/io.hpp"

namespace stickslip::internal::io {

/// Throws InputError with the line `object: rule`.
[[noreturn]] void refuse(std::string_view object, std::string_view rule);

/// A text of a file made fit for one line: control characters become '?', and what is too long is cut.
std::string shown(std::string_view text);
/// "1 number", "12 numbers".
std::string counted(std::uint64_t count, std::string_view noun);

/// Refuses the first NaN or infinity: `object: number 3 is nan, must be finite`.
void require_finite(std::string_view object, std::span<const double> values);
/// Refuses a vector of another size than `size`: `object: has 12 numbers, but W has 15 rows`; `because` is
/// the latter part.
void require_size(std::string_view object, std::uint64_t got, std::uint64_t size, std::string_view because);
/// Refuses u, r, v, l, certificate of a stored point that are neither absent nor of the problem's size, or
/// that are not finite.
void require_point(const std::string& object, const StoredPoint& point, const ProblemFile& file);
/// require_point for the solution and every guess of a file.
void require_points(const ProblemFile& file);

/// Calls `read` and puts the name of the file before the message of an InputError; lack of memory becomes an
/// InputError.
ProblemFile with_file_name(const std::filesystem::path& path, const std::function<ProblemFile()>& read);

}  // namespace stickslip::internal::io
