// Elements one by one: shape functions, patches, rigid motions, mass, derivatives.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

#include "dynamics/elements/element_model.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

const Lame steel = lame(2.1e11, 0.3);

struct Case {
  ElementKind kind;
  Modes modes;
};
class Elements : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Elements,
                         testing::Values(Case{ElementKind::t4, Modes::none},
                                         Case{ElementKind::t10, Modes::none},
                                         Case{ElementKind::h8, Modes::none},
                                         Case{ElementKind::h8, Modes::incompatible}),
                         [](const auto& given) {
                           return std::string(name_of(given.param.kind)) +
                                  (given.param.modes == Modes::none ? "" : "_incompatible");
                         });

/// A block whose inner nodes (and those between, which follow) are moved.
std::shared_ptr<const ElementMesh> distorted(ElementKind kind) {
  ElementMesh mesh = block_mesh({1, 1.2, 0.8}, {2, 2, 2}, kind == ElementKind::h8 ? kind : ElementKind::t4);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> shift(-0.08, 0.08);
  for (Point& p : mesh.nodes)
    if (std::abs(p[0]) < 0.49 && std::abs(p[1]) < 0.59 && std::abs(p[2]) < 0.39)
      for (double& x : p) x += shift(random);
  if (kind == ElementKind::t10) {
    // Straight edges: nodes between the corners of the distorted tetrahedra.
    const ElementMesh quadratic = block_mesh({1, 1.2, 0.8}, {2, 2, 2}, ElementKind::t10);
    ElementMesh out = quadratic;
    for (std::size_t k = 0; k < mesh.nodes.size(); ++k) out.nodes[k] = mesh.nodes[k];
    static constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (std::size_t e = 0; e < out.elements.size(); e += 10)
      for (std::size_t k = 0; k < 6; ++k)
        for (std::size_t d = 0; d < 3; ++d)
          out.nodes[std::size_t(out.elements[e + 4 + k])][d] =
              0.5 * (out.nodes[std::size_t(out.elements[e + std::size_t(edges[k][0])])][d] +
                     out.nodes[std::size_t(out.elements[e + std::size_t(edges[k][1])])][d]);
    return std::make_shared<ElementMesh>(out);
  }
  return std::make_shared<ElementMesh>(mesh);
}

TEST_P(Elements, shape_functions_are_one_at_their_node_and_sum_to_one) {
  const ElementKind kind = GetParam().kind;
  for (std::size_t a = 0; a < node_positions(kind).size(); ++a) {
    const Interpolation at = interpolate(kind, node_positions(kind)[a]);
    for (int b = 0; b < nodes_of(kind); ++b) EXPECT_NEAR(at.N[std::size_t(b)], b == int(a), 1e-15);
  }
  // Slopes are the derivatives: central differences of polynomials of degree ≤ 3 with steps of 1e-4.
  const Vector xi(0.21, 0.13, 0.3);
  const Interpolation at = interpolate(kind, xi);
  for (int i = 0; i < 3; ++i) {
    const Interpolation up = interpolate(kind, xi + 1e-4 * Vector::Unit(i)),
                        down = interpolate(kind, xi - 1e-4 * Vector::Unit(i));
    for (std::size_t a = 0; a < std::size_t(nodes_of(kind)); ++a)
      EXPECT_NEAR(at.slope[a][i], (up.N[a] - down.N[a]) / 2e-4, 1e-10);
  }
}

TEST_P(Elements, a_patch_under_constant_strain_has_no_force_inside_and_constant_stress) {
  const ElementModel model(distorted(GetParam().kind),
                           {.density = 1, .elastic = steel, .modes = GetParam().modes});
  Matrix gradient;
  gradient << 1e-3, 2e-4, -3e-4, 5e-4, -7e-4, 1e-4, 2e-4, 3e-4, 4e-4;
  Eigen::VectorXd y(model.rows());
  for (int a = 0; a < model.nodes(); ++a) y.segment<3>(3 * a) = gradient * model.X()[std::size_t(a)];
  const Eigen::VectorXd f = model.K() * y;
  // Forces on the surface are of the size of stress times area, 1e8; inside rounding of K y remains.
  double inside = 0;
  for (int a = 0; a < model.nodes(); ++a)
    if (model.boundary().place[std::size_t(a)] < 0) inside = std::max(inside, f.segment<3>(3 * a).norm());
  EXPECT_LT(inside, 1e-12 * f.norm());
  EXPECT_GT(f.norm(), 1e6);
  const Matrix strain = 0.5 * (gradient + gradient.transpose());
  const Matrix sigma = steel.lambda * strain.trace() * Matrix::Identity() + 2 * steel.mu * strain;
  Eigen::VectorXd now = y;
  for (int a = 0; a < model.nodes(); ++a) now.segment<3>(3 * a) += model.X()[std::size_t(a)];
  for (const StressVector& s : model.stresses(now, false)) {
    EXPECT_NEAR(s[0], sigma(0, 0), 1e-11 * sigma.norm());
    EXPECT_NEAR(s[3], sigma(0, 1), 1e-11 * sigma.norm());
  }
}

