// The families as a user sees them: sizes, options, known solutions, certificates, pictures.
#include <gmock/gmock.h>

#include "generate/scenes.hpp"
#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "problems/refused.hpp"
#include "stickslip/catalog.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using tests::refusal;

Index contacts_of(const ProblemFile& file) {
  return std::visit([](const auto& problem) { return problem.contacts(); }, file.problem);
}

TEST(Families, TheSizeIsMetRoughly) {
  for (const auto& f : problem_families()) {
    const auto uses = [&](const char* o) { return std::count(f.options.begin(), f.options.end(), o) > 0; };
    if (!uses("size") || f.name == "rover" || f.name == "gripper" || f.name == "infeasible") continue;
    for (const long size : {300L, 3000L}) {
      // Whole lattices and pyramids cannot come nearer.
      const Index found = contacts_of(generate(f.name, {.size = size}));
      EXPECT_GT(double(found), 0.5 * double(size)) << f.name;
      EXPECT_LT(double(found), 2.7 * double(size)) << f.name;
    }
    EXPECT_GE(contacts_of(generate(f.name, {.size = 1})), 1) << f.name;
  }
}

TEST(Families, SeedsGiveOtherProblems) {
  for (const char* name :
       {"stack", "tower", "wall", "pyramid", "blocks", "arch", "aqueduct", "dome", "boxes", "spheres",
        "spheres_cubic", "spheres_hcp", "elastic_cubes", "local", "infeasible", "rover", "gripper"}) {
    const auto numbers_of = [&](std::uint64_t seed) {
      const ProblemFile file = generate(name, {.seed = seed});
      const auto& p = std::get<GlobalProblem>(file.problem);
      std::vector<double> all(p.f().begin(), p.f().end());
      for (const Triplet& e : p.H().triplets()) all.push_back(e.value);
      return all;
    };
    EXPECT_NE(numbers_of(1), numbers_of(5)) << name;
    EXPECT_EQ(numbers_of(5), numbers_of(5)) << name;
  }
}

TEST(Families, InfeasibleProblemsHaveTheirCertificates) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const long size : {4L, 16L, 60L}) {
      const GenerateRequest request = {.size = size, .seed = seed};
      std::vector<double> d;
      const GlobalProblem problem = assemble(infeasible(request, &d));
      const ReducedProblem reduced = Reduction(problem).reduced();
      ASSERT_EQ(d.size(), reduced.q().size());
      const auto report = stickslip_verify::check_certificate(3, tests::raw(reduced.W().to_sparse()),
                                                              reduced.q(), reduced.mu(), d, 1e-12);
      EXPECT_TRUE(report.proves_infeasible())
          << seed << ' ' << size << ": residual " << report.residual << ", work " << report.work;
      // What is generated is that problem.
      const ProblemFile generated = generate("infeasible", request);
      const auto& file = std::get<GlobalProblem>(generated.problem);
      EXPECT_EQ(std::vector(file.w().begin(), file.w().end()),
                std::vector(problem.w().begin(), problem.w().end()));
    }
}

TEST(Families, LocalProblemsAreHardButDefinite) {
  double most_unsymmetric = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const ProblemFile file = generate("local", {.seed = seed});
    const auto& problem = std::get<GlobalProblem>(file.problem);
    EXPECT_EQ(problem.contacts(), 1);
    const ReducedProblem reduced = Reduction(problem).reduced();
    EXPECT_LT(reduced.q()[0], 0) << "not open without an impulse";
    most_unsymmetric = std::max(most_unsymmetric, reduced.W().asymmetry());
    const SolveResult result = solve(problem, {.tolerance = 1e-8, .time_limit = 10});
    EXPECT_TRUE(result.converged()) << seed << ' ' << result.report();
    EXPECT_LE(tests::judge(file, result.r).error, 1e-7) << seed;
  }
  EXPECT_GE(most_unsymmetric, 1);
}

