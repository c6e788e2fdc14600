// Meshes: built-in bodies, files, and files that are damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "dynamics/elements/element_model.hpp"
#include "dynamics/elements/mesh/element_reader.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {
namespace {

using namespace internal;
using testing::HasSubstr;

double volume(const ElementMesh& mesh) {
  return ElementModel(std::make_shared<ElementMesh>(mesh), {.density = 1, .elastic = lame(1, 0)}).volume();
}

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

constexpr ElementKind kinds[] = {ElementKind::t4, ElementKind::t10, ElementKind::h8};

TEST(mesh, blocks_fill_their_volume_and_their_surface_closes) {
  for (ElementKind kind : kinds) {
    const ElementMesh mesh = block_mesh({1, 2, 3}, {2, 3, 4}, kind);
    EXPECT_NO_THROW(check_mesh(mesh));
    EXPECT_NEAR(volume(mesh), 6, 1e-13);
    // By Gauss's theorem the areas of a closed surface sum to zero, and a third of x·dA is the volume.
    Vector sum = Vector::Zero();
    double enclosed = 0;
    for (const Facet& facet : boundary_of(mesh).facets) {
      Vector area = Vector::Zero(), middle = Vector::Zero();
      for (int c = 0; c < facet.corners(); ++c) {
        const Vector p = vector(mesh.nodes[std::size_t(facet.node[std::size_t(c)])]);
        area += 0.5 *
                p.cross(vector(mesh.nodes[std::size_t(facet.node[std::size_t((c + 1) % facet.corners())])]));
        middle += p / facet.corners();
      }
      sum += area;
      enclosed += area.dot(middle) / 3;
    }
    EXPECT_LT(sum.norm(), 1e-13);
    EXPECT_NEAR(enclosed, 6, 1e-12);
  }
}

TEST(mesh, balls_and_cylinders_converge_to_their_volume) {
  for (ElementKind kind : kinds) {
    // Faces of linear elements cut the corners off a curved surface: errors of order two; quadratic ones of order four.
    const double ball = 4 * std::numbers::pi / 3, least = kind == ElementKind::t10 ? 3.5 : 1.8;
    const double coarse = std::abs(volume(sphere_mesh(1, 2, kind)) / ball - 1),
                 fine = std::abs(volume(sphere_mesh(1, 4, kind)) / ball - 1);
    EXPECT_GT(std::log2(coarse / fine), least) << name_of(kind) << ' ' << coarse << ' ' << fine;
    EXPECT_NO_THROW(check_mesh(sphere_mesh(0.1, 3, kind)));
    const ElementMesh rod = cylinder_mesh(0.5, 2, 4, 3, kind);
    EXPECT_NO_THROW(check_mesh(rod));
    EXPECT_NEAR(volume(rod) / (0.5 * std::numbers::pi), 1, kind == ElementKind::t10 ? 1e-3 : 0.03);
  }
}

TEST(mesh, bad_meshes_are_refused_with_one_line) {
  ElementMesh mesh = block_mesh({1, 1, 1}, {1, 1, 1});
  ElementMesh turned = mesh;
  std::swap(turned.elements[0], turned.elements[4]);
  EXPECT_THAT(message([&] { check_mesh(turned); }), HasSubstr("element 0"));
  ElementMesh missing = mesh;
  missing.elements[3] = 99;
  EXPECT_THAT(message([&] { check_mesh(missing); }), HasSubstr("names node 99, there are 8"));
  ElementMesh loose = mesh;
  loose.nodes.push_back({5, 5, 5});
  EXPECT_THAT(message([&] { check_mesh(loose); }), HasSubstr("node 8 belongs to no element"));
  EXPECT_THAT(message([] { check_mesh({}); }), HasSubstr("no elements"));
  EXPECT_THAT(message([] { block_mesh({1, 1, 1}, {0, 1, 1}); }), HasSubstr("from 1 to 1000"));
  EXPECT_THAT(message([] { sphere_mesh(-1, 2); }), HasSubstr("radius is -1"));
}

const char* const gmsh_old = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
3 1 "all"
$EndPhysicalNames
$Nodes
5
10 0 0 0
20 1 0 0
30 0 1 0
40 0 0 1
50 9 9 9
$EndNodes
$Elements
2
1 2 2 1 1 10 20 30
2 4 2 1 1 10 20 30 40
$EndElements
)";

const char* const gmsh_new = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
0 0 0 1
1 0 0 0 1 1 1 0 0
$EndEntities
$Nodes
1 4 1 4
3 1 0 4
1
2
3
4
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
1 1 1 1
3 1 4 1
1 1 2 3 4
$EndElements
)";

const char* const abaqus = R"(** a comment
*HEADING
 a brick
*Node, nset=all
 1, 0., 0., 0.
 2, 1., 0., 0.
 3, 1., 1., 0.
 4, 0., 1.
 5, 0., 0., 1e0
 6, 1., 0., 1.
 7, 1., 1., 1.
 8, 0., 1., 1.
