// What tells whether two global problems have the same bodies and contacts.
#pragma once

#include <array>
#include <cstdint>

#include "base/thread_team.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::internal {

/// A digest of M, H and μ, patterns and numbers: problems that differ in one of them have other digests, but for a chance of 2⁻¹²⁸.
using Structure = std::array<std::uint64_t, 2>;
Structure structure_of(const GlobalProblem& problem, ThreadTeam* team = nullptr);

}  // namespace stickslip::internal
