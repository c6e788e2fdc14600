// The largest and the smallest non-zero singular value of a matrix.
//
// Small matrices: all of them, by a dense decomposition. Large ones: the bidiagonalisation of Golub and Kahan, which LSMR is
// made of (Fong, Saunders 2011),
//
//   β₁u₁ = b,    W V_k = U_{k+1} B_k,    Wᵀ U_{k+1} = V_k B_kᵀ + α_{k+1} v_{k+1} e_{k+1}ᵀ,
//
// with every vector made orthogonal to all before. V_k lies in the range of Wᵀ, where W has no null vectors: the singular
// values of B_k are non-zero and lie between the extreme ones of W, which they tend to.
#pragma once

#include <span>

#include "stickslip/sparse_matrix.hpp"

namespace stickslip::internal {

struct SingularValues {
  double largest = 0, smallest = 0;  ///< non-zero ones
  Index rank = 0;                    ///< of a dense decomposition: those above `relative` times the largest
  long steps = 0;                    ///< of the bidiagonalisation; 0: a dense decomposition
};

/// All of them; below `relative` times the largest one counts as zero.
SingularValues dense_singular_values(const SparseMatrix& W, double relative);

/// Estimates from inside: `largest` from below, `smallest` from above. Begins at b ≠ 0 and ends when both stand still, when the
/// space is exhausted, or after `most` steps, each of which keeps two vectors.
SingularValues iterated_singular_values(const SparseMatrix& W, std::span<const double> b, double relative,
                                        long most = 300);

}  // namespace stickslip::internal
