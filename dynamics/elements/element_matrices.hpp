// Stiffness, forces and mass of one element.
//
// Small strain, g_a = ∇N_a:
//   K_ab = ∫ λ g_a g_bᵀ + μ (g_b g_aᵀ + (g_a·g_b) I) dV
//
// Incompatible modes of a hexahedron (Wilson; Taylor, Beresford, Wilson 1976, IJNME 10, 1211): displacements P_k = 1 − ξ_k² that belong to
// the element alone, with ∇P_k = (det J₀/det J) J₀⁻ᵀ ∂P_k/∂ξ, J₀ at the centre, so that ∫ ∇P_k dV = 0 and patches stay exact:
//   K ← K_uu − K_ua K_aa⁻¹ K_au
//
// St Venant–Kirchhoff, total Lagrangian, F = Σ x_a g_aᵀ, S = λ tr(E) I + 2 μ E:
//   f_a = ∫ F S g_a dV
//   K_ab = ∫ λ (F g_a)(F g_b)ᵀ + μ [(F g_b)(F g_a)ᵀ + (g_a·g_b) F Fᵀ] + (g_a·S g_b) I dV
#pragma once

#include <Eigen/Core>

#include "dynamics/elements/elasticity.hpp"
#include "dynamics/elements/interpolation.hpp"

namespace stickslip::internal {

using Modes = ElementModes;

using ElementMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3 * most_nodes, 3 * most_nodes>;
using ElementVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3 * most_nodes, 1>;
using MassBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_nodes, most_nodes>;

/// Of small strain. Precondition: `modes` none unless the kind is h8.
ElementMatrix element_stiffness(ElementKind kind, Modes modes, std::span<const Vector> X,
                                const Lame& material);

/// ∫ N_a N_b dV.
MassBlock element_mass(ElementKind kind, std::span<const Vector> X);

/// Energy, and where they are wanted the force on the nodes (minus the gradient is what acts) and the tangent.
double element_green(ElementKind kind, std::span<const Vector> X, std::span<const Vector> x,
                     const Lame& material, ElementVector* force, ElementMatrix* tangent);

/// Cauchy's stress at the centre: of Green's strain, or of the small strain of x − X (components xx, yy, zz, xy, yz, zx).
using StressVector = Eigen::Matrix<double, 6, 1>;
StressVector element_stress(ElementKind kind, std::span<const Vector> X, std::span<const Vector> x,
                            const Lame& material, bool green);

}  // namespace stickslip::internal
