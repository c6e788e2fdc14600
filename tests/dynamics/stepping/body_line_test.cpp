// The line of bodies that ranks cut, and the order of contacts that ranks have parts of.
#include "dynamics/stepping/body_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "dynamics/stepping/contact_order.hpp"

namespace stickslip::internal {
namespace {

constexpr int side = 16;
const Vector corner(30, -5, 1e3);
constexpr float infinite = std::numeric_limits<float>::infinity();

/// A box of balls, not quite a lattice, numbered at random, the numbers of a seed.
std::vector<BodyState> mixed(std::uint64_t seed) {
  std::vector<BodyState> states;
  Random places(9);
  for (int k = 0; k < side * side * side; ++k) {
    states.emplace_back();
    states.back().x = corner + Vector(k % side, k / side % side, k / side / side) +
                      0.3 * Vector(places.uniform(-1, 1), places.uniform(-1, 1), places.uniform(-1, 1));
  }
  Random random(seed);
  for (std::size_t k = states.size() - 1; k > 0; --k) std::swap(states[k], states[random.below(k + 1)]);
  return states;
}

TEST(BodyLine, PartsOfMixedBodiesLieTogether) {
  std::vector<BodyState> states = mixed(1);
  std::vector<float> extent(states.size(), 1.0F);
  // A wall, a giant, and one that flew away change nothing for the others.
  for (const auto& [x, size] :
       {std::pair(Vector(0, 0, 0), infinite), {Vector(30, -5, 1e3), 100.0F}, {Vector(-1e30, 1e9, 0), 1.0F}}) {
    states.emplace_back();
    states.back().x = x;
    extent.push_back(size);
  }
  const std::vector<int> line = line_through_space(states, extent);
  std::vector<int> sorted = line;
  std::ranges::sort(sorted);
  for (std::size_t k = 0; k < sorted.size(); ++k) ASSERT_EQ(sorted[k], int(k));
  // Of eighths that were cubes, neighbours would touch across three planes; half as many more are allowed for.
  std::vector<int> part(states.size());
  for (std::size_t k = 0; k < line.size(); ++k) part[std::size_t(line[k])] = int(8 * k / line.size());
  std::vector<int> at(std::size_t(side * side * side));
  const auto number = [](const Vector& x) {
    return std::size_t(std::lround(x[0]) + side * (std::lround(x[1]) + side * std::lround(x[2])));
  };
  for (std::size_t b = 0; b < at.size(); ++b) at[number(states[b].x - corner)] = part[b];
  int apart = 0;
  for (std::size_t k = 0; k < at.size(); ++k)
    for (const std::size_t step : {1, side, side * side})
      if (k / step % side + 1 < side && at[k] != at[k + step]) ++apart;
  EXPECT_LE(apart, 3 * side * side * 3 / 2);
}

TEST(BodyLine, KnowsPlacesAndNoNumbers) {
  const std::vector<BodyState> one = mixed(1), other = mixed(2);
  const std::vector<float> extent(one.size(), 0.2F);  // so that no two share a cell
  const std::vector<int> line = line_through_space(one, extent),
                         other_line = line_through_space(other, extent);
  EXPECT_NE(line, other_line);
  for (std::size_t k = 0; k < line.size(); ++k)
    ASSERT_EQ(one[std::size_t(line[k])].x, other[std::size_t(other_line[k])].x) << k;
}

TEST(BodyLine, BodiesOfOneCellComeByTheirNumbers) {
  const std::vector<BodyState> states(50);
  std::vector<int> given(50);
  std::iota(given.begin(), given.end(), 0);
  EXPECT_EQ(line_through_space(states, std::vector<float>(50, 1.0F)), given);
  EXPECT_EQ(line_through_space(states, std::vector<float>(50, infinite)), given);
  EXPECT_TRUE(line_through_space({}, {}).empty());
}

TEST(BodyLine, IsCutAtEqualWork) {
  EXPECT_EQ(cut_by_work(std::vector<std::int64_t>{1, 1, 1, 1, 1, 1}, 3), (std::vector<int>{0, 2, 4, 6}));
  EXPECT_EQ(cut_by_work(std::vector<std::int64_t>{4, 1, 1, 1, 1}, 2), (std::vector<int>{0, 1, 5}));
  EXPECT_EQ(cut_by_work(std::vector<std::int64_t>{9}, 3), (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(cut_by_work({}, 2), (std::vector<int>{0, 0, 0}));
}

TEST(ContactOrder, IsThatOfOneProcess) {
  Random random(4);
  for (const int ranks : {1, 2, 3, 7}) {
    // Several contacts of a pair, which one rank has.
    std::vector<std::uint64_t> whole;
    for (int k = 0; k < 300; ++k)
      whole.insert(whole.end(), 1 + random.below(3),
                   body_pair(std::int64_t(random.below(20)), std::int64_t(20 + random.below(20))));
    std::ranges::sort(whole);
    std::vector<std::vector<int>> parts{std::size_t(ranks)};
    std::vector<int> joined;
    std::size_t rank = 0;
    for (std::size_t k = 0; k < whole.size(); ++k) {
      if (k == 0 || whole[k] != whole[k - 1]) rank = random.below(std::uint64_t(ranks));
      parts[rank].push_back(int(k));
    }
    for (const auto& part : parts) joined.insert(joined.end(), part.begin(), part.end());
    std::vector<std::uint64_t> pairs;
    for (const int k : joined) pairs.push_back(whole[std::size_t(k)]);
    const std::vector<int> order = whole_order(pairs), place = places_in(order);
    EXPECT_EQ(place, joined);
    const auto sorted = in_whole_order(joined, [&](int k) { return whole[std::size_t(k)]; });
    for (std::size_t k = 0; k < sorted.size(); ++k) ASSERT_EQ(sorted[k], int(k));
  }
}

}  // namespace
}  // namespace stickslip::internal
