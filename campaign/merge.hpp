// Two campaigns into one.
#pragma once

#include "campaign/store.hpp"

namespace stickslip::campaign {

struct MergeSummary {
  std::size_t rows = 0;         ///< of the result
  std::size_t double_rows = 0;  ///< that both had; the first one's was taken
};

/// Writes everything of both into an empty store. Problems are the same when set, name and fingerprint are,
/// solvers when label and solver are; throws InputError where a name means different things in the two.
MergeSummary merge(const Store& a, const Store& b, Store& into);

}  // namespace stickslip::campaign
