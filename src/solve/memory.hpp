// What a problem, sweeps on it, W and its factorisation take, in bytes, counted before anything is allocated.
#pragma once

#include <string>

#include "solve/contact_problem.hpp"

namespace stickslip::internal {

/// The numbers and indices of the problem as it was given.
double problem_bytes(const ReducedProblem& problem);
double problem_bytes(const GlobalProblem& problem);
/// Of sweeps without W and of mixing: records, differences and points.
double sweep_bytes(const GlobalProblem& problem);
/// Of domains of a packing, with their factors, at their largest.
double domain_bytes(const GlobalProblem& problem);
/// Of points and differences alone, where W is there.
double mixing_bytes(const ReducedProblem& problem);
/// Of W, once; an upper bound where bodies of many rows couple contacts that do not touch each other.
double matrix_bytes(const BodyGraph& bodies);
/// Of the linear system through the bodies, K and its factors not counted.
double body_system_bytes(const GlobalProblem& problem);

/// For people: 1.5 GiB, 320 MiB.
std::string size_in_words(double bytes);

}  // namespace stickslip::internal
