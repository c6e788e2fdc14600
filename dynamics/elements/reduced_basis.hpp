// A reduced basis of a body of elements (Craig and Bampton 1968), orthonormal in the mass and diagonal in the stiffness.
//
//   interface nodes b, the others i:   ψ_k = [ e_k ; −K_ii⁻¹ K_ib e_k ]       constraint modes: loads on the interface deform exactly
//                                      K_ii φ = ω² M_ii φ, φ_b = 0            the first modes with the interface held
//   no interface:                      K φ = ω² M φ                           the first modes of the free body
//
// Together with the six motions of a rigid body they span Φ, with Φᵀ M Φ = I and Φᵀ K Φ = diag(ω²): A = m M + k K becomes m + k ω² for each
// coordinate, and A⁻¹ the matrix Φ diag(m + k ω²)⁻¹ Φᵀ.
#pragma once

#include <span>

#include "dynamics/elements/element_model.hpp"

namespace stickslip::internal {

class ReducedBasis {
 public:
  /// Throws InputError where an interface does not hold the body, or where there are fewer modes than asked for.
  ReducedBasis(const ElementModel& model, int modes, std::span<const int> interface);

  /// Φ, 3n × m, in the axes of the mesh; the motions of a rigid body come first.
  const Eigen::MatrixXd& Phi() const { return Phi_; }
  /// ω² of each column; zero for the first six.
  const Eigen::VectorXd& squares() const { return squares_; }
  int size() const { return int(Phi_.cols()); }
  /// The coordinates Φᵀ M y of nodal values.
  Eigen::VectorXd coordinates(const Eigen::VectorXd& y) const { return MPhi_.transpose() * y; }
  /// y ← its part in the basis; without the motions of a rigid body.
  void project(Eigen::VectorXd& y) const;
  void project_deformation(Eigen::VectorXd& y) const;

 private:
  Eigen::MatrixXd Phi_, MPhi_;
  Eigen::VectorXd squares_;
};

inline constexpr int rigid_motions = 6;

}  // namespace stickslip::internal
