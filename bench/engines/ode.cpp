// ODE (libode-dev); friction as a pyramid that scales with the normal force. dWorldStep, the direct solver of its linear complementarity
// problem, fails on stacks ("LCP internal error") and then takes minutes: from 30 bodies on dWorldQuickStep is taken, its sweeps.

#include <ode/ode.h>

#include <vector>

#include "engine.hpp"

namespace {

using namespace engines;

class Ode final : public Engine {
 public:
  Ode() { dInitODE2(0); }
  ~Ode() override {
    clear();
    dCloseODE();
  }
  std::string name() const override { return "ODE 0.16"; }

  void begin(const World& world) override {
    clear();
    asked_ = world;
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    group_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, world.gravity[0], world.gravity[1], world.gravity[2]);
  }
  void add_floor() override { floor_ = dCreatePlane(space_, 0, 0, 1, 0); }
  int add_box(const Vector& size, const Start& start) override {
    dMass mass;
    dMassSetBoxTotal(&mass, start.mass, size[0], size[1], size[2]);
    return add(dCreateBox(space_, size[0], size[1], size[2]), mass, start);
  }
  int add_sphere(double radius, const Start& start) override {
    dMass mass;
    dMassSetSphereTotal(&mass, start.mass, radius);
    return add(dCreateSphere(space_, radius), mass, start);
  }
  void push(int body, const Vector& force, const Vector& point) override {
    pushes_.push_back({body, force, point});
  }
  void step() override {
    for (const Push& p : pushes_)
      dBodyAddForceAtRelPos(bodies_[std::size_t(p.body)], p.force[0], p.force[1], p.force[2], p.point[0],
                            p.point[1], p.point[2]);
    dSpaceCollide(space_, this,
                  [](void* data, dGeomID a, dGeomID b) { static_cast<Ode*>(data)->touch(a, b); });
    (bodies_.size() < 30 ? dWorldStep : dWorldQuickStep)(world_, asked_.step);
    dJointGroupEmpty(group_);
  }
  Vector position(int body) const override { return read(dBodyGetPosition(bodies_[std::size_t(body)])); }
  Vector velocity(int body) const override { return read(dBodyGetLinearVel(bodies_[std::size_t(body)])); }
  Vector angular_velocity(int body) const override {
    return read(dBodyGetAngularVel(bodies_[std::size_t(body)]));
  }

 private:
  struct Push {
    int body;
    Vector force, point;
  };
  static Vector read(const dReal* x) { return {double(x[0]), double(x[1]), double(x[2])}; }

  int add(dGeomID geom, const dMass& mass, const Start& start) {
    const dBodyID body = dBodyCreate(world_);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, start.position[0], start.position[1], start.position[2]);
    const dQuaternion q = {start.rotation[0], start.rotation[1], start.rotation[2], start.rotation[3]};
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, start.velocity[0], start.velocity[1], start.velocity[2]);
    dBodySetAngularVel(body, start.angular_velocity[0], start.angular_velocity[1], start.angular_velocity[2]);
    dGeomSetBody(geom, body);
    bodies_.push_back(body);
    return int(bodies_.size()) - 1;
  }

  void touch(dGeomID a, dGeomID b) {
    dContact contacts[8];
    const int count = dCollide(a, b, 8, &contacts[0].geom, sizeof(dContact));
    for (int k = 0; k < count; ++k) {
      dSurfaceParameters& surface = contacts[k].surface;
      surface.mode = dContactApprox1 | (asked_.restitution > 0 ? dContactBounce : 0);
      surface.mu = a == floor_ || b == floor_ ? asked_.floor_friction : asked_.body_friction;
      surface.bounce = asked_.restitution;
      surface.bounce_vel = 0.01;
      dJointAttach(dJointCreateContact(world_, group_, &contacts[k]), dGeomGetBody(a), dGeomGetBody(b));
    }
  }

  void clear() {
    if (!world_) return;
    dJointGroupDestroy(group_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    bodies_.clear();
    pushes_.clear();
  }

  World asked_;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID group_ = nullptr;
  dGeomID floor_ = nullptr;
  std::vector<dBodyID> bodies_;
  std::vector<Push> pushes_;
};

}  // namespace

int main() {
  Ode engine;
  return engines::compare(engine);
}
