// CAD section 4. For fixed s ≥ 0 the convex program min ½rᵀWr + (q + μs e_N)ᵀr, r ∈ K has one velocity u(s)
// (interior_iteration). Damped nonsmooth Newton on F(s) = s, merit φ(s) = ½Σ(s_i − F_i(s))²:
//
//   (I − F'(s)) ds = F(s) − s,    s ← s + t ds,   t = 1, ½, ¼, … until φ falls
//
// CAD halves t too where s + t ds leaves s ≥ 0 (damping=halved); max(0, s + t ds) stays on the way where a speed is zero
// already (damping=clipped).
//
// F' by the implicit function theorem on Φ(r, s) = r − P_K(r − û) = 0, û = W r + q + μs e_N:
//   Φ_r dr + Φ_u (W dr + μ ds e_N) = 0,   ds = (F − s) + tᵀ(W dr)_T,   t = u_T/‖u_T‖,
// and ds eliminated leaves one system with the pattern of W:
//   (Φ_r + Φ_u (I + μ e_N tᵀ) W) dr = −Φ_u μ (F − s) e_N.
//
// Looking ahead (not in CAD), from the second step on: that system is semismooth Newton's on Coulomb's law at
// r(s). It can be solved again with the statuses read anew, a factorisation a step, before the next convex
// program, which takes ten or more: s ← ‖u_T‖ after a few such steps, kept where φ has fallen; else the step
// above.

#include "solvers/interior_point/cadoux.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cone/jacobian.hpp"
#include "cone/project.hpp"
#include "cone/small_matrix.hpp"
#include "solve/monitor/monitor.hpp"
#include "solvers/certificate/certificate.hpp"
#include "solvers/interior_point/conic_solve.hpp"
#include "solvers/interior_point/semismooth_polish.hpp"

namespace stickslip::internal {

void CadouxOptions::visit(OptionVisitor& v) {
  static constexpr std::array<std::string_view, 2> methods = {"newton", "fixed_point"};
  v.choice("method", method, methods, "damped Newton on F(s) = s, or s ← F(s)");
  static constexpr std::array<std::string_view, 2> starts = {"impulses", "feasible"},
                                                   dampings = {"clipped", "halved"};
  v.real("s0", s0, {-1, 1e300}, "slip speed of every contact at the start; −1: by option start");
  v.choice(
      "start", start, starts,
      "first slip speeds: those of the starting impulses; or, without a guess, the least for which v = 0 is "
      "feasible, CAD 4.2, as published");
  v.choice("damping", damping, dampings,
           "where a Newton step leaves s ≥ 0: it is cut off there, or halved, CAD 4.3, as published");
  v.real("inner_accuracy", inner_accuracy, {0, 1, true},
         "error of the convex programs, relative to the tolerance");
  v.integer("inner_iterations", inner_iterations, {1, 1e6},
            "interior-point iterations of one convex program");
  v.integer(
      "ahead", ahead, {0, 1000},
      "Newton steps on the law itself before each convex program but the first two; 0: none, as published");
  v.integer("halvings", halvings, {0, 60}, "halvings of a Newton step that does not lower φ");
}

namespace {

/// a in Φ_r + Φ_u (W + a I): keeps redundant contacts from making the derivative singular. Small beside
/// rounding in W: in the plane F is piecewise linear, and a step in the right piece must land on the
/// solution.
constexpr double regularisation = 1e-14;
/// A convex program that ends above this error has no usable solution (most likely none at all).
constexpr double usable_error = 1e-4;
/// A look ahead counts when it lowers φ to this part.
constexpr double ahead_decrease = 0.5;

class Cadoux final : public Method {
 public:
  explicit Cadoux(const CadouxOptions& options) : options_(options) {}

 private:
  struct Point {
    std::vector<double> s, F;
    ConicResult conic;
    double phi = 0;
    bool usable = false;
  };

  bool has_own_start() const override {
    return options_.s0 >= 0 || options_.start == CadouxOptions::Start::feasible;
  }

  void iterate(ContactProblem& given, Monitor& monitor) override {
    given.dimension() == 3 ? run<3>(given, monitor) : run<2>(given, monitor);
  }

  template <int D>
  static Vec<D> load(std::span<const double> v, std::size_t i) {
    Vec<D> z;
    for (std::size_t c = 0; c < D; ++c) z[c] = v[i * D + c];
    return z;
  }

