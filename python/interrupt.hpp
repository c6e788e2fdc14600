// Ctrl-C while the library computes and the interpreter's lock is released: Python's own handler only makes a note, which nobody reads until
// the computation ends. For the life of a watch a handler of ours sets a flag that the library looks at, then calls Python's.
#pragma once

#include <atomic>

namespace stickslip::python {

class InterruptWatch {
 public:
  /// To be made with the lock held. Does nothing in threads that never run Python's signal handlers. Throws what a handler raises that was
  /// due already.
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// Set by Ctrl-C.
  const std::atomic<bool>* flag() const;
  /// Runs Python's handlers that are due, with the lock held; throws what they raise: KeyboardInterrupt as a rule.
  static void raise_pending();
  /// At import.
  static void remember_main_thread();

 private:
  bool installed_ = false;
  void uninstall();
};

}  // namespace stickslip::python
