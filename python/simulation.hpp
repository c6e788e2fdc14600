// A simulation as Python sees it: one thread at a time, stopped by Ctrl-C, recorded where that is asked for.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <filesystem>
#include <optional>

#include "python/watcher.hpp"
#include "stickslip/record.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip::python {

class PythonSimulation {
 public:
  explicit PythonSimulation(Scene scene) : simulation_(std::move(scene)) {}
  PythonSimulation(const std::string& path, const std::vector<Parameter>& parameters)
      : simulation_(path, parameters) {}

  /// The state. Reading it while another thread steps gives numbers of this step or of the next.
  const Simulation& state() const { return simulation_; }
  /// To change it between steps. Throws Error while another thread, or a callback's caller, is at a step.
  Simulation& idle();

  /// Steps until `count` are done, the callback says stop, Ctrl-C comes, or the run ends; returns whether it may go on.
  bool advance(long count, const py::object& self, Watcher& watcher);
  /// From here on every step is recorded.
  void record(const std::filesystem::path& path, bool resume);
  void finish_record();

 private:
  Simulation simulation_;
  std::optional<Recorder> recorder_;
  std::atomic<bool> busy_ = false;
};

}  // namespace stickslip::python
