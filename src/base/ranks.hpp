// Processes that solve one problem together. Who sends the messages, MPI or threads of a test, is behind the interface.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "base/exact_sum.hpp"

namespace stickslip::internal {

/// Every function is called by all ranks, in the same order; `exchange` by those who send or receive. Sums are sums of whole
/// numbers and messages are copies: nothing that passes through here rounds, so that no result depends on the number of ranks.
class Ranks {
 public:
  struct Outgoing {
    int to;
    std::span<const std::byte> bytes;
  };
  struct Incoming {
    int from;
    std::span<std::byte> bytes;
  };

  /// What passed through this rank: messages that it sent, their bytes, sums and maxima over all ranks, and the seconds that it spent in all that,
  /// most of them waiting.
  struct Traffic {
    std::int64_t messages = 0, bytes = 0, sums = 0;
    double seconds = 0;
  };
  /// How often bodies passed between ranks, the same on all of them: what the plan of a share foretells is one of each.
  struct Passes {
    std::int64_t sweeps = 0;                     ///< once through the colours
    std::int64_t products = 0;                   ///< the same, and then to all who have the bodies
    std::int64_t looks = 0;                      ///< to all who have them
    std::int64_t springs = 0, spring_lines = 0;  ///< as products, of other numbers; lines of a body, added up
  };

  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// x ← Σ x.
  virtual void add(std::span<std::int64_t> x) = 0;
  /// x ← max x, number by number.
  virtual void largest(std::span<double> x) = 0;
  /// Sends and receives; sizes are known to both sides, and at most one message goes from one rank to another.
  virtual void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;
  virtual Traffic traffic() const = 0;
  /// Counted by who passes bodies.
  Passes& passes() { return passes_; }
  /// Ends all ranks at once: for what went wrong on this one alone.
  [[noreturn]] virtual void abort(int status) = 0;

 private:
  Passes passes_;
};

/// The sums over all ranks; `ranks` may be nullptr.
inline void add_up(Ranks* ranks, std::span<ExactSum* const> sums) {
  if (!ranks) return;
  std::vector<std::int64_t> all;
  for (ExactSum* sum : sums) all.insert(all.end(), sum->limbs().begin(), sum->limbs().end());
  ranks->add(all);
  const std::int64_t* from = all.data();
  for (ExactSum* sum : sums) {
    std::copy_n(from, ExactSum::size, sum->limbs().begin());
    from += ExactSum::size;
  }
}
inline void add_up(Ranks* ranks, std::initializer_list<ExactSum*> sums) {
  add_up(ranks, std::span(sums.begin(), sums.size()));
}

}  // namespace stickslip::internal
