#include "campaign/isolated.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "stickslip/errors.hpp"

namespace stickslip::campaign {
namespace {

volatile std::sig_atomic_t running_child = 0;  // for the signal handler of the process that waits

/// Pages of a process: all, and those in memory.
bool pages_of(pid_t pid, long& all, long& resident) {
  char name[64];
  std::snprintf(name, sizeof name, "/proc/%d/statm", int(pid));
  std::FILE* file = std::fopen(name, "r");
  if (!file) return false;
  const bool good = std::fscanf(file, "%ld %ld", &all, &resident) == 2;
  std::fclose(file);
  return good;
}

void set_limit(int resource, rlim_t value) {
  const rlimit limit{value, value};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

/// In the child, before its work: dies with its parent, leaves no core file, keeps to its cores and its
/// memory.
void confine(pid_t parent, const Limits& limits, bool by_address_space) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(126);  // the parent died before the line above
  std::signal(SIGTERM, SIG_DFL);
  set_limit(RLIMIT_CORE, 0);
  const double seconds =
      std::ceil(limits.seconds * double(std::max<std::size_t>(1, limits.cores.size()))) + 5;
  set_limit(RLIMIT_CPU, rlim_t(std::min(seconds, 1e9)));
  if (!limits.cores.empty()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int core : limits.cores) CPU_SET(core, &set);
    ::sched_setaffinity(0, sizeof set, &set);
  }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these map terabytes
  long all = 0, resident = 0;
  if (by_address_space && limits.memory > 0 && pages_of(::getpid(), all, resident))
    set_limit(RLIMIT_AS, rlim_t(all) * rlim_t(::sysconf(_SC_PAGE_SIZE)) + rlim_t(limits.memory));
#else
  (void)by_address_space;
#endif
}

using Clock = std::chrono::steady_clock;

/// Collects the output until the child closes it and ends, or a limit is passed.
Ended watch(pid_t child, int from, bool group, const Limits& limits) {
  Ended ended;
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const auto kill_it = [&](Ended::How how) {
    ended.how = how;
    ::kill(group ? -child : child, SIGKILL);
  };
  long all = 0, first_resident = 0, resident = 0;
  if (!group) pages_of(child, all, first_resident);  // the problem, which it has from its parent
  const double page = double(::sysconf(_SC_PAGE_SIZE));
  bool open = true, killed = false, gone = false;
  double pause =
      1;  // milliseconds between looks, growing: short work is not disturbed, long work is not delayed
  int status = 0;
  rusage usage{};
  while (!gone) {
    if (open) {
      pollfd wait{from, POLLIN, 0};
      if (::poll(&wait, 1, int(pause)) > 0) {
        char buffer[65536];
        const ssize_t count = ::read(from, buffer, sizeof buffer);
        if (count > 0)
          ended.output.append(buffer, std::size_t(count));
        else if (count == 0 || errno != EINTR)
          open = false;
      }
    } else {
      ::usleep(useconds_t(std::min(pause, 2.0) * 100));
    }
    pause = std::min(20.0, pause * 1.3);
    gone = ::wait4(child, &status, WNOHANG, &usage) == child;
    if (gone || killed) continue;
    const double limit = ended.output.empty() ? limits.first_word : limits.seconds;
    if (elapsed() > limit) {
      kill_it(Ended::How::killed_time);
      killed = true;
    } else if (limits.memory > 0 && pages_of(child, all, resident) &&
               double(resident - first_resident) * page > double(limits.memory)) {
      kill_it(Ended::How::killed_memory);
      killed = true;
    }
  }
  ended.seconds = elapsed();
  if (group) ::kill(-child, SIGKILL);  // what it may have left behind
  for (char buffer[65536]; open;) {    // what is still in the pipe
    pollfd wait{from, POLLIN, 0};
    const ssize_t count = ::poll(&wait, 1, 0) > 0 ? ::read(from, buffer, sizeof buffer) : 0;
    open = count > 0;
    if (open) ended.output.append(buffer, std::size_t(count));
  }
  ended.memory = std::int64_t(usage.ru_maxrss) * 1024;
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  if (!killed) ended.how = WIFEXITED(status) ? Ended::How::exited : Ended::How::signalled;
  if (ended.how == Ended::How::signalled && ended.code == SIGXCPU) ended.how = Ended::How::killed_time;
  return ended;
}

Ended start(const std::function<void(int)>& inside, bool group, const Limits& limits) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw OutputError(std::string("no pipe: ") + std::strerror(errno));
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]), ::close(ends[1]);
    throw OutputError(std::string("no process can be started: ") + std::strerror(errno));
  }
  if (child == 0) {
    if (group) ::setpgid(0, 0);
    ::close(ends[0]);
    confine(parent, limits, !group);
    inside(ends[1]);
    ::_exit(0);
  }
  if (group) ::setpgid(child, child);
  running_child = group ? -child : child;
  ::close(ends[1]);
  Ended ended = watch(child, ends[0], group, limits);
  running_child = 0;
  ::close(ends[0]);
  return ended;
}

}  // namespace

Ended run_isolated(const std::function<void(int)>& work, const Limits& limits) {
  return start(work, false, limits);
}

Ended run_program(const std::vector<std::string>& words, const std::string& program,
                  const std::string& error_file, const Limits& limits) {
  std::vector<std::string> copies = words;
  std::vector<char*> argv;
  for (auto& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  return start(
      [&](int to) {
        std::signal(SIGINT, SIG_DFL);
        const int from = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        const int error = ::open(error_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        ::dup2(from, 0), ::dup2(to, 1), ::dup2(error, 2);
        ::execv(program.c_str(), argv.data());
        ::_exit(127);
      },
      true, limits);
}

void kill_isolated() noexcept {
  if (running_child != 0) ::kill(pid_t(running_child), SIGKILL);
}

bool write_all(int descriptor, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t count = ::write(descriptor, at, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    bytes -= std::size_t(count);
  }
  return true;
}

std::string describe(const Ended& ended) {
  switch (ended.how) {
    case Ended::How::exited:
      return fmt::format("ended with exit status {}", ended.code);
    case Ended::How::signalled:
      return fmt::format("ended by signal {} ({})", ended.code, ::strsignal(ended.code));
    case Ended::How::killed_time:
      return fmt::format("killed after {:.3g} s", ended.seconds);
    case Ended::How::killed_memory:
      return "killed: beyond the memory limit";
  }
  return {};
}

}  // namespace stickslip::campaign
