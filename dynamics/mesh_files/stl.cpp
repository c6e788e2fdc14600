#include <cmath>
#include <map>

#include "dynamics/mesh_files/byte_reader.hpp"
#include "dynamics/mesh_files/mesh_reader.hpp"
#include "io/text_scanner.hpp"

namespace stickslip::internal {
namespace {

/// Corners that are equal become one vertex.
class Welder {
 public:
  int vertex(const Point& p) {
    // −0 and 0 are one place.
    const Point key = {p[0] + 0.0, p[1] + 0.0, p[2] + 0.0};
    const auto [entry, fresh] = known_.try_emplace(key, int(mesh_.vertices.size()));
    if (fresh) mesh_.vertices.push_back(key);
    return entry->second;
  }
  void triangle(const Point& a, const Point& b, const Point& c) {
    mesh_.triangles.push_back({vertex(a), vertex(b), vertex(c)});
  }
  Mesh take() { return std::move(mesh_); }

 private:
  Mesh mesh_;
  std::map<Point, int> known_;
};

constexpr std::size_t header = 80, record = 50;

Mesh read_binary(std::string_view bytes, std::size_t count) {
  Welder welder;
  ByteReader reader(bytes.substr(header + 4));
  for (std::size_t t = 0; t < count; ++t) {
    for (int k = 0; k < 3; ++k) reader.next<float>();  // the normal follows from the corners
    Point corner[3];
    for (Point& p : corner)
      for (double& x : p) {
        x = double(reader.next<float>());
        if (!std::isfinite(x))
          throw InputError("triangle " + std::to_string(t) + ": a coordinate is not finite");
      }
    reader.next<std::uint16_t>();
    welder.triangle(corner[0], corner[1], corner[2]);
  }
  return welder.take();
}

Mesh read_text(std::string_view bytes) {
  Welder welder;
  io::TextScanner scanner(bytes);
  while (!scanner.at_end()) {
    scanner.expect("solid");
    scanner.rest_of_line();
    for (;;) {
      const std::string_view word = scanner.word();
      if (word == "endsolid") break;
      if (word != "facet") scanner.fail("wanted 'facet' or 'endsolid'");
      scanner.expect("normal");
      for (int k = 0; k < 3; ++k) scanner.word();  // some writers put nan here
      scanner.expect("outer");
      scanner.expect("loop");
      Point corner[3];
      for (Point& p : corner) {
        scanner.expect("vertex");
        for (double& x : p) x = scanner.real("a vertex");
      }
      scanner.expect("endloop");
      scanner.expect("endfacet");
      welder.triangle(corner[0], corner[1], corner[2]);
    }
    scanner.rest_of_line();
  }
  return welder.take();
}

}  // namespace

Mesh read_stl(std::string_view bytes) {
  // Binary files may begin with the word solid too: their size tells.
  if (bytes.size() >= header + 4) {
    const std::size_t count = ByteReader(bytes.substr(header)).next<std::uint32_t>();
    if (bytes.size() - header - 4 == record * count) return read_binary(bytes, count);
  }
  if (bytes.starts_with("solid")) return read_text(bytes);
  throw InputError("neither a text that begins with 'solid' nor a binary STL file of " +
                   std::to_string(bytes.size()) + " bytes (84 and 50 a triangle are wanted)");
}

}  // namespace stickslip::internal
