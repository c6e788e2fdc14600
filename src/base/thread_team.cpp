#include "base/thread_team.hpp"

#include <string>
#include <system_error>

#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// Leaves the core to its other thread for a moment.
void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Waits for a change of `value` from `old`: some ten microseconds awake, because the pieces of work are short, then asleep.
void wait_for_change(const std::atomic<unsigned>& value, unsigned old) {
  for (int spin = 0; spin < 2000; ++spin, pause())
    if (value.load(std::memory_order_acquire) != old) return;
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadTeam::ThreadTeam(int size) : size_(size), runs_(std::size_t(size)) {
  try {
    for (int thread = 1; thread < size; ++thread) threads_.emplace_back([this, thread] { serve(thread); });
  } catch (const std::system_error&) {
    const std::size_t started = threads_.size() + 1;
    closing_.store(true);
    round_.fetch_add(1);
    round_.notify_all();
    for (auto& thread : threads_) thread.join();
    throw InputError("threads: the system gives " + std::to_string(started) + " of " + std::to_string(size));
  }
}

ThreadTeam::~ThreadTeam() {
  closing_.store(true);
  round_.fetch_add(1);
  round_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void ThreadTeam::run(const std::function<void(int)>& work) {
  work_ = &work;
  finished_.store(0, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  work(0);
  const auto others = static_cast<unsigned>(size_ - 1);
  for (unsigned done; (done = finished_.load(std::memory_order_acquire)) != others;)
    wait_for_change(finished_, done);
}

void ThreadTeam::serve(int thread) {
  for (unsigned seen = 0;;) {
    wait_for_change(round_, seen);
    ++seen;
    if (closing_.load()) return;
    (*work_)(thread);
    finished_.fetch_add(1, std::memory_order_release);
    finished_.notify_one();
  }
}

void ThreadTeam::barrier() {
  if (size_ == 1) return;
  const unsigned phase = phase_.load(std::memory_order_acquire);
  if (waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<unsigned>(size_)) {
    waiting_.store(0, std::memory_order_relaxed);
    phase_.fetch_add(1, std::memory_order_release);
    phase_.notify_all();
  } else {
    wait_for_change(phase_, phase);
  }
}

}  // namespace stickslip::internal
