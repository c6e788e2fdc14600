// Solves by several ranks, here threads: every figure of the result as in one process, and one end for all.
#include "distributed/together.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "base/random.hpp"
#include "catalog/make_method.hpp"
#include "problems/random_bodies.hpp"
#include "problems/random_cut.hpp"
#include "problems/thread_ranks.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

using tests::on_ranks;

constexpr const char* plain = "gs(form=velocity)";

GlobalProblem problem_of(const char* family, long contacts, double load = 0.1) {
  return std::get<GlobalProblem>(generate(family, {.size = contacts, .load = load, .seed = 85}).problem);
}

/// Rank 0 calls work(together), the others serve.
void with_help(int ranks, const std::function<void(Together&)>& work, const CutRule& cut = cut_evenly) {
  const std::size_t left = on_ranks(ranks, [&](Ranks& mine) {
    if (mine.rank() != 0) return serve(mine);
    Together together(mine, cut);
    work(together);
  });
  EXPECT_EQ(left, 0u);
}

void expect_same(const SolveResult& a, const SolveResult& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_TRUE(a.r == b.r) << "r";
  EXPECT_TRUE(a.u == b.u) << "u";
  EXPECT_TRUE(a.v == b.v) << "v";
  EXPECT_TRUE(a.contacts == b.contacts) << "statuses";
  EXPECT_EQ(a.measures.error, b.measures.error);
  EXPECT_EQ(a.measures.energy, b.measures.energy);
  EXPECT_EQ(a.measures.impulse_violation, b.measures.impulse_violation);
  EXPECT_EQ(a.measures.velocity_violation, b.measures.velocity_violation);
  EXPECT_EQ(a.measures.complementarity, b.measures.complementarity);
  EXPECT_EQ(a.measures.rounding, b.measures.rounding);
  EXPECT_EQ(a.worst_contacts, b.worst_contacts);
  ASSERT_EQ(a.history.size(), b.history.size());
  for (std::size_t k = 0; k < a.history.size(); ++k) EXPECT_EQ(a.history[k].error, b.history[k].error);
}

TEST(Together, TheNumberOfRanksChangesNoBit) {
  struct Case {
    const char* family;
    double tolerance;
    long iterations;
  };
  // Converged or cut off, in one chunk (200 contacts), and cut off in many; tests/mpi has one in many that converges.
  for (const Case& c : {Case{"spheres", 5e-2, 10000}, Case{"wall", 1e-9, 25}, Case{"arch", 1e-9, 12}})
    for (const long size : {200L, 12500L}) {
      SCOPED_TRACE(c.family + std::to_string(size));
      const GlobalProblem problem = problem_of(c.family, size);
      const SolveRequest request{.tolerance = c.tolerance,
                                 .max_iterations = size < 1000 ? c.iterations : std::min(c.iterations, 25L),
                                 .history = size < 1000};
      const SolveResult one = Solver(plain).solve(problem, request);
      EXPECT_GT(one.iterations, 3);
      for (const int ranks : {1, 2, 3, 4})
        with_help(ranks, [&](Together& together) {
          SCOPED_TRACE(ranks);
          expect_same(together.solve(problem, plain, request), one);
          Index sum = 0;
          for (const Index contacts : together.report().contacts) sum += contacts;
          EXPECT_EQ(sum, problem.contacts());
        });
    }
}

TEST(Together, NeitherCutNorThreadsChangeABit) {
  const GlobalProblem problem = problem_of("spheres", 15000);
  const SolveRequest request{.tolerance = 1e-9, .max_iterations = 20};
  const SolveResult one = Solver(plain).solve(problem, request);
  Random random(3);
  for (int round = 0; round < 4; ++round)
    with_help(
        2 + round,
        [&](Together& together) {
          SolveRequest asked = request;
          asked.threads = 1 + round % 3;
          expect_same(together.solve(problem, plain, asked), one);
        },
        tests::random_cut(random));
}

