// The exact one-contact solver: u = A r + b with K* ∋ û ⊥ r ∈ K, for any μ ≥ 0 and unsymmetric A.
//
//   b_N ≥ 0                  take-off, r = 0
//   r = −A⁻¹b ∈ K            stick
//   otherwise                slip: u_N = 0, u_T = −a r_T with a > 0 and ‖r_T‖ = μ r_N.
//
// With the normal eliminated, Ã = A_TT − A_TN A_NT/A_NN and b̃ = b_T − A_TN b_N/A_NN, a slipping contact has
//
//   r_T(a) = −(Ã + aI)⁻¹ b̃ = −(p + a b̃)/det(a),   p = adj(Ã) b̃,   det(a) = a² + a tr Ã + det Ã,
//   r_N(a) = −(b_N + A_NT r_T)/A_NN.
//
// Multiplied by det(a) > 0, the condition μ r_N = ‖r_T‖ reads L(a) = S(a) with the quadratic
// L(a) = μ/A_NN (A_NT·(p + a b̃) − b_N det(a)) and the norm S(a) = ‖p + a b̃‖. L − S is negative at a = 0
// (stick failed) and tends to +∞ (b_N < 0), so a root exists, and a bracketed iteration finds it from the
// last a. Nothing here can fail. For d = 2 the root has a closed form. The stick case is a = 0.
//
// Eliminating the normal first loses digits when A is strongly unsymmetric and A_NN is small beside A_NT;
// such blocks, which are rare, are solved in quadruple precision (exact.cpp).
#pragma once

#include <algorithm>
#include <cmath>

namespace stickslip::internal {

/// Whether eliminating the normal of this unsymmetric D×D column-major block would lose digits.
template <int D>
bool loses_digits(const double* A);
/// The same for any block: with a symmetric positive semi-definite one the elimination is stable.
template <int D>
inline bool needs_quadruple(const double* A) {
  double skew = std::abs(A[1] - A[D]), trace = A[0] + A[D + 1];
  if constexpr (D == 3) {
    skew += std::abs(A[2] - A[6]) + std::abs(A[5] - A[7]);
    trace += A[8];
  }
  return skew > 1e-6 * trace && loses_digits<D>(A);
}
/// The same solution in quadruple precision: r for u = A r + b, d = 2 or 3.
void solve_in_quadruple(int dimension, const double* A, double mu, const double* b, double* r);

/// Products of loads below this underflow.
inline constexpr double vanishing_load = 1e-140;

/// L(a) = l0 + l1 a + l2 a² against S(a) = √(s0 + 2 s1 a + s2 a²).
struct SlipBalance {
  double l0, l1, l2, s0, s1, s2;
  double negligible;  // a change of a that r does not feel

  /// On the edge of the cone to rounding counts as stick.
  bool sticks() const { return l0 >= 0 && l0 * l0 >= s0 * (1 - 1e-14); }

  /// One step on P = L² − S², which needs no root, good where L > 0: Newton's from a start that is almost
  /// right, Halley's, dearer and of third order, from afar. `low` tells whether L < S at a.
  template <bool halley>
  double step(double a, bool& low) const {
    const double L = l0 + a * (l1 + a * l2), slope = l1 + 2 * a * l2, half = s1 + a * s2;
    const double gap = L * L - (s0 + a * (s1 + half)), first = L * slope - half;  // P and P'/2
    low = L <= 0 || gap < 0;
    if constexpr (!halley) return a - gap / (2 * first);
    const double second = slope * slope + 2 * L * l2 - s2;  // P''/2
    return a - 2 * gap * first / (4 * first * first - gap * second);
  }

  /// The root that Newton reaches from the last a > 0, or 0 when it runs away. The last step is corrected
  /// for the curvature of P (Chebyshev), so that the one that would follow it changes a by 1e-10 of it.
  double track(double a) const {
    for (int iteration = 0; iteration < 12; ++iteration) {
      const double L = l0 + a * (l1 + a * l2), slope = l1 + 2 * a * l2, half = s1 + a * s2;
      const double gap = L * L - (s0 + a * (s1 + half)), inverse = 0.5 / (L * slope - half);
      const double change = -gap * inverse;
      if (std::abs(change) <= 3e-4 * a + negligible) {
        const double curvature = slope * slope + 2 * L * l2 - s2;  // P''/2
        const double next = a + change - curvature * change * change * inverse;
        return next > 0 && l0 + next * (l1 + next * l2) > 0 ? next : 0;
      }
      a += change;
      if (!(a > 0)) return 0;
    }
    return 0;
  }

