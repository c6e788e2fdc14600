// The shapes of a record's bodies for the page, by kinds, in columns: a kind of shape is one draw call there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dynamics/bodies/rotation.hpp"
#include "stickslip/scene.hpp"

namespace stickslip::viewer {

/// A body that the page draws. Those of the record come first, then driven ones, then fixed ones.
struct ShownBody {
  std::string name, kind, material;
  double mass = 0, volume = 0;
  std::optional<double> young = {}, poisson = {};
  Shape shape = Sphere{};
  double radius = 0;                                             ///< of the ball of the same volume
  internal::Vector centre = internal::Vector::Zero();            ///< of mass, in the axes of the shape
  internal::Vector position = internal::Vector::Zero();          ///< of a fixed body
  internal::Rotation rotation = internal::Rotation::Identity();  ///< of a fixed body
};

/// "bodies" and "parts" of the page's `info`, as JSON: {"bodies": {…}, "parts": {…}} without the braces. Positions are relative to
/// `origin`; a plane is a point and a normal.
std::string geometry_json(const std::vector<ShownBody>& bodies, const internal::Vector& origin);

}  // namespace stickslip::viewer
