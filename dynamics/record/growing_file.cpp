#include "dynamics/record/growing_file.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "dynamics/record/chunk_tree.hpp"
#include "dynamics/record/output_file.hpp"
#include "dynamics/stepping/state_bytes.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// Headers and replaced bytes go to so many places in turn: a reader that has opened the file has time to read on.
constexpr std::size_t places = 4;
/// Bytes of a chunk, about.
constexpr std::uint64_t chunk_bytes = 8192;
constexpr std::uint64_t superblock_bytes = 48;

struct Attribute {
  std::string name;
  Element element;
  std::vector<std::uint64_t> shape;
  Bytes value;
  int text = -1;  ///< number in the heap
};

struct Group {
  std::map<std::string, int> groups, views;
  std::vector<Attribute> attributes;
};

/// Rows in chunks; each view on them has a tree of its own.
struct Data {
  std::uint64_t row_bytes = 0, rows_a_chunk = 1, rows = 0, last_chunk = no_address;
};

/// Bytes that are replaced, at places in turn.
struct Blob {
  std::uint64_t place[places] = {}, capacity[places] = {}, at = 0, size = 0;
};

/// What readers see as a dataset.
struct View {
  enum class Kind { fixed, growing, replaced } kind = Kind::fixed;
  Element element;
  std::vector<std::uint64_t> shape;  ///< fixed: of the whole; growing: of a row
  std::uint64_t address = no_address;
  int source = -1;  ///< data or blob
  std::uint64_t pieces = 1;
  std::optional<ChunkTree> tree = {};
};

const auto archived_number = [](auto& to, std::uint64_t& x) { to(x); };

}  // namespace

struct GrowingFile::Parts {
  Parts(const std::filesystem::path& path, OutputFile::Mode mode) : file(path, mode), groups(1) {}

  OutputFile file;
  std::vector<Group> groups;  // the first is the root
  std::vector<Data> data;
  std::vector<Blob> blobs;
  std::vector<View> views;
  std::vector<std::string> texts;
  std::uint64_t heap = no_address, heap_bytes = 0;
  std::uint64_t region[places] = {}, region_bytes = 0, turn = 0;
  std::vector<std::uint64_t> fixed_places;
  int bookkeeping = -1;
  std::optional<std::vector<std::byte>> resumed;

  Group& group(const std::string& path) {
    std::size_t at = 0;
    for (std::size_t begin = 1; begin < path.size();) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      const std::string name = path.substr(begin, end - begin);
      const auto found = groups[at].groups.find(name);
      if (found == groups[at].groups.end()) {
        groups[at].groups[name] = int(groups.size());
        at = groups.size();
        groups.emplace_back();
      } else {
        at = std::size_t(found->second);
      }
      begin = end + 1;
    }
    return groups[at];
  }

  void add_view(const std::string& path, View view) {
    const std::size_t slash = path.rfind('/');
    group(path.substr(0, slash)).views[path.substr(slash + 1)] = int(views.size());
    views.push_back(std::move(view));
  }

  template <class Archive>
  void visit(Archive& archive) {
    for (std::uint64_t* x : {&file.end, &heap, &heap_bytes, &region_bytes, &turn}) archive(*x);
    archive.numbers(region, int(places));
    archive.list(fixed_places, archived_number);
    for (Data& d : data)
      for (std::uint64_t* x : {&d.rows, &d.last_chunk}) archive(*x);
    for (Blob& b : blobs) {
      archive.numbers(b.place, int(places));
      archive.numbers(b.capacity, int(places));
      archive(b.at);
      archive(b.size);
    }
    for (View& v : views)
      if (v.tree) v.tree->visit(archive);
  }

  Bytes header_of(const View& view) const;
  Bytes header_of(const Group& group, std::span<const std::uint64_t> group_at,
                  std::span<const std::uint64_t> view_at) const;
  Bytes headers(std::uint64_t base, std::uint64_t& root) const;
};

