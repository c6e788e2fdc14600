// The interior point (interior_iteration, θ = 1) followed down from several starts, the last digits by
// proximal semismooth Newton (semismooth_polish).
//
// Coulomb's law is not monotone: the path folds on hyperstatic problems, and a step that aims at a smaller
// gap may leave the residual behind. A path that stops is cheap (20 to 40 factorisations), and another start
// often arrives.

#include "solvers/interior_point/nipm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "solve/monitor/monitor.hpp"
#include "solvers/certificate/certificate.hpp"
#include "solvers/interior_point/interior_iteration.hpp"
#include "solvers/interior_point/semismooth_polish.hpp"

namespace stickslip::internal {

void NipmOptions::visit(OptionVisitor& v) {
  v.integer("paths", paths, {1, 1e6}, "paths at most, each from another start");
  v.real("polish_from", polish_from, {0, 1}, "gap, in scaled units, from which semismooth Newton is tried");
  v.real("polish_again", polish_again, {0, 1, true}, "fall of the gap before it is tried again");
  v.integer("polish_steps", polish_steps, {1, 1e6}, "Newton steps of one try");
  v.integer("burst", burst, {0, 1e6},
            "proximal Newton steps from the best point after every third path; 0: none");
}

namespace {

/// How a path starts: sizes of x and y in scaled units, ε/m, and the pin of the null space (a, and a per √m).
struct Start {
  double x, y, smoothing, pin, pin_per_gap;
};
/// Taken in turn. A pin that falls with the gap carries packings, where no velocity opens every contact, over
/// the first part of the path.
constexpr std::array<Start, 8> starts = {{{1, 1, 1, 1e-8, 0},
                                          {1, 1, 1, 1e-8, 0.1},
                                          {10, 10, 0.01, 1e-9, 0},
                                          {10, 1, 1, 1e-8, 0.01},
                                          {1, 1, 1, 1e-8, 1},
                                          {1, 0.1, 0.1, 1e-9, 0},
                                          {0.1, 1, 1, 1e-8, 0.1},
                                          {100, 1, 0.01, 1e-10, 1e-3}}};
/// A path ends after so many iterations, or so many without a fall of gap and residual by a tenth.
constexpr int longest_path = 150, patience = 15;

class Nipm final : public Method {
 public:
  explicit Nipm(const NipmOptions& options) : options_(options) {}

 private:
  void iterate(ContactProblem& given, Monitor& monitor) override {
    const ReducedProblem& problem = given.matrix();
    ConicProblem conic(given, monitor.watch());
    InteriorPoint method(conic);
    r_.assign(problem.q().size(), 0.0);
    scaled_.resize(r_.size());
    best_.assign(monitor.start().begin(), monitor.start().end());
    monitor.setup_done();
    // A guess is kept to where Newton gets from it: of several solutions the near one.
    r_ = best_;
    if (std::any_of(r_.begin(), r_.end(), [](double x) { return x != 0; }) &&
        newton(conic, monitor, {.iterations = int(options_.polish_steps)}))
      return;
    method.set_law({}, 1);
    for (long path = 0; path < options_.paths; ++path) {
      const auto k = std::size_t(path);
      const Start& start = starts[k % starts.size()];
      method.set_smoothing(start.smoothing);
      method.set_pin(start.pin, start.pin_per_gap);
      method.start_cold(start.x, start.y);
      if (follow(conic, method, monitor)) return;
      if (path == 0 && options_.certificate) {
        if (auto d = prove_infeasible(problem, [&] { return monitor.interrupted(); }))
          return monitor.infeasible(std::move(*d));
      }
      if (path % 3 == 1 && options_.burst > 0 && burst(conic, monitor)) return;
    }
    monitor.end(Status::stalled, "every path ended short of the tolerance");
  }

  /// One path down to its end. True: the monitor says stop.
  bool follow(ConicProblem& conic, InteriorPoint& method, Monitor& monitor) {
    double next_polish = options_.polish_from, best = std::numeric_limits<double>::infinity();
    for (int k = 0, waited = 0; k < longest_path && waited < patience; ++k) {
      const auto step = method.iterate();
      if (!step.valid) break;
      method.projected(r_);
      if (show(monitor)) return true;
      method.impulses(r_);
      if (monitor.check(r_)) return true;
      const double merit = step.gap + step.residual;
      waited = merit < 0.9 * best ? 0 : waited + 1;
      best = std::min(best, merit);
      if (step.gap < next_polish && step.residual < std::sqrt(step.gap)) {
        next_polish = options_.polish_again * step.gap;
        if (polish(conic, method, monitor)) return true;
      }
    }
    return polish(conic, method, monitor);
  }

  bool polish(ConicProblem& conic, InteriorPoint& method, Monitor& monitor) {
    method.projected(r_);
    return newton(conic, monitor, {.iterations = int(options_.polish_steps)});
  }

  /// Small steps of the proximal term from the best point so far.
  bool burst(ConicProblem& conic, Monitor& monitor) {
    r_ = best_;
    return newton(conic, monitor,
                  {.regularisation = 1e-3,
                   .shrink = 0.3,
                   .grow = 4,
                   .iterations = int(options_.burst),
                   .patience = 100});
  }

  bool newton(ConicProblem& conic, Monitor& monitor, const PolishOptions& options) {
    conic.scaled.to_scaled(r_, scaled_);
    semismooth_polish(conic, {}, options, scaled_, [&](std::span<const double> iterate) {
      conic.scaled.to_physical(iterate, r_);
      return show(monitor);
    });
    return monitor.stopped();
  }

  /// Shows r_ and remembers it where it is the best so far.
  bool show(Monitor& monitor) {
    const double before = monitor.best_error();
    const bool stop = monitor.show(r_);
    if (monitor.best_error() < before) best_ = r_;
    return stop;
  }

  NipmOptions options_;
  std::vector<double> r_, scaled_, best_;
};

}  // namespace

std::unique_ptr<Method> make_nipm(const NipmOptions& options) { return std::make_unique<Nipm>(options); }

}  // namespace stickslip::internal
