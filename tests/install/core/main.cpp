// Generates, solves, and looks at an error, with the core alone.
#include <cstdio>
#include <stickslip/catalog.hpp>
#include <stickslip/errors.hpp>
#include <stickslip/generate.hpp>

int main() {
  try {
    stickslip::solve(stickslip::generate("random", {.size = 20}), {}, "NSGS-XY");
    return 1;
  } catch (const stickslip::InputError& error) {  // an exception of the library is caught by its type
    std::printf("%s\n", error.what());
  }
  const stickslip::ProblemFile file = stickslip::generate("random", {.size = 20});
  stickslip::Solver solver;
  const auto result = solver.solve(std::get<stickslip::GlobalProblem>(file.problem));
  std::printf("%s, error %.1e\n", stickslip::name(result.status).data(), result.error());
  return result.converged() ? 0 : 2;
}
