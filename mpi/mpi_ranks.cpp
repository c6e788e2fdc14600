#include "mpi/mpi_ranks.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/timer.hpp"

namespace stickslip::internal {
namespace {

constexpr int tag = 19;
/// MPI counts in int: longer messages go in pieces.
constexpr std::size_t longest = std::size_t(1) << 30;
/// Seconds of waiting with a busy core, and of one sleep then.
constexpr double patience = 1e-3, longest_sleep = 1e-2;

/// Adds the time of its life.
class Clock {
 public:
  explicit Clock(double& seconds) : seconds_(seconds) {}
  ~Clock() { seconds_ += timer_.seconds(); }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

 private:
  double& seconds_;
  Timer timer_;
};

}  // namespace

// A call that fails ends the job with a message: MPI's own rule (MPI_ERRORS_ARE_FATAL), so that nobody waits for ever.

MpiRanks::MpiRanks(MPI_Comm communicator) {
  MPI_Comm_dup(communicator, &communicator_);
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &size_);
}

MpiRanks::~MpiRanks() { MPI_Comm_free(&communicator_); }

void MpiRanks::add(std::span<std::int64_t> x) {
  const Clock clock(traffic_.seconds);
  ++traffic_.sums;
  requests_.resize(1);
  MPI_Iallreduce(MPI_IN_PLACE, x.data(), int(x.size()), MPI_INT64_T, MPI_SUM, communicator_,
                 requests_.data());
  wait();
}

void MpiRanks::largest(std::span<double> x) {
  const Clock clock(traffic_.seconds);
  ++traffic_.sums;
  requests_.resize(1);
  MPI_Iallreduce(MPI_IN_PLACE, x.data(), int(x.size()), MPI_DOUBLE, MPI_MAX, communicator_, requests_.data());
  wait();
}

void MpiRanks::exchange(std::span<const Outgoing> out, std::span<const Incoming> in) {
  const Clock clock(traffic_.seconds);
  requests_.clear();
  const auto in_pieces = [&](std::size_t size, const auto& begin) {
    for (std::size_t at = 0; at < size; at += longest)
      begin(at, int(std::min(longest, size - at)), &requests_.emplace_back());
  };
  for (const Incoming& message : in)
    in_pieces(message.bytes.size(), [&](std::size_t at, int size, MPI_Request* request) {
      MPI_Irecv(message.bytes.data() + at, size, MPI_BYTE, message.from, tag, communicator_, request);
    });
  for (const Outgoing& message : out) {
    ++traffic_.messages;
    traffic_.bytes += std::int64_t(message.bytes.size());
    in_pieces(message.bytes.size(), [&](std::size_t at, int size, MPI_Request* request) {
      MPI_Isend(message.bytes.data() + at, size, MPI_BYTE, message.to, tag, communicator_, request);
    });
  }
  wait();
}

// MPI itself waits with a core that is busy all the time. A rank that has waited for longer than messages take leaves its core to others: where rank 0
// works alone, or ranks are more than cores.
void MpiRanks::wait() {
  const Timer timer;
  for (int done = 0;;) {
    MPI_Testall(int(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return;
    const double waited = timer.seconds();
    if (waited > patience)
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(waited / 32, longest_sleep)));
  }
}

void MpiRanks::abort(int status) {
  MPI_Abort(communicator_, status);
  std::abort();
}

}  // namespace stickslip::internal
