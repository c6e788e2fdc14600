// LU of A = diag(L_i) (W + αI) + diag(R_i) contact by contact: what FrontLu does, without fronts, and faster
// as long as little fills in. Rows are exchanged inside the d×d pivots only, so that every product of blocks
// has its place before the numbers are known. Who calls must look at the residual.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/contact_system/block_view.hpp"

namespace stickslip::internal {

class ContactLu {
 public:
  /// Orders the contacts of W and places the products; nothing to do where W has the pattern of the last
  /// call. Keeps the view. False where blocks have neither 2 nor 3 rows, the pattern is unsymmetric, or so much fills in
  /// that dense fronts are faster.
  bool analyse(const BlockView& W);
  /// Multiplications of a factorisation of all contacts.
  double work() const;
  /// Bytes that it takes.
  double bytes() const;
  /// Factorises for the contacts i with active[i] ≠ 0; the rows and columns of others are left out. `left`
  /// and `right` hold d×d column-major blocks for all contacts; no `left` stands for identities. False where a pivot is singular or not
  /// finite.
  bool factorise(std::span<const std::uint8_t> active, const double* left, const double* right, double alpha);
  /// x ← A⁻¹ x on the active contacts; other places of x are left alone.
  void solve(std::span<double> x);

 private:
  bool symmetric_pattern() const;
  /// What each pivot touches; false where the products become too many.
  bool find_touched();
  void place_products();
  template <int D>
  void assemble(const double* left, const double* right, double alpha);
  template <int D>
  bool eliminate();
  template <int D>
  void substitute(double* x);

  BlockView W_;
  std::vector<Index> row_start_, column_;  // the pattern of W that was analysed
  bool usable_ = false;
  std::vector<Index> order_, place_;  // contact at each place of the order, and back
  // The later places that a pivot touches, of pivot j from touched_start_[j] on.
  std::vector<Index> touched_start_, touched_;
  // Blocks: the pivots; then, for each pivot j, L_ij of the places i it touches, then U_ji.
  std::vector<Index> target_;         // block of L_ij U_jk, for each pivot j, i and k
  std::vector<Index> entry_;          // block of each off-diagonal block of W
  std::vector<std::uint8_t> active_;  // by places
  std::vector<double> numbers_, inverses_, y_;
  std::vector<Index> child_, sibling_, mark_;  // scratch
};

}  // namespace stickslip::internal
