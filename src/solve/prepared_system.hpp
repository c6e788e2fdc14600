// A problem in scaled units together with its linear system, analysed: what all second-order methods of a solve share.
#pragma once

#include "solve/scaled_problem.hpp"

namespace stickslip::internal {

struct PreparedSystem {
  ScaledProblem problem;
  ContactSystem system;
};

}  // namespace stickslip::internal
