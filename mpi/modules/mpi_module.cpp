// What the command line loads (app/ranks.cpp): all processes of this start as ranks, from here to the end of the object.
#include <memory>

#include "mpi/mpi_ranks.hpp"

namespace {

using namespace stickslip::internal;

/// Begins MPI and ends it. Only the thread that began it sends messages.
class Session final : public Ranks {
 public:
  Session() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    ranks_ = std::make_unique<MpiRanks>(MPI_COMM_WORLD);
  }
  ~Session() override {
    ranks_.reset();
    MPI_Finalize();
  }
  int rank() const override { return ranks_->rank(); }
  int size() const override { return ranks_->size(); }
  void add(std::span<std::int64_t> x) override { ranks_->add(x); }
  void largest(std::span<double> x) override { ranks_->largest(x); }
  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    ranks_->exchange(out, in);
  }
  Traffic traffic() const override { return ranks_->traffic(); }
  [[noreturn]] void abort(int status) override { ranks_->abort(status); }

 private:
  std::unique_ptr<MpiRanks> ranks_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) Ranks* stickslip_open_ranks() { return new Session; }
