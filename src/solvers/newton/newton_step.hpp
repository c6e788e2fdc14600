// One damped step of the nonsmooth Newton method, RR Algorithm 4 with the line searches of RR 5.5, and its
// options.
#pragma once

#include <span>
#include <vector>

#include "base/line_search.hpp"
#include "solve/options.hpp"
#include "solvers/newton/newton_system.hpp"

namespace stickslip::internal {

struct NewtonStepOptions {
  enum class Search { none, goldstein_price, armijo, nonmonotone };
  enum class Rho { automatic, one, spectral, split, split_conditioned, norm };

  Map map = Map::alart_curnier;
  Search search = Search::none;
  long memory = 10;
  Rho rho = Rho::automatic;
  Scaled scaling = Scaled::on;
  double regularisation = 1e-10;

  void visit(OptionVisitor& visitor);
  /// RR (111) for the maps with two ρ, RR (110) for those with one, unless a rule was asked for.
  RhoRule rho_rule() const;
};

/// δ of the linearised system with W + aI. Where a > 0 and pivots vanish, a is raised; a = 0: as it is. False where δ is not
/// finite. a is the one that was used.
bool solve_regularised(NewtonSystem& system, double& a, std::span<double> delta);

/// r ← r + t δ on a prepared NewtonSystem.
class NewtonStep {
 public:
  explicit NewtonStep(const NewtonStepOptions& options)
      : options_(options),
        reference_(options.search == NewtonStepOptions::Search::nonmonotone ? std::size_t(options.memory)
                                                                            : 1) {}

  /// Forgets the merits of earlier steps.
  void restart() { reference_.clear(); }
  /// Makes one step from r with its velocity u = W r + q; both are renewed. False, with both untouched: the
  /// system could not be solved even when it was regularised more.
  bool advance(NewtonSystem& system, std::span<double> r, std::span<double> u) {
    return move(system, system.linearise(r, u), r, u);
  }
  /// The same where the system is linearised at r already, with ½‖Φ‖² = merit.
  bool move(NewtonSystem& system, double merit, std::span<double> r, std::span<double> u);
  /// ½‖Φ‖² before the last step, and its length t.
  double merit() const { return merit_; }
  double length() const { return length_; }

 private:
  double search(const NewtonSystem& system, std::span<const double> r, std::span<const double> u);

  NewtonStepOptions options_;
  NonmonotoneReference reference_;
  double merit_ = 0, length_ = 0;
  std::vector<double> delta_, change_, trial_, trial_u_;
};

}  // namespace stickslip::internal
