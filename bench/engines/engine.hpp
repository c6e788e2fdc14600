// Other engines behind one face, for the comparison of docs/validation.md: bodies on a floor, one step at a time. Each engine is a program of
// its own (bench_engine_NAME), built where its package is found and never linked to the product.
#pragma once

#include <array>
#include <string>

namespace engines {

using Vector = std::array<double, 3>;
using Quaternion = std::array<double, 4>;  // w, x, y, z

/// Where a body is and how it moves at the start.
struct Start {
  double mass = 1;
  Vector position = {0, 0, 0};
  Quaternion rotation = {1, 0, 0, 0};
  Vector velocity = {0, 0, 0};
  Vector angular_velocity = {0, 0, 0};
};

/// A world is filled, then stepped.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  /// Whether Newton's restitution can be asked for.
  virtual bool bounces() const { return true; }

  /// An empty world: step in s, gravity in m/s², friction with the floor and between bodies, restitution of all.
  struct World {
    double step = 1e-3;
    Vector gravity = {0, 0, -9.81};
    double floor_friction = 0.5, body_friction = 0.5, restitution = 0;
  };
  virtual void begin(const World& world) = 0;
  /// The half space below z = 0.
  virtual void add_floor() = 0;
  virtual int add_box(const Vector& size, const Start& start) = 0;
  virtual int add_sphere(double radius, const Start& start) = 0;
  /// A force at a point that is fixed in the body, from now on; world axes, the point from the centre.
  virtual void push(int body, const Vector& force, const Vector& point) = 0;
  virtual void step() = 0;
  virtual Vector position(int body) const = 0;
  virtual Vector velocity(int body) const = 0;
  virtual Vector angular_velocity(int body) const = 0;
};

/// Prints one row of the table for each figure of B1, B2, C1, C7, D1, E2.
int compare(Engine& engine);

}  // namespace engines
