// An HDF5 file that grows and is whole at every moment: readable while it is written, after kill −9, and on a full disk.
//
// The HDF5 library changes a file's tables in place, in any order; a process that dies in between leaves a file that cannot be
// opened (and in its SWMR mode, one that must be repaired first). So the few structures that are needed are written here, in the
// order that keeps the file valid:
//
//   superblock (48 bytes) → root group → groups → datasets → trees of chunks → chunks
//
// New rows go behind the old ones, where no reader looks yet. Then all headers, whose sizes never change, go to the next of a
// few places in turn. The last write is the superblock, which says where the headers are: 48 bytes in one call. Until that call
// the file is what it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dynamics/record/hdf5_encoding.hpp"

namespace stickslip::internal {

class GrowingFile {
 public:
  /// A new file; it gets its name with the first commit. Throws OutputError.
  explicit GrowingFile(const std::filesystem::path& path);
  /// Goes on with a file whose last commit left this bookkeeping; the layout must be said again as it was. Throws OutputError,
  /// InputError.
  GrowingFile(const std::filesystem::path& path, std::span<const std::byte> bookkeeping);
  ~GrowingFile();
  GrowingFile(GrowingFile&&) noexcept;

  // The layout, to be said before the first commit. Groups are made as paths name them: "/stickslip/step/error".

  void attribute(const std::string& group, const std::string& name, const std::string& value);
  /// A text of fixed length, as VTK wants it.
  void short_attribute(const std::string& group, const std::string& name, const std::string& value);
  void attribute(const std::string& group, const std::string& name, double value);
  /// One number is a scalar.
  void attribute(const std::string& group, const std::string& name, const std::vector<std::int64_t>& values);
  /// A dataset that is written once.
  void fixed(const std::string& path, Element element, std::vector<std::uint64_t> shape, const void* data);
  void fixed(const std::string& path, const std::vector<std::string>& texts);
  /// A dataset of rows of the given shape, without rows yet. Returns its number.
  int growing(const std::string& path, Element element, const std::vector<std::uint64_t>& row);
  /// The same numbers under another name, each row cut into `pieces` ≥ 1 rows of the given shape.
  void alias(const std::string& path, int dataset, std::uint64_t pieces,
             const std::vector<std::uint64_t>& row);
  /// Bytes that are replaced as a whole. Returns its number.
  int replaced(const std::string& path);
  /// Where the bookkeeping goes, which a later writer needs to go on.
  void keep_bookkeeping(const std::string& path);

  // The content. Nothing of it is seen before the next commit. Throws OutputError.

  void append(int dataset, const void* rows, std::uint64_t count);
  void replace(int blob, std::span<const std::byte> bytes);
  /// The value of an attribute of one whole number.
  void set(const std::string& group, const std::string& name, std::int64_t value);
  void commit();

  std::uint64_t rows(int dataset) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip::internal
