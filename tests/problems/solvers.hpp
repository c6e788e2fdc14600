// The solvers that the tests go through: the families with this project's defaults, and the labels of the literature.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/catalog.hpp"

namespace stickslip::tests {

/// Compositions of every family with its defaults and its main variants. They solve every tiny problem but those that are
/// marked (TinyProblem::resists).
inline const std::vector<std::string>& family_solvers() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list = {
        "auto", "gs", "gs(local=newton)", "gs(local=newton(map=jm))",
        "gs(local=newton(search=goldstein_price))", "gs(local=newton(map=jm, search=goldstein_price))",
        "gs(local=fixed_point(step=fixed, iterations=1))", "gs(local=fixed_point)", "gs(local=hybrid)",
        "gs(local=newton, relaxation=1.2)", "gs(relaxation=1.2, relaxed=local)", "gs(anderson=8, islands=on)",
        // projections
        "fixed_point", "fixed_point(step=solodov_tseng)", "extragradient",
        "extragradient(step=solodov_tseng)", "extragradient(correction=start)", "admm",
        // convex programs
        "panagiotopoulos", "panagiotopoulos(tangent=extragradient)",
        "panagiotopoulos(tangent=projected_gradient)",
        "panagiotopoulos(normal=projected_gradient, tangent=projected_gradient)", "tresca",
        "tresca(inner=fixed_point)", "tresca(inner=extragradient)", "tresca(inner=projected_gradient)",
        "aclm", "aclm(inner=fixed_point)", "aclm(inner=extragradient)", "aclm(inner=projected_gradient)",
        // Newton's and around it
        "newton(start=extragradient)", "proximal", "proximal(inner=newton(search=goldstein_price))",
        "proximal(inner=newton(map=fb, search=goldstein_price))", "proximal(inner=gs(local=newton))",
        "semismooth(search=nonmonotone)", "semismooth(search=armijo)", "semismooth(linearisation=newt)",
        "semismooth(linearisation=newt, search=armijo)", "semismooth(linearisation=fix, search=none)",
        "quasi_newton", "cadoux", "cadoux(method=fixed_point)", "nipm"};
    for (const char* map : {"nm", "ac", "jm", "fb", "hsw", "xsw", "normal"})
      for (const char* search : {"none", "goldstein_price", "armijo"})
        list.push_back("newton(map=" + std::string(map) + ", search=" + search + ")");
    return list;
  }();
  return all;
}

/// The word before the options.
inline std::string family_of(std::string_view solver) {
  return std::string(solver.substr(0, solver.find('(')));
}

/// Families are in lower case.
inline bool is_family(std::string_view solver) { return solver[0] >= 'a' && solver[0] <= 'z'; }

/// Entries that solve another law than Coulomb's, and are tested by themselves.
inline bool another_law(const CatalogEntry& entry) {
  return entry.family == "convex_relaxation" || entry.label == "SSN-UNIL";
}

/// In upper case as the literature, but made here: families under another name.
inline bool ours(const CatalogEntry& entry) {
  return entry.label == "auto" || entry.label == "NSGS-ANDERSON" || entry.label == "ADMM" ||
         entry.label == "NIPM";
}

/// The labels that run what their references print.
inline std::vector<std::string> published_labels() {
  std::vector<std::string> labels;
  for (const auto& entry : catalogue())
    if (!ours(entry) && !another_law(entry)) labels.push_back(entry.label);
  return labels;
}

/// Whether a solver's map has no meaning in the plane.
inline bool in_space_only(std::string_view solver) {
  return solver.find("XSW") != std::string_view::npos || solver.find("xsw") != std::string_view::npos;
}

}  // namespace stickslip::tests
