// A campaign made of random numbers, through the store: for the report at the size of RR's study, in seconds.
#pragma once

#include <cstdint>
#include <filesystem>

namespace stickslip::campaign::tests {

struct SyntheticSize {
  int solvers = 30;
  int problems = 450;     ///< shared among eight sets
  bool histories = true;  ///< in every third row
  int unfinished = 0;     ///< rows that stay to be done
  std::uint64_t seed = 1;
};

/// Two tolerances; every outcome that the store knows occurs in large ones. Names hold what an HTML page must
/// escape. The folder must not hold a campaign.
void make_synthetic_campaign(const std::filesystem::path& folder, const SyntheticSize& size);

}  // namespace stickslip::campaign::tests
