#include <charconv>
#include <cstdint>
#include <limits>

#include "dynamics/mesh_files/mesh_reader.hpp"
#include "io/text_scanner.hpp"

namespace stickslip::internal {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The next word of a line; the line loses it.
std::string_view word_of(std::string_view& line) {
  while (!line.empty() && blank(line.front())) line.remove_prefix(1);
  std::size_t end = 0;
  while (end < line.size() && !blank(line[end])) ++end;
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

}  // namespace

Mesh read_obj(std::string_view bytes) {
  Mesh mesh;
  io::TextScanner scanner(bytes);
  std::vector<int> polygon;
  while (!scanner.at_end()) {
    const std::string_view kind = scanner.word();
    if (kind == "v") {
      const double x = scanner.real("a vertex"), y = scanner.real("a vertex"), z = scanner.real("a vertex");
      mesh.vertices.push_back({x, y, z});
      if (mesh.vertices.size() >= std::size_t(std::numeric_limits<int>::max()))
        scanner.fail("too many vertices");
    } else if (kind == "f") {
      const io::TextScanner here = scanner;  // names the line in messages
      std::string_view line = scanner.rest_of_line();
      polygon.clear();
      for (std::string_view word = word_of(line); !word.empty(); word = word_of(line)) {
        if (word.front() == '#') break;
        // 7, 7/1, 7//3, 7/1/3: only the first number matters.
        std::int64_t index = 0;
        const std::string_view number = word.substr(0, word.find('/'));
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
        if (error != std::errc{} || end != number.data() + number.size())
          here.fail("wanted the number of a vertex in a face");
        const std::int64_t count = std::int64_t(mesh.vertices.size());
        const std::int64_t at = index > 0 ? index - 1 : count + index;
        if (index == 0 || at < 0 || at >= count)
          here.fail("a face names vertex " + std::to_string(index) + ", there are " + std::to_string(count) +
                    " so far");
        polygon.push_back(int(at));
      }
      if (polygon.size() < 3)
        here.fail("a face has " + std::to_string(polygon.size()) + " vertices, it needs three");
      for (std::size_t k = 2; k < polygon.size(); ++k)
        mesh.triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
      continue;
    }
    scanner.rest_of_line();
  }
  return mesh;
}

}  // namespace stickslip::internal
