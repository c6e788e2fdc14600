// Scenes of contact dynamics as values: bodies, laws, joints, forces. docs/scenes.md has the same as files.
// Units: m, kg, s, N; world axes unless said otherwise.
#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/elements.hpp"
#include "stickslip/export.hpp"
#include "stickslip/shapes.hpp"

namespace stickslip {

/// A number that may depend on time: a constant, a function of t in s, or an expression of t such as "8*cos(t)".
class STICKSLIP_EXPORT Signal {
 public:
  Signal(double value = 0) : value_(value) {}
  Signal(int value) : value_(value) {}
  /// Operators, functions and constants: docs/scenes.md. Throws InputError where the text is no expression of t.
  Signal(const char* expression) : Signal(std::string_view(expression)) {}
  Signal(std::string_view expression);
  template <class Function>
  requires std::invocable<const Function&, double> Signal(Function function)
      : function_(std::make_shared<std::function<double(double)>>(std::move(function))) {}

  double operator()(double t) const { return function_ ? (*function_)(t) : value_; }
  bool constant() const { return !function_; }

 private:
  double value_ = 0;
  std::shared_ptr<const std::function<double(double)>> function_;
};

using SignalVector = std::array<Signal, 3>;
/// w, x, y, z: takes body axes to world axes.
using Quaternion = std::array<double, 4>;

/// The rotation by an angle in degrees about an axis, which need not have length 1. Throws InputError for a zero axis.
STICKSLIP_EXPORT Quaternion rotation_about(const Point& axis, double degrees);

/// Which body of a scene: 0, 1, … in the order in which they were added.
using BodyIndex = int;
inline constexpr BodyIndex world = -1;

enum class BodyKind { fixed, driven, rigid, pseudo_rigid, elements };

/// "Where its shape is": the axes of the shape are those of the world.
inline constexpr Point in_place = {std::numeric_limits<double>::quiet_NaN(), 0, 0};

struct FixedBody {
  std::string name = {};      ///< empty: body and its number
  std::string material = {};  ///< of Scene::materials, or any word for Scene::pairs
  Point position = in_place;  ///< of the centre of mass (mesh, plane: of the shape's origin)
  Quaternion rotation = {1, 0, 0, 0};
};

/// Moves as told: its points have the velocity v(t) + ω(t) × (x − c(t)), where c moves with v.
struct DrivenBody {
  std::string name = {};
  std::string material = {};
  Point position = in_place;
  Quaternion rotation = {1, 0, 0, 0};
  SignalVector velocity = {};
  SignalVector angular_velocity = {};
  Point centre = in_place;  ///< c(0); in_place: the position
};

struct RigidBody {
  std::string name = {};
  std::string material = {};
  double density = 0;                 ///< kg/m³; 0: that of the material
  std::optional<double> mass = {};    ///< instead of the density
  std::optional<Point> inertia = {};  ///< principal moments about the body's axes, instead of the shape's
  Point position = in_place;          ///< of the centre of mass
  Quaternion rotation = {1, 0, 0, 0};
  Point velocity = {0, 0, 0};
  Point angular_velocity = {0, 0, 0};
};

/// Deforms homogeneously, x = F (X − X̄) + x̄; St Venant–Kirchhoff (SSN 2).
struct PseudoRigidBody {
  std::string name = {};
  std::string material = {};
  double density = 0;
  std::optional<double> mass = {};     ///< instead of the density
  std::optional<double> young = {};    ///< Pa; default: that of the material
  std::optional<double> poisson = {};  ///< in (−1, 0.5)
  double damping = 0;                  ///< η in s: forces −η K v beside the elastic ones; ≥ 0
  bool undeformed = false;             ///< contacts are found on its first shape, which only moves
  Point position = in_place;
  Quaternion rotation = {1, 0, 0, 0};
  Point velocity = {0, 0, 0};
  Point angular_velocity = {0, 0, 0};
};

/// Nodes of a body of elements that move as told, from the start on.
struct HeldNodes {
  std::array<Point, 2> box = {};  ///< lowest and highest corner; nodes in it at the start are held
  std::array<bool, 3> axes = {true, true, true};  ///< which components
  SignalVector velocity = {};                     ///< of those components
};

/// A reduced basis (Craig and Bampton): a body deforms by its first modes, and exactly under loads on its interface.
struct ReducedElements {
  int modes = 0;  ///< ≥ 0; of the free body, or with the interface held
  std::vector<std::array<Point, 2>> interface =
      {};  ///< nodes in these boxes, in the axes of the mesh; none, or three not on a line
};

/// What a body of elements is made of beside its mesh.
struct ElementOptions {
  ElementStrain strain = ElementStrain::small;
  ElementAxes axes = ElementAxes::body;
  ElementModes modes = ElementModes::none;
  ElementMass mass = ElementMass::lumped;
  double mass_damping = 0;                      ///< α in 1/s: forces −α M v (Rayleigh); ≥ 0
  std::vector<HeldNodes> hold = {};             ///< only with ElementAxes::world
  std::optional<ReducedElements> reduced = {};  ///< small strain, no held nodes
};

/// Made of finite elements. Bodies that share mesh, material and options share their matrices.
struct ElementsBody {
  std::string name = {};
  std::string material = {};
  double density = 0;
  std::optional<double> mass = {};     ///< instead of the density
  std::optional<double> young = {};    ///< Pa; default: that of the material
  std::optional<double> poisson = {};  ///< in (−1, 0.5)
  double damping = 0;                  ///< β in s: forces −β K v; ≥ 0
  ElementOptions options = {};
  Point position = in_place;  ///< of the centre of mass; in_place: where its nodes are
  Quaternion rotation = {1, 0, 0, 0};
  Point velocity = {0, 0, 0};
  Point angular_velocity = {0, 0, 0};
};

struct Material {
  std::string name;
  double density = 0;  ///< kg/m³; 0: bodies say it themselves
  std::optional<double> young = {};
  std::optional<double> poisson = {};
};

/// Where the contact points of touching faces are.
enum class PointRule {
  corners,   ///< the extreme points of the contact polygon
  centroid,  ///< one, with the area of the polygon
  gauss2,    ///< 2×2 points of Gauss
  all        ///< every corner that clipping makes
};

struct SurfaceLaw {
  double friction = 0.5;     ///< μ ≥ 0
  double restitution = 0.0;  ///< Newton's, normal; in [0, 1]
  PointRule points = PointRule::corners;
  int rim_points = 16;  ///< on the rim of a cylinder that stands on its flat end; from 3 to 1024
};

/// The law between two materials, in either order. What is not said is that of Scene::contact.
struct PairLaw {
  std::array<std::string, 2> between;
  std::optional<double> friction = {};
  std::optional<double> restitution = {};
  std::optional<PointRule> points = {};
  std::string where = {};  ///< FILE:LINE, for messages
};

enum class JointKind {
  ball,       ///< a point is common
  hinge,      ///< a point and an axis are common
  prismatic,  ///< one slides along an axis of the other without turning
  fixed,      ///< no relative motion
  distance    ///< two points keep their distance
};

/// Bodies that a joint connects make no contacts with each other unless `collide` is set.
struct Joint {
  JointKind kind = JointKind::ball;
  BodyIndex first = world, second = world;  ///< not both fixed, driven or world
  Point point =
      in_place;  ///< where it is at the start; in_place: centre of `first` (of `second`, if first is world)
  Point axis = {0, 0, 1};  ///< of a hinge or a prismatic joint, at the start
  Point other = in_place;  ///< distance: the point of `second`; in_place: its centre
  bool collide = false;
  std::string where = {};
};

/// What acts on a body beside gravity, sampled in the middle of each step.
struct Force {
  BodyIndex body = 0;
  SignalVector force = {};
  SignalVector torque = {};
  Point point =
      in_place;     ///< where the force acts at the start; it moves with the body. in_place: centre of mass
  double drag = 0;  ///< k in 1/s: adds −k m v; ≥ 0
  std::string where = {};
};

enum class Scheme {
  moreau,             ///< half step, A = M
  linearly_implicit,  ///< half step, A = M + θ² h² K
  quasi_static        ///< SSN (22)–(24): velocities start from zero at each step, A = M + h² K
};

/// How the term ω × J ω of rigid bodies is integrated.
enum class Gyroscopic {
  momentum,  ///< exactly kept angular momentum: W stays symmetric
  implicit   ///< linearised about the last velocity: W becomes unsymmetric
};

/// How a step is solved in which contacts land while others carry.
enum class Landing {
  automatic,  ///< split up to 100 contacts
  split,  ///< in two solves: what carries bears the forces of the step, then impulses alone land the others
  whole   ///< in one: the weight passes on average a step early to what lands
};

/// What happens after a step whose problem was not solved to the tolerance.
enum class OnFailure {
  proceed,  ///< with the best iterate, counted and reported
  stop,
  halve  ///< the step is done again as two halves, at most six times over
};

struct SolverChoice {
  std::string name = "auto";
  double tolerance = 1e-8;
  double time_limit = 10;  ///< s a step
  /// A large problem, one handed over as bodies, is solved to 1e-4 of the tolerance as long as so many iterations halve the error; 0: the tolerance is enough.
  long finer = 0;
  OnFailure on_failure = OnFailure::proceed;
  std::string where = {};  ///< FILE:LINE of the name, for messages
};

/// A parameter of a scene file with its value.
struct Parameter {
  std::string name;
  double value = 0;
};

/// A body as the scene keeps it: what add_… was told.
struct SceneBody {
  BodyKind kind = BodyKind::fixed;
  std::string name = {}, material = {};
  Shape shape = {};
  Point position = in_place;
  Quaternion rotation = {1, 0, 0, 0};
  Point velocity = {0, 0, 0}, angular_velocity = {0, 0, 0};
  SignalVector driven_velocity = {}, driven_angular_velocity = {};
  Point centre = in_place;
  double density = 0;
  std::optional<double> mass = {};
  std::optional<Point> inertia = {};
  std::optional<double> young = {}, poisson = {};
  double damping = 0;
  bool undeformed =
      false;  ///< pseudo-rigid: found by its first shape, which only moves (PQN's deformable spheres)
  bool allow_overlap = false;  ///< at the start, with any other body
  std::string where = {};
  std::shared_ptr<const ElementMesh> mesh = {};  ///< of a body of elements, which has no shape
  ElementOptions elements = {};
};

/// Everything that a simulation needs. Nothing is checked until a Simulation is made of it.
struct STICKSLIP_EXPORT Scene {
  std::string title = {};
  Point gravity = {0, 0, -9.81};
  double step = 1e-3;   ///< h > 0
  double duration = 1;  ///< s, ≥ 0; used by the command line
  Scheme scheme = Scheme::moreau;
  /// θ of Moreau and Jean, in [½, 1]: q⁺ = q + h ((1 − θ) v + θ v⁺). Above ½ vibrations are damped. Not with quasi_static.
  double theta = 0.5;
  Gyroscopic gyroscopic = Gyroscopic::momentum;
  Landing landing = Landing::automatic;  ///< not with quasi_static
  SolverChoice solver = {};
  SurfaceLaw contact = {};
  /// Largest share of a body's size by which it may sink into another before positions are corrected.
  double penetration = 1e-4;
  /// Scales E₀ and the mass, not the weight, so that the largest eigenvalue of M⁻¹K is 4/h² (SSN 6); with Scheme::quasi_static.
  bool inertia_scaling = false;
  bool allow_overlap = false;  ///< at the start
  long every = 10;             ///< steps between two records, ≥ 1
  int threads = 1;             ///< ≥ 1; changes no bit of a result
  std::vector<Material> materials = {};
  std::vector<PairLaw> pairs = {};
  std::vector<SceneBody> bodies = {};
  std::vector<Joint> joints = {};
  std::vector<Force> forces = {};
  std::vector<Parameter> parameters = {};
  std::string source = {};  ///< the text it was read from, with parameters filled in

