// The record of a simulation: one HDF5 file that grows, is whole at every moment, and from which a run can go on.
// docs/scenes.md has its layout.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "stickslip/export.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip {

/// Records states every Scene::every steps, the start and the end, and figures of every step.
class STICKSLIP_EXPORT Recorder {
 public:
  /// A new record that begins with the state as it is; a file of that name is replaced. Throws OutputError.
  Recorder(const std::filesystem::path& path, const Simulation& simulation);
  /// Goes on with a record: the simulation, made of the same scene, takes over the state of the last record. Throws InputError where the
  /// file is no record of this scene.
  static Recorder resume(const std::filesystem::path& path, Simulation& simulation);
  ~Recorder();
  Recorder(Recorder&&) noexcept;

  /// To be called after every step. Throws OutputError where the file cannot be written; the record is then as it was.
  void after_step(const Simulation& simulation);
  /// Records the state unless that was done already: the end of a run.
  void finish(const Simulation& simulation);
  /// Whether the state as it is was recorded.
  bool recorded(const Simulation& simulation) const;

 private:
  struct State;
  explicit Recorder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Writes a record in another format, by the ending of `target`: .csv, .xdmf, .pvd, .vtkhdf, .usda,
/// and .svg, a picture of the last state. Throws InputError, OutputError.
STICKSLIP_EXPORT void export_record(const std::filesystem::path& record, const std::filesystem::path& target);

}  // namespace stickslip
