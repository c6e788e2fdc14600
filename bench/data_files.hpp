// The problem files that a benchmark runs on when none are named.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace bench {

/// The FCLIB files below $STICKSLIP_DATA (default: ../shared/data beside the repository), sorted; none where
/// it is absent.
inline std::vector<std::filesystem::path> data_files() {
  const char* given = std::getenv("STICKSLIP_DATA");
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           given ? given : STICKSLIP_SOURCE_DIR "/../shared/data", failure))
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace bench
