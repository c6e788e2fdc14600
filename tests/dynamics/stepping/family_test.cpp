// The families of `generate` as scenes: one step from rest has their problem, with the contacts in the detector's order and tangents turned.

#include <gtest/gtest.h>

#include <algorithm>

#include "stickslip/errors.hpp"
#include "stickslip/generate.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

/// What does not depend on the order of contacts and on tangents, sorted: of each contact, the diagonal entry of W along the normal and the
/// trace of its block, and q_N. Contacts with `left_out` are not looked at.
std::vector<std::array<double, 3>> fingerprint(const GlobalProblem& problem,
                                               const std::vector<char>& left_out = {}) {
  const ReducedProblem reduced = Reduction(problem).reduced();
  const SparseMatrix W = reduced.W().to_sparse();
  std::vector<double> diagonal(reduced.q().size(), 0.0);
  for (const Triplet& entry : W.triplets())
    if (entry.row == entry.column) diagonal[std::size_t(entry.row)] += entry.value;
  std::vector<std::array<double, 3>> all;
  for (std::size_t c = 0; c < diagonal.size(); c += 3)
    if (left_out.empty() || !left_out[c / 3])
      all.push_back({diagonal[c], diagonal[c] + diagonal[c + 1] + diagonal[c + 2], reduced.q()[c]});
  // In a lattice many blocks are equal but for rounding, which must not decide their order.
  const auto rounded = [](const std::array<double, 3>& c) {
    return std::array{float(c[0]), float(c[1]), float(c[2])};
  };
  std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return rounded(a) < rounded(b); });
  return all;
}

class Family : public testing::TestWithParam<std::string> {};

TEST_P(Family, HasTheProblemOfItsFirstStep) {
  const std::string family = GetParam();
  for (const std::uint64_t seed : {1U, 7U}) {
    GenerateRequest request;
    request.size = 120;
    request.seed = seed;
    const ProblemFile file = generate(family, request);
    const auto& expected = std::get<GlobalProblem>(file.problem);
    Simulation simulation("family_" + family, {{"size", 120}, {"seed", double(seed)}});
    ASSERT_TRUE(simulation.step());
    const std::optional<GlobalProblem> found = simulation.problem();
    ASSERT_TRUE(found.has_value());
    // Balls that are about to touch are contacts of the step, not of the family, which has gaps up to 1e-7 of a radius.
    std::vector<char> apart;
    for (const TouchingPoint& contact : simulation.contacts()) apart.push_back(contact.gap > 5e-8);
    if (!family.starts_with("spheres")) {
      EXPECT_EQ(std::count(apart.begin(), apart.end(), 1), 0);
    }
    // Corners are found to 1e-12 of the size by either code; mass matrices and arms follow.
    const auto a = fingerprint(*found, apart), b = fingerprint(expected);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t c = 0; c < a.size(); ++c)
      for (std::size_t k = 0; k < 3; ++k) ASSERT_NEAR(a[c][k], b[c][k], 1e-8 * (1 + std::abs(b[c][k])));
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Family, testing::ValuesIn(families_of_bodies()),
                         [](const testing::TestParamInfo<std::string>& which) { return which.param; });

TEST(Generate, IsRefusedWhereContactsAreNotThoseOfShapes) {
  EXPECT_THROW(family_bodies("gripper"), InputError);
  EXPECT_THROW(parse_scene("[generate]\nfamily = 'wal'\n"), InputError);
  EXPECT_THROW(parse_scene("[generate]\nfamily = 'wall'\nsize = 0\n"), InputError);
  EXPECT_THROW(parse_scene("[generate]\nfamily = 'wall'\nsize = 2000000\n"), InputError);
}

}  // namespace
}  // namespace stickslip
