// Elastic cubes of H8 elements, one upon the other in a running bond.
//
//   A v = H r + h·weight,   A = M + (h²/4) K        (linearly implicit step, PQN section 2)
//
// from rest without stress: M lumped, K of isotropic linear elasticity by 2×2×2 Gauss points. Nodes below a
// cube touch the tops of the cubes under it: a column of H has the axis at the node and minus its shares at
// the two nodes of the mesh edge below.

#include <algorithm>

#include "base/random.hpp"
#include "base/text.hpp"
#include "generate/scenes.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

constexpr double side = 1, young = 1e7, poisson = 0.3, mass_density = 1000,
                 time_step = 0.01;  // m, Pa, kg/m³, s

const int element_nodes[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

/// The stiffness of a cube element with edge a, 24×24 by rows.
std::array<double, 576> element_stiffness(double a) {
  const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
               shear = young / (2 * (1 + poisson));
  std::array<double, 576> K = {};
  const double gauss = 1 / std::sqrt(3.0);
  for (int g = 0; g < 8; ++g) {
    const double xi[3] = {g & 1 ? gauss : -gauss, g & 2 ? gauss : -gauss, g & 4 ? gauss : -gauss};
    double slope[8][3];  // ∂N/∂x
    for (int n = 0; n < 8; ++n) {
      double sign[3], factor[3];
      for (int c = 0; c < 3; ++c) {
        sign[c] = 2 * element_nodes[n][c] - 1;
        factor[c] = 1 + sign[c] * xi[c];
      }
      for (int c = 0; c < 3; ++c)
        slope[n][c] = sign[c] / 8 * factor[(c + 1) % 3] * factor[(c + 2) % 3] * 2 / a;
    }
    const double weight = a * a * a / 8;
    // K_(ni)(mj) = ∫ λ ∂_i N_n ∂_j N_m + G (∂_j N_n ∂_i N_m + δ_ij ∇N_n·∇N_m).
    for (int n = 0; n < 8; ++n)
      for (int m = 0; m < 8; ++m) {
        const double both = slope[n][0] * slope[m][0] + slope[n][1] * slope[m][1] + slope[n][2] * slope[m][2];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            K[std::size_t((3 * n + i) * 24 + 3 * m + j)] +=
                weight * (lambda * (slope[n][i] * slope[m][j]) + shear * (slope[n][j] * slope[m][i]) +
                          (i == j ? shear * both : 0));
      }
  }
  return K;
}

/// Where the cubes are: `columns` on a course, courses shifted against each other.
struct Layout {
  int edge;  ///< elements along an edge
  long cubes, columns;
  std::vector<double> start;  ///< x of each course

  Index nodes_of_cube() const { return Index(edge + 1) * Index(edge + 1) * Index(edge + 1); }
  Index node(long cube, int i, int j, int k) const {
    return Index(cube) * nodes_of_cube() + Index((k * (edge + 1) + j) * (edge + 1) + i);
  }
};

Layout lay_out(const GenerateRequest& request) {
  Random random(request.seed);
  Layout layout;
  layout.edge = request.points.value_or(5) - 1;
  const double nodes = double(layout.edge + 1) * (layout.edge + 1);
  layout.cubes = std::max(1L, std::lround(double(request.size.value_or(125)) / (0.95 * nodes)));
  // Some 75 entries a row, all in memory at once.
  const double entries = 75 * 3 * nodes * (layout.edge + 1) * double(layout.cubes);
  if (entries > 2e8)
    throw InputError("elastic_cubes: size and points ask for a matrix with some " +
                     shortest(std::round(entries)) + " entries; at most 2e8 are made");
  layout.columns = std::max(1L, std::lround(std::sqrt(double(layout.cubes))));
  for (long course = 0; course * layout.columns < layout.cubes; ++course)
    layout.start.push_back((course % 2 == 0 ? 0 : 0.35 * side) + random.uniform(-0.03, 0.03));
  return layout;
}

/// What lies under a node at the bottom of a cube: nothing, the ground (no shares), or a point between nodes.
struct Support {
  bool found = false;
  std::vector<std::pair<Index, double>> shares = {};
};

Support support(const Layout& layout, long cube, int i, int j) {
  const long course = cube / layout.columns;
  if (course == 0) return {true, {}};
  const double a = side / layout.edge;
  const double x = layout.start[std::size_t(course)] + side * double(cube % layout.columns) + a * i;
  const double at = (x - layout.start[std::size_t(course - 1)]) / side;
  const long column = long(std::floor(at));
  if (at < 0 || column >= layout.columns) return {};
  const double local = (at - double(column)) * layout.edge;
  const int cell = std::min(int(local), layout.edge - 1);
  const double t = local - cell;
  const long below = (course - 1) * layout.columns + column;
  // The cubes lie in one plane of y: nodes over edges of the mesh below.
  return {
      true,
      {{layout.node(below, cell, j, layout.edge), 1 - t}, {layout.node(below, cell + 1, j, layout.edge), t}}};
}

}  // namespace