TEST(Together, OptionsAndGuessesHold) {
  const GlobalProblem problem = problem_of("wall", 11000);
  for (const char* solver :
       {"gs(form=velocity, local=newton, local_tolerance=adaptive)", "gs(form=velocity, relaxation=0.9)"}) {
    SolveRequest request{.tolerance = 1e-9, .max_iterations = 8};
    Solver alone(solver);
    const SolveResult first = alone.solve(problem, request);
    request.guess = first.r;
    const SolveResult second = alone.solve(problem, request);
    // Six ranks and three domains: some have nothing, and no guess.
    with_help(6, [&](Together& together) {
      expect_same(together.solve(problem, solver, {.tolerance = 1e-9, .max_iterations = 8}), first);
      expect_same(together.solve(problem, solver, request), second);
      EXPECT_EQ(together.report().solves, 2);
    });
  }
}

/// From a start where mixing is led astray at times, so that plain steps come between.
TEST(Together, MixingHasTheSameBits) {
  Random random(29);
  for (const char* solver : {"gs(form=velocity, anderson=5)", "extragradient(form=velocity, anderson=3)"})
    for (const char* family : {"spheres", "wall"}) {
      SCOPED_TRACE(std::string(solver) + family);
      const GlobalProblem problem = problem_of(family, 12500);
      SolveRequest request{.tolerance = 1e-9, .max_iterations = 15};
      const SolveResult one = Solver(solver).solve(problem, request);
      for (const int ranks : {1, 2, 3, 4})
        with_help(
            ranks,
            [&](Together& together) {
              SCOPED_TRACE(ranks);
              request.threads = 1 + ranks % 3;
              expect_same(together.solve(problem, solver, request), one);
            },
            tests::random_cut(random));
    }
}

/// Into the first path and the sweeps after it, of rigid bodies and of others.
TEST(Together, RelaxedPathsHaveTheSameBits) {
  Random random(31);
  struct Case {
    const char *family, *solver;
    long size, iterations;
  };
  for (const Case& c : {Case{"spheres", "relaxed(horizon=0, patience=1)", 12500, 20},
                        Case{"spheres", "relaxed(horizon=0, patience=1, centre_patience=1)", 10200, 28},
                        Case{"pseudo-rigid", "relaxed(horizon=0, patience=1)", 10500, 20},
                        Case{"wall", "relaxed", 12500, 20}}) {
    SCOPED_TRACE(std::string(c.solver) + c.family);
    const GlobalProblem problem =
        c.family == std::string("pseudo-rigid")
            ? tests::random_problem({.name = "pseudo_rigid", .rows = 12, .rigid = false}, 6000, c.size, 3)
            : problem_of(c.family, c.size);
    SolveRequest request{.tolerance = 1e-9, .max_iterations = c.iterations};
    const SolveResult one = Solver(c.solver).solve(problem, request);
    for (const int ranks : c.size == 12500 ? std::vector{1, 2, 3, 4} : std::vector{3})
      with_help(
          ranks,
          [&](Together& together) {
            SCOPED_TRACE(ranks);
            request.threads = 1 + ranks % 2;
            expect_same(together.solve(problem, c.solver, request), one);
          },
          tests::random_cut(random));
  }
}

/// The same with two of the last body's rotations coupled: entries of M, as parts of its last one.
GlobalProblem with_coupling(const GlobalProblem& good, double above, double below) {
  std::vector<Triplet> M = good.M().triplets();
  const Index row = good.degrees_of_freedom() - 3;
  const double unit = M.back().value;
  M.push_back({row, row + 1, above * unit});
  M.push_back({row + 1, row, below * unit});
  return {3,
          {good.M().rows(), good.M().rows(), M},
          good.H(),
          {good.f().begin(), good.f().end()},
          {good.w().begin(), good.w().end()},
          {good.mu().begin(), good.mu().end()}};
}

/// A body that spins fast by gyroscopic terms made implicit, say: M ≠ Mᵀ.
GlobalProblem unsymmetric(const GlobalProblem& good) { return with_coupling(good, 0.1, -0.1); }

