#include "mpi/mpi_ranks.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/timer.hpp"

namespace stickslip::internal {
namespace {

constexpr int tag = 19;
/// Longer messages go in pieces, so that one can see them move.
constexpr std::size_t longest = std::size_t(1) << 20;
/// Numbers whose sum is worth a meeting of all ranks before it: from here on MPI passes them from rank to rank in a ring.
constexpr std::size_t many = 8192;
/// Seconds of waiting with a busy core while nothing moves, and of one sleep then.
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
  reduce(x.data(), x.size(), MPI_INT64_T, MPI_SUM);
}

void MpiRanks::largest(std::span<double> x) {
  const Clock clock(traffic_.seconds);
  reduce(x.data(), x.size(), MPI_DOUBLE, MPI_MAX);
}

// A long sum goes round and round among the ranks, and whoever sleeps meanwhile holds up all: they meet first, where they may sleep.
void MpiRanks::reduce(void* x, std::size_t size, MPI_Datatype type, MPI_Op operation) {
  ++traffic_.sums;
  requests_.resize(1);
  if (size < many) {
    MPI_Iallreduce(MPI_IN_PLACE, x, int(size), type, operation, communicator_, requests_.data());
    wait();
    return;
  }
  MPI_Ibarrier(communicator_, requests_.data());
  wait();
  MPI_Allreduce(MPI_IN_PLACE, x, int(size), type, operation, communicator_);
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
  done_.resize(requests_.size());
  Timer timer;
  for (std::size_t open = requests_.size(); open > 0;) {
    int count = 0;
    MPI_Testsome(int(requests_.size()), requests_.data(), &count, done_.data(), MPI_STATUSES_IGNORE);
    if (count == MPI_UNDEFINED) return;
    if (count > 0) {
      open -= std::size_t(count);
      timer = Timer();
      continue;
    }
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
