// Bodies of elements of a scene, checked and made ready.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/bodies/bodies.hpp"

namespace stickslip::internal {

/// What the scene says of a body, with everything that messages need.
struct ElementBodyRequest {
  const SceneBody& body;
  std::string name;
  double density;  ///< 0: the body has a mass
  Lame elastic;
};

/// Adds model, state and element body to `bodies`. Models that are there already are used again: `known`. Throws InputError without the
/// name of the body.
void add_element_body(const ElementBodyRequest& request, Bodies& bodies,
                      std::vector<std::shared_ptr<const ElementModel>>& known);

}  // namespace stickslip::internal
