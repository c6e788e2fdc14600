// Whole-number attributes straight out of the bytes of an HDF5 file (HDF5 File Format Specification 2.0,
// IV.A).
#include "io/hdf5_attribute.hpp"

#include <vector>

namespace stickslip::internal::io {

namespace {

constexpr std::uint64_t continuation_message = 0x10, attribute_message = 0x0c;
constexpr std::size_t most_chunks = 64;

/// Little-endian fields out of a piece of the file; whatever lies outside reads as nothing.
class Piece {
 public:
  explicit Piece(std::string_view bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  std::string_view text() const { return bytes_; }
  Piece part(std::uint64_t at, std::uint64_t length) const {
    if (at > bytes_.size()) return Piece({});
    return Piece(bytes_.substr(at, length));
  }
  std::uint64_t number(std::uint64_t at, std::size_t width) const {
    std::uint64_t value = 0;
    if (at > bytes_.size() || width > bytes_.size() - at) return 0;
    for (std::size_t k = width; k-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes_[at + k]);
    return value;
  }

 private:
  std::string_view bytes_;
};

/// Type class 0, little-endian, as wide as its precision; gives its value in `data`.
std::optional<std::int64_t> decode_integer(const Piece& type, const Piece& data) {
  const std::uint64_t width = type.number(4, 4), precision = type.number(10, 2);
  const bool plain = type.size() >= 12 && (type.number(0, 1) & 0x0fU) == 0 && (type.number(1, 1) & 1U) == 0;
  if (!plain || (width != 4 && width != 8) || precision != 8 * width || type.number(8, 2) != 0) return {};
  if (data.size() < width) return {};
  const std::uint64_t bits = data.number(0, width);
  return width == 4 ? std::int64_t(static_cast<std::int32_t>(bits)) : static_cast<std::int64_t>(bits);
}

/// One attribute message: name, type and extent, padded to 8 bytes in version 1 only, then the data.
std::optional<std::int64_t> decode_attribute(const Piece& message, std::string_view name) {
  const std::uint64_t version = message.number(0, 1), flags = message.number(1, 1);
  if (version < 1 || version > 3 || (version > 1 && flags != 0)) return {};
  const auto padded = [version](std::uint64_t length) {
    return version == 1 ? (length + 7) / 8 * 8 : length;
  };
  const std::uint64_t name_size = message.number(2, 2), type_size = message.number(4, 2),
                      space_size = message.number(6, 2);
  const std::uint64_t name_at = version == 3 ? 9 : 8, type_at = name_at + padded(name_size),
                      space_at = type_at + padded(type_size), data_at = space_at + padded(space_size);
  const std::string_view found = message.part(name_at, name_size).text();
  if (found.substr(0, found.find('\0')) != name) return {};
  return decode_integer(message.part(type_at, type_size), message.part(data_at, message.size()));
}

}  // namespace

std::optional<std::int64_t> find_integer_attribute(std::string_view bytes, std::uint64_t address,
                                                   std::string_view name) {
  const Piece file(bytes);
  // superblock: offsets and lengths of 8 bytes, base address 0 (superblock versions 0 and 1)
  if (!bytes.starts_with("\x89HDF") || file.number(8, 1) > 1 || file.number(13, 1) != 8 ||
      file.number(14, 1) != 8)
    return {};
  if (file.number(address, 1) != 1) return {};
  std::vector<Piece> chunks = {
      file.part(address, bytes.size()).part(16, file.part(address, 16).number(8, 4))};
  for (std::size_t k = 0; k < chunks.size() && k < most_chunks; ++k) {
    const Piece chunk = chunks[k];
    for (std::uint64_t at = 0; at + 8 <= chunk.size();) {
      const std::uint64_t kind = chunk.number(at, 2), size = chunk.number(at + 2, 2);
      const Piece message = chunk.part(at + 8, size);
      at += 8 + size;
      if (kind == continuation_message)
        chunks.push_back(file.part(message.number(0, 8), message.number(8, 8)));
      if (kind != attribute_message) continue;
      if (const auto value = decode_attribute(message, name)) return value;
    }
  }
  return {};
}

}  // namespace stickslip::internal::io
