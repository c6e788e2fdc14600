#include "distributed/division.hpp"
#include "mpi/collective.hpp"
#include "mpi/mpi_ranks.hpp"
#include "stickslip/mpi.hpp"

namespace stickslip::mpi {

struct Solver::Parts {
  Parts(MPI_Comm communicator, std::string used) : ranks(communicator), name(std::move(used)) {}

  internal::MpiRanks ranks;
  std::string name;
};

Solver::Solver(const std::string& name, MPI_Comm communicator) {
  const internal::Division refuses_wrong_names(name);
  parts_ = std::make_unique<Parts>(communicator, name);
}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

SolveResult Solver::solve(const GlobalProblem* problem, const SolveRequest& request) {
  struct Answer {
    Status status;
    long iterations;
    Measures measures;
  };
  SolveResult result;
  const auto answer = internal::led<Answer>(parts_->ranks, [&](internal::Together& together) {
    if (!problem) throw InputError("mpi::Solver: process 0 passed no problem");
    result = together.solve(*problem, parts_->name, request);
    return Answer{result.status, result.iterations, result.measures};
  });
  result.status = answer.status;
  result.iterations = answer.iterations;
  result.measures = answer.measures;
  return result;
}

}  // namespace stickslip::mpi