GrowingFile::GrowingFile(const std::filesystem::path& path)
    : parts_(std::make_unique<Parts>(path, OutputFile::Mode::fresh)) {
  parts_->file.end = superblock_bytes;
}

GrowingFile::GrowingFile(const std::filesystem::path& path, std::span<const std::byte> bookkeeping)
    : parts_(std::make_unique<Parts>(path, OutputFile::Mode::existing)) {
  parts_->resumed.emplace(bookkeeping.begin(), bookkeeping.end());
}

GrowingFile::~GrowingFile() = default;
GrowingFile::GrowingFile(GrowingFile&&) noexcept = default;

void GrowingFile::attribute(const std::string& group, const std::string& name, const std::string& value) {
  parts_->group(group).attributes.push_back({.name = name,
                                             .element = {ElementType::any_text},
                                             .shape = {},
                                             .value = {},
                                             .text = int(parts_->texts.size())});
  parts_->texts.push_back(value);
}

void GrowingFile::short_attribute(const std::string& group, const std::string& name,
                                  const std::string& value) {
  parts_->group(group).attributes.push_back({.name = name,
                                             .element = {ElementType::short_text, value.size()},
                                             .shape = {},
                                             .value = Encoder().text(value).bytes});
}

void GrowingFile::attribute(const std::string& group, const std::string& name, double value) {
  parts_->group(group).attributes.push_back(
      {.name = name, .element = {ElementType::f64}, .shape = {}, .value = Encoder().raw(&value, 8).bytes});
}

void GrowingFile::attribute(const std::string& group, const std::string& name,
                            const std::vector<std::int64_t>& values) {
  Encoder e;
  for (std::int64_t value : values) e.u64(std::uint64_t(value));
  std::vector<std::uint64_t> shape;
  if (values.size() != 1) shape.push_back(values.size());
  parts_->group(group).attributes.push_back(
      {.name = name, .element = {ElementType::i64}, .shape = shape, .value = e.bytes});
}

void GrowingFile::set(const std::string& group, const std::string& name, std::int64_t value) {
  for (Attribute& a : parts_->group(group).attributes)
    if (a.name == name) a.value = Encoder().u64(std::uint64_t(value)).bytes;
}

void GrowingFile::fixed(const std::string& path, Element element, std::vector<std::uint64_t> shape,
                        const void* data) {
  View view{.kind = View::Kind::fixed, .element = element, .shape = std::move(shape)};
  std::uint64_t size = element.bytes();
  for (std::uint64_t extent : view.shape) size *= extent;
  // Fixed datasets are numbered in the order of the calls.
  view.source = int(std::count_if(parts_->views.begin(), parts_->views.end(),
                                  [](const View& v) { return v.kind == View::Kind::fixed; }));
  if (!parts_->resumed) {
    parts_->fixed_places.push_back(parts_->file.take(size));
    parts_->file.write(parts_->fixed_places.back(), data, size);
  }
  parts_->add_view(path, std::move(view));
}

void GrowingFile::fixed(const std::string& path, const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  std::string all;
  for (const std::string& text : texts) all += text + std::string(length - text.size(), '\0');
  fixed(path, {ElementType::text, length}, {texts.size()}, all.data());
}

int GrowingFile::growing(const std::string& path, Element element, const std::vector<std::uint64_t>& row) {
  std::uint64_t row_bytes = element.bytes();
  for (std::uint64_t extent : row) row_bytes *= extent;
  const std::uint64_t rows = row_bytes == 0 ? 1 : std::max<std::uint64_t>(1, chunk_bytes / row_bytes);
  parts_->data.push_back({.row_bytes = row_bytes, .rows_a_chunk = rows});
  const int number = int(parts_->data.size()) - 1;
  View view{.kind = View::Kind::growing, .element = element, .shape = row, .source = number};
  std::vector<std::uint64_t> chunk = {rows};
  for (std::uint64_t extent : row) chunk.push_back(std::max<std::uint64_t>(1, extent));
  view.tree.emplace(chunk, element.bytes());
  parts_->add_view(path, std::move(view));
  return number;
}

