// Uses something of every public header, so that a header or a library that was not installed is noticed.
#include <cstdio>
#include <stickslip/stickslip.hpp>

int main(int argc, char** argv) try {
  const stickslip::ProblemFile file = stickslip::generate("random", {.size = 20});
  const stickslip::SolveResult result = stickslip::solve(file, {.tolerance = 1e-8}, "NSGS-AC");
  const stickslip::ReducedProblem reduced =
      stickslip::Reduction(std::get<stickslip::GlobalProblem>(file.problem)).reduced();
  const char* path = argc > 1 ? argv[1] : "outside.hdf5";
  stickslip::write_fclib(path, file);
  const bool global = stickslip::read_problem(path).is_global();
  std::printf("stickslip %s: %s, %d contacts, error %.1e\n", stickslip::version(),
              stickslip::name(result.status).data(),
              static_cast<int>(stickslip::statistics(reduced).contacts), result.error());
  return result.converged() && global ? 0 : 1;
} catch (const stickslip::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
