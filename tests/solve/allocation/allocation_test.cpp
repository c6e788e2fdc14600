// Memory: sweeps allocate nothing, and a second solve of the same size into a used result allocates nothing
// at all.
#include <gtest/gtest.h>

#include <set>

#include "catalog/make_method.hpp"
#include "problems/counted_memory.hpp"
#include "problems/tiny.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

/// The sweeps, mixing included, and with `others` the methods that take memory once a solve (the VI methods,
/// ADMM, the fixed points of convex programs). Newton (and the proximal point) analyse each new set of
/// contacts that touch, FP-DS may stop early, CADOUX and NIPM solve other problems inside: they are left out,
/// and so is auto, which goes on to those.
std::vector<std::string> solvers(bool others) {
  std::vector<std::string> names = {"gs(order=shuffled)",
                                    "gs(order=reshuffled)",
                                    "gs(order=symmetric)",
                                    "gs(relaxation=0.8)",
                                    "gs(local=newton(search=goldstein_price))",
                                    "gs(local=newton(map=jm))"};
  if (others)  // the first colours the contacts anew at each solve
    for (const char* name :
         {"gs(order=coloured)", "fixed_point(anderson=5)", "extragradient(anderson=5)", "admm(anderson=5)",
          "tresca(acceleration=anderson)", "aclm(acceleration=anderson)"})
      names.push_back(name);
  for (const auto& entry : catalogue())
    if (entry.label != "FP-DS" && entry.family != "newton" && entry.family != "proximal" &&
        entry.family != "semismooth" && entry.family != "cadoux" && entry.family != "nipm" &&
        (others ? entry.family != "automatic" : entry.family == "gs"))
      names.push_back(entry.label);
  return names;
}

using tests::count;

TEST(Allocation, IsCounted) {
  std::vector<double> x;
  EXPECT_EQ(count([&] { x.resize(100); }), 1);
  EXPECT_EQ(count([&] { x.resize(50); }), 0);
}

TEST(Allocation, DoesNotDependOnTheNumberOfSweeps) {
  for (int dimension : {2, 3}) {
    const auto file = generate("manufactured", {.size = 80, .dimension = dimension, .seed = 1});
    const auto& problem = std::get<ReducedProblem>(file.problem);
    for (const auto& name : solvers(true)) {
      const auto sweeps = [&](long limit) {
        const auto method = make_method(name);
        SolveResult result;
        const SolveRequest request{.tolerance = 1e-300, .max_iterations = limit};
        const long used = count([&] { method->solve(problem, request, result); });
        EXPECT_TRUE(result.iterations == limit || (limit > 3 && result.status == Status::stalled)) << name;
        return used;
      };
      EXPECT_EQ(sweeps(3), sweeps(60)) << name << ", d = " << dimension;
    }
  }
}

TEST(Allocation, ASecondSolveIntoTheSameResultAllocatesNothing) {
  for (int dimension : {2, 3}) {
    const auto file = generate("manufactured", {.size = 80, .dimension = dimension, .seed = 1});
    const auto& problem = std::get<ReducedProblem>(file.problem);
    for (const auto& name : solvers(false)) {
      Solver solver(name);
      SolveResult result;
      const SolveRequest request{.tolerance = 1e-6, .max_iterations = 2000};
      solver.solve(problem, request, result);
      const auto first = result.r;
      EXPECT_EQ(count([&] { solver.solve(problem, request, result); }), 0) << name << ", d = " << dimension;
      EXPECT_EQ(result.r, first) << name;
    }
  }
}

TEST(Allocation, AnotherLoadOnTheSameContactsAllocatesNothing) {
  const auto file = generate("manufactured", {.size = 80, .seed = 2});
  auto problem = std::get<ReducedProblem>(file.problem);
  std::vector<double> q(problem.q().begin(), problem.q().end());
  for (double& x : q) x *= 1.5;
  Solver solver("auto");
  SolveResult result;
  const SolveRequest request{.tolerance = 1e-6, .max_iterations = 2000};
  solver.solve(problem, request, result);
  EXPECT_EQ(count([&] { problem.set_q(q); }), 0);
  EXPECT_EQ(count([&] { solver.solve(problem, request, result); }), 0);
}

TEST(Allocation, ATimeLoopOnTheSameBodiesTakesNoMemoryForItsProblem) {
  auto global = std::get<GlobalProblem>(generate("wall", {.size = 40}).problem);
  const auto twice = [](std::span<const double> x) {
    std::vector<double> y(x.begin(), x.end());
    for (double& number : y) number *= 2;
    return y;
  };
  const auto f = twice(global.f()), w = twice(global.w()), mu = twice(global.mu()),
             M = twice(global.M().value()), H = twice(global.H().value());
  EXPECT_EQ(count([&] {
              global.set_f(f), global.set_w(w), global.set_mu(mu), global.set_b({});
              global.set_M_values(M), global.set_H_values(H);
            }),
            0);
  auto reduced = std::get<ReducedProblem>(generate("manufactured", {.size = 40}).problem);
  const auto q = twice(reduced.q()), friction = twice(reduced.mu());
  EXPECT_EQ(count([&] { reduced.set_q(q), reduced.set_mu(friction); }), 0);
}

TEST(Allocation, CompressedRowsThatAreMovedTakeNone) {
  const auto global = std::get<GlobalProblem>(generate("wall", {.size = 40}).problem);
  const SparseMatrix& H = global.H();
  std::vector<Index> start(H.row_start().begin(), H.row_start().end()),
      column(H.column().begin(), H.column().end());
  std::vector<double> value(H.value().begin(), H.value().end());
  SparseMatrix A;
  // The empty matrix that becomes A has a row start of its own.
  EXPECT_LE(count([&] {
              A = SparseMatrix::from_csr(H.rows(), H.columns(), std::move(start), std::move(column),
                                         std::move(value));
            }),
            1);
  EXPECT_EQ(A.nonzeros(), H.nonzeros());
}

TEST(Allocation, AutoOnSmallProblems) {
  // A control loop: the problem changes a little, the impulses of the last step are the guess. Whatever ends
  // it: no iteration at all, sweeps, or Newton's method.
  std::vector<ReducedProblem> problems;
  for (long size : {1, 4, 8, 9, 16, 30})
    problems.push_back(std::get<ReducedProblem>(generate("manufactured", {.size = size}).problem));
  for (const char* family : {"gripper", "boxes", "rover", "stack"})
    problems.push_back(tests::reduced(generate(family, {.size = family == std::string("rover") ? 4 : 28})));
  std::set<std::string> used;
  for (ReducedProblem& problem : problems) {
    Solver solver("auto");
    SolveResult result;
    solver.solve(problem, {}, result);
    ASSERT_TRUE(result.converged());
    used.insert(result.stage);
    EXPECT_EQ(count([&] { solver.solve(problem, {}, result); }), 0) << problem.contacts();
    const std::vector<double> guess = result.r;
    std::vector<double> q(problem.q().begin(), problem.q().end());
    for (double& x : q) x *= 1.0001;
    problem.set_q(q);
    const auto near = [&] { solver.solve(problem, {.guess = guess}, result); };
    near();  // a set of closed contacts that was not met before may take memory once
    EXPECT_EQ(count(near), 0) << problem.contacts();
    EXPECT_TRUE(result.converged());
  }
  EXPECT_TRUE(used.contains("sweeps") && used.contains("newton"));
}

}  // namespace
}  // namespace stickslip::internal
