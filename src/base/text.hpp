// Small helpers for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stickslip::internal {

/// The shortest decimal text that reads back as the same number ("1e-08", "0.5", "nan").
std::string shortest(double value);
/// Number of edits (insert, delete, replace, case ignored) between two words.
int edit_distance(std::string_view a, std::string_view b);
/// The entry of `choices` nearest to `word` by edits, or "" when none is near.
std::string nearest(std::string_view word, std::span<const std::string> choices);

}  // namespace stickslip::internal
