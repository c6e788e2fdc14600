// Meshes of finite elements, as plain values: nodes, elements of one kind, built-in bodies and files. Lengths in metres.
#pragma once

#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "stickslip/export.hpp"
#include "stickslip/shapes.hpp"

namespace stickslip {

enum class ElementKind {
  t4,   ///< tetrahedron with four nodes, linear
  t10,  ///< tetrahedron with ten nodes, quadratic; nodes 4 … 9 lie between 01, 12, 20, 03, 13, 23
  h8  ///< hexahedron with eight nodes, trilinear; 0 1 2 3 below, anticlockwise seen from above, 4 5 6 7 above them
};

/// 4, 10 or 8.
STICKSLIP_EXPORT int nodes_of(ElementKind kind);
/// "t4", "t10", "h8".
STICKSLIP_EXPORT std::string_view name_of(ElementKind kind);

/// Elements of one kind over common nodes. Bodies that share a mesh share its matrices too.
struct ElementMesh {
  ElementKind kind = ElementKind::h8;
  std::vector<Point> nodes = {};
  std::vector<int> elements = {};  ///< nodes_of(kind) nodes of each in turn, counted from 0

  int count() const { return int(elements.size()) / nodes_of(kind); }
};

/// What hexahedra do against locking: nothing, or incompatible modes (small strain only).
enum class ElementModes { none, incompatible };
enum class ElementMass { lumped, consistent };
/// Of displacements in the axes below, or of St Venant and Kirchhoff.
enum class ElementStrain { small, green };
/// Axes that turn with the body, so that one factorisation serves every step; or those of the world: small strain is then for
/// bodies that do not turn, and Green's strain has its true tangent, factorised in every step.
enum class ElementAxes { body, world };

/// Throws InputError where a number is not finite, an element names a node that is not there or is turned inside out, a node
/// belongs to no element, or there are no elements. The message names the element.
STICKSLIP_EXPORT void check_mesh(const ElementMesh& mesh);

/// A box about the origin with full edges `size`, cut into divisions[0] × divisions[1] × divisions[2] cells; a cell is one
/// hexahedron, or six tetrahedra. Divisions are from 1 to 1000.
STICKSLIP_EXPORT ElementMesh block_mesh(const Point& size, const std::array<int, 3>& divisions,
                                        ElementKind kind = ElementKind::h8);
/// A cylinder along z about the origin: a square in the middle of its section, `across` cells a side, and four sectors of
/// `across` / 2 (at least one) layers around it.
STICKSLIP_EXPORT ElementMesh cylinder_mesh(double radius, double length, int across, int along,
                                           ElementKind kind = ElementKind::h8);
/// A ball about the origin: a cube in the middle, `across` cells a side, and `across` / 2 (at least one) layers on each of
/// its faces. Nodes of the surface lie on the sphere, those between nodes (t10) too.
STICKSLIP_EXPORT ElementMesh sphere_mesh(double radius, int across, ElementKind kind = ElementKind::h8);

/// Reads .msh (Gmsh 2.2 and 4.1, text), .inp (Abaqus: C3D4, C3D10, C3D8 and their variants), .vtk (legacy, text: cells 10, 24, 12), by the
/// ending of the name. Elements of lines and faces are skipped; solids of two kinds in one file are refused. Nodes that no
/// element uses are left out. Throws InputError with the path and the place in the file.
STICKSLIP_EXPORT ElementMesh read_element_mesh(const std::filesystem::path& path);

}  // namespace stickslip
