#include "campaign/machine.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>

#include "stickslip/version.hpp"

namespace stickslip::campaign {
namespace {

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return "unknown";
}

}  // namespace

Machine this_machine() {
  Machine machine;
  utsname name{};
  ::uname(&name);
  machine.name = name.nodename;
  machine.processor = processor_name();
  machine.cores = ::sysconf(_SC_NPROCESSORS_ONLN);
  machine.memory = std::int64_t(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGE_SIZE);
  machine.system = std::string(name.sysname) + " " + name.release + " " + name.machine;
#if defined(__clang__)
  machine.compiler = "clang " __clang_version__;
#else
  machine.compiler = "g++ " __VERSION__;
#endif
  machine.version = version();
  return machine;
}

double load_average() {
  double load[1] = {0};
  return ::getloadavg(load, 1) == 1 ? load[0] : 0;
}

std::vector<int> usable_cores() {
  std::vector<int> cores;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace stickslip::campaign