TEST(Families, ElasticCubesKeepMassAndFeelNoRigidMotion) {
  const ProblemFile file = generate("elastic_cubes", {.size = 60, .points = 4, .load = 0.1});
  const auto& p = std::get<GlobalProblem>(file.problem);
  const Index n = p.degrees_of_freedom();
  const double cubes = double(n) / (3 * 64);
  for (Index axis = 0; axis < 3; ++axis) {
    std::vector<double> shift(std::size_t(n), 0.0), A(std::size_t(n), 0.0);
    for (Index k = axis; k < n; k += 3) shift[std::size_t(k)] = 1;
    p.M().multiply_add(1, shift, A);
    double total = 0, across = 0;
    for (Index k = 0; k < n; ++k) (k % 3 == axis ? total : across) += A[std::size_t(k)];
    EXPECT_NEAR(total, 1000 * cubes, 1e-7);  // 1 m³ of 1000 kg/m³ each; K of order 1e3 in A cancels
    EXPECT_NEAR(across, 0, 1e-7);
  }
  // A turn about z of the first cube (nodes 0 … 63, x fastest) has no elastic energy: vᵀAv = vᵀMv = Σ m |v|².
  std::vector<double> turn(std::size_t(n), 0.0), A(std::size_t(n), 0.0);
  double kinetic = 0, energy = 0;
  for (Index node = 0; node < 64; ++node) {
    const double x = double(node % 4) / 3, y = double(node / 4 % 4) / 3;
    turn[std::size_t(3 * node)] = -y;
    turn[std::size_t(3 * node + 1)] = x;
    kinetic += p.f()[std::size_t(3 * node + 2)] / -0.0981 * (x * x + y * y);
  }
  p.M().multiply_add(1, turn, A);
  for (std::size_t k = 0; k < A.size(); ++k) energy += A[k] * turn[k];
  EXPECT_NEAR(energy, kinetic, 1e-7);
  const SparseMatrix transposed = p.M().transposed();
  EXPECT_LE(tests::difference(tests::Dense(p.M()), tests::Dense(transposed)),
            1e-9);  // of entries of order 1e3
  // Forces on the cubes below and above a contact cancel; those on the ground do not.
  std::vector<double> sum(std::size_t(p.H().columns()), 0.0);
  for (const Triplet& e : p.H().triplets()) sum[std::size_t(e.column)] += e.value;
  int ground = 0;
  for (const double s : sum) {
    EXPECT_TRUE(std::abs(s) < 1e-14 || std::abs(s - 1) < 1e-14);
    ground += s > 0.5 ? 1 : 0;
  }
  EXPECT_GT(ground, 0);
  EXPECT_LT(ground, int(sum.size()));
  const SolveResult result = solve(p, {.tolerance = 1e-6, .time_limit = 60});
  EXPECT_TRUE(result.converged()) << result.report();
}

TEST(Families, PackingsAndMachinesAreSolved) {
  for (const char* name : {"spheres", "spheres_cubic", "spheres_hcp", "rover"})
    for (const std::uint64_t seed : {1u, 2u}) {
      const ProblemFile file = generate(name, {.seed = seed});
      const SolveResult result = solve(file, {.tolerance = 1e-4, .time_limit = 60});
      EXPECT_TRUE(result.converged()) << name << ' ' << result.report();
      EXPECT_LE(tests::judge(file, result.r).error, 1.01e-4) << name;
    }
}

