// Mass properties against closed forms and against numerical integration.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "dynamics/shapes/prepared_shape.hpp"

namespace stickslip::tests {
namespace {

TEST(Mass, OfABoxFollowsTheTextbook) {
  const MassProperties mass = mass_properties(Box{0.1, 0.2, 0.3});
  EXPECT_DOUBLE_EQ(mass.volume, 0.006);
  EXPECT_DOUBLE_EQ(mass.inertia[0], 0.006 * (0.04 + 0.09) / 12);
  EXPECT_DOUBLE_EQ(mass.inertia[8], 0.006 * (0.01 + 0.04) / 12);
}

}  // namespace
}  // namespace stickslip::tests
