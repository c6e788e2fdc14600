#include "solvers/parts/local_options.hpp"

#include <array>

namespace stickslip::internal {

void visit_fixed_point(OptionVisitor& v, LocalFixedPointOptions& fixed,
                       std::span<const std::string_view> rules) {
  static constexpr std::array<std::string_view, 3> steps = {"fixed", "khobotov", "solodov_tseng"};
  v.choice("step", fixed.step, steps, "fixed ρ, or the rules RR (101), (102)");
  v.choice("rho", fixed.rho, rules, "first ρ: 1, or the rules RR (110), (111), (112), (109)");
  v.real("tolerance", fixed.tolerance, {0, 1, true}, "on ‖r − P_K(r − û)‖ relative to the size of r and ρb");
  v.integer("iterations", fixed.iterations, {1, 1e6}, "steps at most; 1 with step=fixed is FP-DS-One");
}

}  // namespace stickslip::internal
