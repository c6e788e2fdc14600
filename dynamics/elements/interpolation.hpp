// Shape functions and quadrature of the elements.
//
//   x(ξ) = Σ_a N_a(ξ) x_a,   J = ∂x/∂ξ,   ∇N_a = J⁻ᵀ ∂N_a/∂ξ
//
//   t4, t10   ξ in the tetrahedron ξ_i ≥ 0, Σ ξ_i ≤ 1;  N of t10: λ_i (2 λ_i − 1) at corners, 4 λ_i λ_j between them
//   h8        ξ in [−1, 1]³,  N_a = ⅛ Π (1 + ξ_a,i ξ_i)
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "dynamics/shapes/vectors.hpp"
#include "stickslip/elements.hpp"

namespace stickslip::internal {

inline constexpr int most_nodes = 10;  ///< of an element

/// N_a and ∂N_a/∂ξ at a point.
struct Interpolation {
  std::array<double, most_nodes> N{};
  std::array<Vector, most_nodes> slope{};
};
Interpolation interpolate(ElementKind kind, const Vector& xi);

struct QuadraturePoint {
  Vector xi;
  double weight;
  Interpolation at;
};
/// For stiffness: one point (t4), four (t10), eight (h8). For mass: exact for products of two shape functions on straight elements, and for
/// the volume of bent ones.
std::span<const QuadraturePoint> stiffness_points(ElementKind kind);
std::span<const QuadraturePoint> mass_points(ElementKind kind);

/// det J and ∇N_a of an element with the nodes x.
struct Gradients {
  double det = 0;
  std::array<Vector, most_nodes> slope;
};
Gradients gradients(ElementKind kind, std::span<const Vector> x, const Interpolation& at);

/// Corners of the faces of an element, anticlockwise seen from outside; nodes between corners follow (t10).
std::span<const std::vector<int>> faces_of(ElementKind kind);
/// Positions of the nodes in ξ.
std::span<const Vector> node_positions(ElementKind kind);

/// Shape functions of a face with 3, 4 or 6 nodes at (s, t): triangles s, t ≥ 0, s + t ≤ 1; squares [−1, 1]².
void face_interpolation(int nodes, double s, double t, double* N);
/// The derivatives by s and t beside N.
void face_interpolation(int nodes, double s, double t, double* N, double* by_s, double* by_t);

}  // namespace stickslip::internal
