// The one-contact Newton solver of RR 6.1 (NSGS-AC, NSGS-JM and their -GP variants): Φ(A r + b, r) = 0 with
// the Alart–Curnier or the Jean–Moreau map, RR (60)–(63), plain or with a Goldstein–Price search on ½‖Φ‖².
//
// RR Algorithm 7 takes what iter_local steps have reached (fallback=none). With fallback=exact, this project's
// addition, a contact on which Newton fails is solved exactly.
#pragma once

#include "base/line_search.hpp"
#include "cone/small_matrix.hpp"
#include "local/exact.hpp"
#include "residual/alart_curnier.hpp"
#include "residual/maps.hpp"

namespace stickslip::internal {

struct LocalNewtonOptions {
  enum class Search { none, goldstein_price };
  enum class Fallback { none, exact };

  Map map = Map::alart_curnier;
  Search search = Search::none;
  RhoRule rho = RhoRule::split;
  double tolerance = 1e-14;  ///< on ‖Φ‖ relative to ‖r‖ + ρ‖b‖
  long iterations = 10;
  Fallback fallback = Fallback::exact;
};

template <int D>
class NewtonLocalSolver {
 public:
  void prepare(const double* A, double mu, const LocalNewtonOptions& options) {
    options_ = &options;
    for (int k = 0; k < D * D; ++k) A_[k] = A[k];
    mu_ = mu;
    rho_ = rho_for<D>(options.rho, A_);
    exact_.prepare(A, mu);
  }

  /// Starts from r. Where Newton fails (a singular matrix, the steps spent): the exact solver, or the last iterate, or r as
  /// it was where that is not finite. Whether Newton did it.
  bool solve(const double* b, double* r) {
    Vec<D> x, load;
    double size = 0;
    for (int c = 0; c < D; ++c) x[c] = r[c], load[c] = b[c], size += b[c] * b[c];
    size = rho_.normal * std::sqrt(size);
    for (long iteration = 0; iteration <= options_->iterations; ++iteration) {
      const Vec<D> u = add<D>(load, 1, multiply<D>(A_, x));
      const MapValue<D> phi = options_->map == Map::alart_curnier
                                  ? alart_curnier<D>(u, x, mu_, rho_.normal, rho_.tangent)
                                  : jean_moreau<D>(u, x, mu_, rho_.normal, rho_.tangent);
      const double error = norm<D>(phi.value);
      // With a loose tolerance the first visit must still move, or the sweep stalls: one step at least.
      const double tolerance = iteration == 0 ? std::min(options_->tolerance, 1e-14) : options_->tolerance;
      if (error <= tolerance * (norm<D>(x) + size)) {
        for (int c = 0; c < D; ++c) r[c] = x[c];
        return true;
      }
      if (iteration == options_->iterations) break;
      Vec<D> step;
      if (!internal::solve<D>(combine<D>(1, phi.by_r, 1, product<D>(phi.by_u, A_)), phi.value, step)) break;
      double t = 1;
      if (options_->search == LocalNewtonOptions::Search::goldstein_price)
        t = goldstein_price(error * error / 2, -error * error,
                            [&](double s) { return merit(add<D>(x, -s, step), load); });
      x = add<D>(x, -t, step);
    }
    if (options_->fallback == LocalNewtonOptions::Fallback::exact)
      exact_.solve(b, r);
    else if (std::isfinite(dot<D>(x, x)))
      for (int c = 0; c < D; ++c) r[c] = x[c];
    return false;
  }

  /// ‖Φ‖ at r relative to ‖r‖ + ρ‖b‖, what the tolerance is on.
  double relative_error(const double* b, const double* r) const {
    Vec<D> x, load;
    for (int c = 0; c < D; ++c) x[c] = r[c], load[c] = b[c];
    const double size = norm<D>(x) + rho_.normal * norm<D>(load);
    return size > 0 ? norm<D>(residual(x, load)) / size : 0.0;
  }

 private:
  Vec<D> residual(const Vec<D>& x, const Vec<D>& load) const {
    const Vec<D> u = add<D>(load, 1, multiply<D>(A_, x));
    return options_->map == Map::alart_curnier
               ? alart_curnier_residual<D>(u, x, mu_, rho_.normal, rho_.tangent)
               : jean_moreau_residual<D>(u, x, mu_, rho_.normal, rho_.tangent);
  }

  double merit(const Vec<D>& x, const Vec<D>& load) const {
    const Vec<D> phi = residual(x, load);
    return dot<D>(phi, phi) / 2;
  }

  Mat<D> A_;
  double mu_;
  Rho rho_;
  ExactLocalSolver<D> exact_;
  const LocalNewtonOptions* options_;
};

}  // namespace stickslip::internal
