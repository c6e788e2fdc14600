// Labels of the methods that solve convex programs: alternating optimisation, frozen bounds or shifts, the
// convex relaxation; and of those on the slip speeds: Cadoux, interior point.
#include "catalog/labels.hpp"

namespace stickslip::internal {

std::span<const CatalogEntry> optimisation_labels() {
  static const std::string
      fixed_point = published_fixed_point("khobotov"),
      extragradient = published_extragradient("khobotov"),
      gradient = "projected_gradient(first_step=restart, scaling=off)",  // RR Algorithm 9, ρ₀ = 1
      sweeps = published_sweeps;
  static const std::vector<CatalogEntry> all = {
      // Alternating optimisation
      {"PANA-PGS-FP-VI-UPK", "panagiotopoulos", "panagiotopoulos(normal=pgs, tangent=" + fixed_point + ")",
       "alternating optimisation: projected Gauss–Seidel, then the fixed point",
       "Panagiotopoulos 1975; RR Algorithm 10, Table 4", "nothing"},
      {"PANA-PGS-EG-VI-UPK", "panagiotopoulos", "panagiotopoulos(normal=pgs, tangent=" + extragradient + ")",
       "alternating optimisation: projected Gauss–Seidel, then extragradient",
       "Panagiotopoulos 1975; RR Algorithm 10, Table 4", "nothing"},
      {"PANA-PGS-CONVEXQP-PG", "panagiotopoulos", "panagiotopoulos(normal=pgs, tangent=" + gradient + ")",
       "alternating optimisation: projected Gauss–Seidel, then the projected gradient",
       "Panagiotopoulos 1975; RR Algorithms 10, 9", "W symmetric, or nearly"},
      {"PANA-CONVEXQP-PG", "panagiotopoulos",
       "panagiotopoulos(normal=" + gradient + ", tangent=" + gradient + ")",
       "alternating optimisation: the projected gradient for both",
       "Panagiotopoulos 1975; RR Algorithms 10, 9", "W symmetric, or nearly"},
      // Frozen bounds
      {"TRESCA-NSGS-FP-VI-UPK", "tresca", "tresca(inner=" + sweeps + ")",
       "friction bounds frozen (cylinders), each program by Gauss–Seidel",
       "Haslinger 1983; RR Algorithm 11, Table 4", "nothing"},
      {"TRESCA-FP-VI-UPK", "tresca", "tresca(inner=" + fixed_point + ")",
       "friction bounds frozen (cylinders), each program by the fixed point",
       "Haslinger 1983; RR Algorithm 11, Table 4", "nothing"},
      {"TRESCA-EG-VI-UPK", "tresca", "tresca(inner=" + extragradient + ")",
       "friction bounds frozen (cylinders), each program by extragradient",
       "Haslinger 1983; RR Algorithm 11, Table 4", "nothing"},
      {"TRESCA-CONVEXQP-PG", "tresca", "tresca(inner=" + gradient + ")",
       "friction bounds frozen (cylinders), each program by the projected gradient",
       "Haslinger 1983; RR Algorithm 11, Table 4", "W symmetric, or nearly"},
      // De Saxcé's shift frozen
      {"ACLM-NSGS-FP-VI-UPK", "aclm", "aclm(inner=" + sweeps + ")",
       "De Saxcé's shift frozen (cones), each program by Gauss–Seidel",
       "Acary, Cadoux, Lemaréchal, Malick 2011; RR Algorithm 12, Table 4", "nothing"},
      {"ACLM-FP-VI-UPK", "aclm", "aclm(inner=" + fixed_point + ")",
       "De Saxcé's shift frozen (cones), each program by the fixed point",
       "Acary, Cadoux, Lemaréchal, Malick 2011; RR Algorithm 12, Table 4", "nothing"},
      {"ACLM-EG-VI-UPK", "aclm", "aclm(inner=" + extragradient + ")",
       "De Saxcé's shift frozen (cones), each program by extragradient",
       "Acary, Cadoux, Lemaréchal, Malick 2011; RR Algorithm 12, Table 4", "nothing"},
      {"ACLM-CONVEXQP-PG", "aclm", "aclm(inner=" + gradient + ")",
       "De Saxcé's shift frozen (cones), each program by the projected gradient",
       "Acary, Cadoux, Lemaréchal, Malick 2011; RR Algorithm 12, Table 4", "W symmetric, or nearly"},
      // Another law
      {"SOCLCP-NSGS-PLI", "convex_relaxation", "convex_relaxation(inner=" + sweeps + ")",
       "another law: convex relaxation without De Saxcé's shift, sliding contacts lift off",
       "Tasora, Anitescu 2009; RR 7.4", "a user who wants that law"},
      // Slip speeds as unknowns
      {"CADOUX", "cadoux", "cadoux(start=feasible, ahead=0, halvings=30)",
       "damped Newton on the slip speeds, F(s) = s, a convex program at each step", "Cadoux 2009, section 4",
       factors},
      {"CADOUX-FP", "cadoux", "cadoux(method=fixed_point, start=feasible)",
       "the fixed point s ← F(s), a convex program at each step", "Cadoux 2009, section 3.2", factors},
      // Interior point
      {"NIPM", "nipm", "nipm",
       "interior point with the slip speeds as unknowns, polished by semismooth Newton",
       "this project; after Acary, Armand, Nguyen, Shpakovych 2024", factors},
  };
  return all;
}

}  // namespace stickslip::internal
