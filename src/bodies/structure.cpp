#include "bodies/structure.hpp"

#include <bit>

#include "base/pieces.hpp"

namespace stickslip::internal {
namespace {

/// Words one after the other into two pairs of lanes, multiplied and rotated (the constants are those of SplitMix64, Steele and others 2014), so
/// that a pass is as fast as memory.
struct Digest {
  std::uint64_t lane[4] = {0x9e3779b97f4a7c15ULL, 0x3c6ef372fe94f82bULL, 0xdaa66d2c7ddf743fULL,
                           0x78dde6e5fd29f05bULL};

  void add(std::uint64_t word, std::size_t parity) {
    // Each word enters a lane of both halves of the answer: two digests that fail independently.
    auto &a = lane[parity & 1], &b = lane[2 + (parity & 1)];
    a = std::rotl(a ^ word, 29) * 0xbf58476d1ce4e5b9ULL + 1;
    b = std::rotl(b + word, 23) * 0x94d049bb133111ebULL + 1;
  }
  void operator+=(const Digest& next) {
    for (std::size_t k = 0; k < 4; ++k) add(next.lane[k], k >> 1), add(next.lane[k], k);
  }
};

template <class Number>
std::uint64_t word_of(Number number) {
  if constexpr (sizeof(Number) == 8)
    return std::bit_cast<std::uint64_t>(number);
  else
    return std::uint64_t(number);
}

template <class Number>
void add(Digest& digest, std::span<const Number> numbers, ThreadTeam* team) {
  digest.add(numbers.size(), 0);
  digest += sum_in_pieces<Digest>(team, numbers.size(), [&](std::size_t begin, std::size_t end) {
    Digest part;
    for (std::size_t k = begin; k < end; ++k) part.add(word_of(numbers[k]), k);
    return part;
  });
}

void add(Digest& digest, const SparseMatrix& A, ThreadTeam* team) {
  digest.add(std::uint64_t(A.columns()), 1);
  add(digest, A.row_start(), team);
  add(digest, A.column(), team);
  add(digest, A.value(), team);
}

}  // namespace

Structure structure_of(const GlobalProblem& problem, ThreadTeam* team) {
  Digest digest;
  add(digest, problem.M(), team);
  add(digest, problem.H(), team);
  add(digest, problem.mu(), team);
  return {digest.lane[0] ^ std::rotl(digest.lane[1], 32), digest.lane[2] ^ std::rotl(digest.lane[3], 32)};
}

}  // namespace stickslip::internal
