// VTK's legacy format as text: UNSTRUCTURED_GRID with POINTS, CELLS (of versions up to 4.2) and CELL_TYPES; what follows is not read.
#include <limits>

#include "dynamics/elements/mesh/element_reader.hpp"
#include "io/text_scanner.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {

ElementMesh read_vtk(std::string_view bytes) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  io::TextScanner scanner(bytes);
  if (!scanner.rest_of_line().starts_with("# vtk DataFile"))
    scanner.fail("wanted '# vtk DataFile Version …'");
  scanner.rest_of_line();  // the title
  const std::string format(scanner.word());
  if (format != "ASCII") scanner.fail("it is " + format + "; only ASCII files are read");
  scanner.expect("DATASET");
  scanner.expect("UNSTRUCTURED_GRID");
  MeshCollector collector;
  std::vector<std::vector<std::int64_t>> cells;
  int points = 0;
  while (!scanner.at_end()) {
    const std::string section(scanner.word());
    if (section == "POINTS") {
      points = scanner.integer("the number of points", 0, most);
      scanner.word();
      for (int k = 0; k < points; ++k) {
        const double x = scanner.real("a coordinate"), y = scanner.real("a coordinate"),
                     z = scanner.real("a coordinate");
        collector.node(k, {x, y, z});
      }
    } else if (section == "CELLS") {
      const int count = scanner.integer("the number of cells", 0, most);
      scanner.integer("the size of the list", 0, most);
      if (scanner.peek() == 'O')
        scanner.fail("cells with OFFSETS (version 5) are not read; write version 4.2 or older");
      for (int k = 0; k < count; ++k) {
        const int nodes = scanner.integer("the number of points of a cell", 0, 1000);
        std::vector<std::int64_t> cell;
        for (int n = 0; n < nodes; ++n) cell.push_back(scanner.integer("a point of a cell", 0, most));
        cells.push_back(std::move(cell));
      }
    } else if (section == "CELL_TYPES") {
      const int count = scanner.integer("the number of cells", 0, most);
      if (std::size_t(count) != cells.size()) scanner.fail("as many types as cells are wanted");
      for (const auto& cell : cells) {
        const int type = scanner.integer("the type of a cell", 0, 1000);
        if (type != 10 && type != 12 && type != 24) continue;
        const ElementKind kind = type == 10   ? ElementKind::t4
                                 : type == 12 ? ElementKind::h8
                                              : ElementKind::t10;
        if (cell.size() != std::size_t(nodes_of(kind)))
          scanner.fail("a cell of type " + std::to_string(type) + " has " + std::to_string(cell.size()) +
                       " points");
        try {
          collector.element(kind, cell);
        } catch (const InputError& error) {
          scanner.fail(error.what());
        }
      }
    } else if (section == "METADATA" || section == "CELL_DATA" || section == "POINT_DATA") {
      break;
    } else {
      scanner.fail("section '" + section + "' is not known");
    }
  }
  return collector.mesh();
}

}  // namespace stickslip::internal
