// Which shapes touch, or soon will, and where: pure geometry, without velocities and without metres of its own.
// docs/theory/detection.md says how each pair of kinds is treated.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dynamics/detection/kept_pairs.hpp"
#include "dynamics/shapes/prepared_shape.hpp"
#include "dynamics/shapes/vectors.hpp"

namespace stickslip::internal {

class ThreadTeam;

/// Where contact points are put on the polygon in which two faces touch.
enum class ContactPoints : std::uint8_t {
  corners,   ///< the extreme points of the polygon
  centroid,  ///< one point, with its area
  gauss2,    ///< four points with a quarter of the area each; integrate polynomials of degree 2 exactly
  all,       ///< every corner that clipping makes, those on a straight side included
};

enum class Mobility : std::uint8_t {
  moving,
  obstacle,  ///< fixed or driven: two obstacles never make contacts
};

/// One contact point of shape a with shape b, a < b.
struct Contact {
  int a, b;           ///< as Detector::add counted them
  std::uint64_t key;  ///< the same touching features of the same shapes have the same key at every call
  Vector point_a;     ///< on the surface of a
  Vector point_b;     ///< on the surface of b
  Vector normal;      ///< unit, from a to b
  double gap;         ///< normal·(point_b − point_a); negative: penetration
  double area;        ///< share of the touching faces' common area; 0 where no faces touch
};

struct DetectionOptions {
  ContactPoints points = ContactPoints::corners;  ///< of all materials that set_points does not name
  int rim_points =
      16;  ///< on the rim of a cylinder that stands on its flat end, fixed in the body; from 3 to 1024
};

struct DetectionCounts {
  std::int64_t candidates = 0;  ///< pairs of pieces whose bounds come near each other
  std::int64_t touching = 0;    ///< pairs of pieces with contacts
};

/// Owns everything that is kept between calls, so that a call allocates nothing once sizes have settled.
class Detector {
 public:
  /// Throws InputError for options out of their range.
  explicit Detector(const DetectionOptions& options = {});
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  /// Adds a shape and returns its index: 0, 1, … in the order of the calls. `material` ≥ 0 is any number by which
  /// set_points may choose. Throws InputError for a plane or a mesh that moves.
  int add(std::shared_ptr<const PreparedShape> shape, Mobility mobility, int material = 0);
  /// The shape is no longer found; its index stays taken.
  void remove(int shape);
  /// No contacts between these two from here on (bodies that a joint connects).
  void exclude(int a, int b);
  /// Contact points of faces between two materials, in either order.
  void set_points(int material_a, int material_b, ContactPoints points);

  int size() const;

  /// From here on only the contacts of these pairs.
  void look_at(KeptPairs pairs);

  /// All contacts with gap ≤ reach[a] + reach[b], sorted by (a, b, key); keys of one pair differ.
  /// `placements` and `reach` have one entry for each shape that was added, finite, det F > 0, reach ≥ 0; otherwise
  /// InputError. Contacts with a smaller gap do not depend on the reach, nor on `team` (null: the caller alone) by a
  /// single bit. A function of the placements and of the memory alone. The view is good until the next call.
  std::span<const Contact> detect(std::span<const Placement> placements, std::span<const double> reach,
                                  ThreadTeam* team = nullptr);

  /// Figures of the last call.
  const DetectionCounts& counts() const;

  /// What the next call will know of the last one: the chosen axes of pairs that overlap deeply. A detector with the
  /// same shapes that takes it over goes on with the same bits.
  std::vector<std::uint64_t> memory() const;
  /// Throws InputError where the words are not a memory. Pairs that are not looked at may be in it.
  void restore(std::span<const std::uint64_t> words);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stickslip::internal
