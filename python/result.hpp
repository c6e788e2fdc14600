// What a solve gives back.
#pragma once

#include "stickslip/solver.hpp"

namespace stickslip::python {

/// Its arrays are views of this memory.
struct Result {
  SolveResult value;
  int dimension = 3;
};

}  // namespace stickslip::python
