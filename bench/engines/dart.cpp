// DART 6 (libdart-dev) with its own collision detector, which has boxes and spheres as they are; friction of a pair is the smaller one.

#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <vector>

#include "engine.hpp"

namespace {

using namespace engines;
using namespace dart::dynamics;

Eigen::Vector3d eigen(const Vector& x) { return {x[0], x[1], x[2]}; }

class Dart final : public Engine {
 public:
  std::string name() const override { return "DART 6.12"; }

  void begin(const World& world) override {
    asked_ = world;
    bodies_.clear();
    pushes_.clear();
    world_ = dart::simulation::World::create();
    world_->setTimeStep(world.step);
    world_->setGravity(eigen(world.gravity));
    world_->getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
  }
  void add_floor() override {
    const SkeletonPtr skeleton = Skeleton::create("floor");
    BodyNode* body = skeleton->createJointAndBodyNodePair<WeldJoint>().second;
    ShapeNode* node = touching(body, std::make_shared<BoxShape>(Eigen::Vector3d(200, 200, 2)));
    node->setRelativeTranslation({0, 0, -1});
    node->getDynamicsAspect()->setFrictionCoeff(asked_.floor_friction);
    world_->addSkeleton(skeleton);
  }
  int add_box(const Vector& size, const Start& start) override {
    return add(std::make_shared<BoxShape>(eigen(size)), start);
  }
  int add_sphere(double radius, const Start& start) override {
    return add(std::make_shared<SphereShape>(radius), start);
  }
  void push(int body, const Vector& force, const Vector& point) override {
    pushes_.push_back({body, force, point});
  }
  void step() override {
    for (const Push& p : pushes_)
      bodies_[std::size_t(p.body)]->addExtForce(eigen(p.force), eigen(p.point), false, true);
    world_->step();
  }
  Vector position(int body) const override {
    return read(bodies_[std::size_t(body)]->getWorldTransform().translation());
  }
  Vector velocity(int body) const override { return read(bodies_[std::size_t(body)]->getLinearVelocity()); }
  Vector angular_velocity(int body) const override {
    return read(bodies_[std::size_t(body)]->getAngularVelocity());
  }

 private:
  struct Push {
    int body;
    Vector force, point;
  };
  static Vector read(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

  ShapeNode* touching(BodyNode* body, const ShapePtr& shape) const {
    ShapeNode* node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
    node->getDynamicsAspect()->setFrictionCoeff(asked_.body_friction);
    node->getDynamicsAspect()->setRestitutionCoeff(asked_.restitution);
    return node;
  }

  int add(const ShapePtr& shape, const Start& start) {
    const SkeletonPtr skeleton = Skeleton::create("body" + std::to_string(bodies_.size()));
    const auto [joint, body] = skeleton->createJointAndBodyNodePair<FreeJoint>();
    touching(body, shape);
    Inertia inertia;
    inertia.setMass(start.mass);
    inertia.setMoment(shape->computeInertia(start.mass));
    body->setInertia(inertia);
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = eigen(start.position);
    pose.linear() =
        Eigen::Quaterniond(start.rotation[0], start.rotation[1], start.rotation[2], start.rotation[3])
            .toRotationMatrix();
    joint->setTransform(pose);
    joint->setLinearVelocity(eigen(start.velocity));
    joint->setAngularVelocity(eigen(start.angular_velocity));
    world_->addSkeleton(skeleton);
    bodies_.push_back(body);
    return int(bodies_.size()) - 1;
  }

  World asked_;
  dart::simulation::WorldPtr world_;
  std::vector<BodyNode*> bodies_;
  std::vector<Push> pushes_;
};

}  // namespace

int main() {
  Dart engine;
  return engines::compare(engine);
}
