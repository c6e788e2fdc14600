// Damaged scene files: whatever the text, it is a scene or an InputError of one line that begins with the file.

#include <gtest/gtest.h>

#include <chrono>

#include "base/random.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/scene.hpp"

namespace stickslip {
namespace {

std::string damaged(std::string text, internal::Random& random) {
  const auto below = [&](std::size_t n) {
    return std::min(n - 1, std::size_t(random.uniform() * double(n)));
  };
  static const std::vector<std::string> pieces = {"[",
                                                  "]",
                                                  "{",
                                                  "}",
                                                  "\"",
                                                  "=",
                                                  "-1",
                                                  "1e308",
                                                  "nan",
                                                  "inf",
                                                  "0",
                                                  "true",
                                                  "[[body]]\n",
                                                  "name",
                                                  "kind = \"rigid\"\n",
                                                  "count = [2, 2, 2]\n",
                                                  "\n",
                                                  ",",
                                                  "#",
                                                  "t",
                                                  "pi",
                                                  "1/0",
                                                  "sqrt(-1)",
                                                  "\xff",
                                                  "\"\"\"",
                                                  "999999999999999999999",
                                                  "shape"};
  const int changes = 1 + int(random.uniform() * 4);
  for (int k = 0; k < changes && !text.empty(); ++k) {
    const std::size_t at = below(text.size());
    switch (int(random.uniform() * 5)) {
      case 0:
        text.erase(at, 1 + below(20));
        break;
      case 1:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      case 2:
        text[at] = char(random.uniform() * 256);
        break;
      case 3:
        text.resize(at);
        break;
      default: {
        const std::size_t from = below(text.size());
        text.insert(at, text.substr(from, 1 + below(60)));
      }
    }
  }
  return text;
}

TEST(DamagedScene, IsRefusedInOneLine) {
  const char* seconds = std::getenv("STICKSLIP_FUZZ_SECONDS");
  const double limit = seconds ? std::stod(seconds) : 1.0;
  const auto start = std::chrono::steady_clock::now();
  internal::Random random(20261115);
  long refused = 0, taken = 0;
  const auto& scenes = built_in_scenes();
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < limit) {
    const BuiltInScene& scene = scenes[std::size_t(random.uniform() * double(scenes.size())) % scenes.size()];
    const std::string text = damaged(std::string(scene.text), random);
    try {
      parse_scene(text, {}, "file.toml");
      ++taken;
    } catch (const InputError& error) {
      const std::string what = error.what();
      ASSERT_EQ(what.rfind("file.toml", 0), 0u) << what << "\n---\n" << text;
      ASSERT_EQ(what.find('\n'), std::string::npos) << what << "\n---\n" << text;
      ++refused;
    }
  }
  // Both happen, or the damage tells nothing.
  EXPECT_GT(refused, 10);
  EXPECT_GT(taken, 10);
}

}  // namespace
}  // namespace stickslip