TEST_P(Elements, there_are_six_motions_without_force) {
  const ElementModel model(std::make_shared<ElementMesh>(block_mesh({1, 1, 1}, {1, 1, 1}, GetParam().kind)),
                           {.density = 1, .elastic = steel, .modes = GetParam().modes});
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Eigen::MatrixXd(model.K()),
                                                             Eigen::EigenvaluesOnly);
  const auto values = eigen.eigenvalues();
  EXPECT_LT(std::abs(values[5]), 1e-12 * values[values.size() - 1]);
  EXPECT_GT(values[6], 1e-3 * values[values.size() - 1]);
}

TEST_P(Elements, mass_and_inertia_are_exact) {
  for (MassKind kind : {MassKind::lumped, MassKind::consistent}) {
    const ElementModel model(std::make_shared<ElementMesh>(block_mesh({1, 2, 3}, {3, 2, 4}, GetParam().kind)),
                             {.density = 7, .elastic = steel, .modes = GetParam().modes, .mass = kind});
    EXPECT_NEAR(model.mass(), 42, 42e-13);
    double sum = 0;
    for (double m : model.node_mass()) {
      EXPECT_GT(m, 0);
      sum += m;
    }
    EXPECT_NEAR(sum, 42, 42e-13);
    EXPECT_NEAR(model.centre().norm(), 0, 1e-13);
    // Consistent masses integrate squares of positions exactly, lumped ones to the order of the mesh.
    if (kind == MassKind::consistent) {
      EXPECT_NEAR(model.inertia()(0, 0), 42 * (4.0 + 9.0) / 12, 1e-12 * 42);
    }
  }
}

TEST_P(Elements, force_of_green_is_the_gradient_of_its_energy_and_tangent_that_of_force) {
  if (GetParam().modes != Modes::none) GTEST_SKIP() << "the strain of Green is without modes";
  const ElementModel model(distorted(GetParam().kind), {.density = 1, .elastic = lame(1, 0.3)});
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shift(-0.05, 0.05);
  Eigen::VectorXd x(model.rows()), d(model.rows()), f, f2;
  for (int a = 0; a < model.nodes(); ++a)
    for (int i = 0; i < 3; ++i) {
      x[3 * a + i] = model.X()[std::size_t(a)][i] + shift(random);
      d[3 * a + i] = shift(random);
    }
  ElementModel::Sparse K;
  model.green(x, &f, &K);
  // Central differences: errors of h² and of rounding over h, both near 1e-10 of the values.
  const double h = 1e-5;
  const double slope =
      (model.green(x + h * d, nullptr, nullptr) - model.green(x - h * d, nullptr, nullptr)) / (2 * h);
  EXPECT_NEAR(slope, f.dot(d), 1e-7 * f.norm() * d.norm());
  Eigen::VectorXd up, down;
  model.green(x + h * d, &up, nullptr);
  model.green(x - h * d, &down, nullptr);
  EXPECT_LT(((up - down) / (2 * h) - K * d).norm(), 1e-7 * (K * d).norm());
  // At rest the tangent is the stiffness of small strain.
  for (int a = 0; a < model.nodes(); ++a) x.segment<3>(3 * a) = model.X()[std::size_t(a)];
  model.green(x, nullptr, &K);
  EXPECT_LT((K - model.K()).norm(), 1e-13 * model.K().norm());
}

TEST(elements, modes_are_for_hexahedra) {
  EXPECT_THROW(ElementModel(std::make_shared<ElementMesh>(block_mesh({1, 1, 1}, {1, 1, 1}, ElementKind::t4)),
                            {.density = 1, .elastic = steel, .modes = Modes::incompatible}),
               InputError);
}

}  // namespace
}  // namespace stickslip::internal
