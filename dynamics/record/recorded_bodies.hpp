// Bodies as a record has them: names, shapes, materials, and where those stand that are no bodies of the record. So a record is
// drawn without its scene, whether that was a file or a program. docs/scenes.md has the datasets.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/record/growing_file.hpp"
#include "dynamics/record/record_reader.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip::internal {

struct RecordedBody {
  std::string name, kind, material;  ///< kind: fixed, driven, rigid, pseudo_rigid, elements
  Shape shape = Sphere{};
  std::shared_ptr<const ElementMesh> mesh = {};  ///< of a body of elements, which has no shape
  Point position = {0, 0, 0};                    ///< of obstacles, at the start
  Quaternion rotation = {1, 0, 0, 0};
  std::optional<double> young = {}, poisson = {};

  bool is_obstacle() const { return kind == "fixed" || kind == "driven"; }
};

/// The word of scene files.
std::string kind_word(BodyKind kind);
/// Its own name, or body and its number.
std::string recorded_name(const SceneBody& body, std::size_t number);

/// Lays out the parts of a record that say what its bodies are: those in `moving`, and all others as obstacles.
void lay_out_bodies(GrowingFile& file, const Simulation& simulation, const std::vector<BodyIndex>& moving);

/// Bodies that move in the order of the record, then driven and then fixed obstacles, in the order of the scene. Throws InputError where the
/// columns do not fit each other.
std::vector<RecordedBody> read_bodies(const RecordReader& record);

}  // namespace stickslip::internal
