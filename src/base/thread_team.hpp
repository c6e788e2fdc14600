// A few threads that work together, again and again, with a barrier between their steps.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <thread>
#include <vector>

namespace stickslip::internal {

/// Threads wait without work in between; one call of run is one piece of common work.
class ThreadTeam {
 public:
  /// The caller counts as thread 0; size − 1 others are started.
  explicit ThreadTeam(int size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return size_; }
  /// A run of pieces of common work for each thread: the next one that is not taken.
  struct alignas(64) Run {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };
  std::span<Run> runs() { return runs_; }
  /// Calls work(0) here and work(1) … work(size − 1) on the others; returns when all are done. `work` must
  /// not throw.
  void run(const std::function<void(int)>& work);
  /// To be called by every thread of the running work: nobody goes on before all have come.
  void barrier();

 private:
  void serve(int thread);

  int size_;
  std::vector<Run> runs_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> round_{0}, finished_{0};
  std::atomic<unsigned> waiting_{0}, phase_{0};
  std::atomic<bool> closing_{false};
  std::vector<std::thread> threads_;
};

}  // namespace stickslip::internal
