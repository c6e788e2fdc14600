// What a detector keeps, and the parts of a call: placing.cpp puts shapes where they are, pair_contacts.cpp finds the contacts of pairs.
#pragma once

#include <optional>
#include <unordered_set>
#include <utility>

#include "dynamics/detection/candidate_pairs.hpp"
#include "dynamics/detection/detector.hpp"
#include "dynamics/detection/pairs.hpp"

namespace stickslip::internal {

/// Two numbers in one word.
inline std::uint64_t two(int a, int b) { return std::uint64_t(a) << 32U | std::uint64_t(b); }

struct Detector::State {
  struct ShapeEntry {
    std::shared_ptr<const PreparedShape> shape;
    Mobility mobility;
    int material;
    int first_piece;
    bool present = true;
  };

  struct PieceEntry {
    const Piece* piece;
    int shape;
    std::ptrdiff_t corners = -1, faces = -1;  // in the arrays of placed polyhedra; −1 where the piece is none
  };

  /// The axis of a pair of pieces that overlap deeply.
  struct Remembered {
    std::uint64_t shapes, pieces, axis;
    bool operator<(const Remembered& other) const {
      return std::pair(shapes, pieces) < std::pair(other.shapes, other.pieces);
    }
  };

  /// Room for a placed box.
  struct BoxRoom {
    Vector corners[8], normals[6];
    double offsets[6];
  };

  struct Worker {
    Touches touches;
    PairSpace space;
    BoxRoom room_a, room_b;
  };

  /// What two rigid balls need of each other, in one cache line.
  struct alignas(64) PlacedBall {
    Vector arm, c;  // of the centre from the origin of the shape; of that origin
    double radius;  // −1: the piece is no rigid ball
    std::int32_t shape;
    std::int32_t single;  // 1: the shape has no other piece
  };

  struct Chunk {
    std::vector<Contact> contacts;
    std::vector<Remembered> memory;
    std::int64_t candidates = 0, touching = 0;
  };

  DetectionOptions options;
  Polyhedron rim_prism;
  std::vector<ShapeEntry> shapes;
  std::vector<PieceEntry> pieces;
  std::unordered_set<std::uint64_t> excluded;
  std::vector<std::pair<std::uint64_t, ContactPoints>> points;  // by the two materials, the smaller one first

  std::vector<Vector> corners, normals;
  std::vector<double> offsets;
  std::vector<char> rigid;
  std::vector<FlatBounds> bounds;
  std::vector<PlacedBall> balls;  // of all pieces
  std::vector<int> planes;        // pieces
  std::vector<PlacedPlane> flats;
  std::vector<double> sample;
  Vector origin = Vector::Zero();      // of bounds and planes
  std::optional<KeptPairs> looked_at;  // pairs that are looked at
  CandidatePairs pairs;
  std::vector<Worker> workers;
  std::vector<Chunk> chunks;
  std::vector<Contact> contacts;
  std::vector<Remembered> memory;
  DetectionCounts counts;

  void check(std::span<const Placement> placements, std::span<const double> reach) const;
  Vector middle(std::span<const Placement> placements);
  void choose_origin(std::span<const Placement> placements);
  void place_shape(int s, const Placement& placement, double reach);
  void place_planes(std::span<const Placement> placements, std::span<const double> reach);
  Placed place(int piece, const Placement& placement, const Vector& from, BoxRoom& room) const;
  static void touch_balls(const PlacedBall& a, const PlacedBall& b, Touches& touches);
  /// Whether two pieces may touch, of which `reach` is the sum of the two.
  bool near(int piece_a, int piece_b, std::span<const Placement> placements, double reach) const;
  ContactPoints points_between(int material_a, int material_b) const;
  void contacts_of(int a, std::span<const Placement> placements, std::span<const double> reach,
                   Worker& worker, Chunk& chunk) const;
  void contacts_of_pair(int piece_a, int piece_b, std::span<const Placement> placements, double reach,
                        Worker& worker, Chunk& chunk) const;
  void gather();
};

}  // namespace stickslip::internal
