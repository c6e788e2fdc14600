#include <optional>

#include "distributed/shared_solve.hpp"
#include "mpi/collective.hpp"
#include "mpi/mpi_ranks.hpp"
#include "stickslip/mpi.hpp"

namespace stickslip::mpi {

struct Simulation::Parts {
  explicit Parts(MPI_Comm communicator) : ranks(communicator) {}

  /// What goes wrong on one process alone ends all: the others wait for messages.
  template <class Work>
  bool work(const Work& done_by_all) {
    try {
      return done_by_all();
    } catch (...) {
      if (ranks.size() > 1) ranks.abort(1);
      throw;
    }
  }
  bool step() {
    const bool going = whole->step();
    whole->gather();
    return going;
  }

  internal::MpiRanks ranks;
  std::optional<internal::SharedSolve> solver;
  std::optional<stickslip::Simulation> whole;
};

Simulation::Simulation(const Scene& scene, MPI_Comm communicator)
    : parts_(std::make_unique<Parts>(communicator)) {
  // Refused by one is refused by all.
  std::exception_ptr failure;
  try {
    parts_->solver.emplace(parts_->ranks, scene.solver.name);
    parts_->whole.emplace(scene);
  } catch (...) {
    failure = std::current_exception();
  }
  double failed = failure ? 1 : 0;
  parts_->ranks.largest({&failed, 1});
  if (failure) std::rethrow_exception(failure);
  if (failed > 0) throw InputError("another process refused the scene, and says why");
  parts_->whole->set_processes(*parts_->solver);
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

bool Simulation::step() {
  return parts_->work([&] { return parts_->step(); });
}

bool Simulation::run(double duration, const std::function<bool(const stickslip::Simulation&)>& observer) {
  // Process 0 asks its observer, and all end together.
  return parts_->work([&] {
    const bool first = parts_->ranks.rank() == 0;
    return parts_->whole->run(duration, [&](const stickslip::Simulation& whole) {
      parts_->whole->gather();
      double stop = first && observer && observer(whole) ? 1 : 0;
      parts_->ranks.largest({&stop, 1});
      return stop > 0;
    });
  });
}

stickslip::Simulation* Simulation::whole() { return parts_->ranks.rank() == 0 ? &*parts_->whole : nullptr; }

}  // namespace stickslip::mpi
