// What is round in a pipe meets planes: the edges between the pieces of the hole are none of its contacts.

#include "tests/dynamics/detection/pair.hpp"

namespace stickslip::tests {
namespace {

/// A ball anywhere in the hole: each contact is along the normal of a face, with the distance from the plane of that face as its gap.
TEST(PipeContacts, AreThoseOfPlanes) {
  const int pieces = 24;
  const double inner = 1, apothem = inner * std::cos(M_PI / pieces), r = 0.1;
  const auto pipe = prepare(Pipe{inner, 1.2, 2, pieces}), ball = prepare(Sphere{r});
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    const double angle = random.uniform(0, 2 * M_PI), distance = random.uniform(0.7, apothem - r);
    const Vector centre(distance * std::cos(angle), distance * std::sin(angle), random.uniform(-0.5, 0.5));
    const auto found = contacts_of(pipe, {}, ball, {Matrix::Identity(), centre}, 0.3);
    ASSERT_FALSE(found.empty());
    for (const Contact& contact : found) {
      // The faces look inwards at the angles (j + ½) 2π/pieces.
      const double at = std::atan2(-contact.normal.y(), -contact.normal.x()) * pieces / (2 * M_PI) - 0.5;
      EXPECT_NEAR(at, std::round(at), 1e-9);
      EXPECT_NEAR(contact.normal.z(), 0, 1e-12);
      EXPECT_NEAR(contact.gap, apothem + contact.normal.dot(centre) - r, 1e-12);
    }
  }
}

}  // namespace
}  // namespace stickslip::tests