*ELEMENT, type=C3D8R, elset=brick
 1, 1, 2, 3, 4, 5,
 6, 7, 8
*MATERIAL, NAME=STEEL
*ELASTIC
 2.1e11, 0.3
)";

const char* const vtk = R"(# vtk DataFile Version 3.0
a tetrahedron
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 double
0 0 0 1 0 0 0 1 0 0 0 1
CELLS 2 9
4 0 1 2 3
3 0 1 2
CELL_TYPES 2
10
5
CELL_DATA 2
)";

TEST(mesh_files, gmsh_abaqus_and_vtk_are_read) {
  for (const char* text : {gmsh_old, gmsh_new}) {
    const ElementMesh mesh = read_gmsh(text);
    EXPECT_EQ(mesh.kind, ElementKind::t4);
    EXPECT_EQ(mesh.nodes.size(), 4U);
    EXPECT_NEAR(volume(mesh), 1.0 / 6, 1e-15);
  }
  const ElementMesh brick = read_abaqus(abaqus);
  EXPECT_EQ(brick.kind, ElementKind::h8);
  EXPECT_NEAR(volume(brick), 1, 1e-15);
  EXPECT_NEAR(volume(read_vtk(vtk)), 1.0 / 6, 1e-15);
}

TEST(mesh_files, quadratic_tetrahedra_of_all_formats_have_one_order) {
  const ElementMesh t10 = block_mesh({1, 1, 1}, {1, 1, 1}, ElementKind::t10);
  std::string msh =
                  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(t10.nodes.size()) + "\n",
              inp = "*NODE\n", elements = "*ELEMENT, TYPE=C3D10\n", cells;
  for (std::size_t k = 0; k < t10.nodes.size(); ++k) {
    const auto& p = t10.nodes[k];
    const auto text = [&](const char* s) {
      return std::to_string(k + 1) + s + std::to_string(p[0]) + s + std::to_string(p[1]) + s +
             std::to_string(p[2]) + "\n";
    };
    msh += text(" ");
    inp += text(",");
  }
  msh += "$EndNodes\n$Elements\n" + std::to_string(t10.count()) + "\n";
  for (std::size_t e = 0; e < std::size_t(t10.count()); ++e) {
    msh += std::to_string(e + 1) + " 11 0";
    elements += std::to_string(e + 1);
    for (std::size_t k : {0, 1, 2, 3, 4, 5, 6, 7, 9, 8})
      msh += " " + std::to_string(t10.elements[10 * e + k] + 1);
    for (std::size_t k = 0; k < 10; ++k) elements += "," + std::to_string(t10.elements[10 * e + k] + 1);
    msh += "\n";
    elements += "\n";
  }
  msh += "$EndElements\n";
  for (const ElementMesh& mesh : {read_gmsh(msh), read_abaqus(inp + elements)}) {
    EXPECT_NO_THROW(check_mesh(mesh));
    EXPECT_NEAR(volume(mesh), 1, 1e-12);
  }
}

TEST(mesh_files, every_damage_gives_one_line) {
  // Cut off anywhere, or with any one character changed, a file is read or refused, and nothing else happens.
  const std::pair<const char*, ElementMesh (*)(std::string_view)> files[] = {
      {gmsh_old, read_gmsh}, {gmsh_new, read_gmsh}, {abaqus, read_abaqus}, {vtk, read_vtk}};
  for (const auto& [text, read] : files) {
    const std::string whole = text;
    for (std::size_t k = 0; k < whole.size(); ++k)
      for (const std::string& damaged :
           {whole.substr(0, k), whole.substr(0, k) + '\x01' + whole.substr(k + 1),
            whole.substr(0, k) + '9' + whole.substr(k + 1)}) {
        const std::string said = message([&] { check_mesh(read(damaged)); });
        EXPECT_EQ(said.find('\n'), std::string::npos);
      }
  }
  EXPECT_THAT(message([] { read_gmsh("$MeshFormat\n3 0 8\n"); }), HasSubstr("neither 2.2 nor 4.1"));
  EXPECT_THAT(message([] { read_gmsh("$MeshFormat\n2.2 1 8\n"); }), HasSubstr("binary"));
  EXPECT_THAT(message([] { read_abaqus("*NODE\n1, x, 0, 0\n"); }),
              HasSubstr("line 2: wanted a number, got 'X'"));
  EXPECT_THAT(message([] { read_abaqus("*ELEMENT, TYPE=C3D20\n"); }), HasSubstr("C3D20"));
  EXPECT_THAT(message([] { read_vtk("solid\n"); }), HasSubstr("vtk DataFile"));
  EXPECT_THAT(message([] { read_element_mesh("brick.stl"); }), HasSubstr("none of .msh, .inp, .vtk"));
  EXPECT_THAT(message([] { read_element_mesh("missing.msh"); }), HasSubstr("missing.msh"));
}

}  // namespace
}  // namespace stickslip
