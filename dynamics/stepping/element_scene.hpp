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

/// What bodies of a scene have in common.
struct KnownElements {
  struct Reduced {
    std::shared_ptr<const ElementModel> model;
    int modes;
    std::vector<int> interface;
    std::shared_ptr<const ReducedBasis> basis;
  };
  std::vector<std::shared_ptr<const ElementModel>> models;
  std::vector<Reduced> bases;
};

/// Adds model, state and element body to `bodies`. What is there already is used again: `known`. Throws InputError without the
/// name of the body.
void add_element_body(const ElementBodyRequest& request, Bodies& bodies, KnownElements& known);

}  // namespace stickslip::internal
