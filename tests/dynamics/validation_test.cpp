// The validation problems of docs/validation.md at their tolerances. Quick lengths; bench_validation has the full ones.

#include <gtest/gtest.h>

#include "tests/dynamics/validation/finding.hpp"

namespace stickslip::validation {
namespace {

class Validation : public testing::TestWithParam<std::string> {};

TEST_P(Validation, AgreesWithTheClosedForm) {
  for (const Problem& problem : problems()) {
    if (problem.name != GetParam()) continue;
    const std::vector<Finding> findings = problem.run(Length::quick);
    EXPECT_FALSE(findings.empty());
    for (const Finding& f : findings)
      EXPECT_NEAR(f.found, f.expected, f.tolerance) << f.problem << ": " << f.what;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Problem& problem : problems()) all.push_back(problem.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Problems, Validation, testing::ValuesIn(names()),
                         [](const testing::TestParamInfo<std::string>& which) { return which.param; });

}  // namespace
}  // namespace stickslip::validation
