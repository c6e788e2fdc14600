// Solvers by name: the labels of the literature, or a composition such as gs(local=newton(map=ac),
// relaxation=0.9).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/description.hpp"
#include "stickslip/export.hpp"
#include "stickslip/problem_file.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

/// A named solver.
struct CatalogEntry {
  std::string label;        ///< as published, e.g. NSGS-AC
  std::string family;       ///< e.g. gs
  std::string composition;  ///< what the label stands for
  std::string summary;      ///< one line
  std::string reference;    ///< where it comes from
  std::string needs;        ///< what the problem must offer
};

/// Every label, in the order of the manual.
STICKSLIP_EXPORT std::span<const CatalogEntry> catalogue();

// A name is a label or a family, with options: `NSGS-AC(order=shuffled)`, `gs(local=exact)`. Options of a label override those it
// stands for. Each function throws InputError naming the nearest valid name when something is unknown or out of range.

/// The options of a solver with their values.
STICKSLIP_EXPORT std::vector<OptionDescription> describe(std::string_view name);
/// Its stages in the order in which they are tried; empty for solvers of one method.
STICKSLIP_EXPORT std::vector<StageDescription> describe_stages(std::string_view name);
/// What a name stands for: the family with every option that differs from its default. Parsing it again gives
/// the same.
STICKSLIP_EXPORT std::string composition(std::string_view name);

/// Solves by the named solver; `auto` chooses.
STICKSLIP_EXPORT SolveResult solve(const ReducedProblem& problem, const SolveRequest& request = {},
                                   std::string_view solver = "auto");
STICKSLIP_EXPORT SolveResult solve(const GlobalProblem& problem, const SolveRequest& request = {},
                                   std::string_view solver = "auto");
STICKSLIP_EXPORT SolveResult solve(const ProblemFile& file, const SolveRequest& request = {},
                                   std::string_view solver = "auto");

}  // namespace stickslip
