// A mesh with its material: mass, stiffness, surface. Immutable, shared by all bodies that are made of it.
//
//   mass          lumped: row sums (t4, h8), or the diagonal scaled to the whole mass (t10; Hinton, Rock, Zienkiewicz 1976); consistent: ∫ ρ N_a N_b
//   small strain  energy ½ yᵀ K y of displacements y in the axes of the mesh
//   Green's       energy of St Venant–Kirchhoff of positions x in any axes
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <vector>

#include "dynamics/elements/boundary.hpp"
#include "dynamics/elements/element_matrices.hpp"

namespace stickslip::internal {

using MassKind = ElementMass;

struct ElementMaterial {
  double density = 0;
  Lame elastic;
  Modes modes = Modes::none;
  MassKind mass = MassKind::lumped;
};

class ElementModel {
 public:
  using Sparse = Eigen::SparseMatrix<double>;

  /// Precondition: check_mesh passed. Throws InputError where the material and the kind do not fit.
  ElementModel(std::shared_ptr<const ElementMesh> mesh, const ElementMaterial& material);

  const ElementMesh& mesh() const { return *mesh_; }
  const ElementMaterial& material() const { return material_; }
  const Boundary& boundary() const { return boundary_; }
  int nodes() const { return int(X_.size()); }
  int rows() const { return 3 * nodes(); }

  /// Positions of the nodes relative to the centre of mass, and that centre in the axes of the mesh.
  std::span<const Vector> X() const { return X_; }
  const Vector& centre() const { return centre_; }
  double volume() const { return volume_; }
  double mass() const { return mass_; }
  const Matrix& inertia() const { return inertia_; }  ///< about the centre of mass
  double size() const { return size_; }               ///< twice the longest distance from the centre
  double thickness() const {
    return thickness_;
  }  ///< least volume over largest face of an element on the surface

  /// Positive, with the sum `mass`.
  std::span<const double> node_mass() const { return node_mass_; }
  /// Σ_b M_ab: by these the centre of mass moves.
  std::span<const double> weight() const { return weight_; }
  /// The mass of scalars, n × n; all three components of a node have it.
  const Sparse& M() const { return M_; }
  /// Of small strain, 3n × 3n, both triangles.
  const Sparse& K() const { return K_; }
  /// y ← M x, three numbers a node.
  void apply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;

  /// Energy of Green's strain at the positions x; force and tangent (of K's pattern) where they are wanted.
  double green(const Eigen::VectorXd& x, Eigen::VectorXd* force, Sparse* tangent) const;
  /// Cauchy's stress of each element at its centre, for positions y in the axes of the mesh (small strain) or x in any axes (Green's).
  std::vector<StressVector> stresses(const Eigen::VectorXd& x, bool green) const;

 private:
  void make_pattern();
  void assemble();
  void weigh();
  template <class Visit>
  void each_element(const Visit& visit) const;
  void add(const ElementMatrix& local, int element, Sparse& K) const;

  std::shared_ptr<const ElementMesh> mesh_;
  ElementMaterial material_;
  Boundary boundary_;
  std::vector<Vector> X_;
  Vector centre_ = Vector::Zero();
  double volume_ = 0, mass_ = 0, size_ = 0, thickness_ = 0;
  Matrix inertia_ = Matrix::Zero();
  std::vector<double> node_mass_, weight_;
  Sparse M_, K_;
  std::vector<int>
      rank_;  // of each node pair of an element: the place of the first among the neighbours of the second
};

}  // namespace stickslip::internal
