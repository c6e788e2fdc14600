// The hybrid one-contact solvers of RR's appendix 3 (figures NSGS/LocalSolverHybrid): the fixed point and Newton in turns,
//
//   at most `loops` times:   r ← at most `projections` steps of the fixed point (local/fixed_point)
//                            r ← Newton (local/newton) from there
//
// After each half the better of it and the best so far goes on, measured by ‖Φ‖; where the first Newton makes it worse the
// next loop begins at zero. With first=newton (HYBRID2) Newton is tried once before the loops.
#pragma once

#include <limits>

#include "local/fixed_point.hpp"
#include "local/newton.hpp"

namespace stickslip::internal {

struct LocalHybridOptions {
  enum class First { fixed_point, newton };

  First first = First::fixed_point;
  long projections = 10;  ///< steps of the fixed point in a loop
  long loops = 1;
  LocalNewtonOptions newton{.search = LocalNewtonOptions::Search::goldstein_price,
                            .fallback = LocalNewtonOptions::Fallback::none};
  LocalFixedPointOptions fixed_point{.rho = RhoRule::one, .iterations = 10};
};

template <int D>
class HybridLocalSolver {
 public:
  /// Keeps a pointer to the options.
  void prepare(const double* A, double mu, const LocalHybridOptions& options) {
    options_ = &options;
    newton_.prepare(A, mu, options.newton);
    fixed_point_.prepare(A, mu, options.fixed_point);
  }

  /// Starts from r and leaves the best iterate.
  void solve(const double* b, double* r) {
    double x[D], best[D];
    double error = std::numeric_limits<double>::infinity();
    const auto copy = [](const double* from, double* to) {
      for (int c = 0; c < D; ++c) to[c] = from[c];
    };
    // Whether x is the best so far.
    const auto keep = [&] {
      const double own = newton_.relative_error(b, x);
      if (!(own < error)) return false;
      error = own;
      copy(x, best);
      return true;
    };
    copy(r, x);
    copy(r, best);
    if (options_->first == LocalHybridOptions::First::newton) {
      newton_.solve(b, x);
      if (!keep()) copy(best, x);
    }
    for (long loop = 0; loop < options_->loops && error > options_->newton.tolerance; ++loop) {
      fixed_point_.solve(b, x);
      if (!keep()) copy(best, x);
      if (error <= options_->newton.tolerance) break;
      newton_.solve(b, x);
      if (keep()) continue;
      if (loop == 0)
        for (double& component : x) component = 0;
      else
        copy(best, x);
    }
    copy(best, r);
  }

 private:
  NewtonLocalSolver<D> newton_;
  FixedPointLocalSolver<D> fixed_point_;
  const LocalHybridOptions* options_;
};

}  // namespace stickslip::internal
