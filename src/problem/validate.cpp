#include "problem/validate.hpp"

#include <cmath>
#include <string>

#include "base/text.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {

void require_size(std::string_view object, std::size_t size, std::size_t expected, std::string_view why) {
  if (size != expected)
    throw InputError(std::string(object) + " has " + std::to_string(size) + " numbers, expected " +
                     std::to_string(expected) + " (" + std::string(why) + ")");
}

void require_finite(std::string_view object, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw InputError(std::string(object) + "[" + std::to_string(i) + "] is " + shortest(values[i]) +
                       "; it must be finite");
}

void require_friction(std::span<const double> mu) {
  require_finite("mu", mu);
  for (std::size_t i = 0; i < mu.size(); ++i)
    if (mu[i] < 0)
      throw InputError("mu[" + std::to_string(i) + "] is " + shortest(mu[i]) +
                       "; a coefficient of friction must be ≥ 0");
}

}  // namespace stickslip::internal
