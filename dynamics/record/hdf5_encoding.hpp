// The structures of an HDF5 file as bytes (HDF5 File Format Specification, version 3.0): superblock 2, object headers 2, link, attribute,
// dataspace, datatype, layout and fill messages, tree nodes of chunks, global heap. Addresses and lengths have 8 bytes, little endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip::internal {

inline constexpr std::uint64_t no_address = ~std::uint64_t(0);
using Bytes = std::vector<unsigned char>;

enum class ElementType { f64, i64, i32, u64, u8, text, short_text, any_text };

/// The type of the entries of a dataset or an attribute. A text has `length` bytes, UTF-8; a short text is ASCII; any_text is of
/// any length, in a heap.
struct Element {
  ElementType type = ElementType::f64;
  std::size_t length = 0;
  std::size_t bytes() const;
};

/// Numbers in little endian order, one after the other.
class Encoder {
 public:
  Bytes bytes;

  Encoder& u8(std::uint64_t x) { return number(x, 1); }
  Encoder& u16(std::uint64_t x) { return number(x, 2); }
  Encoder& u32(std::uint64_t x) { return number(x, 4); }
  Encoder& u64(std::uint64_t x) { return number(x, 8); }
  Encoder& text(std::string_view s) { return raw(s.data(), s.size()); }
  Encoder& raw(const void* data, std::size_t size);
  Encoder& zeros(std::size_t count);

 private:
  Encoder& number(std::uint64_t x, int count);
};

/// Jenkins' lookup3, with which HDF5 guards its structures.
std::uint32_t checksum(std::span<const unsigned char> bytes);

Bytes datatype(const Element& element);
/// With `growing` the first extent has no limit. An empty shape is a scalar.
Bytes dataspace(std::span<const std::uint64_t> shape, bool growing);

/// An object header: messages, then the checksum.
class Header {
 public:
  void message(int type, const Bytes& content);
  void link(const std::string& name, std::uint64_t address);
  void attribute(const std::string& name, const Element& element, std::span<const std::uint64_t> shape,
                 const Bytes& value);
  Bytes finish() const;

 private:
  Encoder messages_;
};

/// The messages that make a header a group, or a dataset.
void make_group(Header& header);
void make_contiguous(Header& header, const Element& element, std::span<const std::uint64_t> shape,
                     std::uint64_t address);
/// `chunk` is the shape of a chunk.
void make_chunked(Header& header, const Element& element, std::span<const std::uint64_t> shape,
                  std::span<const std::uint64_t> chunk, std::uint64_t tree);

Bytes superblock(std::uint64_t root, std::uint64_t end_of_file);
/// Texts in one heap; text k has the index k + 1.
Bytes global_heap(std::span<const std::string> texts);

}  // namespace stickslip::internal
