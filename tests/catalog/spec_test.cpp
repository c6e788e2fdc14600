// The grammar of solver names: parser and printer are inverses.
#include "catalog/spec.hpp"

#include <gmock/gmock.h>

#include "base/random.hpp"
#include "problems/refused.hpp"

namespace stickslip::internal {
namespace {

using ::testing::HasSubstr;
using tests::refusal;

std::string random_word(Random& random) {
  static constexpr std::string_view letters = "abcXYZ019_-+.";
  std::string word;
  for (auto n = 1 + random.below(8); n > 0; --n) word += letters[random.below(letters.size())];
  return word;
}

Spec random_spec(Random& random, int depth) {
  Spec spec{random_word(random)};
  if (depth == 0) return spec;
  for (auto n = random.below(4); n > 0; --n) {
    const std::string name = random_word(random);
    if (!spec.find(name)) spec.options.push_back({name, random_spec(random, depth - 1)});
  }
  return spec;
}

/// The same text with spaces wherever they may stand.
std::string with_spaces(const std::string& text, Random& random) {
  std::string spaced;
  for (char c : text) {
    if (c == ' ') continue;
    const bool sign = c == '(' || c == ')' || c == '=' || c == ',';
    if (sign && random.uniform() < 0.5) spaced += ' ';
    spaced += c;
    if (sign && random.uniform() < 0.5) spaced += "\t ";
  }
  return " " + spaced + " ";
}

TEST(Spec, PrintingAndParsingAreInverse) {
  Random random(1);
  for (int trial = 0; trial < 3000; ++trial) {
    const Spec spec = random_spec(random, int(random.below(5)));
    const std::string text = print(spec);
    ASSERT_EQ(parse_spec(text), spec) << text;
    ASSERT_EQ(print(parse_spec(text)), text);
    const std::string spaced = with_spaces(text, random);
    ASSERT_EQ(parse_spec(spaced), spec) << spaced;
  }
}

TEST(Spec, KnownTexts) {
  const Spec spec = parse_spec("gs(local=newton(map=ac, tolerance=1e-10), order=shuffled)");
  EXPECT_EQ(spec.word, "gs");
  ASSERT_EQ(spec.options.size(), 2u);
  EXPECT_EQ(spec.find("local")->find("tolerance")->word, "1e-10");
  EXPECT_EQ(spec.find("order")->word, "shuffled");
  EXPECT_EQ(spec.find("nothing"), nullptr);
  EXPECT_EQ(parse_spec("gs()"), parse_spec("gs"));
  EXPECT_EQ(print(parse_spec("NSGS-AC")), "NSGS-AC");
}

TEST(Spec, OptionsAreSetOrMerged) {
  Spec spec = parse_spec("gs(local=newton(map=ac), order=given)");
  spec.set("local", parse_spec("newton(iterations=3)"));  // the same part: merged
  EXPECT_EQ(print(spec), "gs(local=newton(map=ac, iterations=3), order=given)");
  spec.set("local", parse_spec("newton(map=jm)"));
  EXPECT_EQ(print(spec), "gs(local=newton(map=jm, iterations=3), order=given)");
  spec.set("local", parse_spec("exact"));  // another part: replaced
  EXPECT_EQ(print(spec), "gs(local=exact, order=given)");
  spec.set("seed", parse_spec("7"));
  EXPECT_EQ(print(spec), "gs(local=exact, order=given, seed=7)");
}

TEST(Spec, BadTextIsRefusedWithItsPlace) {
  const auto refused = [](const char* text) { return refusal([&] { parse_spec(text); }); };
  EXPECT_THAT(refused(""), HasSubstr("expected a name or a value at position 1"));
  EXPECT_THAT(refused("gs("), HasSubstr("at position 4"));
  EXPECT_THAT(refused("gs(order)"), HasSubstr("expected '=' after 'order' at position 9"));
  EXPECT_THAT(refused("gs(order=)"), HasSubstr("expected a name or a value at position 10"));
  EXPECT_THAT(refused("gs(order=given"), HasSubstr("expected ',' or ')' at position 15"));
  EXPECT_THAT(refused("gs(order=given,)"), HasSubstr("at position 16"));
  EXPECT_THAT(refused("gs order"), HasSubstr("expected the end at position 4"));
  EXPECT_THAT(refused("gs)"), HasSubstr("expected the end at position 3"));
  EXPECT_THAT(refused("gs(a=1, a=2)"), HasSubstr("option 'a' is given twice"));
  EXPECT_THAT(refused("gs(a=1 b=2)"), HasSubstr("expected ',' or ')'"));
  EXPECT_THAT(refused("µ"), HasSubstr("position 1"));
  std::string deep = "x";
  for (int k = 0; k < 100000; ++k) deep += "(x=x";
  EXPECT_THAT(refused(deep.c_str()), HasSubstr("nested too deeply"));
}

TEST(Spec, RandomTextNeverCrashes) {
  Random random(2);
  static constexpr std::string_view signs = "ab1(),= \t=()-\xff";
  int accepted = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (auto n = random.below(12); n > 0; --n) text += signs[random.below(signs.size())];
    try {
      const Spec spec = parse_spec(text);
      ++accepted;
      ASSERT_EQ(parse_spec(print(spec)), spec) << text;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(accepted, 100) << "some of them must be well formed";
}

}  // namespace
}  // namespace stickslip::internal
