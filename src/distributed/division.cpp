#include "distributed/division.hpp"

#include "catalog/make_method.hpp"
#include "solvers/automatic/relaxed.hpp"

namespace stickslip::internal {

Division::Division(const std::string& solver)
    : chooses_(solver == "auto"), shared_(chooses_ ? "relaxed" : solver) {
  make_method(shared_)->require_ranks();
}

std::string Division::why_alone(double redundancy, bool symmetric) const {
  return chooses_ ? std::string(why_no_paths(redundancy, symmetric)) : std::string();
}

}  // namespace stickslip::internal
