#include "bodies/halo.hpp"

#include <algorithm>

namespace stickslip::internal {

Halo::Halo(const HaloPlan& plan, const std::vector<Index>& first_line, Ranks& ranks)
    : ranks_(ranks), everywhere_(prepared(plan.everywhere, first_line)) {
  for (const auto& exchange : plan.after_colour) after_colour_.push_back(prepared(exchange, first_line));
}

Halo::Exchange Halo::prepared(const HaloPlan::Exchange& plan, const std::vector<Index>& first_line) {
  const auto with_lines = [&](const std::vector<HaloPlan::Message>& messages) {
    std::vector<Message> made;
    for (const auto& message : messages) {
      made.push_back({int(message.rank), {}, {}});
      for (const Index body : message.bodies)
        for (Index k = first_line[std::size_t(body)]; k < first_line[std::size_t(body) + 1]; ++k)
          made.back().lines.push_back(k);
      made.back().numbers.resize(made.back().lines.size() * line);
    }
    return made;
  };
  // The buffers stay where they are when the exchange is moved.
  Exchange exchange{with_lines(plan.out), with_lines(plan.in), {}, {}};
  for (Message& message : exchange.out)
    exchange.leaving.push_back({message.rank, std::as_bytes(std::span(message.numbers))});
  for (Message& message : exchange.in)
    exchange.arriving.push_back({message.rank, std::as_writable_bytes(std::span(message.numbers))});
  return exchange;
}

void Halo::run(Exchange& exchange, double* state) {
  if (exchange.out.empty() && exchange.in.empty()) return;
  for (Message& message : exchange.out)
    for (std::size_t k = 0; k < message.lines.size(); ++k)
      std::copy_n(state + std::size_t(message.lines[k]) * line, line, &message.numbers[k * line]);
  ranks_.exchange(exchange.leaving, exchange.arriving);
  for (const Message& message : exchange.in)
    for (std::size_t k = 0; k < message.lines.size(); ++k)
      std::copy_n(&message.numbers[k * line], line, state + std::size_t(message.lines[k]) * line);
}

}  // namespace stickslip::internal
