// Gmsh's .msh, versions 2.2 and 4.1 as text: the sections MeshFormat, Nodes and Elements; all others are skipped.
#include <limits>

#include "dynamics/elements/mesh/element_reader.hpp"
#include "io/text_scanner.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();

/// How many nodes an element of Gmsh's type has; 0: unknown.
int gmsh_nodes(int type) {
  static constexpr int nodes[] = {0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13};
  return type > 0 && type < int(std::size(nodes)) ? nodes[type] : 0;
}

void add(MeshCollector& collector, int type, std::vector<std::int64_t> nodes) {
  if (type == 4) collector.element(ElementKind::t4, nodes);
  if (type == 5) collector.element(ElementKind::h8, nodes);
  if (type == 11) {
    std::swap(nodes[8], nodes[9]);  // Gmsh has 23 before 13
    collector.element(ElementKind::t10, nodes);
  }
}

class GmshReader {
 public:
  explicit GmshReader(std::string_view bytes) : scanner_(bytes) {}

  ElementMesh read() {
    bool known = false;
    while (!scanner_.at_end()) {
      const std::string section(scanner_.word());
      if (section.empty() || section[0] != '$')
        scanner_.fail("wanted a section, $Name, got '" + section + "'");
      if (section == "$MeshFormat") {
        const double version = scanner_.real("the version");
        if (version != 2.2 && version != 4.1)
          scanner_.fail("version " + std::to_string(version) + " is neither 2.2 nor 4.1");
        old_ = version == 2.2;
        if (scanner_.integer("the file type", 0, 1) == 1)
          scanner_.fail("it is binary; write it as text (Mesh.Binary = 0)");
        scanner_.rest_of_line();
        known = true;
      } else if (!known) {
        scanner_.fail("$MeshFormat must come first");
      } else if (section == "$Nodes") {
        old_ ? old_nodes() : nodes();
      } else if (section == "$Elements") {
        old_ ? old_elements() : elements();
      }
      skip_to("$End" + section.substr(1));
    }
    return collector_.mesh();
  }

 private:
  void skip_to(const std::string& end) {
    while (!scanner_.at_end())
      if (scanner_.word() == end) return;
    scanner_.fail("the file ends before " + end);
  }

  /// What the collector refuses is said with the line.
  template <class Add>
  void placed(Add&& add_it) {
    try {
      add_it();
    } catch (const InputError& error) {
      scanner_.fail(error.what());
    }
  }

  Point position() {
    const double x = scanner_.real("a coordinate"), y = scanner_.real("a coordinate"),
                 z = scanner_.real("a coordinate");
    return {x, y, z};
  }

  void old_nodes() {
    const int count = scanner_.integer("the number of nodes", 0, most);
    for (int k = 0; k < count; ++k) {
      const int number = scanner_.integer("the number of a node", 1, most);
      const Point x = position();
      placed([&] { collector_.node(number, x); });
    }
  }

  void old_elements() {
    const int count = scanner_.integer("the number of elements", 0, most);
    for (int k = 0; k < count; ++k) {
      scanner_.integer("the number of an element", 1, most);
      const int type = scanner_.integer("the type of an element", 1, most);
      const int tags = scanner_.integer("the number of tags", 0, 1000);
      for (int t = 0; t < tags; ++t) scanner_.integer("a tag", -most, most);
      one_element(type);
    }
  }

  void one_element(int type) {
    const int count = gmsh_nodes(type);
    if (count == 0) scanner_.fail("elements of type " + std::to_string(type) + " are not known");
    std::vector<std::int64_t> own;
    for (int n = 0; n < count; ++n) own.push_back(scanner_.integer("a node of an element", 1, most));
    placed([&] { add(collector_, type, own); });
  }

  void nodes() {
    const int blocks = scanner_.integer("the number of blocks", 0, most);
    for (int k = 0; k < 3; ++k) scanner_.integer("a count of nodes", 0, most);
    for (int b = 0; b < blocks; ++b) {
      scanner_.integer("a dimension", 0, 3);
      scanner_.integer("a tag", -most, most);
      if (scanner_.integer("whether nodes are parametric", 0, 1) == 1)
        scanner_.fail("parametric nodes are not read");
      const int count = scanner_.integer("the number of nodes", 0, most);
      std::vector<std::int64_t> numbers;
      for (int k = 0; k < count; ++k) numbers.push_back(scanner_.integer("the number of a node", 1, most));
      for (std::int64_t number : numbers) {
        const Point x = position();
        placed([&] { collector_.node(number, x); });
      }
    }
  }

  void elements() {
    const int blocks = scanner_.integer("the number of blocks", 0, most);
    for (int k = 0; k < 3; ++k) scanner_.integer("a count of elements", 0, most);
    for (int b = 0; b < blocks; ++b) {
      scanner_.integer("a dimension", 0, 3);
      scanner_.integer("a tag", -most, most);
      const int type = scanner_.integer("the type of elements", 1, most);
      const int count = scanner_.integer("the number of elements", 0, most);
      for (int k = 0; k < count; ++k) {
        scanner_.integer("the number of an element", 1, most);
        one_element(type);
      }
    }
  }

  io::TextScanner scanner_;
  MeshCollector collector_;
  bool old_ = false;
};

}  // namespace

ElementMesh read_gmsh(std::string_view bytes) { return GmshReader(bytes).read(); }

}  // namespace stickslip::internal
