// A = diag(L)(W + αI) + diag(R) behind one interface, by every strategy, against dense algebra in long double.
#include "linalg/contact_system/contact_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "linalg/factorisation.hpp"
#include "linalg/newton_case.hpp"

namespace stickslip::internal {
namespace {

using tests::Dense;
using tests::NewtonCase;
using tests::Numbers;
using Strategy = ContactSystem::Strategy;

/// W as blocks, as bodies, or as both.
struct Given final : ContactProducts {
  BlockMatrix W;
  SparseMatrix M, H;
  Numbers scale;
  BodyFactors factors;
  bool show_blocks = true, show_bodies = false;

  int dimension() const override { return W.dimension(); }
  Index contacts() const override { return W.size(); }
  const BlockMatrix* blocks() const override { return show_blocks ? &W : nullptr; }
  const BodyFactors* bodies() const override { return show_bodies ? &factors : nullptr; }
  void product(std::span<const double> x, std::span<double> y) const override { W.multiply(x, y); }
};

/// ‖(L (W + αI) + R) x − b‖/‖b‖ over the active contacts, the others held at zero; no L: I.
double misfit(const BlockMatrix& W, const std::vector<std::uint8_t>& active, const Numbers& L,
              const Numbers& R, double alpha, Numbers x, const Numbers& b) {
  const auto d = std::size_t(W.dimension());
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!active[k / d]) x[k] = 0;
  const Numbers Wx = tests::numbers(Dense(W.to_sparse()) * tests::column(x));
  double error = 0, size = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::size_t i = k / d, row = k % d;
    if (!active[i]) continue;
    long double sum = L.empty() ? Wx[k] + alpha * x[k] : 0;
    for (std::size_t c = 0; c < d; ++c) {
      if (!L.empty()) sum += L[i * d * d + c * d + row] * (Wx[i * d + c] + alpha * x[i * d + c]);
      sum += R[i * d * d + c * d + row] * x[i * d + c];
    }
    error += double((sum - b[k]) * (sum - b[k]));
    size += b[k] * b[k];
  }
  return size > 0 ? std::sqrt(error / size) : 0;
}

TEST(ContactSystem, SolvesByEveryStrategyOfW) {
  Random random(3);
  std::set<Strategy> used;
  for (const int d : {2, 3})
    for (const Index n : {1, 2, 7, 60, 200})
      for (const double density : {0.02, 0.6}) {
        const NewtonCase c = tests::newton_case(n, d, density, random);
        Given given;
        given.W = c.W;
        ContactSystem system;
        system.analyse(given);
        used.insert(system.strategy());
        ASSERT_TRUE(system.factorise(c.active, c.left.data(), c.right.data(), 0.1).ok);
        Numbers x = c.x;
        system.solve(x);
        // Condition numbers below 1e3; where no pivots are taken between contacts 1e-6 is promised, and rounding seen.
        EXPECT_LE(misfit(c.W, c.active, c.left, c.right, 0.1, x, c.x), 1e-11)
            << d << ' ' << n << ' ' << density;
        for (std::size_t k = 0; k < x.size(); ++k)
          if (!c.active[k / std::size_t(d)]) {
            EXPECT_EQ(x[k], c.x[k]) << "places of contacts that do not take part are left alone";
          }
        EXPECT_EQ(system.count(), 1);
      }
  EXPECT_EQ(used, (std::set{Strategy::dense, Strategy::contacts, Strategy::fronts}));
}

TEST(ContactSystem, TakesAllContactsAndIdentitiesWhereNothingElseIsSaid) {
  Random random(4);
  for (const int d : {2, 3})
    for (const Index n : {3, 40, 150}) {
      const NewtonCase c = tests::newton_case(n, d, 0.3, random);
      Given given;
      given.W = c.W;
      ContactSystem system;
      system.analyse(given);
      ASSERT_TRUE(system.factorise({}, nullptr, c.right.data(), 0).ok);
      Numbers x = c.x;
      const double left = system.solve(x, ContactSystem::for_the_last_digit);
      const std::vector<std::uint8_t> all(std::size_t(n), 1);
      EXPECT_LE(misfit(c.W, all, {}, c.right, 0, x, c.x), 1e-14) << d << ' ' << n;
      EXPECT_LE(left, 1e-14);
    }
}