ProblemFile elastic_cubes(const GenerateRequest& request) {
  const Layout layout = lay_out(request);
  const int edge = layout.edge, per_side = edge + 1;
  const double a = side / edge;
  const Index nodes = layout.nodes_of_cube(), unknowns = Index(layout.cubes) * nodes * 3;
  // One cube, assembled once.
  std::vector<Triplet> cube_entries;
  std::vector<double> node_mass(std::size_t(nodes), 0.0);
  const auto stiffness = element_stiffness(a);
  for (int k = 0; k < edge; ++k)
    for (int j = 0; j < edge; ++j)
      for (int i = 0; i < edge; ++i) {
        Index node[8];
        for (int n = 0; n < 8; ++n) {
          node[n] = layout.node(0, i + element_nodes[n][0], j + element_nodes[n][1], k + element_nodes[n][2]);
          node_mass[std::size_t(node[n])] += mass_density * a * a * a / 8;
        }
        for (int p = 0; p < 24; ++p)
          for (int q = 0; q < 24; ++q)
            cube_entries.push_back({node[p / 3] * 3 + p % 3, node[q / 3] * 3 + q % 3,
                                    time_step * time_step / 4 * stiffness[std::size_t(p * 24 + q)]});
      }
  for (Index n = 0; n < nodes; ++n)
    for (Index c = 0; c < 3; ++c) cube_entries.push_back({n * 3 + c, n * 3 + c, node_mass[std::size_t(n)]});
  const std::vector<Triplet> one_cube = SparseMatrix(nodes * 3, nodes * 3, cube_entries).triplets();
  std::vector<Triplet> A, H;
  A.reserve(one_cube.size() * std::size_t(layout.cubes));
  for (Index cube = 0; cube < Index(layout.cubes); ++cube)
    for (const Triplet& t : one_cube)
      A.push_back({cube * nodes * 3 + t.row, cube * nodes * 3 + t.column, t.value});
  std::vector<double> f;
  f.reserve(std::size_t(unknowns));
  for (long cube = 0; cube < layout.cubes; ++cube)
    for (const double m : node_mass)
      f.insert(f.end(), {time_step * m * 9.81 * request.load.value_or(0), 0, -time_step * m * 9.81});
  Index contacts = 0;
  for (long cube = 0; cube < layout.cubes; ++cube)
    for (int j = 0; j < per_side; ++j)
      for (int i = 0; i < per_side; ++i) {
        const Support below = support(layout, cube, i, j);
        if (!below.found) continue;
        const Index axes[3] = {2, 0, 1};  // normal z, tangents x and y
        for (Index k = 0; k < 3; ++k) {
          H.push_back({layout.node(cube, i, j, 0) * 3 + axes[k], contacts * 3 + k, 1});
          for (const auto& [node, share] : below.shares)
            H.push_back({node * 3 + axes[k], contacts * 3 + k, -share});
        }
        ++contacts;
      }
  return {GlobalProblem(3, {unknowns, unknowns, A}, {unknowns, contacts * 3, H}, std::move(f),
                        std::vector<double>(std::size_t(contacts * 3)),
                        std::vector<double>(std::size_t(contacts), request.mu.value_or(0.5))),
          {},
          {},
          {"elastic cubes", "H8 elements, M + (h²/4) K, one step from rest", ""}};
}

std::string draw_elastic_cubes(const GenerateRequest& request) {
  const Layout layout = lay_out(request);
  const double a = side / layout.edge;
  Scene scene;
  scene.title = "elastic cubes";
  scene.bodies.push_back(make_ground(-0.5, side * double(layout.columns) + 0.9, -0.5, 1.5));
  for (long cube = 0; cube < layout.cubes; ++cube) {
    const long course = cube / layout.columns;
    const double x = layout.start[std::size_t(course)] + side * double(cube % layout.columns),
                 z = side * double(course);
    for (int k = 0; k < layout.edge; ++k)
      for (int j = 0; j < layout.edge; ++j)
        for (int i = 0; i < layout.edge; ++i)
          if (j == 0 || i == layout.edge - 1 || k == layout.edge - 1) {  // the sides that the picture shows
            scene.bodies.push_back(
                make_box({x + a * (i + 0.5), a * (j + 0.5), z + a * (k + 0.5)}, {a / 2, a / 2, a / 2}));
            scene.bodies.back().group = int(cube);
          }
    for (int j = 0; j <= layout.edge; ++j)
      for (int i = 0; i <= layout.edge; ++i)
        if (support(layout, cube, i, j).found)
          scene.contacts.push_back({0, 0, {x + a * i, a * j, z}, {0, 0, 1}});
  }
  return draw(scene);
}

}  // namespace stickslip::internal
