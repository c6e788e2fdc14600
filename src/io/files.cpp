// Whole files in and out: temporary name, fsync, rename (POSIX), so that readers see the old file or the new
// one.
#include "io/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "stickslip/errors.hpp"

namespace stickslip::internal::io {

namespace fs = std::filesystem;

namespace {

std::string reason(int code) { return std::generic_category().message(code); }

[[noreturn]] void cannot_write(const fs::path& path, int code) {
  throw OutputError(path.string() + ": cannot be written: " + reason(code));
}

/// An open file descriptor, closed at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

/// A file or folder that is removed at the end of the scope unless it was kept.
class Temporary {
 public:
  explicit Temporary(fs::path path) : path_(std::move(path)) {}
  ~Temporary() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  const fs::path& path() const { return path_; }
  void keep() { path_.clear(); }

 private:
  fs::path path_;
};

fs::path temporary_name(const fs::path& path, int attempt) {
  return path.string() + ".tmp-" + std::to_string(::getpid()) +
         (attempt ? "-" + std::to_string(attempt) : "");
}

void write_all(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), std::min<std::size_t>(bytes.size(), 1U << 30U));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) cannot_write(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Calls `make` with one temporary name after another until the name is free.
template <class Make>
fs::path make_temporary(const fs::path& path, Make make) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    fs::path name = temporary_name(path, attempt);
    if (make(name)) return name;
    if (errno != EEXIST) cannot_write(path, errno);
  }
  cannot_write(path, EEXIST);
}

void sync_folder_of(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() >= 0) ::fsync(fd.get());
}

void write_directly(const fs::path& path, std::string_view bytes) {
  Descriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (fd.get() < 0) cannot_write(path, errno);
  write_all(fd.get(), bytes, path);
  if (fd.close() != 0) cannot_write(path, errno);
}

}  // namespace

std::string read_bytes(const fs::path& path) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) throw InputError("cannot be opened: " + reason(errno));
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) throw InputError("cannot be read: " + reason(errno));
  if (!S_ISREG(status.st_mode)) throw InputError("is not a regular file");
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got =
        ::read(fd.get(), bytes.data() + done, std::min<std::size_t>(bytes.size() - done, 1U << 30U));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError("cannot be read: " + reason(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

void write_bytes(const fs::path& path, std::string_view bytes) {
  std::error_code ignored;
  const fs::path target =
      fs::is_symlink(path, ignored) && fs::exists(path, ignored) ? fs::canonical(path) : path;
  if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored))
    return write_directly(target, bytes);

  int opened = -1;
  Temporary temporary(make_temporary(target, [&](const fs::path& name) {
    opened = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return opened >= 0;
  }));
  Descriptor fd(opened);
  write_all(fd.get(), bytes, path);
  if (::fsync(fd.get()) != 0 || fd.close() != 0) cannot_write(path, errno);
  if (::rename(temporary.path().c_str(), target.c_str()) != 0) cannot_write(path, errno);
  temporary.keep();
  sync_folder_of(target);
}

void write_folder(const fs::path& folder, const std::vector<NamedBytes>& files,
                  const std::vector<std::string>& stale) {
  fs::path target = folder.lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  std::error_code error;
  if (fs::exists(target, error) && !fs::is_directory(target, error)) cannot_write(folder, ENOTDIR);

  Temporary temporary(
      make_temporary(target, [](const fs::path& name) { return ::mkdir(name.c_str(), 0777) == 0; }));
  for (const NamedBytes& file : files) {
    try {
      write_bytes(temporary.path() / file.name, file.bytes);
    } catch (const OutputError& failure) {
      const std::string_view text = failure.what();
      throw OutputError((folder / file.name).string() +
                        std::string(text.substr(text.find(": cannot be written"))));
    }
  }
  // rename replaces an absent or empty folder in one step; into a folder in use the files move one by one
  if (::rename(temporary.path().c_str(), target.c_str()) == 0) {
    temporary.keep();
    return sync_folder_of(target);
  }
  if (errno != ENOTEMPTY && errno != EEXIST) cannot_write(folder, errno);
  for (const NamedBytes& file : files)
    if (::rename((temporary.path() / file.name).c_str(), (target / file.name).c_str()) != 0)
      cannot_write(folder / file.name, errno);
  for (const std::string& name : stale)
    if (std::none_of(files.begin(), files.end(), [&](const NamedBytes& file) { return file.name == name; }))
      fs::remove(target / name, error);
}

}  // namespace stickslip::internal::io