TEST(Together, AutoIsThatOfOneProcessWhereRelaxedPathsAreNoHelp) {
  const auto with_help_on = [](int ranks, const auto& problem, const SolveRequest& request,
                               const std::string& reason, const SolveResult& one) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks, " + reason);
    with_help(ranks, [&](Together& together) {
      std::string told;
      together.set_notice([&](std::string_view words) { told = words; });
      const SolveResult all = together.solve(problem, "auto", request);
      expect_same(all, one);
      EXPECT_EQ(all.solver_used, one.solver_used);
      EXPECT_EQ(all.lambda, one.lambda);
      EXPECT_NE(told.find(reason), std::string::npos) << told;
      EXPECT_EQ(told, together.report().division);
      // The same lines but for the first: seconds differ.
      ASSERT_EQ(all.explanation.size(), one.explanation.size() + 1);
      EXPECT_EQ(all.explanation[0], "several processes: " + told);
      EXPECT_EQ(together.report().contacts[0], problem.contacts());
    });
  };
  const SolveRequest request{.tolerance = 1e-4, .explain = true};
  for (const char* family : {"wall", "arch"}) {
    const GlobalProblem problem = problem_of(family, 10500);
    ASSERT_GE(problem.contacts(), 10000);
    const SolveResult one = Solver("auto").solve(problem, request);
    EXPECT_TRUE(one.converged()) << family;
    EXPECT_GT(one.iterations, 0);
    for (const int ranks : {1, 2, 3, 4}) with_help_on(ranks, problem, request, "contacts are redundant", one);
  }
  const SolveRequest brief{.tolerance = 1e-4, .max_iterations = 20, .explain = true};
  const GlobalProblem turned = unsymmetric(problem_of("spheres", 12500));
  with_help_on(2, turned, brief, "M is not symmetric", Solver("auto").solve(turned, brief));
  const GlobalProblem few = problem_of("spheres", 500);
  with_help_on(3, few, request, "few contacts", Solver("auto").solve(few, request));
  const ReducedProblem reduced = Reduction(few).reduced();
  with_help_on(3, reduced, request, "has W", Solver("auto").solve(reduced, request));
}

TEST(Together, AutoIsRelaxedOnPackings) {
  const GlobalProblem problem = problem_of("spheres", 12500);
  const SolveRequest request{.tolerance = 1e-9, .max_iterations = 15};
  const SolveResult one = Solver("relaxed").solve(problem, request);
  with_help(3, [&](Together& together) {
    const SolveResult all = together.solve(problem, "auto", request);
    expect_same(all, one);
    EXPECT_EQ(all.solver_used, one.solver_used);
    EXPECT_EQ(together.report().division, "relaxed in place of auto, which works in one process");
  });
}

TEST(Together, DenseLatticesOfBallsArePackingsToo) {
  const GlobalProblem problem = problem_of("spheres_hcp", 12500);
  ASSERT_GT(problem.w().size(), 2 * std::size_t(problem.degrees_of_freedom()));
  const SolveRequest request{.tolerance = 1e-9, .max_iterations = 15, .explain = true};
  const SolveResult one = Solver("relaxed").solve(problem, request),
                    turns = Solver("relaxed(turn=3)").solve(problem, request);
  EXPECT_FALSE(one.r == turns.r);
  with_help(3, [&](Together& together) {
    expect_same(together.solve(problem, "auto", request), one);
    expect_same(together.solve(problem, "relaxed(turn=3)", request), turns);
  });
}

TEST(Together, ContactsOfTwoBodiesAreCounted) {
  const Index none = BodyGraph::none;
  EXPECT_EQ(contacts_a_pair({{0, 1}, {1, 2}, {0, 1}, {0, none}, {0, none}, {0, 1}}), 2);
  EXPECT_EQ(contacts_a_pair({}), 0);
}

TEST(Together, WNeedsAuto) {
  const ReducedProblem reduced = Reduction(problem_of("wall", 100)).reduced();
  with_help(2, [&](Together& together) {
    EXPECT_THROW(together.solve(reduced, "relaxed", {}), InputError);
    EXPECT_FALSE(together.entangled());
  });
}

/// Methods that need products and sums only: fixed steps and adapted ones, all ends of PQN.
TEST(Together, ProjectionAndQuasiNewtonHaveTheSameBits) {
  const GlobalProblem spheres = problem_of("spheres", 12500), wall = problem_of("wall", 11000);
  Random random(17);
  std::vector<double> guess(wall.w().size(), 0.0);
  std::fill_n(guess.begin(), 30, 1e-3);  // zero on most ranks
  for (const char* solver :
       {"fixed_point(form=velocity)", "fixed_point(form=velocity, step=fixed, scaling=off)",
        "extragradient(form=velocity, step=solodov_tseng)", "extragradient(form=velocity, correction=start)",
        "quasi_newton(form=velocity)", "quasi_newton(form=velocity, relative=min, scaling=off)",
        "quasi_newton(form=velocity, iterations=2, energy=1e-12)",
        "quasi_newton(form=velocity, relative=max, energy=0.5)"}) {
    SCOPED_TRACE(solver);
    for (const auto* problem : {&spheres, &wall}) {
      SolveRequest request{.tolerance = 1e-9, .max_iterations = 6};
      if (problem == &wall) request.guess = guess;
      const SolveResult one = Solver(solver).solve(*problem, request);
      EXPECT_GT(one.iterations, 0);
      for (const int ranks : {1, 2, 3, 4})
        with_help(
            ranks,
            [&](Together& together) {
              SCOPED_TRACE(ranks);
              request.threads = 1 + ranks % 2;
              expect_same(together.solve(*problem, solver, request), one);
            },
            tests::random_cut(random));
    }
  }
}

