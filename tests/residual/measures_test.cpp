// Every measure against the independent checker, on random points of random problems; what rounding can hide.
#include "stickslip/measures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/dense.hpp"
#include "problems/judge.hpp"
#include "residual/operator_measures.hpp"

namespace stickslip::internal {
namespace {

using tests::Dense;
using tests::Numbers;

struct Case {
  int dimension;
  double skew, smallest_mu;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.dimension << "D skew " << c.skew << " mu from " << c.smallest_mu;
}

class MeasuresOf : public ::testing::TestWithParam<Case> {
 protected:
  const int d = GetParam().dimension;
  Random random{std::uint64_t(d) + 10 * std::uint64_t(GetParam().skew > 0)};

  ReducedProblem draw(int contacts) {
    // A coupling to about half of the others; frictionless contacts among the rest where asked for.
    const int n = contacts * d;
    Dense W = tests::random_positive(n, random, 0.5, GetParam().skew);
    for (int i = 0; i < contacts; ++i)
      for (int j = 0; j < i; ++j)
        if (random.uniform() < 0.5)
          for (int a = 0; a < d; ++a)
            for (int b = 0; b < d; ++b) W(i * d + a, j * d + b) = W(j * d + b, i * d + a) = 0;
    Numbers mu;
    for (int i = 0; i < contacts; ++i)
      mu.push_back(i % 3 == 0 ? GetParam().smallest_mu : random.uniform(0.1, 2));
    return {BlockMatrix(tests::sparse(W), d), tests::random_numbers(std::size_t(n), random), mu};
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, MeasuresOf,
                         ::testing::Values(Case{2, 0, 0.3}, Case{2, 1, 0}, Case{3, 0, 0}, Case{3, 0, 0.3},
                                           Case{3, 1, 0.1}));

// Sums of some hundred terms of order 1 to 10 in double against long double; the energy divides by blocks
// whose condition is below 1e3.
constexpr double rounding = 1e-11;

TEST_P(MeasuresOf, RandomPointsAgreeWithTheChecker) {
  for (int trial = 0; trial < 40; ++trial) {
    const ReducedProblem p = draw(1 + trial % 7);
    Numbers r = tests::random_numbers(p.q().size(), random), u(r.size()), again(r.size());
    if (trial % 4 == 0) std::fill(r.begin(), r.end(), 0.0);
    const Measures m = measure(p, r, u);
    const auto report = tests::judge(p, r);
    EXPECT_NEAR(m.error, report.error, rounding * (1 + report.error));
    EXPECT_NEAR(m.energy, report.energy, rounding * (1 + std::abs(report.energy)));
    EXPECT_NEAR(m.impulse_violation, report.impulse_violation, rounding);
    EXPECT_NEAR(m.velocity_violation, report.velocity_violation, 10 * rounding);
    EXPECT_NEAR(m.complementarity, report.complementarity, 10 * rounding);
    EXPECT_NEAR(m.rounding, report.rounding, 0.02 * report.rounding);  // 1.1e-16 stands for 2⁻⁵³
    EXPECT_LE(tests::difference(u, report.u), 10 * rounding);
    EXPECT_NEAR(natural_error(p, r, again), m.error, rounding * (1 + m.error));
    EXPECT_LE(tests::difference(u, again), 10 * rounding);
    // From a velocity at hand: the same figures.
    const MatrixOperator view(p);
    const Measures known = measure(view, r, u);
    EXPECT_NEAR(natural_error(view, r, u), m.error, rounding * (1 + m.error));
    EXPECT_NEAR(known.error, m.error, rounding * (1 + m.error));
    EXPECT_NEAR(known.energy, m.energy, rounding * (1 + std::abs(m.energy)));
    EXPECT_NEAR(known.rounding, m.rounding, 1e-12 * m.rounding);
    EXPECT_EQ(known.velocity_violation, m.velocity_violation);
    EXPECT_EQ(known.impulse_violation, m.impulse_violation);
    EXPECT_EQ(known.complementarity, m.complementarity);
    std::vector<ContactStatus> statuses;
    contact_statuses(view, m.error, r, u, statuses);
    EXPECT_EQ(std::count(statuses.begin(), statuses.end(), ContactStatus::open), report.open);
    EXPECT_EQ(std::count(statuses.begin(), statuses.end(), ContactStatus::stick), report.stick);
    EXPECT_EQ(std::count(statuses.begin(), statuses.end(), ContactStatus::slip), report.slip);
  }
}

ReducedProblem plain(int d, Numbers q, double mu) {
  return {BlockMatrix(tests::sparse(tests::identity(d)), d), std::move(q), {mu}};
}

TEST(Measures, OfTheClosedForms) {
  Numbers u(3);
  std::vector<ContactStatus> statuses;
  const auto expect = [&](const ReducedProblem& p, const Numbers& r, ContactStatus status) {
    const Measures m = measure(p, r, u);
    EXPECT_LE(m.error, 5e-16) << name(status);  // a handful of roundings
    EXPECT_LE(m.energy, 1e-30);
    EXPECT_EQ(m.velocity_violation, 0);
    contact_statuses(MatrixOperator(p), m.error, r, u, statuses);
    EXPECT_EQ(statuses, std::vector{status});
  };
  expect(plain(3, {1, 5, 0}, 0.5), {0, 0, 0}, ContactStatus::open);
  expect(plain(3, {-1, -0.3, -0.4}, 0.6), {1, 0.3, 0.4}, ContactStatus::stick);
  expect(plain(3, {-1, 2, 0}, 0.5), {1, -0.5, 0}, ContactStatus::slip);
  expect(plain(3, {-1, 2, 0}, 0), {1, 0, 0}, ContactStatus::slip);
}

TEST(Measures, NamesOfTheStatuses) {
  EXPECT_EQ(name(ContactStatus::open), "open");
  EXPECT_EQ(name(ContactStatus::stick), "stick");
  EXPECT_EQ(name(ContactStatus::slip), "slip");
}

TEST(Measures, ASlipBelowTheErrorIsAStick) {
  // r on the edge of the cone, u_T = 1e-9 against it.
  const ReducedProblem p = plain(3, {-1, 0.5 + 1e-9, 0}, 0.5);
  const Numbers r = {1, -0.5, 0};
  Numbers u(3);
  measure(p, r, u);
  std::vector<ContactStatus> statuses;
  contact_statuses(MatrixOperator(p), 1e-8, r, u, statuses);
  EXPECT_EQ(statuses[0], ContactStatus::stick);
  contact_statuses(MatrixOperator(p), 1e-12, r, u, statuses);
  EXPECT_EQ(statuses[0], ContactStatus::slip);
}

TEST(Measures, WithoutLoadTheErrorIsAbsolute) {
  const ReducedProblem p = plain(3, {0, 0, 0}, 0.5);
  Numbers u(3);
  EXPECT_EQ(measure(p, Numbers{0, 0, 0}, u).error, 0);
  // r = u = (1, 0, 0): P_K(r − û) = 0.
  const Measures m = measure(p, Numbers{1, 0, 0}, u);
  EXPECT_EQ(m.error, 1);
  EXPECT_EQ(m.energy, 1);  // no load, no denominator
  EXPECT_EQ(m.complementarity, 1);
}

TEST_P(MeasuresOf, TheErrorAtZeroNeedsNoMatrix) {
  for (int trial = 0; trial < 40; ++trial) {
    const ReducedProblem p = draw(1 + trial % 7);
    Numbers u(p.q().size());
    EXPECT_NEAR(natural_error_at_zero(MatrixOperator(p)), natural_error(p, Numbers(u.size()), u), rounding);
  }
}

TEST(Measures, AViolationIsSeenBesideHugeImpulses) {
  // W = 2⁻⁷⁰ I, q_N = −1: the solution is r_N = 2⁷⁰; half of it leaves u_N = −½, which must not vanish in r −
  // (r − û).
  for (int d : {2, 3})
    for (double mu : {0.0, 0.5}) {
      tests::Dense W = tests::identity(d);
      for (auto& x : W.value) x *= 0x1p-70;
      Numbers q(std::size_t(d), 0.0), r(q), u(q);
      q[0] = -1;
      r[0] = 0x1p69;
      const ReducedProblem p(BlockMatrix(tests::sparse(W), d), q, {mu});
      EXPECT_DOUBLE_EQ(measure(p, r, u).error, 0.5) << d << ' ' << mu;
      EXPECT_DOUBLE_EQ(natural_error(p, r, u), 0.5) << d << ' ' << mu;
      // On the edge of the cone, where the answer slips.
      r[1] = mu * r[0];
      EXPECT_GT(natural_error(p, r, u), 0.1) << d << ' ' << mu;
    }
}

TEST(Measures, OfNoContactsVanish) {
  const ReducedProblem p(BlockMatrix{}, {}, {});
  const Measures m = measure(p, {}, {});
  EXPECT_EQ(m.error, 0);
  EXPECT_EQ(m.rounding, 0);
  EXPECT_EQ(natural_error(p, {}, {}), 0);
}

TEST(Measures, RoundingTellsThatAHugeImpulseHidesTheError) {
  // No r can solve this problem, but at r = 1e17·d the computed u + r rounds q away.
  for (int d : {2, 3}) {
    const ReducedProblem p = tests::squeezed(d);
    Numbers r(p.q().size(), 0.0), u(r.size());
    r[0] = r[std::size_t(d)] = 1e17;
    const Measures m = measure(p, r, u);
    EXPECT_GT(std::max(m.error, m.rounding), 1);
    EXPECT_GT(tests::judge(p, r).rounding, 1);
    // At a moderate r the error is seen: u_N = −1 at both contacts, ‖C‖/‖q‖ = 1.
    r[0] = r[std::size_t(d)] = 100;
    EXPECT_NEAR(measure(p, r, u).error, 1, 1e-12);  // 100 · 2⁻⁵² relative to 1
  }
}

TEST(Measures, EnergyIgnoresDirectionsWithoutMobility) {
  // A block of rank one: only the normal counts. C = −(1, 0), q = (−1, 0).
  const ReducedProblem p({2, {0, 0}, {}, {}, {4, 0, 0, 0}}, {-1, 0}, {0});
  Numbers u(2);
  const Measures m = measure(p, Numbers{0, 0}, u);
  EXPECT_EQ(m.energy, 1);
  EXPECT_EQ(m.error, 1);
}

}  // namespace
}  // namespace stickslip::internal
