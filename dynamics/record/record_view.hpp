// What exports need of a record: times, bodies with their names and shapes, poses.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dynamics/record/record_reader.hpp"
#include "dynamics/record/surface.hpp"
#include "stickslip/scene.hpp"

namespace stickslip::internal {

class RecordView {
 public:
  explicit RecordView(const std::filesystem::path& path);

  RecordReader reader;
  std::filesystem::path path;
  std::string title;
  std::vector<double> times;
  std::vector<std::string> names;
  std::size_t bodies() const { return names.size(); }

  /// The bodies that move with their shapes, and obstacles, fixed ones where they are.
  struct Drawn {
    std::string name;
    Shape shape;
    Vector centre;    ///< in the axes of the shape: the point that `position` speaks of
    int place = -1;   ///< among the bodies of the record; −1: it is an obstacle
    int driven = -1;  ///< among the driven obstacles
    Vector position = Vector::Zero();
    Matrix F = Matrix::Identity();
    int elements = -1;  ///< among the bodies of elements of the record: its vertices are its nodes
    std::vector<int> face_element = {};  ///< of each face of its surface: the element behind it
  };
  std::vector<Drawn> drawn;
  std::vector<std::int64_t> node_start, element_start;  ///< of the bodies of elements
  double extent = 1;                                    ///< for planes

  /// Numbers of one record: position 3, quaternion 4, velocity 6 of each body.
  struct State {
    std::vector<double> position, orientation, velocity, deformation, nodes, stress, driven_position,
        driven_orientation;
  };
  State state(std::size_t record) const;
  /// Where the shape is placed at a state.
  Placement placement(const Drawn& body, const State& state) const;
  /// The surface of a body with its vertices at their first places (elements: at the nodes' places in the mesh file).
  Surface surface(const Drawn& body, int segments) const;
  /// Where a vertex of that surface is at a state.
  std::vector<Vector> vertices(const Drawn& body, const Surface& surface, const State& state) const;
  /// Von Mises' stress behind a face of that surface; 0 for bodies that are not made of elements.
  double von_mises(const Drawn& body, std::size_t face, const State& state) const;
};

/// Replaces `path` by the text. Throws OutputError.
void write_text(const std::filesystem::path& path, const std::string& text);
/// With &, <, > and quotes written out.
std::string xml_text(const std::string& text);

// One function a format.
void export_csv(const RecordView& record, const std::filesystem::path& target);
void export_xdmf(const RecordView& record, const std::filesystem::path& target);
void export_pvd(const RecordView& record, const std::filesystem::path& target);
void export_vtkhdf(const RecordView& record, const std::filesystem::path& target);
void export_svg(const RecordView& record, const std::filesystem::path& target);
void export_usda(const RecordView& record, const std::filesystem::path& target);

}  // namespace stickslip::internal
