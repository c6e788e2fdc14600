#include "solvers/proximal/proximal.hpp"

#include <array>

#include "stickslip/errors.hpp"

namespace stickslip::internal {

void ProximalOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 2> inners = {"newton", "gs"}, schemes = {"guarded", "plain"};
  int kind = static_cast<int>(inner);
  v.part("inner", kind, inners, "what solves the inner problems", [&](OptionVisitor& part) {
    if (kind == static_cast<int>(Inner::gs)) return gs.visit(part);
    newton.visit(part);
  });
  inner = static_cast<Inner>(kind);
  v.choice("scheme", scheme, schemes,
           "guarded: an inner solution that makes it worse is refused; plain: RR Algorithm 8 as printed");
  parameter.visit(v);
  v.real("relaxation", relaxation, {0, 2, true}, "ω of r ← (1 − ω) r_k + ω z, RR (124)");
  v.integer("inner_iterations", inner_iterations, {0, 1e9},
            "Newton steps or sweeps of one inner problem at most; 0: 10 steps or 100 sweeps");
  v.real("inner_factor", inner_factor, {0, 1, true},
         "an inner problem is solved when its residual is this part of the outer one; RR takes 0.1");
  v.integer("iterations", iterations, {0, 1e9},
            "outer iterations of scheme=plain at most; 0: as many as the request allows");
  static constexpr std::array<std::string_view, 2> switches = {"off", "on"};
  v.choice("damping", damping, switches, "of ρ by α: ρ/(1 + αρ), as the blocks W_ii + αI ask for");
  v.real("compliance", compliance, {0, 1e6},
         "first e of u_N + e r_N, relative to the normal entries of W, which falls as the problem with it is "
         "solved; "
         "0: none; inner=newton");
  v.real("compliance_fall", compliance_fall, {1, 1e6, true}, "e is divided by this");
  v.real("compliance_accuracy", compliance_accuracy, {0, 1e6, true},
         "when the residual is this part of e r_N");
}

std::unique_ptr<Method> make_proximal(const ProximalOptions& options) {
  options.parameter.validate();
  if (options.scheme == ProximalOptions::Scheme::plain) return make_proximal_plain(options);
  if (options.inner == ProximalOptions::Inner::newton && options.newton.map == Map::normal)
    throw InputError("option 'map=normal' of the inner Newton asks for scheme=plain");
  return options.inner == ProximalOptions::Inner::newton ? make_proximal_newton(options)
                                                         : make_proximal_sweeps(options);
}

}  // namespace stickslip::internal
