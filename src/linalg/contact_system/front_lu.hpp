// LU of A = diag(L_i) (W + αI) + diag(R_i) in dense fronts, for Newton's method: W is a block matrix that
// stays, the d×d blocks L_i, R_i and the contacts that take part change at each factorisation.
//
// The contacts are ordered once (approximate minimum degree on the graph of W). For a set of contacts that
// take part the elimination tree and its supernodes follow from that order in time proportional to the fill,
// and are kept while the set stays. Numbers: the multifrontal method (Duff and Reid 1983). Each supernode is
// a dense matrix
//
//   [ F₁₁  F₁₂ ]   its own rows (entries of A plus what its children pass on), F₁₁ = P L U with row exchanges
//   [ F₂₁  F₂₂ ]   F₂₂ ← F₂₂ − F₂₁ F₁₁⁻¹ F₁₂ is passed on to the parent
//
// so that a full W is one dense LU with partial pivoting, and a sparse one works in dense kernels all the
// same. Rows are exchanged inside a front only; a pivot that vanishes to working precision is replaced (and
// counted).
//
// A large tree falls into subtrees that share nothing and the few large fronts above them: threads take the subtrees one by one, then the
// columns of each large front.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/thread_team.hpp"
#include "linalg/contact_system/block_view.hpp"

namespace stickslip::internal {

class FrontLu {
 public:
  FrontLu();
  ~FrontLu();

  /// Orders the contacts of W. Keeps the view; memory of earlier matrices is used again. Blocks of 1, 2, 3 or 6 rows.
  void analyse(const BlockView& W);
  /// Threads that share factorisations and solves from now on; nullptr: none. They change no bit.
  void share(ThreadTeam* team);
  /// Finds the fronts of a set of contacts ahead of its factorisation, which does so too.
  void select(std::span<const std::uint8_t> active);
  /// Counts them only, for `work` and `bytes`: where they may never be needed.
  void count(std::span<const std::uint8_t> active);
  /// Factorises for the contacts i with active[i] ≠ 0; the rows and columns of others are left out. `left`
  /// and `right` hold d×d column-major blocks for all contacts; no `left` stands for identities, no `right` for zeros.
  /// Returns how many pivots were replaced.
  long factorise(std::span<const std::uint8_t> active, const double* left, const double* right, double alpha);
  /// x ← A⁻¹ x on the active contacts; other places of x are left alone.
  void solve(std::span<double> x) const;

  /// How often the set of contacts was analysed; of the last set, numbers in the factors and multiplications of a
  /// factorisation.
  long analyses() const;
  long stored() const;
  /// Subtrees that threads take one by one, and the fronts above them.
  std::pair<long, long> shared() const;
  /// Bytes that it takes. Infinite, as the work: the factors are too large to be thought of, and nothing can be factorised.
  double bytes() const;
  double work() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stickslip::internal
