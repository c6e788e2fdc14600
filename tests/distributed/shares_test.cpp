// Shares of random problems: sweeps and products on several ranks have the bits of one, for every kind of body, any colouring and any cut.
#include "bodies/shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "bodies/velocity_sweep.hpp"
#include "problems/random_bodies.hpp"
#include "problems/thread_ranks.hpp"

namespace stickslip::internal {
namespace {

using Numbers = std::vector<double>;
using tests::on_ranks;
using tests::random_problem;

/// Chunks of a few random contacts, each in the first colour where no chunk shares a body.
Colouring random_colouring(const BodyGraph& graph, Random& random) {
  std::vector<std::vector<Index>> chunks;
  for (Index i = 0; i < graph.problem().contacts(); ++i)
    if (chunks.empty() || random.below(3) == 0)
      chunks.push_back({i});
    else
      chunks[random.below(chunks.size())].push_back(i);
  std::vector<std::vector<std::size_t>> colours;
  std::vector<std::vector<bool>> taken;
  for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    std::vector<Index> bodies;
    for (const Index i : chunks[chunk])
      for (const Index b : graph.bodies_of(i))
        if (b != BodyGraph::none) bodies.push_back(b);
    std::size_t colour = 0;
    const auto free = [&](std::size_t c) {
      return std::ranges::none_of(bodies, [&](Index b) { return taken[c][std::size_t(b)]; });
    };
    while (colour < colours.size() && !free(colour)) ++colour;
    if (colour == colours.size()) {
      colours.emplace_back();
      taken.emplace_back(std::size_t(graph.bodies()), false);
    }
    colours[colour].push_back(chunk);
    for (const Index b : bodies) taken[colour][std::size_t(b)] = true;
  }
  Colouring made;
  made.chunk_start = made.colour_start = {0};
  for (const auto& colour : colours) {
    for (const std::size_t chunk : colour) {
      made.contacts.insert(made.contacts.end(), chunks[chunk].begin(), chunks[chunk].end());
      made.chunk_start.push_back(Index(made.contacts.size()));
    }
    made.colour_start.push_back(made.chunks());
  }
  return made;
}

/// What sweeps do to some r, and the products of the r that they reach.
struct Course {
  Numbers r, u, product, size, v;
  std::vector<double> changes;

