// CADOUX: Coulomb's law as a fixed point of the slip speeds, F(s) = s, F_i(s) = ‖u_T^i(s)‖, with u(s) from
// the convex conic program of that s.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solve/options.hpp"

namespace stickslip::internal {

struct CadouxOptions {
  enum class Method { newton, fixed_point };
  enum class Start { impulses, feasible };
  enum class Damping { clipped, halved };

  Method method = Method::newton;
  double s0 = -1;  ///< every s_i at the start, in units of u; −1: by `start`
  Start start = Start::impulses;
  Damping damping = Damping::clipped;
  double inner_accuracy = 1e-3;  ///< error of the convex programs, relative to the tolerance
  long inner_iterations = 40;    ///< of one convex program
  long ahead = 15;     ///< Newton steps on the law itself before each convex program but the first two
  long halvings = 12;  ///< of a Newton step

  void visit(OptionVisitor& visitor);
};

std::unique_ptr<Method> make_cadoux(const CadouxOptions& options);

}  // namespace stickslip::internal
