// Gauss–Seidel on the contacts of a convex program over cones or cylinders (RR Algorithm 7 with the law
// frozen): b_i = b_i + Σ_{j≠i} W_ij r_j with the newest r_j, then the fixed point of local/fixed_point at
// contact i.
#pragma once

#include <memory>
#include <span>

#include "cone/contact_law.hpp"
#include "local/fixed_point.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip::internal {

/// Typed once on the dimension and the law. W may be unsymmetric.
class ConvexSweep {
 public:
  virtual ~ConvexSweep() = default;

  /// Prepares the local problems. Keeps a reference to W, to the sizes (which may change between sweeps) and
  /// to b.
  virtual void prepare(const BlockMatrix& W, std::span<const double> size, std::span<const double> b) = 0;
  /// r ← one sweep. Gives √Σ‖r_i − P(r_i − u_i)‖² as each contact found it: the residual but for what the
  /// sweep itself changed. The local problems are solved to `tolerance`.
  virtual double sweep(double tolerance, std::span<double> r) = 0;

  /// law: cones or cylinders.
  static std::unique_ptr<ConvexSweep> make(int dimension, ContactLaw law,
                                           const LocalFixedPointOptions& options);
};

}  // namespace stickslip::internal
