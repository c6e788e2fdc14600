// A record of a simulation as the page asks for it: what there is, the bodies' shapes, ranges of frames as packed numbers, figures of
// the steps, histories. The record may grow meanwhile. web/viewer/data.ts reads what is written here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace stickslip::viewer {

/// May be used from several threads; each call looks at the file anew where it has changed. All throw InputError, where the file is gone
/// `PATH: there is no such record`.
class RunSource {
 public:
  explicit RunSource(const std::filesystem::path& path);
  ~RunSource();

  /// Title, step, times of all frames, gravity, bounds, bodies and their shapes: one JSON object.
  std::string info() const;
  /// How far the record has come: {"records", "steps", "time": the times of the frames from `first` on}.
  std::string progress(std::uint64_t first) const;

  /// Frames first … first + count − 1, cut at the end of the record and after some megabytes. Little endian; B bodies with the driven ones:
  ///
  ///   u32 frames, first, B, flags (1: deformation, 2: vertices of their own); f64 time[frames]; then for each frame, in f32,
  ///   position 3B, orientation 4B (w, x, y, z), velocity 6B, [deformation 9B by rows], [vertices 3V, stress V]
  ///
  /// Positions are relative to the origin that `info` names.
  std::string bodies(std::uint64_t first, std::uint64_t count) const;
  /// The same of contacts, n in a frame:
  ///
  ///   u32 frames, first, 0, 0; u32 n[frames]; then for each frame
  ///   i32 body 2n, u32 key 2n (low, high), f32 point 3n, normal 3n, impulse 3n, velocity 3n, gap n, work n, area n, friction n, status n
  std::string contacts(std::uint64_t first, std::uint64_t count) const;

  /// Figures of the steps, thinned to `points` at most: energies as they are at the end of each piece, the largest of the others.
  std::string steps(std::uint64_t points) const;
  /// Position, velocity and angular velocity of one body at `points` frames at most.
  std::string body_history(std::uint64_t body, std::uint64_t points) const;
  /// Impulse, gap, relative velocity and status of one contact wherever it is there.
  std::string contact_history(std::uint64_t key, std::uint64_t points) const;

  std::uint64_t records() const;
  double time(std::uint64_t record) const;
  /// Bytes of one frame of bodies, and of the contacts of frame k.
  std::uint64_t body_bytes() const;
  std::uint64_t contact_bytes(std::uint64_t record) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stickslip::viewer
