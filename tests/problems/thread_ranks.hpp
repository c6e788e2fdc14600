// Ranks that are threads of one process: what the tests run on where there is no MPI, and what the sanitizers can look at.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/ranks.hpp"

namespace stickslip::tests {

/// What the threads share: letters on their way, and one sum or maximum at a time.
class Hub {
 public:
  explicit Hub(int ranks) : size(ranks) {}

  /// What is being added up, and the last that was: the quick ones begin anew while the others still read.
  template <class Number>
  struct Heap {
    std::vector<Number> next, last;
  };

  template <class Number, class Combine>
  void together(std::span<Number> x, Heap<Number>& heap, const Combine& combine) {
    std::unique_lock lock(mutex_);
    std::vector<Number>& value = heap.next;
    if (arrived_ == 0) value.assign(x.begin(), x.end());
    if (value.size() != x.size()) throw std::logic_error("ranks disagree on what they add");
    if (arrived_ > 0)
      for (std::size_t k = 0; k < x.size(); ++k) value[k] = combine(value[k], x[k]);
    const long round = round_;
    if (++arrived_ == size) {
      arrived_ = 0;
      ++round_;
      heap.last.swap(value);
      changed_.notify_all();
    }
    wait(lock, [&] { return round_ != round; });
    std::copy(heap.last.begin(), heap.last.end(), x.begin());
  }
  void send(int from, int to, std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    letters_[{from, to}].emplace_back(bytes.begin(), bytes.end());
    changed_.notify_all();
  }
  void receive(int from, int to, std::span<std::byte> bytes) {
    std::unique_lock lock(mutex_);
    auto& queue = letters_[{from, to}];
    wait(lock, [&] { return !queue.empty(); });
    if (queue.front().size() != bytes.size()) throw std::logic_error("a letter has another size");
    std::copy(queue.front().begin(), queue.front().end(), bytes.begin());
    queue.pop_front();
  }
  /// Nobody waits any longer.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  /// Letters that nobody took.
  std::size_t left_over() const {
    std::size_t count = 0;
    for (const auto& [way, queue] : letters_) count += queue.size();
    return count;
  }

  const int size;
  Heap<std::int64_t> sum;
  Heap<double> maximum;

 private:
  template <class Ready>
  void wait(std::unique_lock<std::mutex>& lock, const Ready& ready) {
    changed_.wait(lock, [&] { return stopped_ || ready(); });
    if (!ready()) throw std::runtime_error("another rank has ended");
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> letters_;
  int arrived_ = 0;
  long round_ = 0;
  bool stopped_ = false;
};

class ThreadRanks final : public internal::Ranks {
 public:
  ThreadRanks(Hub& hub, int rank) : hub_(hub), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return hub_.size; }
  void add(std::span<std::int64_t> x) override {
    ++traffic_.sums;
    hub_.together(x, hub_.sum, std::plus<>());
  }
  void largest(std::span<double> x) override {
    ++traffic_.sums;
    hub_.together(x, hub_.maximum, [](double a, double b) { return std::max(a, b); });
  }
  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    for (const auto& letter : out) {
      ++traffic_.messages;
      traffic_.bytes += std::int64_t(letter.bytes.size());
      hub_.send(rank_, letter.to, letter.bytes);
    }
    for (const auto& letter : in) hub_.receive(letter.from, rank_, letter.bytes);
  }
  Traffic traffic() const override { return traffic_; }
  [[noreturn]] void abort(int) override {
    hub_.stop();
    throw std::runtime_error("aborted");
  }

 private:
  Hub& hub_;
  int rank_;
  Traffic traffic_;
};

/// work(ranks) on so many threads; the first exception that one of them ended with leaves here. Returns the letters that nobody took.
inline std::size_t on_ranks(int count, const std::function<void(internal::Ranks&)>& work) {
  Hub hub(count);
  std::vector<std::thread> threads;
  std::exception_ptr first;
  std::mutex guard;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      ThreadRanks ranks(hub, rank);
      try {
        work(ranks);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!first) first = std::current_exception();
        hub.stop();
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
  return hub.left_over();
}

}  // namespace stickslip::tests
