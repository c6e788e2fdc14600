#include "dynamics/record/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "stickslip/errors.hpp"

namespace stickslip::internal {

OutputFile::OutputFile(std::filesystem::path path, Mode mode) : path_(std::move(path)) {
  // A link stays one. Where no record can be, nothing is replaced: /dev/null would be a file then.
  std::error_code none;
  if (std::filesystem::exists(path_, none)) {
    if (std::filesystem::is_symlink(path_, none)) path_ = std::filesystem::canonical(path_, none);
    if (std::filesystem::is_directory(path_, none)) fail(EISDIR);
    if (!std::filesystem::is_regular_file(path_, none))
      throw OutputError(fmt::format("{}: cannot be written: it is no regular file", path_.string()));
  }
  if (mode == Mode::fresh) {
    temporary_ = path_;
    temporary_ += fmt::format(".{}.new", getpid());
    descriptor_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  } else {
    descriptor_ = open(path_.c_str(), O_RDWR | O_CLOEXEC);
  }
  if (descriptor_ < 0) fail(errno);
  struct stat status {};
  if (fstat(descriptor_, &status) == 0) filled_ = std::uint64_t(status.st_size);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::fail(int reason) const {
  throw OutputError(fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(reason)));
}

void OutputFile::write(std::uint64_t address, const void* data, std::size_t size) {
  const auto* from = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = pwrite(descriptor_, from, size, off_t(address));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail(done < 0 ? errno : ENOSPC);
    from += done;
    address += std::uint64_t(done);
    size -= std::size_t(done);
  }
  filled_ = std::max(filled_, address);
}

void OutputFile::read(std::uint64_t address, void* data, std::size_t size) const {
  auto* to = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t done = pread(descriptor_, to, size, off_t(address));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw InputError(fmt::format("{}: it ends too early", path_.string()));
    to += done;
    address += std::uint64_t(done);
    size -= std::size_t(done);
  }
}

std::uint64_t OutputFile::take(std::uint64_t size) {
  const std::uint64_t at = end;
  end += (size + 7) / 8 * 8;
  return at;
}

void OutputFile::fill_to_end() {
  // Real zeros, not a hole: a disk that fills up is found out before the file says that they are there.
  static constexpr std::size_t most = 1 << 16;
  while (filled_ < end) {
    const std::vector<char> zeros(std::size_t(std::min<std::uint64_t>(most, end - filled_)), 0);
    write(filled_, zeros.data(), zeros.size());
  }
}

void OutputFile::appear() {
  if (temporary_.empty()) return;
  std::error_code failure;
  std::filesystem::rename(temporary_, path_, failure);
  if (failure) fail(failure.value());
  temporary_.clear();
}

}  // namespace stickslip::internal
