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
  // 0·x is zero for every finite x and NaN otherwise; sums side by side need no branch.
  double sums[8] = {};
  std::size_t k = 0;
  for (; k + 8 <= values.size(); k += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += 0.0 * values[k + lane];
  for (; k < values.size(); ++k) sums[0] += 0.0 * values[k];
  double sum = 0;
  for (const double part : sums) sum += part;
  if (sum == 0) return;
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
