// Writes a problem, reads it again, solves it; a file that is none is refused.
#include <cstdio>
#include <stickslip/catalog.hpp>
#include <stickslip/errors.hpp>
#include <stickslip/generate.hpp>
#include <stickslip/io.hpp>

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "outside.hdf5";
  stickslip::write_fclib(path, stickslip::generate("stack"));
  try {
    stickslip::read_fclib(argv[0]);
    return 1;
  } catch (const stickslip::InputError& error) {  // thrown in one library, its type in another
    std::printf("%s\n", error.what());
  }
  const auto result = stickslip::solve(stickslip::read_problem(path));
  std::printf("%s, error %.1e\n", stickslip::name(result.status).data(), result.error());
  return result.converged() ? 0 : 2;
}
