// This project behind the same face.

#include <memory>

#include "engine.hpp"
#include "stickslip/simulation.hpp"

namespace {

using namespace engines;

class Own final : public Engine {
 public:
  std::string name() const override { return "stickslip"; }

  void begin(const World& world) override {
    simulation_.reset();
    scene_ = {.gravity = world.gravity, .step = world.step};
    scene_.contact = {.friction = world.body_friction, .restitution = world.restitution};
    scene_.pairs = {{.between = {"floor", "body"}, .friction = world.floor_friction}};
  }
  void add_floor() override { scene_.add_fixed(stickslip::Plane{}, {.material = "floor"}); }
  int add_box(const Vector& size, const Start& start) override {
    return add(stickslip::Box{size[0], size[1], size[2]}, start);
  }
  int add_sphere(double radius, const Start& start) override { return add(stickslip::Sphere{radius}, start); }
  void push(int body, const Vector& force, const Vector& point) override {
    const stickslip::Point& centre = scene_.bodies[std::size_t(body)].position;
    scene_.add_force({.body = body,
                      .force = {force[0], force[1], force[2]},
                      .point = {centre[0] + point[0], centre[1] + point[1], centre[2] + point[2]}});
  }
  void step() override {
    if (!simulation_) simulation_ = std::make_unique<stickslip::Simulation>(scene_);
    simulation_->step();
  }
  Vector position(int body) const override { return simulation_->position(body); }
  Vector velocity(int body) const override { return simulation_->velocity(body); }
  Vector angular_velocity(int body) const override { return simulation_->angular_velocity(body); }

 private:
  int add(const stickslip::Shape& shape, const Start& start) {
    return scene_.add_rigid(shape, {.material = "body",
                                    .mass = start.mass,
                                    .position = start.position,
                                    .rotation = start.rotation,
                                    .velocity = start.velocity,
                                    .angular_velocity = start.angular_velocity});
  }

  stickslip::Scene scene_;
  std::unique_ptr<stickslip::Simulation> simulation_;
};

}  // namespace

int main() {
  Own engine;
  return engines::compare(engine);
}
