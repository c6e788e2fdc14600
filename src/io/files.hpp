// Whole files in and out: reading bytes, and writing them so that a failure leaves nothing behind.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip::internal::io {

/// The bytes of a regular file. Throws InputError with the system's reason, without the file's name.
std::string read_bytes(const std::filesystem::path& path);

/// Replaces the file at `path` by `bytes`: writes a temporary file beside it, flushes it to the disk, renames
/// it. A device or pipe is written to directly. Throws OutputError, `PATH: cannot be written: REASON`;
/// nothing is left behind.
void write_bytes(const std::filesystem::path& path, std::string_view bytes);

/// A file of a folder that is written as a whole.
struct NamedBytes {
  std::string name;
  std::string bytes;
};

/// Writes the files into a temporary folder beside `folder`, then moves them in place; files of `folder`
/// called `stale` that are not among the new ones are removed. Throws OutputError; a failure to write leaves
/// `folder` as it was.
void write_folder(const std::filesystem::path& folder, const std::vector<NamedBytes>& files,
                  const std::vector<std::string>& stale);

}  // namespace stickslip::internal::io
