// Tells the formats apart by content: a folder is Matrix Market, the HDF5 signature is FCLIB, all else must
// be text.
#include "io/fclib_reader.hpp"
#include "io/files.hpp"
#include "io/message.hpp"
#include "io/text_reader.hpp"
#include "stickslip/errors.hpp"

namespace stickslip {

using namespace internal;

namespace {

ProblemFile read_by_content(std::string_view bytes) {
  if (bytes.empty()) throw InputError("is empty");
  if (io::is_hdf5(bytes)) return io::read_fclib_image(bytes);
  if (bytes.starts_with("%%MatrixMarket"))
    throw InputError("is one Matrix Market file; give the folder that holds W.mtx, q.mtx and mu.mtx");
  if (bytes.find('\0') != std::string_view::npos) throw InputError("is neither an HDF5 file nor text");
  try {
    return io::read_siconos_bytes(bytes);
  } catch (const InputError& error) {
    throw InputError("is not an HDF5 file, and as a Siconos text problem: " + std::string(error.what()));
  }
}

}  // namespace

ProblemFile read_problem(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return read_matrix_market(path);
  return io::with_file_name(path, [&] { return read_by_content(io::read_bytes(path)); });
}

}  // namespace stickslip
