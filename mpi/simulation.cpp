#include <optional>

#include "catalog/make_method.hpp"
#include "mpi/collective.hpp"
#include "mpi/mpi_ranks.hpp"
#include "stickslip/mpi.hpp"

namespace stickslip::mpi {

struct Simulation::Parts {
  explicit Parts(MPI_Comm communicator) : ranks(communicator) {}

  /// work(), on process 0, where large problems go to all.
  template <class Work>
  bool lead(const Work& work) {
    return internal::led<bool>(ranks, [&](internal::Together& together) {
      const struct Alone {  // whatever happens, nobody is asked for help afterwards
        stickslip::Simulation& whole;
        ~Alone() { whole.set_global_solver({}); }
      } alone{*whole};
      whole->set_global_solver(
          [&](const GlobalProblem& problem, const SolveRequest& request, SolveResult& result) {
            result = together.solve(problem, whole->scene().solver.name, request);
          });
      return work();
    });
  }

  internal::MpiRanks ranks;
  std::optional<stickslip::Simulation> whole;  // on process 0
};

Simulation::Simulation(const Scene& scene, MPI_Comm communicator)
    : parts_(std::make_unique<Parts>(communicator)) {
  internal::led<bool>(parts_->ranks, [&](internal::Together&) {
    Scene used = scene;
    used.solver.name = internal::name_for_ranks(used.solver.name);
    internal::make_method(used.solver.name)->require_ranks();
    parts_->whole.emplace(std::move(used));
    return true;
  });
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

bool Simulation::step() {
  return parts_->lead([&] { return parts_->whole->step(); });
}

bool Simulation::run(double duration, const std::function<bool(const stickslip::Simulation&)>& observer) {
  return parts_->lead([&] { return parts_->whole->run(duration, observer); });
}

stickslip::Simulation* Simulation::whole() { return parts_->whole ? &*parts_->whole : nullptr; }

}  // namespace stickslip::mpi
