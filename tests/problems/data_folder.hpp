// The problem files that tests may find: $STICKSLIP_DATA, or ../shared/data beside the source tree.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace stickslip::tests {

inline std::filesystem::path data_folder() {
  if (const char* set = std::getenv("STICKSLIP_DATA")) return set;
  return std::filesystem::path(STICKSLIP_SOURCE_DIR).parent_path() / "shared" / "data";
}

/// The files of all sets whose folder begins with `prefix`, sorted; none where the data are not there.
inline std::vector<std::filesystem::path> data_files(const std::string& prefix) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  if (fs::is_directory(data_folder()))
    for (const auto& entry : fs::recursive_directory_iterator(data_folder()))
      if (entry.path().extension() == ".hdf5" &&
          entry.path().parent_path().filename().string().starts_with(prefix))
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace stickslip::tests