TEST(ContactSystem, FallsBackOnFrontsWherePivotsBetweenContactsAreNeeded) {
  // A chain whose diagonal blocks vanish all but: without pivots between contacts nothing is left of b.
  const int d = 3;
  const Index n = 90;
  std::vector<Triplet> entries;
  for (Index i = 0; i < n; ++i)
    for (Index a = 0; a < d; ++a) {
      entries.push_back({i * d + a, i * d + a, 1e-13});
      if (i + 1 < n) {
        entries.push_back({i * d + a, (i + 1) * d + a, 1.0});
        entries.push_back({(i + 1) * d + a, i * d + a, 1.0});
      }
    }
  Given given;
  given.W = BlockMatrix(SparseMatrix(n * d, n * d, entries), d);
  ContactSystem system;
  system.analyse(given);
  ASSERT_EQ(system.strategy(), Strategy::contacts);
  const Numbers zero(std::size_t(n * d * d), 0.0);
  const std::vector<std::uint8_t> all(std::size_t(n), 1);
  Random random(5);
  Numbers b;
  for (Index k = 0; k < n * d; ++k) b.push_back(random.uniform(-1, 1));
  Numbers x = b;
  system.factorise({}, nullptr, zero.data(), 0);
  system.solve(x);
  EXPECT_LE(misfit(given.W, all, {}, zero, 0, x, b), 1e-6) << "what is promised";
}

TEST(ContactSystem, RefusesWhatIsNotFinite) {
  Random random(6);
  const NewtonCase c = tests::newton_case(40, 3, 0.1, random);
  Given given;
  given.W = c.W;
  ContactSystem system;
  system.analyse(given);
  Numbers bad = c.right, x = c.x;
  bad[7] = std::nan("");
  const bool ok = system.factorise({}, c.left.data(), bad.data(), 0).ok;
  if (ok) system.solve(x);
  EXPECT_TRUE(!ok || std::any_of(x.begin(), x.end(), [](double number) { return !std::isfinite(number); }));
}

/// A row of bodies of six rows (in the plane three), each of `joints` contacts between one and the next; `odd`: one row more,
/// which does not fill its node.
Given scene(Random& random, int d, Index bodies, Index joints, bool odd, double unsymmetric = 0.3) {
  const Index contacts = (bodies - 1) * joints, size = d == 3 ? 6 : 3, rows = bodies * size + (odd ? 1 : 0);
  std::vector<Triplet> mass, arms;
  for (Index k = 0; k < rows; ++k) mass.push_back({k, k, random.uniform(1, 2)});
  for (Index b = 0; b < bodies; ++b) {
    const double skew = random.uniform(-unsymmetric, unsymmetric);
    mass.push_back({b * size, b * size + 2, 0.2 + skew});
    mass.push_back({b * size + 2, b * size, 0.2 - skew});
  }
  Given given;
  for (Index i = 0; i < contacts; ++i) given.scale.push_back(random.uniform(0.5, 2));
  for (Index c = 0; c < contacts * d; ++c)
    for (Index k = 0; k < 2 * size; ++k) arms.push_back({c / d / joints * size + k, c, random.normal()});
  if (odd) arms.push_back({rows - 1, 0, 1.0});
  given.M = SparseMatrix(rows, rows, mass);
  given.H = SparseMatrix(rows, contacts * d, arms);
  const Factorisation inverse(given.M, Definiteness::positive, "M");
  std::vector<Triplet> entries;
  for (Index c = 0; c < contacts * d; ++c) {
    Numbers unit(std::size_t(contacts * d), 0.0), v(std::size_t(rows), 0.0), u(unit);
    unit[std::size_t(c)] = given.scale[std::size_t(c / d)];
    given.H.multiply_add(1, unit, v);
    inverse.solve(v);
    given.H.transpose_multiply_add(1, v, u);
    for (Index k = 0; k < contacts * d; ++k)
      entries.push_back({k, c, given.scale[std::size_t(k / d)] * u[std::size_t(k)]});
  }
  given.W = BlockMatrix(SparseMatrix(contacts * d, contacts * d, entries), d);
  given.show_bodies = true;
  return given;
}

