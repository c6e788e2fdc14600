// About twenty tiny problems with names, each there for one reason; shared by the tests of the solvers.
#pragma once

#include <string>
#include <vector>

#include "stickslip/problem_file.hpp"

namespace stickslip::tests {

struct TinyProblem {
  std::string name;  ///< letters, digits and _: it becomes part of a test's name
  ProblemFile (*make)();
  std::vector<std::string> resists =
      {};  ///< families, and compositions of solvers.hpp, that are known not to solve it; tiny.cpp says why
};

/// Every one has a solution; the manufactured ones store it.
const std::vector<TinyProblem>& tiny_problems();
/// Throws std::out_of_range when there is none of that name.
ProblemFile tiny_problem(const std::string& name);

/// The reduced form, formed where the file holds the global one.
ReducedProblem reduced(const ProblemFile& file);

/// One contact: W = A (by rows), q, μ.
ReducedProblem one_contact(int dimension, const std::vector<double>& A, std::vector<double> q, double mu);

}  // namespace stickslip::tests
