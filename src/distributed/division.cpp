#include "distributed/division.hpp"

#include "catalog/make_method.hpp"
#include "solvers/automatic/relaxed.hpp"

namespace stickslip::internal {
namespace {

/// Contacts of two grains that touch, in the mean: some boxes may be among them.
constexpr double most_of_grains = 1.1;

}  // namespace

Division::Division(const std::string& solver)
    : chooses_(solver == "auto"), shared_(chooses_ ? "relaxed" : solver) {
  make_method(shared_)->require_ranks();
}

Division Division::on_first(const std::string& solver) {
  make_method(solver);
  Division division;
  division.shared_ = solver;
  division.alone_ = "linear systems are what is shared";
  return division;
}

std::string Division::why_alone(const ProblemKind& kind) const {
  if (!chooses_) return alone_;
  const bool round = kind.contacts_a_pair < most_of_grains;
  return std::string(why_no_paths(round ? 0 : kind.redundancy, kind.symmetric));
}

}  // namespace stickslip::internal
