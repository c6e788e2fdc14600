#include "python/simulation.hpp"

#include "base/timer.hpp"
#include "python/interrupt.hpp"
#include "python/signal_errors.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {
namespace {

/// A step that takes longer is stopped within by Ctrl-C, with the best iterate it has; shorter ones are done first.
constexpr double long_step = 0.02;

class Busy {
 public:
  explicit Busy(std::atomic<bool>& busy) : busy_(busy) {
    if (busy.exchange(true))
      throw Error("the simulation is at a step, in another thread or around this callback");
  }
  ~Busy() { busy_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::atomic<bool>& busy_;
};

}  // namespace

Simulation& PythonSimulation::idle() {
  if (busy_) throw Error("the simulation is at a step, in another thread or around this callback");
  return simulation_;
}

bool PythonSimulation::advance(long count, const py::object& self, Watcher& watcher) {
  const Busy busy(busy_);
  bool going = true;
  {
    const InterruptWatch interrupt;
    const std::atomic<bool>* stop = interrupt.flag();
    const py::gil_scoped_release released;
    double seconds = long_step;
    for (long k = 0; k < count && going; ++k) {
      simulation_.set_cancel(seconds >= long_step ? stop : nullptr);
      const internal::Timer timer;
      going = simulation_.step();
      seconds = timer.seconds();
      if (!going || signal_raised() || (stop && *stop)) break;
      if (recorder_) recorder_->after_step(simulation_);
      if (watcher.watches() && watcher([&] { return self; })) break;
    }
    simulation_.set_cancel(nullptr);
  }
  rethrow_from_signals();
  watcher.rethrow();
  InterruptWatch::raise_pending();
  return going;
}

void PythonSimulation::record(const std::filesystem::path& path, bool resume) {
  Simulation& simulation = idle();
  recorder_.reset();
  if (resume && std::filesystem::exists(path))
    recorder_.emplace(Recorder::resume(path, simulation));
  else
    recorder_.emplace(path, simulation);
}

void PythonSimulation::finish_record() {
  if (recorder_) recorder_->finish(idle());
}

}  // namespace stickslip::python