  /// For b_N ≥ 0, where L − S is concave: its smallest root, to which Newton rises from 0; 0 when there is
  /// none.
  double leave_stick() const {
    double a = 0;
    for (int iteration = 0; iteration < 30; ++iteration) {
      const double S = std::sqrt(std::max(s0 + a * (2 * s1 + a * s2), 0.0));
      const double next =
          a + (S - l0 - a * (l1 + a * l2)) / (l1 + 2 * a * l2 - (S > 0 ? (s1 + a * s2) / S : 0.0));
      if (!(next > a)) return 0;
      if (next - a <= 1e-9 * a + negligible) return next;
      a = next;
    }
    return 0;
  }

  /// For l2 > 0 and L(0) < S(0): a root by Halley inside a bracket. S(a) ≤ √s0 + a √s2, with equality when
  /// p and b̃ are parallel (an isotropic Ã), gives the upper end and a start that is near. A contact that
  /// was closed starts at 0 instead: where there are several roots, it is to find the one near stick.
  double search(bool closed) const {
    const double c = l1 - std::sqrt(s2), e = std::sqrt(s0) - l0, root = std::sqrt(c * c + 4 * l2 * e);
    double low = 0, high = (c <= 0 ? (root - c) / (2 * l2) : 2 * e / (root + c)) * (1 + 1e-14), a = high;
    bool below;
    if (closed && l0 > 0)
      if (const double next = step<false>(0, below); next > 0 && next < high) a = next;
    if (!(high > 0)) return 0;
    for (int iteration = 0; iteration < 100; ++iteration) {
      const double next = step<true>(a, below);
      if (std::abs(next - a) <= 3e-6 * a + negligible)
        return std::max(next, 0.0);  // third order: another step would not change a
      (below ? low : high) = a;
      if (high - low <= 1e-15 * high) return a;
      a = next > low && next < high ? next : low > 0 ? std::sqrt(low) * std::sqrt(high) : high / 16;
    }
    return a;
  }
};

/// A block with the normal eliminated.
struct EliminatedBlock {
  double mu, inverse;         // μ, 1/A_NN
  double n1, n2, s1, s2;      // A_NT, A_TN/A_NN
  double a11, a12, a21, a22;  // Ã
  double trace, determinant;  // of Ã

  /// An Ã that is singular to working precision is regularised by 1e-13 of its size.
  static EliminatedBlock of(const double* A, double mu) {
    EliminatedBlock e;
    e.mu = mu;
    e.inverse = 1 / A[0];
    e.n1 = A[3], e.n2 = A[6];
    e.s1 = A[1] * e.inverse, e.s2 = A[2] * e.inverse;
    e.a11 = A[4] - e.s1 * e.n1, e.a12 = A[7] - e.s1 * e.n2;
    e.a21 = A[5] - e.s2 * e.n1, e.a22 = A[8] - e.s2 * e.n2;
    const double shift = 1e-13 * std::max(std::abs(A[4]) + std::abs(A[8]), A[0]);
    if (e.a11 * e.a22 - e.a12 * e.a21 < shift * (std::abs(e.a11) + std::abs(e.a22)) + shift * shift) {
      e.a11 = std::max(e.a11, 0.0) + shift;
      e.a22 = std::max(e.a22, 0.0) + shift;
    }
    e.trace = e.a11 + e.a22;
    e.determinant = std::max(e.a11 * e.a22 - e.a12 * e.a21, shift * shift);
    return e;
  }

  /// r ← a solution for u = A r + b; `slip` is the last a, to start from.
  void solve(const double* given, double* r, double& slip) const {
    // A load so small that its squares vanish presses nothing.
    const double b[3] = {given[0] < 0 && given[0] > -vanishing_load ? 0.0 : given[0], given[1], given[2]};
    const bool closed = r[0] > 0;
    if (b[0] >= 0 && (!closed || mu == 0)) return open(r, slip);
    if (mu == 0) {
      r[0] = -b[0] * inverse;
      r[1] = r[2] = 0;
      return;
    }
    const double b1 = b[1] - s1 * b[0], b2 = b[2] - s2 * b[0];
    const double p1 = a22 * b1 - a12 * b2, p2 = a11 * b2 - a21 * b1, m = mu * inverse;
    const SlipBalance balance{m * (n1 * p1 + n2 * p2 - b[0] * determinant),
                              m * (n1 * b1 + n2 * b2 - b[0] * trace),
                              -m * b[0],
                              p1 * p1 + p2 * p2,
                              p1 * b1 + p2 * b2,
                              b1 * b1 + b2 * b2,
                              1e-15 * trace};
    double a = closed && slip > 0 ? balance.track(slip) : 0;
    if (a == 0 && !balance.sticks()) {
      a = b[0] < 0 ? balance.search(closed) : balance.leave_stick();
      if (a == 0 && b[0] >= 0) return open(r, slip);
    }
    slip = a;
    const double scale = -1 / (determinant + a * (trace + a));
    r[1] = scale * (p1 + a * b1);
    r[2] = scale * (p2 + a * b2);
    r[0] = -(b[0] + n1 * r[1] + n2 * r[2]) * inverse;
  }

