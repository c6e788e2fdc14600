#include "python/request.hpp"

#include <fmt/format.h>

#include <climits>

#include "base/text.hpp"
#include "python/arguments.hpp"
#include "python/problem.hpp"
#include "python/result.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/memory.hpp"

namespace stickslip::python {

Request::Request(const Keywords& given, const Problem& problem)
    : watcher(given.callback, given.callback_every) {
  value.tolerance = number("tolerance", given.tolerance);
  if (!given.time_limit.is_none()) value.time_limit = number("time_limit", given.time_limit);
  if (PyUnicode_Check(given.memory_limit.ptr()))
    value.memory_limit = parse_size(text("memory_limit", given.memory_limit));
  else if (!given.memory_limit.is_none())
    value.memory_limit = number("memory_limit", given.memory_limit);
  if (!given.max_iterations.is_none()) value.max_iterations = whole("max_iterations", given.max_iterations);
  const long threads = whole("threads", given.threads);
  if (threads < 1 || threads > 4096)
    throw InputError(fmt::format("threads must lie in [1, 4096], got {}", threads));
  value.threads = int(threads);
  value.history = flag("history", given.history);
  value.explain = flag("explain", given.explain);
  if (!given.guess.is_none()) read_guess(given.guess, problem);
  if (watcher.watches())
    value.observer = [this](const Progress& progress) { return watcher([&] { return py::cast(progress); }); };
}

void Request::read_guess(const py::object& guess, const Problem& problem) {
  const std::size_t expected = std::size_t(problem.contacts()) * std::size_t(problem.dimension());
  if (py::isinstance<Result>(guess)) {
    const SolveResult& last = guess.cast<Result&>().value;
    guess_ = Numbers("guess", guess.attr("r"));
    if (last.u.size() == expected) guess_velocity_ = Numbers("guess", guess.attr("u"));
  } else if (PyUnicode_Check(guess.ptr())) {
    // As on the command line: the solution of the file, or its first guess.
    if (text("guess", guess) != "stored")
      throw InputError("guess must be an array, a result or 'stored', got " + shown(guess));
    const ProblemFile& file = problem.file();
    const StoredPoint* found = file.solution && !file.solution->r.empty() ? &*file.solution : nullptr;
    for (const StoredPoint& point : file.guesses)
      if (!found && !point.r.empty()) found = &point;
    if (!found) throw InputError("the problem holds neither a solution nor a guess with r");
    guess_ = Numbers("guess", copy(found->r, {py::ssize_t(found->r.size())}));
    if (found->u.size() == found->r.size())
      guess_velocity_ = Numbers("guess", copy(found->u, {py::ssize_t(found->u.size())}));
  } else {
    guess_ = Numbers("guess", guess);
  }
  if (guess_.size() != expected)
    throw InputError(fmt::format("guess has {} numbers, expected {}, {} for each contact", guess_.size(),
                                 expected, problem.dimension()));
  value.guess = guess_.span();
  value.guess_velocity = guess_velocity_.span();
}

std::string solver_name(const py::object& name, const py::dict& options) {
  std::string solver = text("solver", name);
  if (options.empty()) return solver;
  std::string added;
  for (const auto& [key, option] : options) {
    std::string word;
    if (PyBool_Check(option.ptr()))
      word = option.ptr() == Py_True ? "on" : "off";
    else if (PyUnicode_Check(option.ptr()))
      word = text(key.cast<std::string>(), option);
    else if (PyIndex_Check(option.ptr()))
      word = std::to_string(whole(key.cast<std::string>(), option));
    else
      word = internal::shortest(number(key.cast<std::string>(), option));
    added += (added.empty() ? "" : ", ") + key.cast<std::string>() + "=" + word;
  }
  // Options that are there already stay in front: the parser refuses what is said twice.
  if (!solver.empty() && solver.back() == ')') {
    const std::size_t open = solver.find('(');
    const bool bare =
        open != std::string::npos && solver.find_first_not_of(' ', open + 1) == solver.size() - 1;
    solver.pop_back();
    return solver + (bare ? "" : ", ") + added + ")";
  }
  return solver + "(" + added + ")";
}

}  // namespace stickslip::python
