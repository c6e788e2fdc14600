// What a Python function of time raised while a step asked it. The step is done with the function's last value, so that the state is whole; then
// the exception comes out.
#pragma once

namespace stickslip::python {

/// Whether a function has raised in this thread.
bool signal_raised();
/// Throws it, with the lock of the interpreter.
void rethrow_from_signals();

}  // namespace stickslip::python
