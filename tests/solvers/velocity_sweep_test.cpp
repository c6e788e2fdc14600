// Sweeps on velocities are sweeps on W: the same iterates, the same velocities, for every kind of body.
#include "bodies/velocity_sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "problems/random_bodies.hpp"
#include "solvers/parts/contact_order.hpp"
#include "solvers/parts/contact_sweep.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

using Numbers = std::vector<double>;
using tests::Bodies;
using tests::random_problem;

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

double length(std::span<const double> a) { return distance(a, Numbers(a.size())); }

/// ‖M v − H r − f‖ relative to ‖|H||r| + |f|‖, what rounding acts on.
double imbalance(const GlobalProblem& p, std::span<const double> v, const Numbers& r) {
  Numbers sum(p.f().begin(), p.f().end()), magnitude = sum;
  p.H().multiply_add(1, r, sum);
  p.M().multiply_add(-1, v, sum);
  for (double& x : magnitude) x = std::abs(x);
  for (const Triplet& e : p.H().triplets())
    magnitude[std::size_t(e.row)] += std::abs(e.value * r[std::size_t(e.column)]);
  return length(sum) / length(magnitude);
}

class VelocityForm : public ::testing::TestWithParam<Bodies> {
 protected:
  GlobalProblem problem = random_problem(GetParam(), 12, 40, 3);
  ReducedProblem reduced = Reduction(problem).reduced();
  BodyGraph graph{problem};

  /// r after some sweeps of each form, in the same order.
  void expect_same_iterates(const LocalOptions& local, std::span<const Index> order, double omega,
                            std::span<const Index> layout = {}) {
    const auto on_W = ContactSweep::make(problem.dimension(), local);
    Colouring chunk = one_chunk(problem.contacts());
    if (!layout.empty()) chunk.contacts.assign(layout.begin(), layout.end());
    const auto on_v = VelocitySweep::make(graph, local, chunk);
    ASSERT_NE(on_v, nullptr) << graph.reason();
    on_W->prepare(reduced);
    Numbers r(reduced.q().size()), s(r.size());
    on_v->start(s);
    for (int sweep = 0; sweep < 12; ++sweep) {
      const Change a = on_W->sweep(order.empty() ? layout : order, omega, r.data()),
                   b = on_v->sweep(order, omega, s.data());
      EXPECT_LE(distance(r, s), 1e-10 * length(r)) << "sweep " << sweep;
      EXPECT_NEAR(a.relative(), b.relative(), 1e-10);
    }
    EXPECT_GT(length(r), 0.1);
    EXPECT_LE(imbalance(problem, on_v->v(), s), 1e-14);
  }
};
INSTANTIATE_TEST_SUITE_P(Bodies, VelocityForm, ::testing::ValuesIn(tests::kinds_of_bodies),
                         [](const auto& test) { return test.param.name; });

TEST_P(VelocityForm, FindsTheBodies) {
  ASSERT_TRUE(graph.applies()) << graph.reason();
  EXPECT_EQ(graph.rigid(), GetParam().rigid);
  EXPECT_EQ(graph.symmetric(), GetParam().symmetric);
  EXPECT_EQ(graph.bodies(), 12);
  EXPECT_EQ(graph.off_diagonal_blocks(), std::size_t(reduced.W().off_diagonal_blocks()));
  EXPECT_EQ(graph.bodies_of(0)[1], BodyGraph::none);
}

TEST_P(VelocityForm, HasTheIteratesOfW) { expect_same_iterates({}, {}, 1); }

TEST_P(VelocityForm, HasTheIteratesOfWWithAnyLocalSolver) {
  for (const auto kind : {LocalOptions::Kind::newton, LocalOptions::Kind::fixed_point}) {
    LocalOptions local;
    local.kind = kind;
    expect_same_iterates(local, {}, 1);
  }
}

TEST_P(VelocityForm, HasTheIteratesOfWWhenRelaxed) {
  expect_same_iterates({}, {}, 0.7);
  expect_same_iterates({}, {}, 1.3);
}

TEST_P(VelocityForm, HasTheIteratesOfWInAnyOrder) {
  std::vector<Index> order(std::size_t(problem.contacts()));
  std::iota(order.begin(), order.end(), 0);
  Random random(5);
  shuffle(order, random);
  expect_same_iterates({}, order, 1);
  expect_same_iterates({}, order, 1, graph.contacts_by_body());
  expect_same_iterates({}, {}, 1, graph.contacts_by_body());
  order.resize(order.size() / 2);  // some contacts only
  expect_same_iterates({}, order, 1);
}

