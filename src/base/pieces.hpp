// Work on many items in pieces, shared out to threads. Where a piece begins and ends depends on the number of items alone, and
// sums of pieces are added in their order: the same bits for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/thread_team.hpp"

namespace stickslip::internal {

// A lambda of which the compiler makes one copy only. The standard has no place for such an attribute before C++23.
#if defined(__clang__)
#define STICKSLIP_ONE_COPY __attribute__((noinline))
#else
#define STICKSLIP_ONE_COPY __attribute__((noinline, noclone))
#endif

/// Items of a piece. So many are one piece, without threads: handing work over takes microseconds.
constexpr std::size_t piece_size = 4096;

inline std::size_t pieces_of(std::size_t items) { return (items + piece_size - 1) / piece_size; }

/// work(piece), or work(piece, thread), for 0 ≤ piece < pieces; `team` may be nullptr. They must not depend on each other, nor throw. Each thread
/// takes the same run of pieces each time, so that what it works on stays in its cache, and then helps the others with theirs.
template <class Work>
void share(ThreadTeam* team, std::size_t pieces, const Work& work) {
  // One copy of the work, with and without threads: another might fuse other products.
  const auto call = [&](std::size_t piece, [[maybe_unused]] int thread) STICKSLIP_ONE_COPY {
    if constexpr (std::is_invocable_v<Work, std::size_t, int>)
      work(piece, thread);
    else
      work(piece);
  };
  if (!team || pieces < 2) {
    for (std::size_t piece = 0; piece < pieces; ++piece) call(piece, 0);
    return;
  }
  const std::span<ThreadTeam::Run> runs = team->runs();
  for (std::size_t t = 0; t < runs.size(); ++t) {
    runs[t].next.store(pieces * t / runs.size(), std::memory_order_relaxed);
    runs[t].end = pieces * (t + 1) / runs.size();
  }
  const auto serve = [&](int thread) {
    for (std::size_t t = 0; t < runs.size(); ++t) {
      ThreadTeam::Run& run = runs[(std::size_t(thread) + t) % runs.size()];
      for (std::size_t piece; (piece = run.next.fetch_add(1, std::memory_order_relaxed)) < run.end;)
        call(piece, thread);
    }
  };
  team->run(std::ref(serve));  // by reference: a std::function of this size would allocate
}

/// work(begin, end) for the pieces of so many items.
template <class Work>
void in_pieces(ThreadTeam* team, std::size_t items, const Work& work) {
  if (items <= piece_size) return work(std::size_t(0), items);
  share(team, pieces_of(items),
        [&](std::size_t piece) { work(piece * piece_size, std::min(items, (piece + 1) * piece_size)); });
}

/// to ← from, of the same size.
template <class From, class To>
void copy_in_pieces(ThreadTeam* team, const From& from, To& to) {
  in_pieces(team, from.size(), [&](std::size_t begin, std::size_t end) {
    std::copy(from.data() + begin, from.data() + end, to.data() + begin);
  });
}

/// Σ work(begin, end), in the order of the pieces; Sum() is zero, and += adds.
template <class Sum = double, class Work>
Sum sum_in_pieces(ThreadTeam* team, std::size_t items, const Work& work) {
  if (items <= piece_size) return work(std::size_t(0), items);
  std::vector<Sum> parts(pieces_of(items));
  in_pieces(team, items,
            [&](std::size_t begin, std::size_t end) { parts[begin / piece_size] = work(begin, end); });
  Sum sum = Sum();
  for (const Sum& part : parts) sum += part;
  return sum;
}

}  // namespace stickslip::internal
