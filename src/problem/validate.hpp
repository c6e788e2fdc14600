// Checks shared by both forms of the problem; each throws InputError naming the object, the value and the
// rule.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace stickslip::internal {

void require_size(std::string_view object, std::size_t size, std::size_t expected, std::string_view why);
void require_finite(std::string_view object, std::span<const double> values);
void require_friction(std::span<const double> mu);

}  // namespace stickslip::internal
