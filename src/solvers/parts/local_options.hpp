// The options of one-contact solvers, where several families have them.
#pragma once

#include <span>
#include <string_view>

#include "local/sweep.hpp"
#include "solve/options.hpp"

namespace stickslip::internal {

/// The options of the one-contact fixed point; `rules` names the first rules of RhoRule that are admissible.
void visit_fixed_point(OptionVisitor& visitor, LocalFixedPointOptions& options,
                       std::span<const std::string_view> rules);

}  // namespace stickslip::internal
