// A scene made ready: checked, with mass properties, laws by material, joints by rows.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/bodies/bodies.hpp"
#include "dynamics/detection/detector.hpp"
#include "dynamics/stepping/element_scene.hpp"
#include "dynamics/stepping/joints.hpp"
#include "dynamics/surfaces/surface_detector.hpp"

namespace stickslip::internal {

struct Law {
  double friction = 0, restitution = 0;
};

/// A force of the scene, its point in the axes of the body.
struct ModelForce {
  int body = 0;
  SignalVector force, torque;
  Vector local = Vector::Zero();
  double drag = 0;
};

struct SceneModel {
  /// Throws InputError: `WHERE: body 'NAME': …`.
  explicit SceneModel(const Scene& scene);

  Bodies bodies;
  Detector detector;
  SurfaceDetector surfaces;  ///< empty unless there are bodies of elements
  JointSet joints;
  std::vector<ModelForce> forces;
  double extent = 1;               ///< of the bodies that have one, at the start
  Vector middle = Vector::Zero();  ///< of these

  const Law& law(int body_a, int body_b) const {
    return laws_[std::size_t(material_[std::size_t(body_a)]) * std::size_t(materials_) +
                 std::size_t(material_[std::size_t(body_b)])];
  }

 private:
  std::vector<int> material_;
  int materials_ = 0;
  std::vector<Law> laws_;
  KnownElements known_elements_;

  void add_bodies(const Scene& scene);
  void refuse_unstable_step(const Scene& scene) const;
  void add_surfaces(const Scene& scene);
  void add_laws(const Scene& scene);
  void add_joints(const Scene& scene);
  void add_forces(const Scene& scene);
  void refuse_overlap(const Scene& scene);
};

}  // namespace stickslip::internal