void GrowingFile::alias(const std::string& path, int dataset, std::uint64_t pieces,
                        const std::vector<std::uint64_t>& row) {
  const auto found = std::find_if(parts_->views.begin(), parts_->views.end(), [&](const View& v) {
    return v.kind == View::Kind::growing && v.source == dataset;
  });
  View view{.kind = View::Kind::growing,
            .element = found->element,
            .shape = row,
            .source = dataset,
            .pieces = pieces};
  std::vector<std::uint64_t> chunk = {parts_->data[std::size_t(dataset)].rows_a_chunk *
                                      std::max<std::uint64_t>(1, pieces)};
  for (std::uint64_t extent : row) chunk.push_back(std::max<std::uint64_t>(1, extent));
  view.tree.emplace(chunk, view.element.bytes());
  parts_->add_view(path, std::move(view));
}

int GrowingFile::replaced(const std::string& path) {
  parts_->blobs.emplace_back();
  const int number = int(parts_->blobs.size()) - 1;
  parts_->add_view(
      path, {.kind = View::Kind::replaced, .element = {ElementType::u8}, .shape = {}, .source = number});
  return number;
}

void GrowingFile::keep_bookkeeping(const std::string& path) {
  parts_->bookkeeping = replaced(path);
  if (!parts_->resumed) return;
  ByteReader reader(*parts_->resumed);
  parts_->visit(reader);
  parts_->resumed.reset();
}

void GrowingFile::append(int dataset, const void* rows, std::uint64_t count) {
  Data& data = parts_->data[std::size_t(dataset)];
  const auto* from = static_cast<const unsigned char*>(rows);
  while (count > 0) {
    if (data.row_bytes == 0) {  // rows without entries
      data.rows += count;
      return;
    }
    const std::uint64_t place = data.rows % data.rows_a_chunk;
    if (place == 0) {
      data.last_chunk = parts_->file.take(data.rows_a_chunk * data.row_bytes);
      for (View& view : parts_->views)
        if (view.kind == View::Kind::growing && view.source == dataset)
          view.tree->add(parts_->file, data.last_chunk);
    }
    const std::uint64_t some = std::min(count, data.rows_a_chunk - place);
    parts_->file.write(data.last_chunk + place * data.row_bytes, from, some * data.row_bytes);
    from += some * data.row_bytes;
    data.rows += some;
    count -= some;
  }
}

void GrowingFile::replace(int number, std::span<const std::byte> bytes) {
  Blob& blob = parts_->blobs[std::size_t(number)];
  blob.at = (blob.at + 1) % places;
  if (blob.capacity[blob.at] < bytes.size()) {
    blob.capacity[blob.at] = bytes.size() + bytes.size() / 2;
    blob.place[blob.at] = parts_->file.take(blob.capacity[blob.at]);
  }
  parts_->file.write(blob.place[blob.at], bytes.data(), bytes.size());
  blob.size = bytes.size();
}

std::uint64_t GrowingFile::rows(int dataset) const { return parts_->data[std::size_t(dataset)].rows; }

Bytes GrowingFile::Parts::header_of(const View& view) const {
  Header header;
  if (view.kind == View::Kind::fixed) {
    make_contiguous(header, view.element, view.shape, fixed_places[std::size_t(view.source)]);
  } else if (view.kind == View::Kind::replaced) {
    const Blob& blob = blobs[std::size_t(view.source)];
    const std::uint64_t shape[] = {blob.size};
    make_contiguous(header, view.element, shape, blob.place[blob.at]);
  } else {
    std::vector<std::uint64_t> shape = {data[std::size_t(view.source)].rows * view.pieces};
    shape.insert(shape.end(), view.shape.begin(), view.shape.end());
    make_chunked(header, view.element, shape, view.tree->chunk(), view.tree->root());
  }
  return header.finish();
}

