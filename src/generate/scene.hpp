// Rigid bodies that touch, at the beginning of a time step, and the contact problem of that step.
//
//   M v = H r + h·(m a + forces),   u = Hᵀ v + w,   M = diag(m I, J) for each body, J in world axes,
//
// v = (velocity of the centre of mass, angular velocity). At a contact point p with the axis e, the column of
// H holds (e, (p − c) × e) for the second body and its negative for the first: actions and reactions cancel.
// In the plane (d = 2) the scene is seen along y: unknowns (v_x, v_z, ω_y).
#pragma once

#include <string>
#include <vector>

#include "generate/vector3.hpp"
#include "stickslip/generate.hpp"
#include "stickslip/problem_file.hpp"

namespace stickslip::internal {

/// A block with six plane faces, a ball, a wheel, or a mass without a shape.
struct Body {
  Vector3 centre = {};  ///< of mass
  double mass = 1;
  Matrix3 inertia = diagonal(1, 1, 1);  ///< about the centre of mass, world axes
  bool fixed = false;                   ///< part of the ground: no unknowns
  bool hollow = false;                  ///< a container: drawn from inside
  Vector3 force = {}, torque = {};      ///< beside the scene's acceleration
  int group = -1;                     ///< bodies of one group are drawn in one colour; −1: each has its own
  double radius = 0;                  ///< of a ball or a wheel
  Vector3 axle = {};                  ///< half of a wheel's axle; zero for a ball
  std::vector<Vector3> corners = {};  ///< of a block: four around its bottom, then the four above them
};

/// The corners of face k < 6 of a block, counter-clockwise from outside.
extern const int block_faces[6][4];

/// A point where `second` touches `first`; the normal points from first to second.
struct ContactPoint {
  int first = 0, second = 0;
  Vector3 point, normal;
  double approach = 0;  ///< speed at which the surfaces are driven together: w_N = −approach
};

/// One bilateral constraint: no relative velocity along (or, if angular, about) an axis at a point.
struct JointRow {
  int first = 0, second = 0;
  Vector3 point, axis;
  bool angular = false;
};

struct Scene {
  std::string title, description;
  int dimension = 3;
  double mu = 0.5, step = 0.01;  ///< s
  Vector3 acceleration = {0, 0, -9.81};
  std::vector<Body> bodies = {};
  std::vector<ContactPoint> contacts = {};
  std::vector<JointRow> joints = {};
};

/// A block of uniform density 1 with the given corners (their order: Body::corners).
Body make_block(const std::array<Vector3, 8>& corners);
/// A box with half edges `half`, turned about z.
Body make_box(Vector3 centre, Vector3 half, double turn = 0);
/// A homogeneous ball.
Body make_ball(Vector3 centre, double radius, double density = 1);
/// The ground: a fixed box of the given extent below z = 0.
Body make_ground(double low_x, double high_x, double low_y, double high_y);

/// Adds the contacts of all pairs of blocks whose faces touch: `points`×`points` of them where the common
/// part is a quadrilateral, otherwise its corners and points along its edges. In the plane, `points` along
/// the common segment.
void add_face_contacts(Scene& scene, int points);
/// Adds the contacts of all pairs of balls that touch.
void add_ball_contacts(Scene& scene);

/// The contact problem of the scene's next step.
GlobalProblem assemble(const Scene& scene);
ProblemFile problem_file(const Scene& scene);

/// What the scene is made of, for whoever wants to go on from it: the container of balls becomes five walls.
FamilyBodies bodies_of(const Scene& scene);

/// The scene seen obliquely from above (in the plane: from the side), contacts as dots.
std::string draw(const Scene& scene);

}  // namespace stickslip::internal