  template <int D>
  void run(ContactProblem& given, Monitor& monitor) {
    const ReducedProblem& problem = given.matrix();
    ConicProblem conic(given, monitor.watch());
    InteriorPoint method(conic);
    Point here = evaluate<D>(conic, method, monitor, initial<D>(given, monitor));
    monitor.setup_done();
    if (!here.usable && !monitor.over()) here = evaluate<D>(conic, method, monitor, feasible<D>(given));
    if (monitor.show(here.conic.r)) return;
    if (!here.usable)
      return give_up(given, monitor, "the convex program has no solution for the slip speeds tried");
    for (bool first = true;; first = false) {
      Point next = options_.method == CadouxOptions::Method::fixed_point
                       ? evaluate<D>(conic, method, monitor, here.F)
                       : newton_step<D>(conic, method, monitor, here, problem.q_norm(), !first);
      if (monitor.over()) return;
      if (next.s.empty())
        return give_up(
            given, monitor,
            fmt::format("local minimum: no step lowers φ(s) = ½‖s − F(s)‖² = {:.3g} (CAD 5.4); another start "
                        "s0 or a guess may help",
                        here.phi));
      const bool same = next.s == here.s;
      here = std::move(next);
      if (monitor.show(here.conic.r)) return;
      if (same) return give_up(given, monitor, "s no longer changes");
    }
  }

  /// Stalled, unless no solution exists at all.
  static void give_up(ContactProblem& problem, Monitor& monitor, std::string_view reason) {
    if (auto d = prove_infeasible(problem, [&] { return monitor.interrupted(); }))
      return monitor.infeasible(std::move(*d));
    monitor.end(Status::stalled, reason);
  }

  template <int D>
  std::vector<double> initial(const ContactProblem& given, const Monitor& monitor) const {
    const ReducedProblem& problem = given.matrix();
    std::vector<double> s(problem.mu().size(), options_.s0), u(problem.q().size());
    if (options_.s0 >= 0) return s;
    if (options_.start == CadouxOptions::Start::feasible && !monitor.has_guess()) return feasible<D>(given);
    problem.W().multiply(monitor.start(), problem.q(), u);
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = tangent_norm<D>(load<D>(u, i));
    return s;
  }

  /// CAD 4.2, contact by contact: s so large that v = 0 is feasible, w + μs e_N ∈ K*, where μ > 0 (CAD has w_T = 0). Without
  /// bodies, and in the family, q stands for w.
  template <int D>
  std::vector<double> feasible(const ContactProblem& given) const {
    const bool published = options_.start == CadouxOptions::Start::feasible && given.global();
    const std::span<const double> shift = published ? given.global()->w() : given.q();
    std::vector<double> s(given.mu().size(), 0.0);
    for (std::size_t i = 0; i < s.size(); ++i)
      if (const double mu = given.mu()[i]; mu > 0) {
        const Vec<D> w = load<D>(shift, i);
        s[i] = std::max(0.0, tangent_norm<D>(w) - w[0] / mu);
      }
    return s;
  }

  template <int D>
  Point evaluate(ConicProblem& conic, InteriorPoint& method, Monitor& monitor, std::vector<double> s) const {
    Point point;
    point.conic = solve_conic(conic, method, s, options_.inner_accuracy * monitor.tolerance(),
                              int(options_.inner_iterations), [&] { return monitor.interrupted(); });
    point.usable = point.conic.error <= usable_error;
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (conic.scaled.mu()[i] == 0) s[i] = 0;  // no shift there, whatever s
      point.F.push_back(conic.scaled.mu()[i] > 0 ? tangent_norm<D>(load<D>(point.conic.u_hat, i)) : 0.0);
      point.phi += 0.5 * (s[i] - point.F[i]) * (s[i] - point.F[i]);
    }
    point.s = std::move(s);
    return point;
  }

