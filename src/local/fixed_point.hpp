// The one-contact fixed point of De Saxcé and Feng, RR (98) for a single contact (NSGS-FP-DS-One,
// NSGS-FP-VI-UPK):
//
//   u = A r + b,    û = R u + g(R u),    r ← P_K(r − t û),    R = diag(ρ_N, ρ_T, ρ_T)
//
// Coulomb's law holds for (R u, r) exactly when it holds for (u, r), so that ρ_N and ρ_T may differ: RR
// (110)–(112) or ρ = 1 (residual/maps.hpp). t = 1 is the fixed step. The adaptive rules shorten and lengthen
// t as RR Algorithm 3 does, with F = û and the ratio
//
//   t ‖F(r) − F(r̄)‖/‖r − r̄‖   (101)     or     t (r − r̄)·(F(r) − F(r̄))/‖r − r̄‖²   (102)
//
// Typed on the law (cone/contact_law.hpp): with CylinderLaw or ConeLaw it solves the problem of one contact
// of a convex program. Cones without the shift are not indifferent to R: there ρ_N = ρ_T is needed (one,
// spectral).
#pragma once

#include <algorithm>

#include "cone/contact_law.hpp"
#include "cone/small_matrix.hpp"
#include "residual/maps.hpp"

namespace stickslip::internal {

struct LocalFixedPointOptions {
  enum class Step { fixed, khobotov, solodov_tseng };

  Step step = Step::khobotov;
  RhoRule rho = RhoRule::spectral;
  double L = 0.9, L_min = 0.3, nu = 2.0 / 3;  ///< of RR Algorithm 3
  double tolerance = 1e-14;  ///< on ‖r − P_K(r − û)‖ relative to ‖r‖ + ‖R b‖
  long iterations = 1000;    ///< steps a visit at most; 1 with step=fixed is FP-DS-One

  /// One step of the fixed point a visit, RR NSGS-FP-DS-One.
  static LocalFixedPointOptions one_step() { return {.step = Step::fixed, .iterations = 1}; }
};

template <int D, class Law = CoulombLaw>
class FixedPointLocalSolver {
 public:
  /// Keeps a pointer to the options: a tolerance changed there between sweeps counts from the next visit on.
  void prepare(const double* A, double mu, const LocalFixedPointOptions& options) {
    options_ = &options;
    for (std::size_t k = 0; k < D * D; ++k) A_[k] = A[k];
    mu_ = mu;
    const Rho rho = rho_for<D>(options.rho, A_);
    for (std::size_t j = 0; j < D; ++j)
      for (std::size_t i = 0; i < D; ++i) A_[i + D * j] *= i == 0 ? rho.normal : rho.tangent;
    rho_ = rho;
    t_ = 1;
    longest_ = longest;
    if (options.rho == RhoRule::one) longest_ *= rho_for<D>(RhoRule::spectral, A_).normal;  // t is ρ itself
  }

  /// Another μ or radius.
  void set_size(double size) { mu_ = size; }

  /// Starts from r and leaves an r ∈ K: a solution to the tolerance, or the last iterate when the steps are
  /// spent.
  void solve(const double* b, double* r) {
    Vec<D> x, load;
    for (std::size_t c = 0; c < D; ++c) x[c] = r[c], load[c] = b[c] * (c == 0 ? rho_.normal : rho_.tangent);
    const double size = norm<D>(load);
    const bool once = options_->iterations == 1 && options_->step == LocalFixedPointOptions::Step::fixed;
    Vec<D> F = shifted_velocity(x, load);
    for (long iteration = 0; iteration < options_->iterations; ++iteration) {
      Vec<D> trial = Law::template project<D>(add<D>(x, -t_, F), mu_), trial_F{};
      if (!once) {
        // ‖r − P_K(r − tû)‖/t falls and ‖r − P_K(r − tû)‖ rises with t: this bounds the natural map from
        // above.
        const double move = norm<D>(add<D>(x, -1, trial));
        if (move <= options_->tolerance * std::min(t_, 1.0) * (norm<D>(x) + size)) {
          if (iteration == 0)
            x = trial;  // with a loose tolerance a visit must still move, or the sweep stalls
          break;
        }
        trial_F = shifted_velocity(trial, load);
        if (options_->step != LocalFixedPointOptions::Step::fixed) adapt(load, x, F, trial, trial_F);
      }
      x = trial;
      F = trial_F;
    }
    for (std::size_t c = 0; c < D; ++c) r[c] = x[c];
  }

 private:
  /// û = R u + g(R u).
  Vec<D> shifted_velocity(const Vec<D>& x, const Vec<D>& load) const {
    return Law::template force<D>(add<D>(load, 1, multiply<D>(A_, x)), mu_);
  }

  /// Shortens t until the trial's ratio is at most L, and lengthens it for the next step when it is below
  /// L_min.
  void adapt(const Vec<D>& load, const Vec<D>& x, const Vec<D>& F, Vec<D>& trial, Vec<D>& trial_F) {
    double ratio;
    for (int refused = 0;; ++refused) {
      const Vec<D> move = add<D>(x, -1, trial), change = add<D>(F, -1, trial_F);
      ratio = options_->step == LocalFixedPointOptions::Step::khobotov
                  ? norm<D>(change) / norm<D>(move)
                  : dot<D>(move, change) / dot<D>(move, move);
      ratio *= t_;
      if (!(ratio > options_->L) || refused == most_refused) break;
      t_ *= options_->nu;
      trial = Law::template project<D>(add<D>(x, -t_, F), mu_);
      trial_F = shifted_velocity(trial, load);
    }
    if (ratio < options_->L_min) t_ = std::min(t_ / options_->nu, longest_);
  }

  static constexpr int most_refused = 50;
  static constexpr double longest = 1e8;  // where A does not feel the moves nothing else would stop t

  Mat<D> A_;  // R A
  Rho rho_;
  double mu_, t_, longest_;  // t is kept from visit to visit
  const LocalFixedPointOptions* options_;
};

}  // namespace stickslip::internal