  void run(VelocitySweep& sweep, double omega) {
    u.assign(r.size(), 0.0), product.assign(r.size(), 0.0), size.assign(r.size(), 0.0);
    sweep.start(r);
    for (int k = 0; k < 8; ++k) {
      const Change change = sweep.sweep({}, omega, r.data());
      changes.insert(changes.end(), {change.step, change.size});
      if (k == 4) sweep.start(r);
    }
    sweep.velocity(r, u);
    sweep.product(r, product);
    sweep.magnitude(r, size);
    v.assign(sweep.v().begin(), sweep.v().end());
  }
};

/// Runs the course on one rank and on several with this cut, and compares bits.
void expect_same_bits(const GlobalProblem& problem, const Colouring& colouring, int ranks,
                      const std::vector<int>& rank_of_chunk, const LocalOptions& local, double omega) {
  const BodyGraph graph(problem);
  ASSERT_TRUE(graph.applies()) << graph.reason();
  const auto d = std::size_t(problem.dimension());
  Course whole;
  Random random(4);
  for (std::size_t k = 0; k < problem.w().size(); ++k) whole.r.push_back(random.uniform(0, 0.1));
  const Numbers start = whole.r;
  const auto alone = VelocitySweep::make(graph, local, colouring);
  whole.run(*alone, omega);

  const Shares shares(graph, colouring, ranks, rank_of_chunk);
  std::size_t contacts = 0, homes = 0;
  for (int rank = 0; rank < ranks; ++rank)
    contacts += shares.contacts_of(rank).size(), homes += shares.home_of(rank).size();
  EXPECT_EQ(contacts, std::size_t(problem.contacts()));
  EXPECT_EQ(homes, std::size_t(graph.bodies()));
  const std::size_t left = on_ranks(ranks, [&](Ranks& mine) {
    const Share share = shares.share(mine.rank());
    const BodyGraph part(share.problem, share.body_size, share.kind);
    const auto sweep = VelocitySweep::make(part, local, share.layout);
    sweep->join(share.halo, mine);
    Course course;
    for (const Index i : share.contacts)
      course.r.insert(course.r.end(), &start[std::size_t(i) * d], &start[std::size_t(i) * d] + d);
    course.run(*sweep, omega);
    EXPECT_EQ(course.changes, whole.changes);
    const auto expect_part = [&](const Numbers& numbers, const Numbers& all, const char* what) {
      for (std::size_t k = 0; k < share.contacts.size(); ++k)
        for (std::size_t c = 0; c < d; ++c)
          ASSERT_EQ(numbers[k * d + c], all[std::size_t(share.contacts[k]) * d + c]) << what;
    };
    expect_part(course.r, whole.r, "r");
    expect_part(course.u, whole.u, "u");
    expect_part(course.product, whole.product, "W r");
    expect_part(course.size, whole.size, "|W||r|");
  });
  EXPECT_EQ(left, 0u);
}

class SharesOf : public ::testing::TestWithParam<tests::Bodies> {};
INSTANTIATE_TEST_SUITE_P(Bodies, SharesOf, ::testing::ValuesIn(tests::kinds_of_bodies),
                         [](const auto& test) { return test.param.name; });

TEST_P(SharesOf, HaveTheBitsOfTheWholeForRandomCuts) {
  Random random(11);
  for (int round = 0; round < 6; ++round) {
    const GlobalProblem problem = random_problem(GetParam(), 20, 70, std::uint64_t(round + 1));
    const Colouring colouring = random_colouring(BodyGraph(problem), random);
    const int ranks = 1 + round;
    std::vector<int> cut;
    for (Index chunk = 0; chunk < colouring.chunks(); ++chunk)
      cut.push_back(int(random.below(std::uint64_t(ranks))));
    LocalOptions local;
    if (round % 2 == 1) local.kind = LocalOptions::Kind::newton;
    expect_same_bits(problem, colouring, ranks, cut, local, round == 3 ? 0.8 : 1.0);
  }
}

TEST_P(SharesOf, HaveTheBitsOfTheWholeWhereOneBodyTouchesAll) {
  // Two bodies, so that every contact between them touches both: no two chunks share a colour.
  Random random(12);
  const GlobalProblem problem = random_problem(GetParam(), 2, 30, 5);
  const Colouring colouring = random_colouring(BodyGraph(problem), random);
  std::vector<int> cut;
  for (Index chunk = 0; chunk < colouring.chunks(); ++chunk) cut.push_back(int(chunk) % 3);
  expect_same_bits(problem, colouring, 3, cut, {}, 1);
}

TEST(Shares, ARankMayHaveNothing) {
  Random random(13);
  const GlobalProblem problem = random_problem(tests::kinds_of_bodies[0], 20, 70, 6);
  const Colouring colouring = random_colouring(BodyGraph(problem), random);
  std::vector<int> cut(std::size_t(colouring.chunks()), 3);
  cut.front() = 1;
  expect_same_bits(problem, colouring, 5, cut, {}, 1);
}

TEST(Shares, BodiesGoOnlyToWhoTouchesThemNext) {
  // Three bodies in a row and two contacts in two colours, on two ranks: the middle body goes forth and back, once each a sweep.
  std::vector<Triplet> M, H;
  for (Index i = 0; i < 18; ++i) M.push_back({i, i, 1.0});
  for (Index c = 0; c < 2; ++c)
    for (Index k = 0; k < 3; ++k) {
      H.push_back({6 * c + k, 3 * c + k, -1.0});
      H.push_back({6 * (c + 1) + k, 3 * c + k, 1.0});
    }
  const GlobalProblem problem(3, {18, 18, M}, {18, 6, H}, Numbers(18, 0.0), {-1, 0, 0, -1, 0, 0}, {0.5, 0.5});
  const BodyGraph graph(problem);
  const Colouring colouring{{0, 1}, {0, 1, 2}, {0, 1, 2}};
  const Shares shares(graph, colouring, 2, {0, 1});
  const Share first = shares.share(0), second = shares.share(1);
  ASSERT_EQ(first.halo.after_colour.size(), 2u);
  ASSERT_EQ(first.halo.after_colour[0].out.size(), 1u);
  EXPECT_EQ(first.halo.after_colour[0].out[0].bodies, std::vector<Index>{1});  // bodies 0 and 1 of the whole
  EXPECT_EQ(second.halo.after_colour[0].in[0].bodies, std::vector<Index>{0});  // bodies 1 and 2
  EXPECT_EQ(second.halo.after_colour[1].out[0].bodies, std::vector<Index>{0});
  EXPECT_TRUE(first.halo.everywhere.out.empty() && first.halo.everywhere.in.empty());
  EXPECT_EQ(first.problem.contacts(), 1);
  EXPECT_EQ(first.problem.degrees_of_freedom(), 12);
}

}  // namespace
}  // namespace stickslip::internal
