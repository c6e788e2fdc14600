// Somebody else who solves with the matrix of the bodies: several ranks together.
#pragma once

#include <span>

#include "linalg/contact_system/block_view.hpp"

namespace stickslip::internal {

class BlockSolver {
 public:
  enum class Symmetry { general, symmetric };

  virtual ~BlockSolver() = default;
  /// Which nodes are one body, coupled by M itself: the least node of the body of each. Said before the first K of a pattern.
  virtual void set_bodies(std::span<const Index> least_node) = 0;
  /// Prepares solves with K, which is not kept. False: it is singular, as far as that was noticed.
  virtual bool factorise(const BlockView& K, Symmetry symmetry) = 0;
  /// x ← K⁻¹ x, as near as it gets; who calls looks at the residual. False: x is of no use.
  virtual bool solve(std::span<double> x) = 0;
};

}  // namespace stickslip::internal
