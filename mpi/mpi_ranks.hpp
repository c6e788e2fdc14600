// Ranks whose messages MPI carries.
#pragma once

#include <mpi.h>

#include <vector>

#include "base/ranks.hpp"

namespace stickslip::internal {

class MpiRanks final : public Ranks {
 public:
  /// Works on a copy of the communicator, so that its messages meet no others. MPI must be running while it lives.
  explicit MpiRanks(MPI_Comm communicator);
  ~MpiRanks() override;
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void add(std::span<std::int64_t> x) override;
  void largest(std::span<double> x) override;
  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override;
  Traffic traffic() const override { return traffic_; }
  [[noreturn]] void abort(int status) override;

 private:
  /// Until all requests are done.
  void wait();
  void reduce(void* x, std::size_t size, MPI_Datatype type, MPI_Op operation);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  Traffic traffic_;
  std::vector<MPI_Request> requests_;
  std::vector<int> done_;  // places of requests
};

}  // namespace stickslip::internal
