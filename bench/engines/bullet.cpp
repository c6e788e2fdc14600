// Bullet (libbullet-dev), sequential impulses with its defaults, in the precision that BT_USE_DOUBLE_PRECISION says. Friction is the product
// of the two bodies'.

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

#include "engine.hpp"

namespace {

using namespace engines;

btVector3 vector(const Vector& v) { return {btScalar(v[0]), btScalar(v[1]), btScalar(v[2])}; }
Vector vector(const btVector3& v) { return {double(v.x()), double(v.y()), double(v.z())}; }

class Bullet final : public Engine {
 public:
  std::string name() const override {
    return "Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." +
           std::to_string(BT_BULLET_VERSION % 100) + (sizeof(btScalar) == 8 ? " (double)" : " (float)");
  }

  void begin(const World& world) override {
    clear();
    asked_ = world;
    configuration_ = std::make_unique<btDefaultCollisionConfiguration>();
    dispatcher_ = std::make_unique<btCollisionDispatcher>(configuration_.get());
    pairs_ = std::make_unique<btDbvtBroadphase>();
    solver_ = std::make_unique<btSequentialImpulseConstraintSolver>();
    world_ = std::make_unique<btDiscreteDynamicsWorld>(dispatcher_.get(), pairs_.get(), solver_.get(),
                                                       configuration_.get());
    world_->setGravity(vector(world.gravity));
  }
  void add_floor() override {
    add(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0)), {.mass = 0},
        asked_.floor_friction / std::sqrt(asked_.body_friction));
  }
  int add_box(const Vector& size, const Start& start) override {
    return add(std::make_unique<btBoxShape>(vector(Vector{size[0] / 2, size[1] / 2, size[2] / 2})), start,
               std::sqrt(asked_.body_friction));
  }
  int add_sphere(double radius, const Start& start) override {
    return add(std::make_unique<btSphereShape>(btScalar(radius)), start, std::sqrt(asked_.body_friction));
  }
  void push(int body, const Vector& force, const Vector& point) override {
    pushes_.push_back({body, vector(force), vector(point)});
  }
  void step() override {
    for (const Push& p : pushes_) {
      btRigidBody& body = *bodies_[std::size_t(p.body)];
      body.applyForce(p.force, body.getWorldTransform().getBasis() * p.point);
    }
    world_->stepSimulation(btScalar(asked_.step), 0);
  }
  Vector position(int body) const override {
    return vector(bodies_[std::size_t(body)]->getWorldTransform().getOrigin());
  }
  Vector velocity(int body) const override { return vector(bodies_[std::size_t(body)]->getLinearVelocity()); }
  Vector angular_velocity(int body) const override {
    return vector(bodies_[std::size_t(body)]->getAngularVelocity());
  }

 private:
  struct Push {
    int body;
    btVector3 force, point;
  };

  int add(std::unique_ptr<btCollisionShape> shape, const Start& start, double friction) {
    btVector3 inertia(0, 0, 0);
    if (start.mass > 0) shape->calculateLocalInertia(btScalar(start.mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(start.mass), nullptr, shape.get(), inertia);
    info.m_friction = btScalar(friction);
    info.m_restitution = btScalar(std::sqrt(asked_.restitution));
    info.m_startWorldTransform =
        btTransform(btQuaternion(btScalar(start.rotation[1]), btScalar(start.rotation[2]),
                                 btScalar(start.rotation[3]), btScalar(start.rotation[0])),
                    vector(start.position));
    auto body = std::make_unique<btRigidBody>(info);
    body->setLinearVelocity(vector(start.velocity));
    body->setAngularVelocity(vector(start.angular_velocity));
    body->setActivationState(DISABLE_DEACTIVATION);
    world_->addRigidBody(body.get());
    shapes_.push_back(std::move(shape));
    bodies_.push_back(std::move(body));
    return int(bodies_.size()) - 1;
  }

  void clear() {
    if (world_)
      for (const auto& body : bodies_) world_->removeRigidBody(body.get());
    bodies_.clear();
    shapes_.clear();
    pushes_.clear();
  }

  World asked_;
  std::unique_ptr<btDefaultCollisionConfiguration> configuration_;
  std::unique_ptr<btCollisionDispatcher> dispatcher_;
  std::unique_ptr<btDbvtBroadphase> pairs_;
  std::unique_ptr<btSequentialImpulseConstraintSolver> solver_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<Push> pushes_;
};

}  // namespace

int main() {
  Bullet engine;
  return engines::compare(engine);
}
