// What the tests of commands share: a folder with problems in it, and how a refusal looks.
#pragma once

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/process.hpp"

namespace stickslip::tests {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Bad usage or bad input: status 2, nothing on standard output, one line on standard error that says `what`.
inline void expect_refused(const std::vector<std::string>& arguments,
                           const ::testing::Matcher<std::string>& what) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const auto lines = lines_of(outcome.err);
  ASSERT_EQ(lines.size(), 1u) << outcome.err;
  EXPECT_THAT(lines[0], ::testing::AllOf(::testing::StartsWith("stickslip: "), what));
}

class Command : public ::testing::Test {
 protected:
  Folder folder;

  /// The path of a generated problem.
  std::string generate(const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"generate", "-o", folder.path()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto lines = lines_of(outcome.out);
    return lines.empty() ? "" : lines[0];
  }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  }
};

}  // namespace stickslip::tests