TEST(ContactSystem, GoesThroughTheBodies) {
  Random random(7);
  for (const int d : {2, 3})
    for (const bool odd : {false, true})
      for (const Index joints : {1, 6}) {
        Given given = scene(random, d, 12, joints, odd);
        given.factors = {&given.M, &given.H, given.scale, {}};
        given.show_blocks = false;
        ContactSystem system;
        system.analyse(given);
        ASSERT_EQ(system.strategy(), Strategy::bodies);
        for (const bool transformed : {false, true}) {
          const auto area = std::size_t(d * d);
          const auto n = std::size_t(given.W.size());
          Numbers left, right, b;
          std::vector<std::uint8_t> active;
          for (std::size_t i = 0; i < n; ++i) {
            active.push_back(random.uniform(0, 1) < 0.7);
            for (std::size_t k = 0; k < area; ++k) {
              left.push_back(random.uniform(-0.1, 0.1) + (k % std::size_t(d + 1) == 0));
              right.push_back(random.uniform(-0.1, 0.1) + (k % std::size_t(d + 1) == 0));
            }
            for (int c = 0; c < d; ++c) b.push_back(random.normal());
          }
          if (!transformed) left.clear();
          for (const double alpha : {0.0, 0.3}) {
            ASSERT_TRUE(
                system.factorise(active, transformed ? left.data() : nullptr, right.data(), alpha).ok);
            Numbers x = b;
            const double rest = system.solve(x);
            EXPECT_LE(rest, 1e-11) << "what refinement aims at";
            EXPECT_LE(misfit(given.W, active, left, right, alpha, x, b), 2e-11) << d << ' ' << joints;
            for (std::size_t k = 0; k < x.size(); ++k)
              if (!active[k / std::size_t(d)]) {
                EXPECT_EQ(x[k], b[k]);
              }
          }
        }
      }
}

TEST(ContactSystem, BodiesSolveWithAPenaltyByGradients) {
  Random random(9);
  const double rho = 0.01;
  for (const int d : {2, 3})
    for (const bool odd : {false, true}) {
      const Given given = scene(random, d, 12, 6, odd, 0);
      const auto n = std::size_t(given.W.size()), area = std::size_t(d * d);
      BodySystem bodies;
      bodies.analyse({.M = &given.M, .H = &given.H, .scale = given.scale}, d);
      Numbers right(n * area, 0.0), b(n * std::size_t(d));
      for (std::size_t k = 0; k < right.size(); ++k) right[k] = k % area % std::size_t(d + 1) == 0 ? rho : 0;
      ASSERT_TRUE(bodies.prepare_penalty(right.data()));
      const std::vector<std::uint8_t> all(n, 1);
      for (const double size : {1.0, 1e-3}) {  // the second solve begins where the first one ended
        for (double& number : b) number = size * random.normal();
        Numbers x = b;
        ASSERT_TRUE(bodies.solve_penalty(x, 1e-24 * size * size));
        EXPECT_LE(misfit(given.W, all, {}, right, 0, x, b), 1e-9) << d << ' ' << odd;
      }
    }
}

TEST(ContactSystem, TakesTheBodiesWhereRedundantContactsMakeWDear) {
  Random random(8);
  Given many = scene(random, 3, 60, 8, false), few = scene(random, 3, 200, 1, false);
  for (Given* given : {&many, &few}) given->factors = {&given->M, &given->H, given->scale, {}};
  ContactSystem system;
  system.analyse(many);
  EXPECT_EQ(system.strategy(), Strategy::bodies) << "1416 unknowns at the contacts, 360 in the bodies";
  system.analyse(few);
  EXPECT_EQ(system.strategy(), Strategy::contacts) << "597 unknowns at the contacts, 1200 in the bodies";
}

TEST(ContactSystem, RefinesThroughTheBodiesWhereLittleIsLeft) {
  // Redundant contacts and a small R: b − Hᵀ v cancels, and refinement brings it back.
  Random random(9);
  Given given = scene(random, 3, 5, 8, false);
  given.factors = {&given.M, &given.H, given.scale, {}};
  given.show_blocks = false;
  const auto n = std::size_t(given.W.size());
  const std::vector<std::uint8_t> all(n, 1);
  ContactSystem system;
  system.analyse(given);
  Numbers r, b(n * 3);
  for (std::size_t k = 0; k < n * 3; ++k) r.push_back(random.normal());
  given.W.multiply(r, b);
  for (const double size : {1.0, 1e-3, 1e-9}) {
    Numbers right(n * 9, 0.0);
    for (std::size_t k = 0; k < n * 3; ++k) right[k * 3 + k % 3] = size;
    ASSERT_TRUE(system.factorise({}, nullptr, right.data(), 0).ok);
    Numbers x = b;
    system.solve(x, ContactSystem::for_the_last_digit);
    EXPECT_LE(misfit(given.W, all, {}, right, 0, x, b), 1e-10) << size;
  }
  const Numbers nothing(n * 9, 0.0);
  EXPECT_FALSE(system.factorise({}, nullptr, nothing.data(), 0).ok) << "R must be regular here";
}

}  // namespace
}  // namespace stickslip::internal
