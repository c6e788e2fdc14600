// Labels of the methods around Newton's: nonsmooth, proximal point, semismooth (SSN), projected quasi-Newton.
#include "catalog/labels.hpp"

namespace stickslip::internal {
namespace {

/// RR Algorithms 4 to 6 and nothing else: no scaling, no W + aI, no sweeps, no patience; iter_max, which RR does not print.
std::string published_newton(const std::string& options) {
  return "newton(" + options +
         ", scaling=off, regularisation=0, sweeps=0, patience=0, iterations=1000, form=matrix)";
}

/// A map of RR 3.3 plain, with Goldstein and Price's search and with Armijo's.
void add_map(std::vector<CatalogEntry>& all, const std::string& label, const std::string& map,
             const std::string& name, const std::string& reference) {
  const std::string summary = "nonsmooth Newton on the " + name + " map";
  all.push_back({label, "newton", published_newton(map), summary, reference, factors});
  all.push_back({label + "-GP", "newton", published_newton(map + ", search=goldstein_price"),
                 summary + ", Goldstein–Price search", reference, factors});
  all.push_back({label + "-A", "newton", published_newton(map + ", search=armijo"),
                 summary + ", Armijo search", reference, factors});
}

/// RR Algorithm 8 and the rule ÷10, ×5 of RR 6.4 from α₀ = 10³; α is bounded by what floating point needs.
std::string published_proximal(const std::string& inner, long inner_iterations) {
  return "proximal(inner=" + inner +
         ", scheme=plain, rule=success(shrink=10, grow=5), alpha0=1000, alpha_min=0, " +
         "alpha_max=1e16, inner_factor=0.1, inner_iterations=" + std::to_string(inner_iterations) +
         ", iterations=1000)";
}

std::string inner_newton(const std::string& options) {
  return "newton(" + options + ", scaling=off, regularisation=0)";
}

/// SSN's SCSOL with the parameters of SSN Table 2.
std::string published_semismooth(const std::string& options) {
  return "semismooth(" + options + ", regularisation=0, scaling=off)";
}

std::vector<CatalogEntry> make_labels() {
  std::vector<CatalogEntry> all;
  // Nonsmooth Newton. RR (65) and (79) have no ρ.
  add_map(all, "NSN-NM", "map=nm", "natural", "RR (51), Table 2");
  add_map(all, "NSN-AC", "map=ac", "Alart–Curnier", "Alart, Curnier 1991; RR (63), Table 2");
  add_map(all, "NSN-JM", "map=jm", "Jean–Moreau", "Jean, Moreau 1987; RR (61), Table 2");
  add_map(all, "NSN-FB", "map=fb, rho=one", "Fischer–Burmeister",
          "Fukushima, Luo, Tseng 2001; RR (79), Table 2");
  add_map(all, "NSN-HSW", "map=hsw", "Hüeber–Stadler–Wohlmuth", "Hüeber, Stadler, Wohlmuth 2008; RR (66)");
  add_map(all, "NSN-XSW", "map=xsw, rho=one", "Xuewen–Soh–Wanji", "Li, Soh, Chen 2000; RR (65)");
  add_map(all, "NSN-NORMAL", "map=normal", "normal", "RR (52)–(54)");
  const std::vector<CatalogEntry> rest = {
      {"NSN-AC-HYBRID", "newton",
       published_newton("map=ac, search=armijo, start=extragradient(iterations=100, step=khobotov(rho=1), "
                        "scaling=off, correction=start)"),
       "NSN-AC-A after 100 iterations of EG-VI-UPK", "RR Table 2", factors},
      // Proximal point
      {"PPA-NSN-AC", "proximal", published_proximal(inner_newton("map=ac"), 200),
       "proximal point, Alart–Curnier Newton inside", "Rockafellar 1976; RR Algorithm 8, Table 3", factors},
      {"PPA-NSN-AC-GP", "proximal", published_proximal(inner_newton("map=ac, search=goldstein_price"), 200),
       "PPA-NSN-AC with a Goldstein–Price search", "RR Algorithm 8, 9.4", factors},
      {"PPA-NSN-FB-GP", "proximal",
       published_proximal(inner_newton("map=fb, rho=one, search=goldstein_price"), 200),
       "proximal point, Fischer–Burmeister Newton with Goldstein–Price search inside", "RR Algorithm 8, 9.4",
       factors},
      {"PPA-NSGS-AC", "proximal", published_proximal("gs(" + local_newton("map=ac") + ")", 10000),
       "proximal point, Gauss–Seidel inside", "RR Algorithm 8, Table 3", "nothing"},
      // Semismooth Newton (SSN)
      {"SSN-NEWT-A", "semismooth", published_semismooth("linearisation=newt, search=armijo"),
       "semismooth Newton, consistent linearisation, monotone search", "Koziara, Bićanić 2008, NEWT, J = 0",
       factors},
      {"SSN-NEWT-G", "semismooth",
       published_semismooth("linearisation=newt, search=nonmonotone(memory=10, first_merit=remembered)"),
       "semismooth Newton, consistent linearisation, nonmonotone search",
       "Koziara, Bićanić 2008, NEWT, J = 10", factors},
      {"SSN-HYB-A", "semismooth", published_semismooth("linearisation=hyb, search=armijo, open=vanish"),
       "semismooth Newton, hybrid linearisation, monotone search", "Koziara, Bićanić 2008, HYB, J = 0",
       factors},
      {"SSN-HYB-G", "semismooth",
       published_semismooth(
           "linearisation=hyb, search=nonmonotone(memory=10, first_merit=remembered), open=vanish"),
       "semismooth Newton, hybrid linearisation, nonmonotone search", "Koziara, Bićanić 2008, HYB, J = 10",
       factors},
      {"SSN-FIX", "semismooth", published_semismooth("linearisation=fix, search=none, open=vanish"),
       "Newton for Tresca's friction, its bounds renewed at convergence", "Koziara, Bićanić 2008, FIX",
       factors},
      {"SSN-UNIL", "semismooth",
       published_semismooth("linearisation=unil, search=none, frictionless=active_sets"),
       "primal–dual active set for contact without friction", "Koziara, Bićanić 2008, UNIL", "μ = 0"},
      // Projected quasi-Newton
      {"PQN", "quasi_newton",
       "quasi_newton(delta=0, relative=none, decay=0, omega=1e-11, linear=gmres(accuracy=0.25, "
       "iterations=10, "
       "restart=20), iterations=1000, products=100000, scaling=off)",
       "projected quasi-Newton on the smoothed natural map, GMRES inside",
       "Koziara 2019, Algorithm 1, Table 1", "nothing"},
  };
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

std::span<const CatalogEntry> newton_labels() {
  static const std::vector<CatalogEntry> all = make_labels();
  return all;
}

}  // namespace stickslip::internal
