#include "dynamics/record/hdf5_encoding.hpp"

#include <algorithm>
#include <bit>

namespace stickslip::internal {

std::size_t Element::bytes() const {
  switch (type) {
    case ElementType::i32:
      return 4;
    case ElementType::u8:
      return 1;
    case ElementType::text:
    case ElementType::short_text:
      return length;
    case ElementType::any_text:
      return 16;
    default:
      return 8;
  }
}

// Bytes one by one: GCC 12 sees overflows in the inserted ranges of short vectors.
Encoder& Encoder::raw(const void* data, std::size_t size) {
  const auto* from = static_cast<const unsigned char*>(data);
  for (std::size_t k = 0; k < size; ++k) bytes.push_back(from[k]);
  return *this;
}

Encoder& Encoder::zeros(std::size_t count) {
  bytes.resize(bytes.size() + count, 0);
  return *this;
}

Encoder& Encoder::number(std::uint64_t x, int count) {
  for (int k = 0; k < count; ++k) bytes.push_back(static_cast<unsigned char>(x >> (8 * k)));
  return *this;
}

std::uint32_t checksum(std::span<const unsigned char> bytes) {
  std::uint32_t a = 0xdeadbeef + std::uint32_t(bytes.size()), b = a, c = a;
  const auto word = [&](std::size_t at, std::size_t count) {
    std::uint32_t x = 0;
    for (std::size_t k = 0; k < count; ++k) x |= std::uint32_t(bytes[at + k]) << (8 * k);
    return x;
  };
  std::size_t at = 0, left = bytes.size();
  for (; left > 12; at += 12, left -= 12) {
    a += word(at, 4), b += word(at + 4, 4), c += word(at + 8, 4);
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }
  if (left == 0) return c;
  a += word(at, std::min<std::size_t>(left, 4));
  if (left > 4) b += word(at + 4, std::min<std::size_t>(left - 4, 4));
  if (left > 8) c += word(at + 8, left - 8);
  c ^= b, c -= std::rotl(b, 14);
  a ^= c, a -= std::rotl(c, 11);
  b ^= a, b -= std::rotl(a, 25);
  c ^= b, c -= std::rotl(b, 16);
  a ^= c, a -= std::rotl(c, 4);
  b ^= a, b -= std::rotl(a, 14);
  c ^= b, c -= std::rotl(b, 24);
  return c;
}

Bytes datatype(const Element& element) {
  Encoder e;
  const auto integer = [&](std::uint64_t size, bool is_signed) {
    e.u8(0x10).u8(is_signed ? 8 : 0).u16(0).u32(size).u16(0).u16(8 * size);
  };
  switch (element.type) {
    case ElementType::f64:
      e.u8(0x11).u8(0x20).u8(63).u8(0).u32(8).u16(0).u16(64).u8(52).u8(11).u8(0).u8(52).u32(1023);
      break;
    case ElementType::i64:
      integer(8, true);
      break;
    case ElementType::i32:
      integer(4, true);
      break;
    case ElementType::u64:
      integer(8, false);
      break;
    case ElementType::u8:
      integer(1, false);
      break;
    case ElementType::text:
      e.u8(0x13).u8(0x11).u16(0).u32(element.length);
      break;  // padded by zeros, UTF-8
    case ElementType::short_text:
      e.u8(0x13).u8(0x01).u16(0).u32(element.length);
      break;
    case ElementType::any_text:
      e.u8(0x19).u8(0x01).u8(0x01).u8(0).u32(16);  // a sequence of bytes that is a text, UTF-8
      integer(1, false);
      break;
  }
  return std::move(e.bytes);
}

Bytes dataspace(std::span<const std::uint64_t> shape, bool growing) {
  Encoder e;
  e.u8(2).u8(shape.size()).u8(growing ? 1 : 0).u8(shape.empty() ? 0 : 1);
  for (std::uint64_t extent : shape) e.u64(extent);
  if (growing)
    for (std::size_t k = 0; k < shape.size(); ++k) e.u64(k == 0 || shape[k] == 0 ? no_address : shape[k]);
  return std::move(e.bytes);
}

void Header::message(int type, const Bytes& content) {
  messages_.u8(std::uint64_t(type)).u16(content.size()).u8(0).raw(content.data(), content.size());
}

void Header::link(const std::string& name, std::uint64_t address) {
  Encoder e;
  e.u8(1).u8(0).u8(name.size()).text(name).u64(address);
  message(0x06, e.bytes);
}

void Header::attribute(const std::string& name, const Element& element, std::span<const std::uint64_t> shape,
                       const Bytes& value) {
  const Bytes type = datatype(element), space = dataspace(shape, false);
  Encoder e;
  e.u8(3).u8(0).u16(name.size() + 1).u16(type.size()).u16(space.size()).u8(1).text(name).u8(0);
  e.raw(type.data(), type.size()).raw(space.data(), space.size()).raw(value.data(), value.size());
  message(0x0C, e.bytes);
}

Bytes Header::finish() const {
  Encoder e;
  e.text("OHDR").u8(2).u8(2).u32(messages_.bytes.size()).raw(messages_.bytes.data(), messages_.bytes.size());
  e.u32(checksum(e.bytes));
  return std::move(e.bytes);
}

void make_group(Header& header) {
  header.message(
      0x02, Encoder().u8(0).u8(0).u64(no_address).u64(no_address).bytes);  // links are messages of the header
  header.message(0x0A, Encoder().u8(0).u8(0).bytes);
}

void make_contiguous(Header& header, const Element& element, std::span<const std::uint64_t> shape,
                     std::uint64_t address) {
  std::uint64_t size = element.bytes();
  for (std::uint64_t extent : shape) size *= extent;
  header.message(0x01, dataspace(shape, false));
  header.message(0x03, datatype(element));
  header.message(0x05, Encoder().u8(3).u8(0x09).bytes);
  header.message(0x08, Encoder().u8(3).u8(1).u64(size == 0 ? no_address : address).u64(size).bytes);
}

void make_chunked(Header& header, const Element& element, std::span<const std::uint64_t> shape,
                  std::span<const std::uint64_t> chunk, std::uint64_t tree) {
  header.message(0x01, dataspace(shape, true));
  header.message(0x03, datatype(element));
  header.message(0x05, Encoder().u8(3).u8(0x0B).bytes);
  Encoder layout;
  layout.u8(3).u8(2).u8(chunk.size() + 1).u64(tree);
  for (std::uint64_t extent : chunk) layout.u32(extent);
  layout.u32(element.bytes());
  header.message(0x08, layout.bytes);
}

Bytes superblock(std::uint64_t root, std::uint64_t end_of_file) {
  Encoder e;
  e.u8(0x89).text("HDF\r\n").u8(0x1A).u8('\n');
  e.u8(2).u8(8).u8(8).u8(0).u64(0).u64(no_address).u64(end_of_file).u64(root);
  e.u32(checksum(e.bytes));
  return std::move(e.bytes);
}

Bytes global_heap(std::span<const std::string> texts) {
  const auto padded = [](std::size_t n) { return (n + 7) / 8 * 8; };
  std::size_t used = 16;
  for (const std::string& text : texts) used += 16 + padded(text.size());
  const std::size_t size = std::max<std::size_t>(4096, padded(used + 16));
  Encoder e;
  e.text("GCOL").u8(1).zeros(3).u64(size);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    e.u16(k + 1).u16(1).u32(0).u64(texts[k].size()).text(texts[k]);
    e.zeros(padded(texts[k].size()) - texts[k].size());
  }
  e.u16(0).u16(0).u32(0).u64(size - used).zeros(size - used - 16);
  return std::move(e.bytes);
}

}  // namespace stickslip::internal
