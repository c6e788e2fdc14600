// Labels of the first-order methods: Gauss–Seidel, fixed point, extragradient, alternating directions.
#include "catalog/labels.hpp"

namespace stickslip::internal {

std::span<const CatalogEntry> first_order_labels() {
  static const std::string ac = local_newton("map=ac"), jm = local_newton("map=jm"),
                           ac_gp = local_newton("map=ac, search=goldstein_price"),
                           jm_gp = local_newton("map=jm, search=goldstein_price");
  static const std::vector<CatalogEntry> all = {
      // Gauss–Seidel
      {"NSGS-EXACT", "gs", "gs(local=exact)", "Gauss–Seidel, each contact solved exactly",
       "Jourdan, Alart, Jean 1998; RR Algorithm 7", "nothing"},
      {"NSGS-AC", "gs", "gs(" + ac + ")", "Gauss–Seidel, Alart–Curnier Newton at each contact",
       "Jourdan, Alart, Jean 1998; RR Table 3", "nothing"},
      {"NSGS-JM", "gs", "gs(" + jm + ")", "Gauss–Seidel, Jean–Moreau Newton at each contact", "RR Table 3",
       "nothing"},
      {"NSGS-AC-GP", "gs", "gs(" + ac_gp + ")", "NSGS-AC with a Goldstein–Price search in the local Newton",
       "RR Table 3", "nothing"},
      {"NSGS-JM-GP", "gs", "gs(" + jm_gp + ")", "NSGS-JM with a Goldstein–Price search in the local Newton",
       "RR Table 3", "nothing"},
      {"NSGS-AC-GP-HYBRID", "gs", "gs(local=hybrid)",
       "Gauss–Seidel, the fixed point and NSN-AC-GP in turns at each contact",
       "RR appendix 3, NSGS/LocalSolverHybrid", "nothing"},
      {"NSGS-AC-GP-HYBRID2", "gs", "gs(local=hybrid(first=newton))",
       "NSGS-AC-GP-HYBRID, NSN-AC-GP tried once before", "RR appendix 3, NSGS/LocalSolverHybrid", "nothing"},
      {"NSGS-FP-DS-One", "gs", "gs(local=fixed_point(step=fixed, rho=one, iterations=1))",
       "Gauss–Seidel, one step of De Saxcé's fixed point with ρ = 1 at each contact",
       "De Saxcé, Feng 1991; RR Table 3", "W of about unit size"},
      {"NSGS-FP-VI-UPK", "gs", published_sweeps,
       "Gauss–Seidel, a fixed point with adapted step at each contact", "RR Table 3", "nothing"},
      {"PSOR-AC", "gs", "gs(" + ac + ", relaxation=1.2, relaxed=local)",
       "NSGS-AC with relaxation; any ω in (0, 2]", "RR (117)–(119), Table 3", "nothing"},
      {"PSOR-AC-GP", "gs", "gs(" + ac_gp + ", relaxation=1.2, relaxed=local)",
       "NSGS-AC-GP with relaxation; any ω in (0, 2]", "RR (117)–(119), Figure 10", "nothing"},
      {"NSGS-ANDERSON", "gs", "gs(anderson=8, islands=on)",
       "NSGS-EXACT with safeguarded Anderson mixing, by islands", "Walker, Ni 2011; this project", "nothing"},
      // Fixed point
      {"FP-DS", "fixed_point", "fixed_point(step=fixed(rho=1), scaling=off)",
       "De Saxcé's fixed point with ρ = 1; converges on well scaled problems only",
       "De Saxcé, Feng 1991; RR Table 1", "W of about unit size"},
      {"FP-VI-UPK", "fixed_point", published_fixed_point("khobotov"), "fixed point, Khobotov's step rule",
       "Khobotov 1987; RR Table 1", "nothing"},
      {"FP-VI-UPTS", "fixed_point", published_fixed_point("solodov_tseng"),
       "fixed point, Solodov and Tseng's step rule", "Solodov, Tseng 1996; RR Table 1", "nothing"},
      // Extragradient
      {"EG-VI-UPK", "extragradient", published_extragradient("khobotov"),
       "extragradient, Khobotov's step rule", "Korpelevich 1976, Khobotov 1987; RR (99), Table 1", "nothing"},
      {"EG-VI-UPTS", "extragradient", published_extragradient("solodov_tseng"),
       "extragradient, Solodov and Tseng's step rule",
       "Korpelevich 1976, Solodov, Tseng 1996; RR (99), Table 1", "nothing"},
      // Alternating directions
      {"ADMM", "admm", "admm", "alternating directions, one factorisation reused, adaptive penalty, mixing",
       "Glowinski, Marroco 1975; Boyd and others 2011; this project", factors},
  };
  return all;
}

}  // namespace stickslip::internal
