#include "distributed/traffic_plan.hpp"

namespace stickslip::internal {
namespace {

constexpr auto line_bytes = std::int64_t(Halo::line * sizeof(double));

void count(const HaloPlan::Exchange& exchange, const Share& share, TrafficPlan::Pass& pass) {
  for (const auto& message : exchange.out) {
    ++pass.messages;
    pass.bodies += std::int64_t(message.bodies.size());
    for (const Index body : message.bodies)
      pass.lines += (share.body_size[std::size_t(body)] + Index(Halo::line) - 1) / Index(Halo::line);
  }
}

}  // namespace

TrafficPlan::TrafficPlan(const Share& share) {
  for (const auto& exchange : share.halo.after_colour) count(exchange, share, round);
  count(share.halo.everywhere, share, spread);
}

Sent TrafficPlan::sweep() const { return {round.messages, round.lines * line_bytes}; }

Sent TrafficPlan::product() const {
  return {round.messages + spread.messages, (round.lines + spread.lines) * line_bytes};
}

Sent TrafficPlan::of(const Ranks::Passes& before, const Ranks::Passes& after) const {
  const std::int64_t sweeps = after.sweeps - before.sweeps, products = after.products - before.products,
                     looks = after.looks - before.looks, springs = after.springs - before.springs,
                     spring_lines = after.spring_lines - before.spring_lines;
  return {round.messages * (sweeps + products + springs) + spread.messages * (products + looks + springs),
          line_bytes * (round.lines * (sweeps + products) + spread.lines * (products + looks) +
                        (round.bodies + spread.bodies) * spring_lines)};
}

std::array<std::int64_t, 6> TrafficPlan::numbers() const {
  return {round.messages, round.bodies, round.lines, spread.messages, spread.bodies, spread.lines};
}

TrafficPlan TrafficPlan::from(std::span<const std::int64_t, 6> numbers) {
  TrafficPlan plan;
  plan.round = {numbers[0], numbers[1], numbers[2]};
  plan.spread = {numbers[3], numbers[4], numbers[5]};
  return plan;
}

}  // namespace stickslip::internal