TEST(Families, TheStacksEquilibriumIsASolutionAndWithALoadAGuess) {
  for (const int dimension : {2, 3})
    for (const int points : {2, 4})
      for (const std::uint64_t seed : {1u, 8u}) {
        const GenerateRequest request = {.size = 100, .dimension = dimension, .points = points, .seed = seed};
        const ProblemFile file = generate("stack", request);
        ASSERT_TRUE(file.solution);
        // The sum of up to 50 weights, each rounded.
        EXPECT_LE(tests::judge(file, file.solution->r).error, 1e-11) << dimension << points;
        GenerateRequest loaded = request;
        loaded.load = 0.2;
        const ProblemFile pushed = generate("stack", loaded);
        EXPECT_FALSE(pushed.solution);
        ASSERT_EQ(pushed.guesses.size(), 1u);
        EXPECT_EQ(pushed.guesses[0].r, file.solution->r);
      }
}

TEST(Families, MorePointsAndTwoDimensions) {
  const auto count = [](const char* name, GenerateRequest request) {
    return contacts_of(generate(name, request));
  };
  EXPECT_EQ(count("stack", {.size = 90, .points = 3}), 90);
  EXPECT_EQ(count("stack", {.size = 20, .dimension = 2}), 20);
  const ProblemFile flat = generate("arch", {.size = 20, .dimension = 2});
  EXPECT_EQ(contacts_of(flat), 20);  // nine voussoirs, ten joints of two points
  EXPECT_EQ(std::get<GlobalProblem>(flat.problem).degrees_of_freedom(), 27);
  EXPECT_EQ(count("arch", {.size = 64}), 64);
}

TEST(Families, PicturesShowEveryContact) {
  for (const auto& f : problem_families()) {
    if (!f.has_picture) {
      EXPECT_THAT(refusal([&] { (void)picture(f.name); }), HasSubstr("has no picture"));
      continue;
    }
    const std::string svg = picture(f.name);
    EXPECT_THAT(svg, StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\"")) << f.name;
    EXPECT_THAT(svg, HasSubstr("</svg>")) << f.name;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << f.name;
    Index dots = 0;
    for (std::size_t at = svg.find("class=\"k\""); at != std::string::npos;
         at = svg.find("class=\"k\"", at + 1))
      ++dots;
    EXPECT_EQ(dots, contacts_of(generate(f.name))) << f.name;
  }
}

TEST(Families, RefuseOptionsThatTheyDoNotUseOrThatLieOutside) {
  const auto refused = [](const char* name, const GenerateRequest& request) {
    return refusal([&] { (void)generate(name, request); });
  };
  EXPECT_EQ(refused("wall", {.density = 2}), "family 'wall' does not use density");
  EXPECT_EQ(refused("dome", {.dimension = 2}), "family 'dome' does not use dimension");
  EXPECT_EQ(refused("spheres", {.points = 3}), "family 'spheres' does not use points");
  EXPECT_EQ(refused("manufactured", {.load = 1}), "family 'manufactured' does not use load");
  EXPECT_EQ(refused("blocks", {.density = 9}), "density must lie in [0.5, 8], got 9");
  EXPECT_EQ(refused("wall", {.points = 1}), "points must lie in [2, 20], got 1");
  EXPECT_THAT(refused("elastic_cubes", {.size = 10'000'000}), HasSubstr("at most 2e8"));
  EXPECT_THAT(refused("arch", {.size = 100'000, .dimension = 2}), HasSubstr("at most 2000 voussoirs"));
  EXPECT_EQ(refused("wall", {.load = HUGE_VAL}), "load must lie in [-10, 10], got inf");
}

TEST(Families, ARequestNamesItsFields) {
  GenerateRequest request;
  std::vector<std::string> names;
  request.visit([&](const char* name, auto& field, double low, double high, const char* meaning) {
    names.push_back(name);
    EXPECT_LT(low, high);
    EXPECT_STRNE(meaning, "");
    if (names.back() == "points") field = 3;
  });
  EXPECT_EQ(request.points, 3);
  EXPECT_EQ(names.front(), "size");
  for (const auto& f : problem_families())
    for (const auto& option : f.options)
      EXPECT_EQ(std::count(names.begin(), names.end(), option), 1) << f.name << ' ' << option;
}

}  // namespace
}  // namespace stickslip::internal