  BodyIndex add_fixed(Shape shape, FixedBody body = {});
  BodyIndex add_driven(Shape shape, DrivenBody body = {});
  BodyIndex add_rigid(Shape shape, RigidBody body = {});
  BodyIndex add_pseudo_rigid(Shape shape, PseudoRigidBody body = {});
  BodyIndex add_elements(std::shared_ptr<const ElementMesh> mesh, ElementsBody body = {});
  /// The index of its joints and forces.
  int add_joint(Joint joint);
  int add_force(Force force);
  /// Throws InputError with the nearest name.
  BodyIndex find(std::string_view name) const;
};

/// Reads a scene file; `overrides` replace values of its [parameters]. Throws InputError, `FILE:LINE: …`.
STICKSLIP_EXPORT Scene read_scene(const std::string& path, const std::vector<Parameter>& overrides = {});
/// The same from text; `name` stands for the file in messages, `folder` is where files named in it are looked for.
STICKSLIP_EXPORT Scene parse_scene(std::string_view text, const std::vector<Parameter>& overrides = {},
                                   const std::string& name = "scene", const std::string& folder = ".");

/// Title and parameters of a scene, without its bodies.
struct SceneSummary {
  std::string title;
  std::vector<Parameter> parameters;
};
STICKSLIP_EXPORT SceneSummary summarise_scene(std::string_view text, const std::string& name = "scene");

/// A scene that the library brings along.
struct BuiltInScene {
  std::string name, title;
  std::vector<Parameter> parameters;
  std::string_view text;
};
STICKSLIP_EXPORT const std::vector<BuiltInScene>& built_in_scenes();
/// Throws InputError with the nearest name.
STICKSLIP_EXPORT const BuiltInScene& built_in_scene(std::string_view name);

}  // namespace stickslip
