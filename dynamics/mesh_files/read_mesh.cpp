// Files of triangles and points, by the ending of their names.
#include <algorithm>
#include <new>
#include <string>

#include "dynamics/mesh_files/mesh_reader.hpp"
#include "io/files.hpp"
#include "io/text_scanner.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/shapes.hpp"

namespace stickslip {
namespace {

using Reader = Mesh (*)(std::string_view);

std::string ending(const std::filesystem::path& path) {
  std::string text = path.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

Reader reader_for(const std::filesystem::path& path) {
  const std::string kind = ending(path);
  return kind == ".obj"   ? internal::read_obj
         : kind == ".stl" ? internal::read_stl
         : kind == ".ply" ? internal::read_ply
                          : nullptr;
}

/// Calls `read` with the bytes of the file, and puts its name before the message of an InputError.
template <class Read>
auto with_bytes(const std::filesystem::path& path, Read&& read) {
  try {
    return read(internal::io::read_bytes(path));
  } catch (const InputError& error) {
    throw InputError(path.string() + ": " + error.what());
  } catch (const std::bad_alloc&) {
    throw InputError(path.string() + ": needs more memory than there is");
  }
}

}  // namespace

Mesh read_mesh(const std::filesystem::path& path) {
  const Reader reader = reader_for(path);
  if (!reader)
    throw InputError(path.string() + ": the ending '" + ending(path) + "' is none of .obj, .stl, .ply");
  return with_bytes(path, [&](const std::string& bytes) {
    Mesh mesh = reader(bytes);
    if (mesh.triangles.empty()) throw InputError("no triangles");
    return mesh;
  });
}

std::vector<Point> read_points(const std::filesystem::path& path) {
  return with_bytes(path, [&](const std::string& bytes) {
    if (const Reader reader = reader_for(path)) return reader(bytes).vertices;
    std::vector<Point> points;
    internal::io::TextScanner scanner(bytes);
    while (!scanner.at_end()) {
      if (scanner.peek() == '#') {
        scanner.rest_of_line();
        continue;
      }
      const double x = scanner.real("a point"), y = scanner.real("a point"), z = scanner.real("a point");
      points.push_back({x, y, z});
    }
    return points;
  });
}

}  // namespace stickslip
