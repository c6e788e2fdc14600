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
#pragma once

#include <span>
#include <vector>

#include "base/raw_numbers.hpp"
#include "problem/contact_operator.hpp"

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
  /// Forgets the differences: T has changed.
  void forget();
  /// From x and its image T(x): x ← the next point to map. Whether it is another one than T(x).
  bool next(std::span<double> x, std::span<const double> image);

 private:
  void take_units(double size, std::span<const double> x, std::span<const double> image);
  void add_difference(std::span<const double> image);
  bool solve();
  void combine(std::size_t begin, std::size_t end, std::span<double> x, std::span<const double> image);

  std::size_t window_;
  int dimension_ = 3;
  Set set_ = Set::cones;
  std::span<const double> mu_;
  std::vector<double> scale_;
  // Rings of the last differences: column j is used[j].
  std::vector<RawVector<float>> dF_, dT_;
  std::vector<double> gram_;    // ΔFᵀΔF by ring places
  std::vector<double> forces_;  // ΔFᵀf
  std::vector<double> sums_;    // of the pieces
  RawNumbers f_, last_f_, last_image_;
  std::vector<double> gamma_;
  ThreadTeam* team_ = nullptr;
  std::size_t stored_ = 0, newest_ = 0;
  bool have_last_ = false, mixed_ = false;
  double last_size_ = 0;
  double unit_f_ = 1, unit_t_ = 1;  // that dF_ and dT_ are kept in
  long pause_ = 0, next_pause_ = 0;
};

}  // namespace stickslip::internal
