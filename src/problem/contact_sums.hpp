// Sums over the contacts of a problem, over those of all ranks where there are any.
//
// Of many contacts the sums are exact (base/exact_sum), so that their bits depend neither on threads nor on ranks nor on the cut. Of a
// few they are sums of doubles in a fixed order: all of them are one chunk, and so on one rank.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "base/exact_sum.hpp"
#include "base/pieces.hpp"
#include "linalg/colouring.hpp"
#include "problem/contact_operator.hpp"

namespace stickslip::internal {

/// Exact sums take long beside a few contacts.
inline bool adds_exactly(const ContactOperator& problem) {
  return problem.contacts_in_all() >= coloured_contacts;
}

/// Σ work(i) over the contacts, N numbers each; threads may call it side by side.
template <std::size_t N, class Work>
std::array<double, N> sum_contacts(const ContactOperator& problem, const Work& work) {
  struct Doubles {
    std::array<double, N> x = {};
    void add(const std::array<double, N>& y) {
      for (std::size_t k = 0; k < N; ++k) x[k] += y[k];
    }
    void operator+=(const Doubles& other) { add(other.x); }
  };
  struct Exact {
    std::array<ExactSum, N> x;
    void add(const std::array<double, N>& y) {
      for (std::size_t k = 0; k < N; ++k) x[k].add(y[k]);
    }
    void operator+=(const Exact& other) {
      for (std::size_t k = 0; k < N; ++k) x[k] += other.x[k];
    }
  };
  const auto mine = [&]<class Sums>(Sums) {
    return sum_in_pieces<Sums>(problem.team(), problem.mu().size(), [&](std::size_t begin, std::size_t end) {
      Sums part;
      for (std::size_t i = begin; i < end; ++i) part.add(work(i));
      return part;
    });
  };
  const auto in_all = [&](Exact sums) {
    std::array<ExactSum*, N> places;
    std::ranges::transform(sums.x, places.begin(), [](ExactSum& sum) { return &sum; });
    add_up(problem.ranks(), places);
    std::array<double, N> values;
    std::ranges::transform(sums.x, values.begin(), [](const ExactSum& sum) { return sum.value(); });
    return values;
  };
  if (adds_exactly(problem)) return in_all(mine(Exact()));
  const Doubles few = mine(Doubles());
  if (!problem.ranks()) return few.x;
  Exact sums;
  sums.add(few.x);
  return in_all(sums);
}

/// The same of one number each.
template <class Work>
double sum_contacts(const ContactOperator& problem, const Work& work) {
  return sum_contacts<1>(problem, [&](std::size_t i) { return std::array<double, 1>{work(i)}; })[0];
}

/// x·y, d numbers a contact.
inline double contact_dot(const ContactOperator& problem, std::span<const double> x,
                          std::span<const double> y) {
  const auto d = std::size_t(problem.dimension());
  return sum_contacts(problem, [&](std::size_t i) {
    double sum = 0;
    for (std::size_t k = i * d; k < (i + 1) * d; ++k) sum += x[k] * y[k];
    return sum;
  });
}

}  // namespace stickslip::internal
