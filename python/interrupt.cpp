#include "python/interrupt.hpp"

#include <pybind11/pybind11.h>

#include <csignal>

namespace stickslip::python {
namespace {

namespace py = pybind11;

// A signal has one handler in a process: this state cannot belong to an object.
std::atomic<bool> requested = false;
struct sigaction before;
int depth = 0;  // watches in the main thread: a callback may solve, too
unsigned long main_thread = 0;

void handle(int signal, siginfo_t* info, void* context) {
  requested.store(true);
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, info, context);
  else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    before.sa_handler(signal);
}

bool calls_a_function(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

}  // namespace

void InterruptWatch::remember_main_thread() {
  sigaction(SIGINT, nullptr, &before);
  main_thread = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
}

InterruptWatch::InterruptWatch() {
  if (PyThread_get_thread_ident() != main_thread) return;
  if (depth == 0) {
    struct sigaction ours = {};
    ours.sa_sigaction = handle;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    requested.store(false);
    // Ours may be called at once: `before` was filled at import, and changes where the program has set another.
    struct sigaction old = {};
    if (sigaction(SIGINT, &ours, &old) != 0) return;
    before = old;
    if (!calls_a_function(old)) {
      sigaction(SIGINT, &old, nullptr);
      return;
    }
  }
  ++depth;
  installed_ = true;
  if (PyErr_CheckSignals() != 0) {
    uninstall();
    throw py::error_already_set();
  }
}

InterruptWatch::~InterruptWatch() { uninstall(); }

void InterruptWatch::uninstall() {
  if (!installed_) return;
  installed_ = false;
  if (--depth == 0) sigaction(SIGINT, &before, nullptr);
}

const std::atomic<bool>* InterruptWatch::flag() const { return installed_ ? &requested : nullptr; }

void InterruptWatch::raise_pending() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace stickslip::python
