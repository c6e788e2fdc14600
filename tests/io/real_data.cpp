// Every file of the data folder: $STICKSLIP_DATA, or ../shared/data beside the source tree.
#include <cstdlib>

#include "io/samples.hpp"

namespace stickslip::internal::io_test {
namespace {

namespace fs = std::filesystem;

fs::path data_folder() {
  if (const char* set = std::getenv("STICKSLIP_DATA")) return set;
  return fs::path(STICKSLIP_SOURCE_DIR).parent_path() / "shared" / "data";
}

std::vector<fs::path> data_files() {
  std::vector<fs::path> files;
  if (fs::is_directory(data_folder()))
    for (const auto& entry : fs::recursive_directory_iterator(data_folder()))
      if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  return files;
}

/// Reads the file; nothing, and a check of the message, when it is a rolling problem.
std::optional<ProblemFile> read_unless_rolling(const fs::path& path) {
  try {
    return read_problem(path);
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        path.string() + ": fclib_global_rolling: is a problem with rolling friction, which is not supported");
    return {};
  }
}

TEST(RealData, EveryFileIsReadOrIsRolling) {
  const auto files = data_files();
  if (files.empty()) GTEST_SKIP() << "no problem files in " << data_folder() << " (set STICKSLIP_DATA)";
  int local = 0, global = 0;
  for (const fs::path& path : files)
    if (const auto file = read_unless_rolling(path)) ++(file->is_global() ? global : local);
  RecordProperty("local", local);
  RecordProperty("global", global);
  EXPECT_GT(local, 0);
  EXPECT_GT(global, 0);
}

TEST(RealData, SurvivesEveryFormat) {
  const auto files = data_files();
  if (files.empty()) GTEST_SKIP() << "no problem files in " << data_folder() << " (set STICKSLIP_DATA)";
  const TemporaryFolder folder;
  for (const fs::path& path : files) {
    if (fs::file_size(path) > 100000) continue;
    SCOPED_TRACE(path.string());
    auto file = read_unless_rolling(path);
    if (!file) continue;
    write_fclib(folder / "a.hdf5", *file);
    expect_same(*file, read_problem(folder / "a.hdf5"));
    file->guesses.clear();
    file->info = {};
    write_matrix_market(folder / "a", *file);
    expect_same(*file, read_problem(folder / "a"));
    file->solution.reset();
    write_siconos_text(folder / "a.dat", *file);
    expect_same(*file, read_problem(folder / "a.dat"));
  }
}

}  // namespace
}  // namespace stickslip::internal::io_test
