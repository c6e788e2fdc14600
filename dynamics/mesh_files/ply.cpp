#include <cmath>
#include <limits>
#include <optional>

#include "dynamics/mesh_files/byte_reader.hpp"
#include "dynamics/mesh_files/mesh_reader.hpp"
#include "io/message.hpp"
#include "io/text_scanner.hpp"

namespace stickslip::internal {
namespace {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct Property {
  std::string name;
  Type type;
  std::optional<Type> count = {};  // of a list
};

struct Element {
  std::string name;
  std::int64_t count = 0;
  std::vector<Property> properties;
};

struct Header {
  enum class Format { text, little, big } format = Format::text;
  std::vector<Element> elements;
};

Type type_of(std::string_view word, const io::TextScanner& scanner) {
  constexpr std::pair<std::string_view, Type> names[] = {
      {"char", Type::int8},      {"int8", Type::int8},       {"uchar", Type::uint8},
      {"uint8", Type::uint8},    {"short", Type::int16},     {"int16", Type::int16},
      {"ushort", Type::uint16},  {"uint16", Type::uint16},   {"int", Type::int32},
      {"int32", Type::int32},    {"uint", Type::uint32},     {"uint32", Type::uint32},
      {"float", Type::float32},  {"float32", Type::float32}, {"double", Type::float64},
      {"float64", Type::float64}};
  for (const auto& [name, type] : names)
    if (name == word) return type;
  scanner.fail("'" + io::shown(word) + "' is no type of a property");
}

Header read_header(io::TextScanner& scanner) {
  Header header;
  scanner.expect("ply");
  scanner.rest_of_line();
  bool has_format = false;
  for (;;) {
    const std::string_view word = scanner.word();
    if (word == "end_header") break;
    if (word == "comment" || word == "obj_info") {
    } else if (word == "format") {
      const std::string_view format = scanner.word();
      has_format = true;
      if (format == "ascii")
        header.format = Header::Format::text;
      else if (format == "binary_little_endian")
        header.format = Header::Format::little;
      else if (format == "binary_big_endian")
        header.format = Header::Format::big;
      else
        scanner.fail("format '" + io::shown(format) +
                     "' is none of ascii, binary_little_endian, binary_big_endian");
      scanner.expect("1.0");
    } else if (word == "element") {
      Element element;
      element.name = std::string(scanner.word());
      element.count = scanner.integer("the count of an element", 0, std::numeric_limits<std::int32_t>::max());
      header.elements.push_back(element);
    } else if (word == "property") {
      if (header.elements.empty()) scanner.fail("a property comes before any element");
      Property property;
      std::string_view type = scanner.word();
      if (type == "list") {
        property.count = type_of(scanner.word(), scanner);
        if (*property.count == Type::float32 || *property.count == Type::float64)
          scanner.fail("the count of a list must be a whole number");
        type = scanner.word();
      }
      property.type = type_of(type, scanner);
      property.name = std::string(scanner.word());
      header.elements.back().properties.push_back(property);
    } else {
      scanner.fail("wanted a line of the header, got '" + io::shown(word) + "'");
    }
    scanner.rest_of_line();
  }
  if (!has_format) scanner.fail("the header has no format");
  scanner.rest_of_line();
  return header;
}

/// The numbers behind the header, as text or as bytes.
class Numbers {
 public:
  Numbers(io::TextScanner& scanner, std::string_view rest, Header::Format format)
      : scanner_(scanner),
        bytes_(rest, format == Header::Format::big ? std::endian::big : std::endian::little),
        text_(format == Header::Format::text) {}

  double next(Type type) {
    if (text_) return scanner_.real("a property");
    switch (type) {
      case Type::int8:
        return bytes_.next<std::int8_t>();
      case Type::uint8:
        return bytes_.next<std::uint8_t>();
      case Type::int16:
        return bytes_.next<std::int16_t>();
      case Type::uint16:
        return bytes_.next<std::uint16_t>();
      case Type::int32:
        return bytes_.next<std::int32_t>();
      case Type::uint32:
        return bytes_.next<std::uint32_t>();
      case Type::float32:
        return double(bytes_.next<float>());
      default:
        return bytes_.next<double>();
    }
  }

  /// The length of a list: no longer than what is left of the file.
  std::int64_t length(Type type) {
    const double count = next(type);
    const std::size_t left = text_ ? scanner_.left() : bytes_.left();
    if (!(count >= 0) || count != std::floor(count) || count > double(left))
      throw InputError("a list has the length " + std::to_string(count));
    return std::int64_t(count);
  }

 private:
  io::TextScanner& scanner_;
  ByteReader bytes_;
  bool text_;
};

}  // namespace

Mesh read_ply(std::string_view bytes) {
  io::TextScanner scanner(bytes);
  const Header header = read_header(scanner);
  Numbers numbers(scanner, bytes.substr(scanner.position()), header.format);
  Mesh mesh;
  std::vector<double> polygon;
  for (const Element& element : header.elements) {
    if (element.properties.empty()) continue;
    const bool vertices = element.name == "vertex", faces = element.name == "face";
    for (std::int64_t k = 0; k < element.count; ++k) {
      Point p = {0, 0, 0};
      polygon.clear();
      for (const Property& property : element.properties) {
        if (property.count) {
          const bool corners =
              faces && (property.name == "vertex_indices" || property.name == "vertex_index");
          for (std::int64_t left = numbers.length(*property.count); left > 0; --left) {
            const double value = numbers.next(property.type);
            if (corners) polygon.push_back(value);
          }
          continue;
        }
        const double value = numbers.next(property.type);
        const std::size_t axis = property.name == "x"   ? 0
                                 : property.name == "y" ? 1
                                 : property.name == "z" ? 2
                                                        : 3;
        if (vertices && axis < 3) p[axis] = value;
      }
      if (vertices) {
        for (const double x : p)
          if (!std::isfinite(x))
            throw InputError("vertex " + std::to_string(k) + ": a coordinate is not finite");
        mesh.vertices.push_back(p);
      }
      if (faces && !polygon.empty() && polygon.size() < 3)
        throw InputError("face " + std::to_string(k) + ": " + std::to_string(polygon.size()) +
                         " corners, it needs three");
      for (const double c : polygon)
        if (!(c >= 0) || c != std::floor(c) || c > 2147483647.0)
          throw InputError("face " + std::to_string(k) + ": corner " + std::to_string(c) +
                           " is no number of a vertex");
      for (std::size_t c = 2; c < polygon.size(); ++c)
        mesh.triangles.push_back({int(polygon[0]), int(polygon[c - 1]), int(polygon[c])});
    }
  }
  for (const auto& triangle : mesh.triangles)
    for (const int v : triangle)
      if (v >= int(mesh.vertices.size()))
        throw InputError("a face names vertex " + std::to_string(v) + ", there are " +
                         std::to_string(mesh.vertices.size()) + " (counted from 0)");
  return mesh;
}

}  // namespace stickslip::internal
