// Safeguarded Anderson mixing for any fixed-point method x ← T(x) on the impulses or other numbers of the
// contacts.
//
//   f_k = T(x_k) − x_k,   γ = argmin ‖f_k − ΔF γ‖,   x_{k+1} = P( T(x_k) − ΔT γ ),   P onto the set of x
//
// over the last m differences (Walker and Ni 2011, type II), in the norm that scales each contact, by the
// trace of its block of W for impulses, so that it does not depend on units. A mixed point whose ‖f‖ turns
// out larger than that of the point it came from is taken back: the plain step follows instead, without
// mixing for a while, twice as long after each failure.
//
// Differences are kept in single precision: what is read at each step is half as long, and f itself is not rounded.
//
// Sums go over parts of the contacts: pieces, or, of many contacts through the bodies, the chunks of the colouring, which ranks have whole. Sums of
// chunks are added exactly (base/exact_sum), so that the bits know neither threads nor ranks nor the cut. All numbers lie in the order of the parts.
#pragma once

#include <span>
#include <vector>

#include "base/exact_sum.hpp"
#include "base/raw_numbers.hpp"
#include "solve/contact_problem.hpp"

namespace stickslip::internal {

class Anderson {
 public:
  static constexpr int most = 50;  ///< differences

  /// Where x lives.
  enum class Set { cones, half_lines, space };

  /// `window` ≤ `most` differences; 0 leaves T alone.
  explicit Anderson(long window) : window_(std::size_t(window)) {}

  bool active() const { return window_ > 0; }
  /// Forgets everything. x has `numbers` for each contact of μ; `scale` has one weight each, for impulses
  /// √(tr W_ii/d). Allocates only when the problem is larger than any before. `team` shares the work; it may be nullptr.
  void start(int numbers, std::span<const double> mu, std::span<const double> scale, Set set,
             ThreadTeam* team);
  /// The same for the impulses of a problem; ranks that have shares of it make every call together.
  void start(ContactProblem& problem);
  /// The same for numbers of a problem's contacts that live anywhere, all of one weight.
  void start_in_space(ContactProblem& problem);
  /// Forgets the differences: T has changed.
  void forget();
  /// From x and its image T(x): x ← the next point to map. Whether it is another one than T(x).
  bool next(std::span<double> x, std::span<const double> image);

 private:
  struct Part {
    std::size_t begin, end;
  };

  void start(ContactProblem& problem, Set set);
  void forget_all(std::size_t contacts);
  std::size_t contact(std::size_t place) const { return order_.empty() ? place : std::size_t(order_[place]); }
  /// Σ over the parts, and over all ranks, of `count` numbers that work(part, numbers) writes.
  template <class Work>
  std::span<const double> sum_parts(std::size_t count, const Work& work);
  double take(std::span<const double> x, std::span<const double> image);
  void take_units(double size, std::span<const double> x);
  void add_difference();
  bool solve();
  void combine(const Part& part, std::span<double> x);
  void restore(std::span<double> x) const;

  std::size_t window_;
  int dimension_ = 3;
  Set set_ = Set::cones;
  std::vector<Part> parts_;
  std::span<const Index> order_;  // contact of each place; empty: as numbered
  bool exact_ = false;            // sums of parts are added exactly
  Ranks* ranks_ = nullptr;
  std::vector<double> mu_, scale_, given_scale_;  // the last by contacts
  // Rings of the last differences: column j is used[j].
  std::vector<RawVector<float>> dF_, dT_;
  std::vector<double> gram_;          // ΔFᵀΔF by ring places
  std::vector<double> forces_;        // ΔFᵀf
  std::vector<ExactSum> exact_sums_;  // of all parts and ranks
  std::vector<double> sums_;          // of the parts, then of all
  RawNumbers f_, last_f_, image_, last_image_;
  std::vector<double> gamma_;
  ThreadTeam* team_ = nullptr;
  std::size_t stored_ = 0, newest_ = 0;
  bool have_last_ = false, mixed_ = false;
  double last_size_ = 0;
  double unit_f_ = 1, unit_t_ = 1;  // that dF_ and dT_ are kept in
  long pause_ = 0, next_pause_ = 0;
};

}  // namespace stickslip::internal
