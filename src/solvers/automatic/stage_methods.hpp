// The methods behind the stages of `auto`: families with the options that a stage runs them with.
#pragma once

#include <memory>

#include "solvers/automatic/automatic.hpp"
#include "solvers/interior_point/nipm.hpp"
#include "solvers/proximal/proximal.hpp"

namespace stickslip::internal {

std::unique_ptr<Method> make_sweeps();
std::unique_ptr<Method> make_mixing(long window);
/// Newton's method as long as it makes progress.
std::unique_ptr<Method> make_short_newton();
/// Alternating directions with a weak penalty, whose system has all the stiffness of W: a few dozen iterations where contacts are
/// redundant and few slip.
std::unique_ptr<Method> make_penalty(double rho);
std::unique_ptr<Nipm> make_interior();
/// The proximal point from the impulses of the last step: an inner problem that has not come near its end in a few steps is given up
/// sooner (40 hard problems of a rotating drum: two thirds of the time of ten steps).
std::unique_ptr<Method> make_warm_proximal();
/// The proximal point as large problems need it: ρ follows α, which may become large.
std::unique_ptr<Method> make_body_proximal(Map map);
/// The proximal point on contacts that yield, u_N + e r_N, less and less: slow, but it arrives where all else wanders about.
std::unique_ptr<Method> make_yielding();
/// Mixing and domains by turns. A domain is solved as a large problem is, a relaxed path first: in a brief round at first where it is
/// a large part. A proof that it has no solution proves nothing about the whole.
std::unique_ptr<Method> make_domains(const AutomaticOptions& options);

}  // namespace stickslip::internal
