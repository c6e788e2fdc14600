// Chunks of contacts given to ranks at random.
#pragma once

#include "base/random.hpp"
#include "distributed/together.hpp"

namespace stickslip::tests {

inline internal::CutRule random_cut(internal::Random& random) {
  return [&random](const internal::BodyGraph& graph, int ranks) {
    std::vector<int> cut;
    for (Index chunk = 0; chunk < graph.colouring().chunks(); ++chunk)
      cut.push_back(int(random.below(std::uint64_t(ranks))));
    return cut;
  };
}

}  // namespace stickslip::tests
