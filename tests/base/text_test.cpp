// Helpers for messages: shortest numbers, edit distance, the nearest word.
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/random.hpp"
#include "base/timer.hpp"
#include "base/toml_text.hpp"
#include "stickslip/version.hpp"

namespace stickslip::internal {
namespace {

TEST(Shortest, KnownTexts) {
  EXPECT_EQ(shortest(0.5), "0.5");
  EXPECT_EQ(shortest(1e-8), "1e-08");
  EXPECT_EQ(shortest(0), "0");
  EXPECT_EQ(shortest(-3), "-3");
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(std::nan("")), "nan");
  EXPECT_EQ(shortest(HUGE_VAL), "inf");
  EXPECT_EQ(shortest(-HUGE_VAL), "-inf");
}

TEST(Shortest, ReadsBackAsTheSameNumber) {
  Random random(1);
  for (int k = 0; k < 20000; ++k) {
    const double x = std::bit_cast<double>(random.bits());
    if (!std::isfinite(x)) continue;
    ASSERT_EQ(std::strtod(shortest(x).c_str(), nullptr), x) << shortest(x);
  }
  for (double x : {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()})
    EXPECT_EQ(std::strtod(shortest(x).c_str(), nullptr), x);
}

TEST(EditDistance, KnownPairs) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("flaw", "lawn"), 2);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("nsgs-ac", "NSGS-AC"), 0);  // case does not count
  EXPECT_EQ(edit_distance("\xc3\xa9", "e"), 2);       // bytes, also those beyond ASCII
}

TEST(EditDistance, IsAMetric) {
  Random random(2);
  const auto word = [&] {
    std::string text;
    for (auto n = random.below(7); n > 0; --n) text += char('a' + random.below(3));
    return text;
  };
  for (int k = 0; k < 2000; ++k) {
    const std::string a = word(), b = word(), c = word();
    const int ab = edit_distance(a, b);
    ASSERT_EQ(ab, edit_distance(b, a)) << a << ' ' << b;
    ASSERT_EQ(ab == 0, a == b) << a << ' ' << b;
    ASSERT_LE(ab, edit_distance(a, c) + edit_distance(c, b)) << a << ' ' << b << ' ' << c;
    ASSERT_GE(ab, std::abs(int(a.size()) - int(b.size())));
  }
}

TEST(Nearest, FindsTheNearestOrNothing) {
  const std::string choices[] = {"auto", "NSGS-AC", "NSGS-EXACT", "gs"};
  EXPECT_EQ(nearest("NSGS-EXAKT", choices), "NSGS-EXACT");
  EXPECT_EQ(nearest("nsgs_ac", choices), "NSGS-AC");
  EXPECT_EQ(nearest("auot", choices), "auto");
  EXPECT_EQ(nearest("conjugate_gradients", choices), "");
  EXPECT_EQ(nearest("anything", {}), "");
}

TEST(TomlText, LettersBeyondAsciiAreFoundOutsideOfQuotesAndComments) {
  EXPECT_EQ(line_beyond_ascii(""), 0u);
  EXPECT_EQ(line_beyond_ascii("\xEF\xBB\xBFstep = 1 # Д\n"), 0u);
  EXPECT_EQ(line_beyond_ascii(R"(a = "Д"
b = 'Д'
c = """
Д \" Д""""
d = '''
'Д'''
)"),
            0u);
  EXPECT_EQ(line_beyond_ascii("a = 1\nlänge = 2\n"), 2u);
  EXPECT_EQ(line_beyond_ascii("a = \"open\nb = Д\n"), 2u);
  EXPECT_EQ(line_beyond_ascii(R"(a = "\"" Д)"), 1u);
  EXPECT_EQ(line_beyond_ascii("a = \"\"\"\n\"\"\"\"\" Д\n"), 2u);
  EXPECT_EQ(line_beyond_ascii(R"(a = '\' Д)"), 1u);
  EXPECT_EQ(line_beyond_ascii("a = \"\\"), 0u);
}

TEST(Timer, RunsForward) {
  const Timer timer;
  const double first = timer.seconds();
  EXPECT_GE(first, 0);
  double later = first;
  for (int k = 0; k < 10000000 && later == first; ++k) later = timer.seconds();
  EXPECT_GT(later, first);
}

TEST(Version, HasThreeNumbers) {
  int major = -1, minor = -1, patch = -1;
  EXPECT_EQ(std::sscanf(version(), "%d.%d.%d", &major, &minor, &patch), 3);
}

}  // namespace
}  // namespace stickslip::internal