TEST_P(VelocityForm, MultipliesByW) {
  const auto sweep = VelocitySweep::make(problem, {});
  Random random(7);
  Numbers r(reduced.q().size()), u(r.size()), expected(r.size());
  for (double& x : r) x = random.normal();
  sweep->start(Numbers(r.size()));
  const Numbers before(sweep->v().begin(), sweep->v().end());
  sweep->velocity(r, u);
  reduced.W().multiply(r, reduced.q(), expected);
  EXPECT_LE(distance(u, expected), 1e-13 * length(expected));
  EXPECT_EQ(before, Numbers(sweep->v().begin(), sweep->v().end()));
  for (Index i = 0; i < problem.contacts(); ++i)
    for (int k = 0; k < problem.dimension() * problem.dimension(); ++k)
      EXPECT_NEAR(sweep->diagonal(i)[k], reduced.W().diagonal(i)[k],
                  1e-13 * reduced.W().diagonal(i)[0] + 1e-14);
}

TEST_P(VelocityForm, HasTheVelocityOfItsLastSweepAtHand) {
  const auto sweep = VelocitySweep::make(graph, {});
  Numbers r(reduced.q().size()), at_hand(r.size()), anew(r.size());
  sweep->start(r);
  for (int k = 0; k < 5; ++k) sweep->sweep({}, 1, r.data());
  ASSERT_TRUE(sweep->velocity_at_hand(at_hand));
  sweep->velocity(r, anew);
  EXPECT_LE(distance(at_hand, anew), 1e-13 * length(reduced.q()));  // rounding of five updates a contact
  EXPECT_GT(length(anew), 0);
}

TEST_P(VelocityForm, StartsFromAnyImpulses) {
  const auto sweep = VelocitySweep::make(problem, {});
  Random random(8);
  Numbers r(reduced.q().size());
  for (double& x : r) x = random.normal();
  sweep->start(r);
  EXPECT_LE(imbalance(problem, sweep->v(), r), 1e-15);
}

TEST_P(VelocityForm, DoesNotDrift) {
  const auto sweep = VelocitySweep::make(problem, {});
  Numbers r(reduced.q().size());
  sweep->start(r);
  double worst = 0;
  for (int k = 0; k < 10000; ++k) {
    // Over-relaxation that keeps r moving, so that v is really updated.
    sweep->sweep({}, k % 2 ? 1.5 : 0.5, r.data());
    if (k % 97 == 0) worst = std::max(worst, imbalance(problem, sweep->v(), r));
  }
  // Seven contacts a body and 100 sweeps between refreshes: 700 roundings of 1e-16 at worst.
  EXPECT_LE(worst, 1e-13);
}

/// Three bodies of three rows, M = I, contacts whose H is given.
GlobalProblem three_bodies(const std::vector<Triplet>& H, std::vector<Triplet> M = {}, SparseMatrix G = {},
                           Numbers b = {}) {
  if (M.empty())
    for (Index i = 0; i < 9; ++i) M.push_back({i, i, 1});
  return {3, {9, 9, M}, {9, 3, H}, Numbers(9), Numbers(3), {0.5}, std::move(G), std::move(b)};
}

void expect_refusal(const GlobalProblem& problem, const std::string& why) {
  const BodyGraph graph(problem);
  EXPECT_FALSE(graph.applies());
  EXPECT_THAT(graph.reason(), ::testing::HasSubstr(why));
  EXPECT_EQ(VelocitySweep::make(problem, {}), nullptr);
  EXPECT_FALSE(velocity_form_pays(graph));
}

TEST(VelocityFormRefuses, BilateralConstraints) {
  expect_refusal(
      three_bodies({{0, 0, 1}, {1, 1, 1}, {2, 2, 1}}, {}, {9, 1, std::vector<Triplet>{{0, 0, 1}}}, {0}),
      "bilateral");
}

TEST(VelocityFormRefuses, ThreeBodies) {
  std::vector<Triplet> M;
  for (Index i = 0; i < 9; ++i)
    for (Index j = i / 3 * 3; j < i / 3 * 3 + 3; ++j) M.push_back({i, j, i == j ? 2.0 : 0.5});
  expect_refusal(three_bodies({{0, 0, 1}, {3, 0, -1}, {7, 1, 1}}, M),
                 "contact 0 touches more than two bodies");
}

TEST(VelocityFormRefuses, ContactsWithoutBody) {
  expect_refusal(three_bodies({}), "contact 0 touches no body");
}

TEST(VelocityFormRefuses, LargeBodies) {
  std::vector<Triplet> M;
  for (Index i = 0; i < 13; ++i) {
    M.push_back({i, i, 4});
    if (i > 0) M.push_back({i, i - 1, -1}), M.push_back({i - 1, i, -1});
  }
  const std::vector<Triplet> H = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}};
  expect_refusal({3, {13, 13, M}, {13, 3, H}, Numbers(13), Numbers(3), {0.5}}, "M couples 13 rows");
}

TEST(VelocityFormRefuses, AContactThatMovesNothing) {
  EXPECT_THROW(VelocitySweep::make(three_bodies({{1, 1, 1}, {2, 2, 1}}), {}), InputError);
}

}  // namespace
}  // namespace stickslip::internal