/// Through a change of the penalty, of rigid bodies and of others.
TEST(Together, AlternatingDirectionsHaveTheSameBits) {
  Random random(19);
  const GlobalProblem wall = problem_of("wall", 10200),
                      soft = tests::random_problem({.name = "pseudo_rigid", .rows = 12, .rigid = false}, 6000,
                                                   10500, 3);
  for (const auto* problem : {&wall, &soft}) {
    const char* const solver = "admm(form=velocity, rebalance=4)";
    SolveRequest request{.tolerance = 1e-9, .max_iterations = 8};
    const SolveResult one = Solver(solver).solve(*problem, request);
    EXPECT_EQ(one.iterations, 8) << one.message;
    for (const int ranks : problem == &wall ? std::vector{3} : std::vector{2, 4})
      with_help(
          ranks,
          [&](Together& together) {
            SCOPED_TRACE(ranks);
            request.threads = 1 + ranks % 2;
            expect_same(together.solve(*problem, solver, request), one);
          },
          tests::random_cut(random));
  }
}

TEST(Together, ZeroAndOneContactAndAnExactGuess) {
  const GlobalProblem one_contact =
      std::get<GlobalProblem>(generate("spheres", {.size = 1, .seed = 2}).problem);
  const GlobalProblem problem = problem_of("wall", 300);
  const SolveResult solved = Solver(plain).solve(problem, {.tolerance = 1e-5});
  ASSERT_TRUE(solved.converged());
  with_help(3, [&](Together& together) {
    expect_same(together.solve(one_contact, plain, {}), Solver(plain).solve(one_contact));
    const SolveResult again = together.solve(problem, plain, {.tolerance = 1e-5, .guess = solved.r});
    EXPECT_EQ(again.iterations, 0);
    EXPECT_TRUE(again.r == solved.r);
    EXPECT_EQ(together.solve(problem, plain, {.max_iterations = 0}).status, Status::iteration_limit);
  });
}

TEST(Together, AFinerToleranceIsThatOfAll) {
  const GlobalProblem problem = problem_of("spheres_hcp", 12500);
  const SolveRequest request{.tolerance = 0.1, .finer_iterations = 20, .finer_tolerance = 1e-2};
  const SolveResult one = Solver("relaxed").solve(problem, request);
  EXPECT_TRUE(one.converged());
  EXPECT_LT(one.error(), 0.5 * Solver("relaxed").solve(problem, {.tolerance = 0.1}).error());
  with_help(3, [&](Together& together) { expect_same(together.solve(problem, "relaxed", request), one); });
}

TEST(Together, LimitsAreReachedByAll) {
  const GlobalProblem problem = problem_of("wall", 11000);
  std::atomic<bool> cancel = false;
  with_help(3, [&](Together& together) {
    EXPECT_EQ(together.solve(problem, plain, {.tolerance = 1e-14, .time_limit = 0.05}).status,
              Status::time_limit);
    const SolveResult result = together.solve(
        problem, plain, {.tolerance = 1e-14, .cancel = &cancel, .observer = [&](const Progress& p) {
                           cancel = p.iteration > 3;
                         }});
    EXPECT_EQ(result.status, Status::cancelled);
    EXPECT_EQ(result.r.size(), problem.w().size());
  });
}

