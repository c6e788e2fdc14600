#include "ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "stickslip/errors.hpp"

namespace stickslip::app {
namespace {

namespace fs = std::filesystem;

int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? std::atoi(text) : otherwise;
}

/// Processes that another MPI started do not know of each other.
std::unique_ptr<internal::Ranks> checked(std::unique_ptr<internal::Ranks> ranks) {
  if (ranks->size() == launch().size) return ranks;
  throw MissingComponent(
      fmt::format("{} processes were started, but MPI knows of {}: take the mpirun of the MPI that stickslip "
                  "was built with",
                  launch().size, ranks->size()));
}

constexpr const char* module_name = "stickslip-mpi.so";

}  // namespace

Launch launch() {
  // Open MPI; MPICH, Intel MPI and Slurm's PMI; Slurm's PMIx, which names no size of its own.
  for (const auto& [size, rank] :
       {std::pair("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), std::pair("PMI_SIZE", "PMI_RANK"),
        std::pair("SLURM_STEP_NUM_TASKS", "PMIX_RANK")})
    if (std::getenv(size) && std::getenv(rank)) return {number(size, 1), number(rank, 0)};
  return {};
}

std::unique_ptr<internal::Ranks> open_ranks() {
  std::error_code none;
  const fs::path beside = fs::read_symlink("/proc/self/exe", none).parent_path();
  std::string why;
  for (const fs::path& path : {beside / module_name, beside / STICKSLIP_MODULE_FROM_BIN / module_name}) {
    if (!fs::exists(path, none)) continue;
    // Open MPI's own parts look for each other among the names of the whole process.
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    using Open = internal::Ranks* (*)();
    if (const auto open = module ? reinterpret_cast<Open>(dlsym(module, "stickslip_open_ranks")) : nullptr)
      return checked(std::unique_ptr<internal::Ranks>(open()));
    if (const char* error = dlerror()) why = fmt::format(" ({})", error);
  }
  throw MissingComponent(
      fmt::format("{} processes were started, and this build has no MPI{}: install libopenmpi-dev and "
                  "openmpi-bin and build again, "
                  "or start one process",
                  launch().size, why));
}

}  // namespace stickslip::app
