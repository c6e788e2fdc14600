#include "dynamics/scene/expression.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "stickslip/errors.hpp"
#include "stickslip/scene.hpp"

namespace stickslip {
namespace {

using internal::Expression;
using ::testing::HasSubstr;

double value(const std::string& text) { return Expression(text, {}).value({}); }

std::string refusal(const std::string& text, const std::vector<std::string>& names = {}) {
  try {
    Expression(text, names).value(std::vector<double>(names.size(), 0.0));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Expression, Arithmetic) {
  EXPECT_DOUBLE_EQ(value("1 + 2*3^2"), 19);
  EXPECT_DOUBLE_EQ(value("cos(pi/3)"), 0.5);
  EXPECT_DOUBLE_EQ(value("min(3, 1, 2) + max(4, 5)"), 6);
  EXPECT_DOUBLE_EQ(value("2 > 1 ? 10 : 20"), 10);
  EXPECT_DOUBLE_EQ(value("mod(-1, 4)"), 3);
  EXPECT_DOUBLE_EQ(value("floor(2.7) + ceil(2.1)"), 5);
  EXPECT_DOUBLE_EQ(value("1e-3*1000"), 1);
}

TEST(Expression, RandomNumbersAreTheSameEverywhere) {
  EXPECT_EQ(value("random(3)"), value("random(3)"));
  EXPECT_NE(value("random(3)"), value("random(4)"));
  for (int k = 0; k < 50; ++k) {
    const double x = value("random(" + std::to_string(k) + ")");
    EXPECT_TRUE(x >= 0 && x < 1);
  }
}

TEST(Expression, SaysWhatIsWrong) {
  EXPECT_THAT(refusal("1 +"), HasSubstr("'1 +'"));
  EXPECT_THAT(refusal("angel*2", {"angle"}), HasSubstr("did you mean 'angle'?"));
  EXPECT_THAT(refusal("1/0"), HasSubstr("not a finite number"));
  EXPECT_THAT(refusal(""), HasSubstr("''"));
}

TEST(Signal, IsAConstantAFunctionOrAnExpression) {
  EXPECT_EQ(Signal(2)(7), 2);
  EXPECT_EQ(Signal("3*2")(7), 6);
  EXPECT_TRUE(Signal("3*2").constant());
  EXPECT_DOUBLE_EQ(Signal("8*cos(t)")(1), 8 * std::cos(1.0));
  EXPECT_EQ(Signal([](double t) { return t * t; })(3), 9);
  EXPECT_THROW(Signal("x"), InputError);
}

}  // namespace
}  // namespace stickslip
