#include "python/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "python/arguments.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::python {

int Problem::dimension() const {
  return std::visit([](const auto& p) { return p.dimension(); }, file_->problem);
}

Index Problem::contacts() const {
  return std::visit([](const auto& p) { return p.contacts(); }, file_->problem);
}

const ReducedProblem& Problem::reduced(const char* attribute) const {
  if (const auto* p = std::get_if<ReducedProblem>(&file_->problem)) return *p;
  throw py::attribute_error(fmt::format(
      "a problem in global form has M, H, f, w, mu and no {}; its reduce() forms W and q", attribute));
}

const GlobalProblem& Problem::global(const char* attribute) const {
  if (const auto* p = std::get_if<GlobalProblem>(&file_->problem)) return *p;
  throw py::attribute_error(fmt::format("a problem in reduced form has W, q, mu and no {}", attribute));
}

std::span<const double> Problem::numbers(const std::string& name) const {
  if (name == "mu") return std::visit([](const auto& p) { return p.mu(); }, file_->problem);
  if (name == "q") return reduced("q").q();
  const GlobalProblem& p = global(name.c_str());
  return name == "f" ? p.f() : name == "w" ? p.w() : p.b();
}

void Problem::store(const std::string& name, std::span<const double> numbers) {
  if (uses_ > 0) throw InputError(fmt::format("{} must not change while the problem is being solved", name));
  if (name == "mu") return std::visit([&](auto& p) { p.set_mu(numbers); }, file_->problem);
  if (name == "q") return std::get<ReducedProblem>(file_->problem).set_q(numbers);
  auto& p = std::get<GlobalProblem>(file_->problem);
  if (name == "f") return p.set_f(numbers);
  if (name == "w") return p.set_w(numbers);
  p.set_b(numbers);
}

py::array Problem::vector(const std::string& name) {
  auto found = handed_out_.find(name);
  if (found == handed_out_.end()) {
    const auto now = numbers(name);
    found = handed_out_.emplace(name, copy(now, {py::ssize_t(now.size())})).first;
  }
  return found->second;
}

void Problem::set(const std::string& name, py::handle source) {
  const auto now = numbers(name);
  const Numbers given(name, source);
  if (given.size() != now.size())
    throw InputError(fmt::format("{} has {} numbers, expected {}", name, given.size(), now.size()));
  store(name, given.span());
  if (const auto found = handed_out_.find(name); found != handed_out_.end())
    std::copy(given.begin(), given.end(), static_cast<double*>(found->second.mutable_data()));
}

void Problem::set_values(const std::string& name, py::handle source) {
  global(name.c_str());
  const Numbers given(name + " values", source);
  if (uses_ > 0) throw InputError(name + " must not change while the problem is being solved");
  auto& p = std::get<GlobalProblem>(file_->problem);
  name == "M" ? p.set_M_values(given.span()) : p.set_H_values(given.span());
}

void Problem::synchronise() {
  for (auto& [name, array] : handed_out_) {
    const auto now = numbers(name);
    if (std::size_t(array.nbytes()) != now.size() * sizeof(double))
      throw InputError(fmt::format("the array of {} was resized; it must keep {} numbers", name, now.size()));
    const std::span<const double> written(static_cast<const double*>(array.data()), now.size());
    // A NaN that was written equals nothing, and is refused.
    if (!std::equal(now.begin(), now.end(), written.begin())) store(name, written);
  }
}

}  // namespace stickslip::python
