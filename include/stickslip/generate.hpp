// Built-in problems: useful with no data at all, the same on every machine for the same seed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stickslip/io.hpp"

namespace stickslip {

struct ProblemFamily {
  std::string name;
  std::string summary;
  std::string reference;
};

/// What may be asked of a family; what is not set takes the family's own value, what a family does not use is
/// refused.
struct GenerateRequest {
  std::optional<long> size = {};      ///< contacts; ≥ 1
  std::optional<int> dimension = {};  ///< 2 or 3
  std::optional<double> mu = {};      ///< coefficient of friction; ≥ 0
  std::optional<double> angle = {};   ///< of an incline, degrees in [0, 90)
  std::uint64_t seed = 1;
};

std::span<const ProblemFamily> problem_families();

/// Throws InputError on an unknown name (with the nearest one) or a request that the family cannot meet.
ProblemFile generate(std::string_view family, const GenerateRequest& request = {});

}  // namespace stickslip
