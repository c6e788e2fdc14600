// The conic interior point: closed forms, an independent method, rank-deficient and unsymmetric problems.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "cone/nesterov_todd.hpp"
#include "cone/small_matrix.hpp"
#include "problems/dense.hpp"
#include "problems/tiny.hpp"
#include "solvers/convex/convex_program.hpp"
#include "solvers/interior_point/conic_solve.hpp"
#include "solvers/interior_point/nipm.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"
#include "stickslip/io.hpp"

namespace stickslip::internal {
namespace {

ConicResult solve_with(const ReducedProblem& p, const std::vector<double>& s, double tolerance = 1e-12) {
  ContactProblem contact(p);
  ConicProblem conic(contact);
  InteriorPoint method(conic);
  return solve_conic(conic, method, s, tolerance, 40);
}

/// One contact, W = I, so that the answer is the projection of −(q + μs e_N) on K.
TEST(InteriorPoint, FindsClosedForms) {
  struct Case {
    std::vector<double> q;
    double mu, s;
    std::vector<double> r;
  };
  const std::vector<Case> cases = {
      {{1, 0.2, 0}, 0.5, 0, {0, 0, 0}},      // take-off
      {{-1, 0.2, 0}, 0.5, 0, {1, -0.2, 0}},  // inside
      {{-1, 2, 0}, 0.5, 0, {1.6, -0.8, 0}},  // (1 + ½·2)/(1 + ¼) (1, −½)
      {{-1, 2, 0}, 0.5, 2, {0.8, -0.4, 0}},  // the same with μs = 1 added to q_N
      {{-1, 2, 3}, 0, 5, {1, 0, 0}},         // frictionless: s has no effect
      {{-2, 0, 0}, 1, 0, {2, 0, 0}},
  };
  for (const Case& c : cases) {
    const ReducedProblem p = tests::one_contact(3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, c.q, c.mu);
    const ConicResult result = solve_with(p, {c.s});
    ASSERT_TRUE(result.converged) << c.q[0] << ' ' << c.q[1] << ' ' << result.error;
    EXPECT_LE(result.iterations, 20);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(result.r[k], c.r[k], 1e-11);  // error 1e-12 of ‖q‖ ≤ 4
  }
}

/// The same program by the spectral projected gradient, which shares nothing with it: the same û (r may
/// differ where W is singular).
TEST(InteriorPoint, AgreesWithProjectedGradient) {
  for (const auto& [name, d] : {std::pair{"manufactured", 2}, {"manufactured", 3}}) {
    const ProblemFile file = generate(name, {.size = 20, .dimension = d, .seed = 8});
    const ReducedProblem p = std::get<ReducedProblem>(file.problem);
    std::vector<double> s;
    for (std::size_t i = 0; i < p.mu().size(); ++i) s.push_back(0.1 * double(i % 4));
    const ConicResult conic = solve_with(p, s);
    ASSERT_TRUE(conic.converged) << conic.error;
    std::vector<double> b(p.q().begin(), p.q().end()), r(b.size(), 0.0), u(b.size());
    for (std::size_t i = 0; i < p.mu().size(); ++i) b[i * std::size_t(d)] += p.mu()[i] * s[i];
    const ConvexProgram program{
        .set = ConvexSet::cones, .block = d, .size = p.mu(), .b = b, .gradient = [&](auto x, auto g) {
          p.W().multiply(x, b, g);
        }};
    ASSERT_TRUE(projected_gradient(program, {.tolerance = 1e-10, .max_iterations = 200000}, r).converged);
    p.W().multiply(r, b, u);
    // Both are optimal to 1e-10 of ‖q‖; W's least eigenvalue that matters is above 1e-3.
    EXPECT_LE(tests::difference(u, conic.u_hat), 1e-6 * p.q_norm()) << name << d;
  }
}

TEST(InteriorPoint, SolvesEveryTinyProblem) {
  for (const auto& tiny : tests::tiny_problems()) {
    const ReducedProblem p = tests::reduced(tiny.make());
    if (p.contacts() == 0) continue;
    // s so large that r = 0 is feasible (CAD 4.2): the program then has a solution, whatever W is.
    const auto d = std::size_t(p.dimension());
    std::vector<double> s;
    bool frictional = true;
    for (std::size_t i = 0; i < p.mu().size(); ++i) {
      frictional = frictional && p.mu()[i] > 0;
      const double slip = std::hypot(p.q()[i * d + 1], d == 3 ? p.q()[i * d + 2] : 0);
      s.push_back(p.mu()[i] > 0 ? std::max(0.0, 0.5 * (slip - p.q()[i * d] / p.mu()[i])) : 0.0);
    }
    const ConicResult result = solve_with(p, s, 1e-10);
    EXPECT_TRUE(result.converged) << tiny.name << ' ' << result.error;
    EXPECT_LE(result.iterations, 40) << tiny.name;
  }
}

/// Real problems, rank deficient or not, arches, walls and a pyramid with self-stress among them, to 1e-12 in
/// 40 iterations.
TEST(InteriorPoint, SolvesRealProblems) {
  namespace fs = std::filesystem;
  const char* set = std::getenv("STICKSLIP_DATA");
  const fs::path folder =
      set ? fs::path(set) : fs::path(STICKSLIP_SOURCE_DIR).parent_path() / "shared" / "data";
  int all = 0;
  for (const char* name :
       {"Chute_gen", "Capsules_gen", "Spheres_lowmu_gen", "CubesH8_5_gen", "BoxesStack_global",
        "BoxesStack_gen", "Bridge_gen", "Chain_gen", "MasonryWall_gen"})
    if (fs::is_directory(folder / name))
      for (const auto& entry : fs::directory_iterator(folder / name)) {
        if (entry.path().extension() != ".hdf5") continue;
        const ProblemFile file = read_problem(entry.path());
        const ReducedProblem p = tests::reduced(file);
        if (p.contacts() > 300) continue;
        const ConicResult result = solve_with(p, {});
        ++all;
        EXPECT_TRUE(result.converged) << entry.path() << ' ' << result.error;
        EXPECT_LE(result.iterations, 40) << entry.path();
      }
  if (all == 0) GTEST_SKIP() << "no problem files in " << folder << " (set STICKSLIP_DATA)";
}

/// The factorisation through the bodies gives the same velocities as the one of W.
TEST(InteriorPoint, BodiesGiveTheSame) {
  const std::vector<std::pair<const char*, GenerateRequest>> cases = {
      {"blocks", {.size = 64, .density = 4.0}},
      {"blocks", {.size = 128, .density = 8.0}},
      {"wall", {.size = 100}},
      {"stack", {.size = 60}},
      {"stack", {.size = 20, .dimension = 2}},
      {"arch", {.size = 60}}};
  for (const auto& [name, request] : cases) {
    const ProblemFile file = generate(name, request);
    const auto& bodies = std::get<GlobalProblem>(file.problem);
    const ReducedProblem p = Reduction(bodies).reduced();
    const ConicResult expected = solve_with(p, {});
    ContactProblem contact(bodies);
    contact.open();
    ConicProblem conic(contact);
    EXPECT_EQ(conic.system.strategy(), ContactSystem::Strategy::bodies) << name;
    InteriorPoint method(conic);
    const ConicResult result = solve_conic(conic, method, {}, 1e-12, 40);
    EXPECT_TRUE(expected.converged && result.converged) << name << expected.error << ' ' << result.error;
    // û is unique; both are optimal to 1e-12 of ‖q‖, and W's least eigenvalue that matters is above 1e-4.
    EXPECT_LE(tests::difference(result.u_hat, expected.u_hat), 1e-8 * p.q_norm()) << name;
  }
}

TEST(Nipm, NoTwoPathsStartAlike) {
  std::vector<PathStart> starts;
  for (long k = 0; k < 200; ++k) starts.push_back(path_start(k));
  for (std::size_t a = 0; a < starts.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) ASSERT_FALSE(starts[a] == starts[b]) << b << ' ' << a;
}

template <int D>
void expect_the_same_scaling(const Vec<D>& x, const Vec<D>& y) {
  const auto det = [](const Vec<D>& z) {
    double t = 0;
    for (int i = 1; i < D; ++i) t += z[i] * z[i];
    return z[0] * z[0] - t;
  };
  const NesterovTodd<D> whole = nesterov_todd<D>(x, y);
  const NesterovToddAxis<D> axis = nesterov_todd_axis<D>(x, y, det(x), det(y), dot<D>(x, y));
  const Vec<D> z = axis.apply(2, x), root = axis.apply(1, x), back = axis.apply(-1, y);
  const Vec<D> expected = multiply<D>(whole.F_root, x);
  for (int i = 0; i < D; ++i) {
    EXPECT_NEAR(z[i], y[i], 1e-13 * y[0]);
    EXPECT_NEAR(root[i], expected[i], 1e-13 * expected[0]);
    EXPECT_NEAR(back[i], expected[i], 1e-13 * expected[0]);
  }
}

TEST(NesterovToddAxis, IsTheSameScaling) {
  expect_the_same_scaling<3>({1, 0.3, -0.2}, {2, -1, 0.5});
  expect_the_same_scaling<3>({1, 0, 0}, {3, 0, 0});
  expect_the_same_scaling<2>({1, 0.9}, {0.5, -0.4});
}

}  // namespace
}  // namespace stickslip::internal