  /// The next point, with s empty when no step lowers φ.
  template <int D>
  Point newton_step(ConicProblem& conic, InteriorPoint& method, Monitor& monitor, const Point& here,
                    double q_norm, bool ahead) const {
    if (ahead && options_.ahead > 0) {
      Point next = evaluate<D>(conic, method, monitor, look_ahead<D>(conic, monitor, here));
      if (next.usable && next.phi < ahead_decrease * here.phi) return next;
      if (monitor.over()) return {};
    }
    const std::vector<double> ds = newton_direction<D>(conic, here);
    const bool halved = options_.damping == CadouxOptions::Damping::halved;
    const double slack = monitor.tolerance() * q_norm;  // a speed that the solve does not tell from zero
    double t = 1;
    for (long k = 0; k <= options_.halvings && !ds.empty() && !monitor.over(); ++k, t /= 2) {
      std::vector<double> s(here.s);
      bool left = false;
      for (std::size_t i = 0; i < s.size(); ++i) {
        left = left || s[i] + t * ds[i] < -slack;
        s[i] = std::max(0.0, s[i] + t * ds[i]);
      }
      if (halved && left) continue;
      if (!std::all_of(s.begin(), s.end(), [](double x) { return std::isfinite(x); })) break;
      Point next = evaluate<D>(conic, method, monitor, std::move(s));
      if (next.usable && next.phi < here.phi) return next;
      if (monitor.check(next.conic.r)) break;
    }
    return {};
  }

  /// The slip speeds after some Newton steps on Coulomb's law from the impulses here.
  template <int D>
  std::vector<double> look_ahead(ConicProblem& conic, Monitor& monitor, const Point& here) const {
    std::vector<double> r(conic.scaled.size()), u(conic.scaled.size());
    conic.scaled.to_scaled(here.conic.r, r);
    semismooth_polish(conic, {}, {.iterations = int(options_.ahead)}, r,
                      [&](std::span<const double>) { return monitor.interrupted(); });
    conic.scaled.velocity(r, u);
    std::vector<double> s(conic.n());
    for (std::size_t i = 0; i < conic.n(); ++i)
      s[i] = tangent_norm<D>(load<D>(u, i)) / conic.scaled.velocity_factor(Index(i));
    return s;
  }

  template <int D>
  std::vector<double> newton_direction(ConicProblem& conic, const Point& here) const {
    const std::vector<double> shift = conic.scaled_shift(here.s), F = conic.scaled_shift(here.F);
    std::vector<double> r(conic.scaled.size()), u(conic.scaled.size()), b(conic.scaled.size()),
        L(r.size() * D), B(r.size() * D);
    conic.scaled.to_scaled(here.conic.r, r);
    conic.scaled.velocity(r, u);
    for (std::size_t i = 0; i < conic.n(); ++i) {
      const double mu = conic.scaled.mu()[i];
      const Vec<D> ui = load<D>(u, i);
      Vec<D> z = add<D>(load<D>(r, i), -1, ui);
      z[0] -= mu * shift[i];
      const Mat<D> by_u = cone_projection_jacobian<D>(z, mu),
                   by_r = combine<D>(1, scaled_identity<D>(1), -1, by_u);
      const Mat<D> whole = product<D>(by_u, desaxce_jacobian<D>(ui, mu));
      const Mat<D> shifted = combine<D>(1, by_r, regularisation, whole);
      std::copy(whole.begin(), whole.end(), &L[i * D * D]);
      std::copy(shifted.begin(), shifted.end(), &B[i * D * D]);
      for (std::size_t c = 0; c < D; ++c) b[i * D + c] = -by_u[c] * mu * (F[i] - shift[i]);
    }
    std::vector<double> ds(conic.n(), 0.0);
    for (std::size_t i = 0; i < conic.n(); ++i) ds[i] = here.F[i] - here.s[i];
    if (!conic.system.factorise({}, L.data(), B.data(), 0).ok)  // the fixed point's step, or none
      return options_.damping == CadouxOptions::Damping::clipped ? ds : std::vector<double>();
    conic.system.solve(b, ContactSystem::for_the_last_digit);
    std::vector<double> du(conic.scaled.size(), 0.0);
    conic.scaled.product(b, du);
    for (std::size_t i = 0; i < conic.n(); ++i) {
      const Vec<D> ui = load<D>(u, i), dui = load<D>(du, i);
      const double slip = tangent_norm<D>(ui);
      double along = 0;
      for (int c = 1; c < D; ++c) along += slip > 0 ? ui[c] / slip * dui[c] : 0.0;
      ds[i] += along / conic.scaled.velocity_factor(Index(i));
    }
    return ds;
  }

  CadouxOptions options_;
};

}  // namespace

std::unique_ptr<Method> make_cadoux(const CadouxOptions& options) {
  return std::make_unique<Cadoux>(options);
}

}  // namespace stickslip::internal
