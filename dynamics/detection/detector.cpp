// A call goes through the shapes three times: bounds, pairs of bounds that overlap, contacts of each pair. Threads share
// the shapes in chunks and every chunk keeps its own contacts, so that their order does not depend on who did what.
#include "dynamics/detection/detector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

#include "base/thread_team.hpp"
#include "dynamics/detection/detector_state.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

constexpr int chunk_size = 256;  // shapes
constexpr std::uint64_t memory_mark = 0x7374696b736c6970U;

}  // namespace

Detector::Detector(const DetectionOptions& options) : state_(std::make_unique<State>()) {
  if (options.rim_points < 3 || options.rim_points > 1024)
    throw InputError(
        fmt::format("detection: rim_points is {}, it must be from 3 to 1024", options.rim_points));
  state_->options = options;
  std::vector<Eigen::Vector2d> rim;
  for (int k = 0; k < options.rim_points; ++k) {
    const double angle = 2 * std::numbers::pi * k / options.rim_points;
    rim.emplace_back(std::cos(angle), std::sin(angle));
  }
  state_->rim_prism = prism(rim, 1, "detection");
}
Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

int Detector::add(std::shared_ptr<const PreparedShape> shape, Mobility mobility, int material) {
  if (!shape) throw InputError("detection: no shape");
  if (shape->is_obstacle() && mobility == Mobility::moving)
    throw InputError("detection: planes and meshes are for bodies that are fixed or driven");
  State& s = *state_;
  const int index = size();
  s.pairs.forget();
  s.looked_at.reset();
  s.shapes.push_back({std::move(shape), mobility, material, int(s.pieces.size())});
  for (const Piece& piece : s.shapes.back().shape->pieces().list) {
    State::PieceEntry entry{&piece, index};
    if (piece.kind == PieceKind::plane) s.planes.push_back(int(s.pieces.size()));
    if (piece.kind == PieceKind::polyhedron) {
      entry.corners = std::ptrdiff_t(s.corners.size());
      entry.faces = std::ptrdiff_t(s.normals.size());
      s.corners.resize(s.corners.size() + piece.polyhedron->corners.size());
      s.normals.resize(s.normals.size() + piece.polyhedron->normals.size());
      s.offsets.resize(s.normals.size());
    }
    s.pieces.push_back(entry);
  }
  return index;
}

void Detector::remove(int shape) {
  if (shape < 0 || shape >= size()) throw InputError(fmt::format("detection: no shape {}", shape));
  state_->shapes[shape].present = false;
  state_->pairs.forget();
}

void Detector::exclude(int a, int b) {
  if (std::min(a, b) < 0 || std::max(a, b) >= size())
    throw InputError(fmt::format("detection: no pair of shapes {} and {}", a, b));
  state_->excluded.insert(two(std::min(a, b), std::max(a, b)));
}

void Detector::set_points(int material_a, int material_b, ContactPoints points) {
  const std::uint64_t pair = two(std::min(material_a, material_b), std::max(material_a, material_b));
  for (auto& entry : state_->points)
    if (entry.first == pair) {
      entry.second = points;
      return;
    }
  state_->points.emplace_back(pair, points);
}

void Detector::look_at(KeptPairs pairs) {
  if (pairs.extent.size() != state_->shapes.size() || pairs.mine.size() != state_->shapes.size())
    throw InputError(fmt::format("detection: pairs of {} shapes for {}", pairs.mine.size(), size()));
  state_->looked_at = std::move(pairs);
  state_->pairs.forget();
}

int Detector::size() const { return int(state_->shapes.size()); }

const DetectionCounts& Detector::counts() const { return state_->counts; }

std::span<const Contact> Detector::detect(std::span<const Placement> placements,
                                          std::span<const double> reach, ThreadTeam* team) {
  State& s = *state_;
  s.check(placements, reach);
  const int count = size(), threads = team ? team->size() : 1;
  s.rigid.resize(count);
  s.bounds.resize(s.pieces.size());
  s.balls.resize(s.pieces.size());
  if (int(s.workers.size()) < threads) s.workers.resize(threads);
  s.chunks.resize(std::size_t(count + chunk_size - 1) / chunk_size);

  // work(first shape, last shape, chunk, thread) for all chunks, whoever comes first.
  const auto in_chunks = [&](auto&& work) {
    std::atomic<int> next{0};
    const auto serve = [&](int thread) {
      for (int c = next++; c < int(s.chunks.size()); c = next++)
        work(c * chunk_size, std::min(count, (c + 1) * chunk_size), s.chunks[c], s.workers[thread]);
    };
    if (threads > 1)
      team->run(serve);
    else
      serve(0);
  };

  s.choose_origin(placements);
  in_chunks([&](int first, int last, State::Chunk&, State::Worker&) {
    for (int k = first; k < last; ++k) s.place_shape(k, placements[k], reach[k]);
  });
  s.place_planes(placements, reach);
  s.pairs.update(s.bounds, s.flats, s.looked_at ? &*s.looked_at : nullptr, team);
  in_chunks([&](int first, int last, State::Chunk& chunk, State::Worker& worker) {
    chunk.contacts.clear();
    chunk.memory.clear();
    chunk.candidates = chunk.touching = 0;
    for (int k = first; k < last; ++k) s.contacts_of(k, placements, reach, worker, chunk);
  });
  s.gather();
  return s.contacts;
}

std::vector<std::uint64_t> Detector::memory() const {
  std::vector<std::uint64_t> words = {memory_mark};
  for (const State::Remembered& r : state_->memory) words.insert(words.end(), {r.shapes, r.pieces, r.axis});
  return words;
}

void Detector::restore(std::span<const std::uint64_t> words) {
  std::vector<State::Remembered> memory;
  if (words.empty() || words[0] != memory_mark || words.size() % 3 != 1)
    throw InputError(fmt::format("detection: {} words are no memory of a detector", words.size()));
  for (std::size_t k = 1; k < words.size(); k += 3) memory.push_back({words[k], words[k + 1], words[k + 2]});
  if (!std::is_sorted(memory.begin(), memory.end()))
    throw InputError("detection: the memory of the detector is out of order");
  state_->memory = std::move(memory);
}

}  // namespace stickslip::internal
