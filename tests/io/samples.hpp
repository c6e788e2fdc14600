// Small problems and throw-away folders for the tests of src/io.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "stickslip/errors.hpp"
#include "stickslip/io.hpp"

namespace stickslip::internal::io_test {

/// A folder of its own for one test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  /// Names of what lies in it.
  std::vector<std::string> list() const;

 private:
  std::filesystem::path path_;
};

/// `contacts` contacts in a chain, unsymmetric W, numbers that need all their digits.
ReducedProblem local_problem(int dimension, int contacts);
/// Two bodies, two contacts; with or without one bilateral constraint.
GlobalProblem global_problem(int dimension, bool bilateral);
/// A problem with solution, two guesses and info.
ProblemFile full_file(std::variant<ReducedProblem, GlobalProblem> problem);

/// Bit for bit.
void expect_same(const SparseMatrix& a, const SparseMatrix& b);
void expect_same(const ReducedProblem& a, const ReducedProblem& b);
void expect_same(const GlobalProblem& a, const GlobalProblem& b);
void expect_same(const StoredPoint& a, const StoredPoint& b);
/// Problem, solution, guesses and info.
void expect_same(const ProblemFile& a, const ProblemFile& b);

/// The message of the InputError (or OutputError) that `act` must throw.
std::string input_error(const std::function<void()>& act);
std::string output_error(const std::function<void()>& act);

void write_text(const std::filesystem::path& path, const std::string& text);
std::string read_text(const std::filesystem::path& path);
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace stickslip::internal::io_test
