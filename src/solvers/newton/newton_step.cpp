#include "solvers/newton/newton_step.hpp"

#include <array>

namespace stickslip::internal {

void NewtonStepOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 7> maps = {"nm", "ac", "jm", "fb", "hsw", "xsw", "normal"};
  static constexpr std::array<std::string_view, 4> searches = {"none", "goldstein_price", "armijo",
                                                               "nonmonotone"};
  static constexpr std::array<std::string_view, 6> rules = {
      "auto", "one", "spectral", "split", "split_conditioned", "norm"};
  static constexpr std::array<std::string_view, 2> switches = {"off", "on"};
  v.choice("map", map, maps,
           "natural RR (51), Alart–Curnier (62), Jean–Moreau (60), Fischer–Burmeister (79), "
           "Hüeber–Stadler–Wohlmuth (66), Xuewen–Soh–Wanji (65), normal map (52)–(54)");
  int kind = static_cast<int>(search);
  v.part("search", kind, searches, "line search on ½‖Φ‖²", [&](OptionVisitor& inner) {
    if (kind == static_cast<int>(Search::nonmonotone))
      inner.integer("memory", memory, {1, 1000}, "merits whose largest a step must undercut (Grippo 1986)");
  });
  search = static_cast<Search>(kind);
  v.choice("rho", rho, rules,
           "ρ = 1, or the rules RR (110), (111), (112), (109); auto: (110) for nm, normal and fb, (111) for "
           "others");
  v.choice("scaling", scaling, switches,
           "scale each contact by its diagonal block, so that units do not matter; off: as published");
  v.real("regularisation", regularisation, {0, 1},
         "a of W + aI in the linear system, which keeps it regular where W is rank deficient, and more where "
         "pivots "
         "vanish; 0: the system is taken as it is, as published");
}

RhoRule NewtonStepOptions::rho_rule() const {
  if (rho != Rho::automatic) return static_cast<RhoRule>(static_cast<int>(rho) - 1);
  const bool one_rho = map == Map::natural || map == Map::normal || map == Map::fischer_burmeister;
  return one_rho ? RhoRule::spectral : RhoRule::split;
}

bool solve_regularised(NewtonSystem& system, double& a, std::span<double> delta) {
  bool solved = system.step(a, delta);
  if (a == 0) return solved;
  for (double b = std::max(a, 1e-12); (!solved || system.replaced_pivots() > 0) && b < 1e-3; b *= 1e3)
    solved = system.step(a = 1e3 * b, delta);
  return solved;
}

bool NewtonStep::move(NewtonSystem& system, double merit, std::span<double> r, std::span<double> u) {
  const std::size_t n = r.size();
  delta_.resize(n);
  trial_.resize(n);
  trial_u_.resize(n);
  merit_ = merit;
  reference_.push(merit_);
  double a = options_.regularisation;
  if (!solve_regularised(system, a, delta_)) return false;
  length_ = options_.search == NewtonStepOptions::Search::none ? 1 : search(system, r, u);
  for (std::size_t k = 0; k < n; ++k) r[k] += length_ * delta_[k];
  system.problem().velocity(r, u);
  return true;
}

double NewtonStep::search(const NewtonSystem& system, std::span<const double> r, std::span<const double> u) {
  const std::size_t n = r.size();
  change_.resize(n);
  system.problem().product(delta_, change_);
  const auto at = [&](double t) {
    for (std::size_t k = 0; k < n; ++k) {
      trial_[k] = r[k] + t * delta_[k];
      trial_u_[k] = u[k] + t * change_[k];
    }
    return system.merit(trial_, trial_u_);
  };
  const double slope = -2 * merit_;  // of ½‖Φ‖² along an exact Newton step
  if (options_.search == NewtonStepOptions::Search::goldstein_price)
    return goldstein_price(merit_, slope, at);
  return armijo(reference_.value(), slope, at);
}

}  // namespace stickslip::internal
