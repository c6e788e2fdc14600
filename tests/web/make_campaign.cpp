// make_campaign DIR [SOLVERS PROBLEMS]: a synthetic campaign for the tests of the page and for a look at it.

#include <cstdlib>
#include <iostream>

#include "campaign/synthetic.hpp"

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) {
    std::cerr << "usage: make_campaign DIR [SOLVERS PROBLEMS]\n";
    return 2;
  }
  stickslip::campaign::tests::SyntheticSize size;
  if (argc == 4) size.solvers = std::atoi(argv[2]), size.problems = std::atoi(argv[3]);
  std::filesystem::remove_all(argv[1]);
  stickslip::campaign::tests::make_synthetic_campaign(argv[1], size);
  return 0;
}
