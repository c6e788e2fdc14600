// Velocities of bodies that several ranks touch, on their way from one to the next.
//
// In a colour at most one chunk touches a body (linalg/colouring), so one rank. A body is like a baton: after each colour it goes from the rank that
// touched it to the rank that touches it next, round and round from sweep to sweep. Numbers are copied and never added.
#pragma once

#include <vector>

#include "base/ranks.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

/// What one rank sends and receives. Bodies are numbered as in its share; both sides of a message have them in the same order.
struct HaloPlan {
  struct Message {
    Index rank;
    std::vector<Index> bodies;
  };
  struct Exchange {
    std::vector<Message> out, in;
  };
  std::vector<Exchange> after_colour;  ///< to who touches the body next
  Exchange
      everywhere;  ///< from who touched it last to all others, but for who had it by then: those who touch it first
};

/// The plan with its buffers.
class Halo {
 public:
  /// Numbers of a line; the state of a body is one or more of them.
  static constexpr std::size_t line = 8;

  /// The state of body b lies in the lines first_line[b] … first_line[b + 1]. Keeps a reference to the ranks.
  Halo(const HaloPlan& plan, const std::vector<Index>& first_line, Ranks& ranks);

  void after_colour(std::size_t colour, double* state) { run(after_colour_[colour], state); }
  void everywhere(double* state) { run(everywhere_, state); }
  Ranks& ranks() { return ranks_; }

 private:
  struct Message {
    int rank;
    std::vector<Index> lines;
    std::vector<double> numbers;
  };
  struct Exchange {
    std::vector<Message> out, in;
    std::vector<Ranks::Outgoing> leaving;
    std::vector<Ranks::Incoming> arriving;
  };

  static Exchange prepared(const HaloPlan::Exchange& plan, const std::vector<Index>& first_line);
  void run(Exchange& exchange, double* state);

  Ranks& ranks_;
  std::vector<Exchange> after_colour_;
  Exchange everywhere_;
};

}  // namespace stickslip::internal