TEST(Together, RefusesWhatIsNotForRanks) {
  const GlobalProblem problem = problem_of("wall", 100);
  with_help(2, [&](Together& together) {
    for (const char* solver : {"auto(horizon=5)", "nipm", "gs", "gs(form=velocity, extrapolation=aitken)",
                               "gs(form=velocity, order=shuffled)", "fixed_point", "PQN", "admm"})
      EXPECT_THROW(together.solve(problem, solver, {}), InputError) << solver;
    EXPECT_THROW(together.solve(problem, plain, {.tolerance = -1}), InputError);
    EXPECT_FALSE(together.entangled());
    EXPECT_TRUE(together.solve(problem, plain, {.tolerance = 1e-4}).converged());
  });
}

TEST(Together, BodiesThatAreNotFoundAreSaid) {
  // A body of thirty rows, with few contacts and with many.
  std::vector<Triplet> M;
  for (Index i = 0; i < 30; ++i) {
    M.push_back({i, i, 1.0});
    if (i > 0) M.push_back({i, i - 1, 0.1});
    if (i > 0) M.push_back({i - 1, i, 0.1});
  }
  for (const Index contacts : {1, 10000}) {
    std::vector<Triplet> H;
    for (Index c = 0; c < 3 * contacts; ++c) H.push_back({c % 3, c, 1.0});
    const GlobalProblem problem(3, {30, 30, M}, {30, 3 * contacts, H}, std::vector<double>(30, -1.0),
                                std::vector<double>(std::size_t(3 * contacts), 0.0),
                                std::vector<double>(std::size_t(contacts), 0.5));
    with_help(2, [&](Together& together) {
      const SolveResult result = together.solve(problem, plain, {.max_iterations = 1});
      EXPECT_EQ(result.status, Status::not_applicable);
      EXPECT_NE(result.message.find("M couples 30 rows"), std::string::npos) << result.message;
      EXPECT_EQ(result.r.size(), problem.w().size());
    });
  }
}

/// The last body has an indefinite inertia, which its rank finds out.
GlobalProblem refused_by_one() { return with_coupling(problem_of("spheres", 12500), 10, 10); }

TEST(Together, AShareThatOneRankRefusesIsRefusedByAll) {
  const GlobalProblem bad = refused_by_one();
  const BodyGraph graph(bad);
  const Shares shares(graph, graph.colouring(), 3, cut_evenly(graph, 3));
  std::atomic<int> refusals = 0;
  const std::size_t left = on_ranks(3, [&](Ranks& mine) {
    const Share share = shares.share(mine.rank());
    SolveResult result;
    try {
      make_method(plain)->solve(share, mine, {}, result);
    } catch (const InputError&) {
      ++refusals;
    }
  });
  EXPECT_EQ(refusals, 3);
  EXPECT_EQ(left, 0u);
}

TEST(Together, WhatFailsOnOneRankEndsAll) {
  const GlobalProblem bad = refused_by_one();
  EXPECT_THROW(with_help(3,
                         [&](Together& together) {
                           try {
                             together.solve(bad, plain, {});
                           } catch (...) {
                             EXPECT_TRUE(together.entangled());
                             throw;
                           }
                         }),
               InputError);
}

/// Sweeps, products and looks each send what the plan says, and nothing else is sent.
TEST(Together, ThePlanForetellsMessagesAndBytes) {
  const GlobalProblem spheres = problem_of("spheres", 12500),
                      soft = tests::random_problem({.name = "pseudo_rigid", .rows = 12, .rigid = false}, 6000,
                                                   10500, 3);
  for (const char* solver : {plain, "relaxed(horizon=0, patience=1)", "quasi_newton(form=velocity)",
                             "admm(form=velocity)", "extragradient(form=velocity)"})
    for (const auto* problem : {&spheres, &soft})
      for (const int ranks : {2, 3, 4})
        with_help(ranks, [&](Together& together) {
          SCOPED_TRACE(std::string(solver) + ", " + std::to_string(ranks));
          for (const long iterations : {3L, 12L}) {
            const SolveResult result =
                together.solve(*problem, solver, {.tolerance = 1e-12, .max_iterations = iterations});
            EXPECT_EQ(result.iterations, iterations);
          }
          const TogetherReport& report = together.report();
          EXPECT_GT(report.plan.sweep().messages, 0);
          EXPECT_GE(report.plan.product().bytes, report.plan.sweep().bytes);
          EXPECT_GT(report.passes.products, 0);
          EXPECT_EQ(report.planned.messages, report.solving.traffic.messages);
          EXPECT_EQ(report.planned.bytes, report.solving.traffic.bytes);
        });
}

}  // namespace
}  // namespace stickslip::internal
