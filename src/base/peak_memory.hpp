// The most memory that this process has had.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace stickslip::internal {

/// Bytes that were resident at most since the process began.
inline std::int64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t(usage.ru_maxrss) * 1024;
}

}  // namespace stickslip::internal
