// Whether linear equations have a solution without negative parts: the static theorem of limit analysis asks for no more.
#pragma once

#include <vector>

namespace stickslip::validation {

/// Phase one of the simplex method with Bland's rule: whether A x = b, x ≥ 0 has a solution. Sizes here are some hundred.
bool feasible(std::vector<std::vector<double>> A, std::vector<double> b);

}  // namespace stickslip::validation
