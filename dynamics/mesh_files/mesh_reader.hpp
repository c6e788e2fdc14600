// The formats of mesh files. Each takes the bytes of a file and throws InputError with the place in it, without the file's
// name; nothing is allocated ahead of the bytes that fill it.
#pragma once

#include <string_view>

#include "stickslip/shapes.hpp"

namespace stickslip::internal {

/// Wavefront OBJ: v and f lines; indices from 1, negative ones from the end, texture and normal indices ignored.
Mesh read_obj(std::string_view bytes);

/// STL, as text or binary: it is binary where the size of the file is the one that its count of triangles asks for.
Mesh read_stl(std::string_view bytes);

/// PLY 1.0 as text, or binary of either byte order: elements vertex (x, y, z) and face (vertex_indices or vertex_index);
/// other elements and properties are skipped.
Mesh read_ply(std::string_view bytes);

}  // namespace stickslip::internal