  static void open(double* r, double& slip) { r[0] = r[1] = r[2] = slip = 0; }
};

template <int D>
class ExactLocalSolver;

template <>
class ExactLocalSolver<3> {
 public:
  /// Prepares for the block A (column-major, A_NN > 0; it must outlive this object) and μ ≥ 0.
  void prepare(const double* A, double mu) {
    quadruple_ = needs_quadruple<3>(A) ? A : nullptr;
    block_ = EliminatedBlock::of(A, mu);
    slip_ = 0;
  }

  /// r ← a solution for u = A r + b; Coulomb's law holds to rounding. Friction allows several solutions of
  /// one contact (take-off and stick, say): the one that continues the status of the r that comes in is
  /// preferred.
  void solve(const double* b, double* r) {
    if (!quadruple_ || block_.mu == 0) return block_.solve(b, r, slip_);
    if (b[0] > -vanishing_load) return EliminatedBlock::open(r, slip_);
    solve_in_quadruple(3, quadruple_, block_.mu, b, r);
  }

 private:
  EliminatedBlock block_;
  double slip_;              // the last a, to start from
  const double* quadruple_;  // A where it needs quadruple precision
};

/// The same for a symmetric block, which it keeps itself: 80 bytes in all.
class SymmetricExactLocalSolver {
 public:
  void prepare(const double* A, double mu) {
    const EliminatedBlock e = EliminatedBlock::of(A, mu);
    mu_ = mu, normal_ = A[0], inverse_ = e.inverse;
    n1_ = e.n1, n2_ = e.n2, a11_ = e.a11, a12_ = e.a12, a22_ = e.a22;
    determinant_ = e.determinant;
    slip_ = 0;
  }

  void solve(const double* b, double* r) {
    const EliminatedBlock e{.mu = mu_,
                            .inverse = inverse_,
                            .n1 = n1_,
                            .n2 = n2_,
                            .s1 = n1_ * inverse_,
                            .s2 = n2_ * inverse_,
                            .a11 = a11_,
                            .a12 = a12_,
                            .a21 = a12_,
                            .a22 = a22_,
                            .trace = a11_ + a22_,
                            .determinant = determinant_};
    e.solve(b, r, slip_);
  }

  /// b ← b − A r, with A_TT = Ã + A_TN A_NT/A_NN.
  void take_away(const double* r, double* b) const {
    const double normal = normal_ * r[0] + n1_ * r[1] + n2_ * r[2], share = inverse_ * normal;
    b[0] -= normal;
    b[1] -= a11_ * r[1] + a12_ * r[2] + n1_ * share;
    b[2] -= a12_ * r[1] + a22_ * r[2] + n2_ * share;
  }

 private:
  double mu_, normal_, inverse_;      // μ, A_NN, 1/A_NN
  double n1_, n2_, a11_, a12_, a22_;  // A_NT, Ã
  double determinant_, slip_;         // of Ã; the last a
};

template <>
class ExactLocalSolver<2> {
 public:
  void prepare(const double* A, double mu) {
    quadruple_ = needs_quadruple<2>(A) ? A : nullptr;
    mu_ = mu;
    inverse_ = 1 / A[0];
    n_ = A[2];
    s_ = A[1] * inverse_;
    a_ = std::max(A[3] - s_ * n_, 1e-13 * std::max(std::abs(A[3]), A[0]));
  }

  /// With one tangent p = b̃ and det(a) = Ã + a, so that L(a) = S is linear in a.
  void solve(const double* given, double* r) const {
    const double b[2] = {given[0] < 0 && given[0] > -vanishing_load ? 0.0 : given[0], given[1]};
    const bool closed = r[0] > 0 && mu_ > 0;
    if (b[0] >= 0 && (!closed || quadruple_)) return open(r);
    if (mu_ == 0) {
      r[0] = -b[0] * inverse_;
      r[1] = 0;
      return;
    }
    if (quadruple_) return solve_in_quadruple(2, quadruple_, mu_, b, r);
    const double bt = b[1] - s_ * b[0];
    const double l1 = -mu_ * inverse_ * b[0], l0 = mu_ * inverse_ * n_ * bt + l1 * a_,
                 lacking = std::abs(bt) - l0;
    if (b[0] >= 0 && lacking > 0) return open(r);
    r[1] = -bt / (a_ + (lacking > 0 ? lacking / l1 : 0.0));
    r[0] = -(b[0] + n_ * r[1]) * inverse_;
  }

 private:
  static void open(double* r) { r[0] = r[1] = 0; }

  double mu_, inverse_, n_, s_, a_;
  const double* quadruple_;
};

}  // namespace stickslip::internal
