// Whether a solution exists: twenty problems without one, all certified, and those with one, never.
#include "stickslip/existence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/infeasible.hpp"
#include "problems/judge.hpp"
#include "problems/tiny.hpp"
#include "solvers/certificate/certificate.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {
namespace {

stickslip_verify::CertificateReport examine(const ReducedProblem& p, std::span<const double> d) {
  return stickslip_verify::check_certificate(p.dimension(), tests::raw(p.W().to_sparse()), p.q(), p.mu(), d);
}

TEST(Existence, TwentyProblemsWithoutASolutionAreCertified) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const GlobalProblem global = tests::squeezed_row(seed, Index(1 + seed));
    const ReducedProblem p = Reduction(global).reduced();
    const ExistenceResult result = existence(global);
    ASSERT_EQ(result.answer, Existence::none) << seed << ": " << result.message;
    EXPECT_TRUE(examine(p, result.certificate).proves_infeasible()) << seed;
  }
}

TEST(Existence, TheBuiltInFamilyWithoutSolutionsIsCertified) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ProblemFile file = generate("infeasible", {.seed = seed});
    const ExistenceResult result = std::visit([](const auto& p) { return existence(p); }, file.problem);
    ASSERT_EQ(result.answer, Existence::none) << seed << ": " << result.message;
    EXPECT_TRUE(examine(tests::reduced(file), result.certificate).proves_infeasible()) << seed;
  }
}

TEST(Existence, SolversSayInfeasibleAndGiveTheCertificate) {
  for (const char* solver : {"NIPM", "CADOUX"})
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const ReducedProblem p = Reduction(tests::squeezed_row(seed, Index(2 + seed))).reduced();
      const SolveResult result = solve(p, {.time_limit = 20, .max_iterations = 2000}, solver);
      ASSERT_EQ(result.status, Status::infeasible) << solver << ' ' << seed << ' ' << result.message;
      EXPECT_TRUE(examine(p, result.certificate).proves_infeasible()) << solver << ' ' << seed;
    }
  for (const int d : {2, 3}) EXPECT_EQ(solve(tests::squeezed(d), {}, "NIPM").status, Status::infeasible);
}

TEST(Existence, ATallStackUnderAPressIsCertified) {
  // Its normals have eigenvalues down to 1e-7 of the largest: at α = 1e-6 some contacts are open although the certificate has all.
  const ProblemFile file = generate("infeasible", {.size = 9000, .seed = 4});
  const auto& global = std::get<GlobalProblem>(file.problem);
  ContactProblem contact(global);
  contact.open();
  const auto d = prove_infeasible(contact);
  ASSERT_TRUE(d);
  EXPECT_TRUE(examine(tests::reduced(file), *d).proves_infeasible());
}

TEST(Existence, LongRowsAreCertified) {
  // A row of bodies between walls: impulses of all contacts are one direction, hard to find when it is long.
  for (const long size : {200, 1000}) {
    const ProblemFile file = generate("infeasible", {.size = size});
    const ReducedProblem p = tests::reduced(file);
    ContactProblem matrix(p);
    const auto d = prove_infeasible(matrix);
    ASSERT_TRUE(d) << size;
    EXPECT_TRUE(examine(p, *d).proves_infeasible()) << size;
    ContactProblem bodies(std::get<GlobalProblem>(file.problem));
    bodies.open();
    const auto by_bodies = prove_infeasible(bodies);
    ASSERT_TRUE(by_bodies) << size;
    EXPECT_TRUE(examine(p, *by_bodies).proves_infeasible()) << size;
  }
}

TEST(Existence, ProblemsWithASolutionAreNeverCertified) {
  int proved = 0;
  for (const auto& tiny : tests::tiny_problems()) {
    const ReducedProblem p = tests::reduced(tiny.make());
    const ExistenceResult result = existence(p);
    EXPECT_NE(result.answer, Existence::none) << tiny.name;
    ContactProblem contact(p);
    EXPECT_FALSE(prove_infeasible(contact)) << tiny.name;
    if (result.answer != Existence::exists || p.q_norm() == 0 || p.contacts() == 0) continue;
    ++proved;
    // The proof, by itself: u = W r + q inside K* at every contact.
    const auto d = std::size_t(p.dimension());
    std::vector<double> u(result.r.size());
    p.W().multiply(result.r, p.q(), u);
    EXPECT_GT(result.margin, 0) << tiny.name;
    for (std::size_t i = 0; i < p.mu().size(); ++i)
      EXPECT_GE(u[i * d] - p.mu()[i] * std::hypot(u[i * d + 1], d == 3 ? u[i * d + 2] : 0), result.margin)
          << tiny.name << " contact " << i;
  }
  EXPECT_GE(proved, 10);
}

/// verify's counterexample: Slater's condition fails, r = 0 is a solution all the same.
TEST(Existence, AFailureOfSlaterAloneProvesNothing) {
  const ReducedProblem p = tests::one_contact(2, {1, -2, -2, 4}, {1, -4}, 1);
  const ExistenceResult result = existence(p);
  EXPECT_EQ(result.answer, Existence::undecided) << result.message;
  EXPECT_TRUE(solve(p, {}, "NIPM").converged());
}

TEST(Existence, OfAGlobalProblemIsShownByVelocities) {
  const ProblemFile file = tests::tiny_problem("random_3d");
  const auto& p = std::get<GlobalProblem>(file.problem);
  const ExistenceResult result = existence(p);
  ASSERT_EQ(result.answer, Existence::exists) << result.message;
  std::vector<double> u(p.w().begin(), p.w().end());
  p.H().transpose_multiply_add(1, result.v, u);
  for (std::size_t i = 0; i < p.mu().size(); ++i)
    EXPECT_GT(u[3 * i] - p.mu()[i] * std::hypot(u[3 * i + 1], u[3 * i + 2]), 0.9 * result.margin);
}

TEST(Certificate, IsMadeOutOfARoughCandidate) {
  const ReducedProblem p = Reduction(tests::squeezed_row(5, 4)).reduced();
  std::vector<double> rough(p.q().size(), 0.1);  // tangents and idle contacts, too
  for (std::size_t k = 0; k < 5; ++k) rough[3 * k] = 1 + 0.01 * double(k);
  ContactProblem contact(p);
  const auto d = infeasibility_certificate(contact, rough);
  ASSERT_TRUE(d);
  EXPECT_TRUE(examine(p, *d).proves_infeasible());
  EXPECT_FALSE(infeasibility_certificate(contact, std::vector<double>(p.q().size(), 0.0)));
  EXPECT_FALSE(infeasibility_certificate(contact, std::vector<double>(p.q().size(), -1.0)));
}

}  // namespace
}  // namespace stickslip::internal
