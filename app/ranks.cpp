#include "ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "stickslip/errors.hpp"

namespace stickslip::app {
namespace {

namespace fs = std::filesystem;

using internal::Preconditioner;
constexpr std::array<std::pair<std::string_view, Preconditioner>, 5> preconditioners = {
    {{"jacobi", Preconditioner::jacobi},
     {"asm", Preconditioner::additive_schwarz},
     {"mumps", Preconditioner::mumps},
     {"gamg", Preconditioner::multigrid},
     {"hypre", Preconditioner::hypre}}};

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

/// A function of a module that lies beside the program or where it was installed; nullptr: there is none, and `why` says more if it can.
template <class Function>
Function find_function(const char* module_name, const char* function, std::string& why) {
  std::error_code none;
  const fs::path beside = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const fs::path& path : {beside / module_name, beside / STICKSLIP_MODULE_FROM_BIN / module_name}) {
    if (!fs::exists(path, none)) continue;
    // Open MPI's own parts look for each other among the names of the whole process.
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (const auto found = module ? reinterpret_cast<Function>(dlsym(module, function)) : nullptr)
      return found;
    if (const char* error = dlerror()) why = fmt::format(" ({})", error);
  }
  return nullptr;
}

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
  std::string why;
  if (const auto open =
          find_function<internal::Ranks* (*)()>("stickslip-mpi.so", "stickslip_open_ranks", why))
    return checked(std::unique_ptr<internal::Ranks>(open()));
  throw MissingComponent(
      fmt::format("{} processes were started, and this build has no MPI{}: install libopenmpi-dev and "
                  "openmpi-bin and build again, "
                  "or start one process",
                  launch().size, why));
}

std::unique_ptr<internal::ParallelSolver> open_petsc(const std::string& preconditioner) {
  const auto chosen =
      std::ranges::find(preconditioners, preconditioner, [](const auto& one) { return one.first; });
  setenv("OMP_NUM_THREADS", "1",
         0);  // BLAS below MUMPS would start as many threads as there are cores, for each process
  std::string why;
  if (const auto open = find_function<internal::ParallelSolver* (*)(int)>("stickslip-petsc.so",
                                                                          "stickslip_open_petsc", why))
    return std::unique_ptr<internal::ParallelSolver>(open(int(chosen->second)));
  throw MissingComponent(fmt::format(
      "--petsc was asked for, and this build has no PETSc{}: install libpetsc-real-dev and build again",
      why));
}

void add_petsc_option(CLI::App& command, Session& session) {
  command
      .add_option("--petsc", session.petsc,
                  "linear systems of the bodies by PETSc on all processes: jacobi, asm or mumps; of elements "
                  "also gamg and hypre")
      ->check(CLI::IsMember({"jacobi", "asm", "mumps", "gamg", "hypre"}));
}

}  // namespace stickslip::app
