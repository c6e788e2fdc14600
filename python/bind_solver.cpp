// stickslip.Solver, and solve of the extension: everything that computes goes through run().

#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/interrupt.hpp"
#include "python/problem.hpp"
#include "python/request.hpp"
#include "python/result.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {
namespace {

/// A solver that threads take by turns.
struct SharedSolver {
  explicit SharedSolver(const std::string& name) : solver(name) {}
  Solver solver;
  std::timed_mutex mutex;
  std::atomic<std::thread::id> owner = {};
};

/// Waits for the solver without the lock of the interpreter, but looks at Ctrl-C.
class Turn {
 public:
  explicit Turn(SharedSolver& shared) : shared_(shared) {
    if (shared.owner.load() == std::this_thread::get_id())
      throw Error("this solver is at work; a callback needs a solver of its own");
    if (!shared.mutex.try_lock())
      for (bool mine = false; !mine;) {
        {
          const py::gil_scoped_release released;
          mine = shared.mutex.try_lock_for(std::chrono::milliseconds(20));
        }
        if (!mine) InterruptWatch::raise_pending();
      }
    shared.owner = std::this_thread::get_id();
  }
  ~Turn() {
    shared_.owner = std::thread::id();
    shared_.mutex.unlock();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  SharedSolver& shared_;
};

std::unique_ptr<Result> run(Solver& solver, Problem& problem, const Keywords& keywords) {
  Request request(keywords, problem);
  auto result = std::make_unique<Result>();
  result->dimension = problem.dimension();
  {
    const Problem::Use use(problem);
    const InterruptWatch interrupt;
    request.value.cancel = interrupt.flag();
    const py::gil_scoped_release released;
    std::visit([&](const auto& p) { solver.solve(p, request.value, result->value); }, problem.file().problem);
  }
  request.watcher.rethrow();
  InterruptWatch::raise_pending();
  return result;
}

}  // namespace

void bind_solver(py::module_& module) {
  using namespace py::literals;
  py::class_<SharedSolver>(module, "Solver", R"(A solver that keeps its memory and its analysis: for loops.

Solver(name="auto", **options): a label of solvers() or a composition, with options by keyword.
Threads that share one take turns; for speed give each its own.

>>> import numpy as np, stickslip as ss
>>> p = ss.generate("incline", angle=30)
>>> solver = ss.Solver("gs", relaxation=0.9)
>>> for _ in range(3):
...     p.f[:] *= 1.1
...     result = solver.solve(p, tolerance=1e-10)
>>> result.converged
True
)")
      .def(py::init([](const py::object& name, const py::kwargs& options) {
             return std::make_unique<SharedSolver>(solver_name(name, options));
           }),
           "name"_a = "auto")
      .def(
          "solve",
          [](SharedSolver& shared, const py::object& given, const py::object& tolerance,
             const py::object& time_limit, const py::object& memory_limit, const py::object& max_iterations,
             const py::object& guess, const py::object& threads, const py::object& history,
             const py::object& explain, const py::object& callback, const py::object& callback_every) {
            const py::object problem = make_problem(given, py::none(), py::none(), py::dict());
            const Turn turn(shared);
            return run(shared.solver, problem.cast<Problem&>(),
                       {tolerance, time_limit, memory_limit, max_iterations, guess, threads, history, explain,
                        callback, callback_every});
          },
          "problem"_a, py::kw_only(), "tolerance"_a = 1e-8, "time_limit"_a = py::none(),
          "memory_limit"_a = py::none(), "max_iterations"_a = py::none(), "guess"_a = py::none(),
          "threads"_a = 1, "history"_a = false, "explain"_a = false, "callback"_a = py::none(),
          "callback_every"_a = py::none(),
          "Solves a Problem or a file; the keywords are those of stickslip.solve.")
      .def_property_readonly(
          "label", [](const SharedSolver& s) { return s.solver.label(); }, "As it was asked for.")
      .def_property_readonly(
          "composition", [](const SharedSolver& s) { return s.solver.composition(); },
          "The family with every option that differs from its default.")
      .def("__repr__", [](const SharedSolver& s) {
        return s.solver.label() == s.solver.composition()
                   ? fmt::format("Solver('{}')", s.solver.label())
                   : fmt::format("Solver('{}') = {}", s.solver.label(), s.solver.composition());
      });

  module.def(
      "solve",
      [](const py::object& W, const py::object& q, const py::object& mu, const py::dict& others,
         const py::object& name, const py::dict& options, const py::object& tolerance,
         const py::object& time_limit, const py::object& memory_limit, const py::object& max_iterations,
         const py::object& guess, const py::object& threads, const py::object& history,
         const py::object& explain, const py::object& callback, const py::object& callback_every) {
        Solver solver(solver_name(name, options));  // a wrong name is found before a file is read
        const py::object problem = make_problem(W, q, mu, others);
        return run(solver, problem.cast<Problem&>(),
                   {tolerance, time_limit, memory_limit, max_iterations, guess, threads, history, explain,
                    callback, callback_every});
      },
      "See stickslip.solve.");
}

}  // namespace stickslip::python
