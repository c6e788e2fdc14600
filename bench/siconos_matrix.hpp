// W, and a whole reduced problem, as Siconos stores them.
#pragma once

#include "stickslip/problem.hpp"

struct FrictionContactProblem;
struct NumericsMatrix;

namespace bench {

/// W (d = 3) in Siconos' sparse-block storage, the diagonal in its place in each row. Never freed: the
/// programs that use it solve one problem and end.
NumericsMatrix* to_siconos(const stickslip::BlockMatrix& W);
/// The same with copies of q and μ, and Siconos told to be silent.
FrictionContactProblem* to_siconos(const stickslip::ReducedProblem& problem);

}  // namespace bench
