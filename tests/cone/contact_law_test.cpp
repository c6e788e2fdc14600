// The laws' residuals are r − P_C(r − F), and keep a small F beside a large r.
#include "cone/contact_law.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stickslip::internal {
namespace {

template <int D, class Law>
void compare(Random& random) {
  for (int trial = 0; trial < 1000; ++trial) {
    Vec<D> r, u, z;
    for (double& x : r) x = random.uniform(-2, 2);
    for (double& x : u) x = random.uniform(-2, 2);
    const double size = trial % 10 == 0 ? 0 : random.uniform(0, 2);
    const Vec<D> F = Law::template force<D>(u, size);
    for (std::size_t c = 0; c < D; ++c) z[c] = r[c] - F[c];
    const Vec<D> image = Law::template project<D>(z, size), gap = Law::template residual<D>(r, u, size);
    for (std::size_t c = 0; c < D; ++c) EXPECT_NEAR(gap[c], r[c] - image[c], 1e-14);  // numbers below 10
  }
}

TEST(ContactLaw, ResidualIsTheProjectionsGap) {
  Random random(1);
  for (const ContactLaw law : {ContactLaw::coulomb, ContactLaw::cones, ContactLaw::cylinders})
    with_law(law, [&]<class Law>(Law) {
      compare<2, Law>(random);
      compare<3, Law>(random);
    });
}

TEST(ContactLaw, ASmallVelocityIsNotLostBesideALargeImpulse) {
  // Inside the set the residual is F itself; r − (r − F) would be rounded to a multiple of 2e-4.
  const Vec<3> r = {1e12, 1e10, -1e10}, u = {1e-6, -2e-6, 3e-6};
  EXPECT_EQ(ConeLaw::residual<3>(r, u, 0.5), u);
  EXPECT_EQ(CylinderLaw::residual<3>(r, u, 1e11), u);
}

}  // namespace
}  // namespace stickslip::internal
