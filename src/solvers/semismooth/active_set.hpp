// Which contacts are closed in a problem without friction: u_N ≥ 0, r_N ≥ 0, u_N r_N = 0.
//
// Each step solves u_N = 0 on the closed contacts and r_N = 0 on the open ones; then every contact that pulls
// (closed, r_N < 0) or penetrates (open, u_N < 0) changes sides. That is the primal–dual active set of SSN
// section 5.1, where d_N = r_N − ρu_N ≥ 0 says the same of such a pair, for any ρ > 0. It may cycle; then it
// says so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stickslip::internal {

class ActiveSet {
 public:
  enum class Outcome { changed, settled, cycling };

  /// Begins with these contacts closed. `patience`: how often in a row the changes may fail to become fewer.
  void start(std::span<const std::uint8_t> closed, int patience);
  std::span<const std::uint8_t> closed() const { return closed_; }
  /// Changes sides by the normal impulses and velocities r[i·stride], u[i·stride]; what is less than the
  /// slack below zero counts as zero. `settled`: no contact had to. `cycling`: `patience` times in a row
  /// the number of changes was not below the least one seen.
  Outcome update(std::span<const double> r, std::span<const double> u, std::size_t stride,
                 double impulse_slack, double velocity_slack);

 private:
  std::vector<std::uint8_t> closed_;
  std::size_t least_ = 0;
  int patience_ = 1, chances_ = 1;
};

}  // namespace stickslip::internal
