// 05: watching a solve and stopping it: history, observer, cancellation, limits of time and iterations.
//
//   build/release/examples/05_observe_and_stop
//
// The problem is manufactured: q = u − W r for an r and u that obey Coulomb's law, so its solution is known.
// Whatever stops a solve, the result holds the best impulses seen; started from the known solution no
// iteration is needed.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <stickslip/stickslip.hpp>
#include <thread>

namespace {

bool good = true;

/// Prints one line and remembers whether the status is the expected one.
void expect(const char* what, const stickslip::SolveResult& result, stickslip::Status expected) {
  std::printf("%-22s %-16s %6ld iterations  %.3f s  error %.1e\n", what,
              stickslip::name(result.status).data(), result.iterations, result.timing.total, result.error());
  good = good && result.status == expected && result.r.size() == result.u.size();
}

}  // namespace

int main() {
  const stickslip::ProblemFile file = stickslip::generate("manufactured", {.size = 2000, .seed = 2});
  // An error that cannot be reached makes every solve run until something stops it.
  constexpr double unreachable = 1e-300;

  const auto limited =
      stickslip::solve(file, {.tolerance = unreachable, .max_iterations = 50, .history = true});
  expect("50 iterations", limited, stickslip::Status::iteration_limit);
  std::printf("    history: ");
  for (std::size_t k = 0; k < limited.history.size(); k += 10) std::printf(" %.1e", limited.history[k].error);
  std::puts("");
  good = good && limited.history.size() == 51 && limited.error() < limited.history.front().error;

  const auto timed = stickslip::solve(file, {.tolerance = unreachable, .time_limit = 0.1});
  expect("a tenth of a second", timed, stickslip::Status::time_limit);

  // The observer sees the true error whenever it is measured; here it has had enough at a hundredth of the
  // first one.
  std::atomic<bool> cancel = false;
  double first = 0;
  long seen = 0;
  const auto watched = stickslip::solve(
      file,
      {.tolerance = unreachable, .cancel = &cancel, .observer = [&](const stickslip::Progress& progress) {
         if (++seen == 1) first = progress.error;
         if (progress.error < first / 100) cancel = true;
       }});
  expect("cancel from inside", watched, stickslip::Status::cancelled);
  good = good && watched.error() < first / 100;

  std::atomic<bool> stop = false;
  std::thread other([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  const auto cancelled = stickslip::solve(file, {.tolerance = unreachable, .cancel = &stop});
  other.join();
  expect("cancel from a thread", cancelled, stickslip::Status::cancelled);

  const auto exact = stickslip::solve(file, {.guess = file.solution->r});
  expect("from the solution", exact, stickslip::Status::converged);
  good = good && exact.iterations == 0;

  std::puts(good ? "every solve ended as it should" : "WRONG: a solve ended otherwise");
  return good ? 0 : 1;
}