Bytes GrowingFile::Parts::header_of(const Group& group, std::span<const std::uint64_t> group_at,
                                    std::span<const std::uint64_t> view_at) const {
  Header header;
  make_group(header);
  for (const auto& [name, number] : group.groups) header.link(name, group_at[std::size_t(number)]);
  for (const auto& [name, number] : group.views) header.link(name, view_at[std::size_t(number)]);
  for (const Attribute& a : group.attributes) {
    if (a.text < 0) {
      header.attribute(a.name, a.element, a.shape, a.value);
      continue;
    }
    const Bytes place =
        Encoder().u32(texts[std::size_t(a.text)].size()).u64(heap).u32(std::uint64_t(a.text) + 1).bytes;
    header.attribute(a.name, a.element, a.shape, place);
  }
  return header.finish();
}

/// All headers as they lie from `base` on.
Bytes GrowingFile::Parts::headers(std::uint64_t base, std::uint64_t& root) const {
  const auto padded = [](std::uint64_t n) { return (n + 7) / 8 * 8; };
  std::vector<std::uint64_t> group_at(groups.size()), view_at(views.size());
  std::vector<Bytes> parts;
  std::uint64_t at = base;
  for (std::size_t k = 0; k < views.size(); ++k) {
    parts.push_back(header_of(views[k]));
    view_at[k] = at;
    at += padded(parts.back().size());
  }
  // The length of a group's header does not depend on the addresses in it.
  for (std::size_t k = 0; k < groups.size(); ++k) {
    group_at[k] = at;
    at += padded(header_of(groups[k], group_at, view_at).size());
  }
  for (const Group& group : groups) parts.push_back(header_of(group, group_at, view_at));
  root = group_at[0];
  Encoder all;
  for (const Bytes& part : parts) all.raw(part.data(), part.size()).zeros(padded(part.size()) - part.size());
  return std::move(all.bytes);
}

void GrowingFile::commit() {
  Parts& p = *parts_;
  if (p.heap == no_address) {
    const Bytes heap = global_heap(p.texts);
    p.heap_bytes = heap.size();
    p.heap = p.file.take(heap.size());
    p.file.write(p.heap, heap.data(), heap.size());
  }
  for (View& view : p.views)
    if (view.tree) view.tree->write(p.file);

  std::uint64_t root = 0;
  if (p.region_bytes == 0) {
    p.region_bytes = p.headers(0, root).size();
    for (std::uint64_t& place : p.region) place = p.file.take(p.region_bytes);
  }
  p.turn = (p.turn + 1) % places;
  if (p.bookkeeping >= 0) {
    // It speaks of itself: its place is settled first, with room for a few more levels of trees.
    const auto written = [&] {
      ByteWriter writer;
      p.visit(writer);
      return std::move(writer.bytes);
    };
    Blob& blob = p.blobs[std::size_t(p.bookkeeping)];
    const std::uint64_t size = written().size();
    blob.at = (blob.at + 1) % places;
    if (blob.capacity[blob.at] < size) {
      blob.capacity[blob.at] = 2 * size;
      blob.place[blob.at] = p.file.take(blob.capacity[blob.at]);
    }
    blob.size = size;
    const std::vector<std::byte> bytes = written();
    p.file.write(blob.place[blob.at], bytes.data(), bytes.size());
  }
  const Bytes headers = p.headers(p.region[p.turn], root);
  if (headers.size() != p.region_bytes) throw OutputError("the layout of a record must not change");
  p.file.write(p.region[p.turn], headers.data(), headers.size());
  p.file.fill_to_end();
  const Bytes front = superblock(root, p.file.end);
  p.file.write(0, front.data(), front.size());
  p.file.appear();
}

}  // namespace stickslip::internal
