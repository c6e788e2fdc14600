// bench_validation [--quick] [NAME...]: the validation problems at full length, as a table: closed form, ours, error, tolerance.
//
// docs/validation.md was made with it. Names choose problems: "B" all of a group, "B1" that one. Status 1: a row was missed.

#include <cstdio>
#include <cstring>

#include "base/timer.hpp"
#include "tests/dynamics/validation/finding.hpp"

int main(int argc, char** argv) {
  using namespace stickslip;
  auto length = validation::Length::full;
  std::vector<std::string> names;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--quick") == 0)
      length = validation::Length::quick;
    else
      names.emplace_back(argv[k]);
  }
  std::puts(
      "| problem | figure | closed form | ours | error | tolerance | |\n| --- | --- | --- | --- | --- | --- "
      "| --- |");
  int bad = 0;
  for (const validation::Problem& problem : validation::problems()) {
    bool wanted = names.empty();
    for (const std::string& name : names)
      wanted = wanted || problem.name == name || (name.size() == 1 && problem.name[0] == name[0]);
    if (!wanted) continue;
    const internal::Timer timer;
    for (const validation::Finding& f : problem.run(length)) {
      std::printf("| %s | %s | %.9g | %.9g | %.2e | %.1e | %s |\n", f.problem.c_str(), f.what.c_str(),
                  f.expected, f.found, f.found - f.expected, f.tolerance, f.good() ? "" : "**missed**");
      bad += !f.good();
      std::fflush(stdout);
    }
    std::fprintf(stderr, "%s: %.2f s\n", problem.name.c_str(), timer.seconds());
  }
  return bad > 0 ? 1 : 0;
}
