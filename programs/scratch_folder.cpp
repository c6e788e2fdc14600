#include "programs/scratch_folder.hpp"

#include <stdlib.h>

#include <chrono>
#include <string>
#include <system_error>
#include <thread>

#include "stickslip/errors.hpp"

namespace stickslip::programs {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const fs::path& where) {
  std::error_code failure;
  fs::create_directories(where, failure);
  std::string name = (where / ".scratch-XXXXXX").string();
  if (failure || !::mkdtemp(name.data())) {
    const std::error_code reason = failure ? failure : std::error_code(errno, std::generic_category());
    throw OutputError(where.string() + ": no folder can be made in it: " + reason.message());
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code failure;
  for (int k = 0; k < 5; ++k) {
    fs::remove_all(path_, failure);
    if (!failure) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace stickslip::programs
