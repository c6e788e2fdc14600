#include "solvers/interior_point/nipm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "solve/monitor/monitor.hpp"
#include "solve/patience.hpp"
#include "solvers/certificate/certificate.hpp"

namespace stickslip::internal {

void NipmOptions::visit(OptionVisitor& v) {
  v.integer("paths", paths, {1, 1e6}, "paths at most, no two from the same start");
  v.real("polish_from", polish_from, {0, 1}, "gap, in scaled units, from which semismooth Newton is tried");
  v.real("polish_again", polish_again, {0, 1, true}, "fall of the gap before it is tried again");
  v.integer("polish_steps", polish_steps, {1, 1e6}, "Newton steps of one try");
  v.integer("burst", burst, {0, 1e6},
            "proximal Newton steps from the best point after every third path; 0: none");
}

namespace {

/// Cold starts, taken first. A pin that falls with the gap carries packings, where no velocity opens every contact, over the
/// first part of the path.
constexpr std::array<PathStart, 8> cold = {{{1, 1, 1, 1e-8, 0},
                                            {1, 1, 1, 1e-8, 0.1},
                                            {10, 10, 0.01, 1e-9, 0},
                                            {10, 1, 1, 1e-8, 0.01},
                                            {1, 1, 1, 1e-8, 1},
                                            {1, 0.1, 0.1, 1e-9, 0},
                                            {0.1, 1, 1, 1e-8, 0.1},
                                            {100, 1, 0.01, 1e-10, 1e-3}}};
/// Warm starts take these margins in turn, the next round of them between those of the last.
constexpr std::array<double, 4> margins = {1e-1, 1, 1e-2, 1e-3};
/// A path ends after so many iterations, or so many without a fall of gap and residual by a tenth.
constexpr int longest_path = 150, patience = 15;

}  // namespace

PathStart path_start(long k) {
  const auto at = std::size_t(k);
  if (at < cold.size()) return cold[at];
  // Another margin each time, with the pins and smoothings of the cold starts in turn.
  PathStart start = cold[at % cold.size()];
  const long round = (k - long(cold.size())) / long(margins.size());
  start.margin = margins[at % margins.size()] * std::pow(0.6180339887498949, double(round));
  return start;
}

void Nipm::iterate(ContactProblem& problem, Monitor& monitor) {
  method_.reset();
  conic_ = std::make_unique<ConicProblem>(problem, monitor.watch());
  method_ = std::make_unique<InteriorPoint>(*conic_);
  r_.assign(problem.q().size(), 0.0);
  scaled_.resize(r_.size());
  next_path_ = 0;
  // A guess is kept to where Newton gets from it: of several solutions the near one.
  r_.assign(monitor.start().begin(), monitor.start().end());
  best_ = r_;
  monitor.setup_done();
  if (options_.keep_guess && std::any_of(r_.begin(), r_.end(), [](double x) { return x != 0; }) &&
      newton(monitor, {.iterations = int(options_.polish_steps)}))
    return;
  follow_paths(monitor);
}

void Nipm::resume(ContactProblem&, Monitor& monitor) {
  best_.assign(monitor.start().begin(), monitor.start().end());
  monitor.setup_done();
  follow_paths(monitor);
}

void Nipm::follow_paths(Monitor& monitor) {
  method_->set_law({}, 1);
  for (const long end = next_path_ + options_.paths; next_path_ < end;) {
    const long path = next_path_++;
    const PathStart start = path_start(path);
    method_->set_smoothing(start.smoothing);
    method_->set_pin(start.pin, start.pin_per_gap);
    if (start.margin > 0)
      method_->start_at(best_, start.margin);
    else
      method_->start_cold(start.x, start.y);
    if (follow(monitor)) return;
    if (path == 0 && options_.certificate) {
      if (auto d = prove_infeasible(conic_->physical, [&] { return monitor.interrupted(); }))
        return monitor.infeasible(std::move(*d));
    }
    if (path % 3 == 1 && options_.burst > 0 && burst(monitor)) return;
  }
  monitor.end(Status::stalled, "every path ended short of the tolerance");
}

bool Nipm::follow(Monitor& monitor) {
  double next_polish = options_.polish_from;
  Patience waiting(0.9, patience);
  for (int k = 0; k < longest_path; ++k) {
    const auto step = method_->iterate();
    if (!step.valid) break;
    method_->projected(r_);
    if (show(monitor)) return true;
    method_->impulses(r_);
    if (monitor.check(r_)) return true;
    if (waiting.lost_at(step.gap + step.residual)) break;
    if (step.gap < next_polish && step.residual < std::sqrt(step.gap)) {
      next_polish = options_.polish_again * step.gap;
      if (polish(monitor)) return true;
    }
  }
  return polish(monitor);
}

bool Nipm::polish(Monitor& monitor) {
  method_->projected(r_);
  return newton(monitor, {.iterations = int(options_.polish_steps)});
}

bool Nipm::burst(Monitor& monitor) {
  r_ = best_;
  return newton(
      monitor,
      {.regularisation = 1e-3, .shrink = 0.3, .grow = 4, .iterations = int(options_.burst), .patience = 100});
}

bool Nipm::newton(Monitor& monitor, const PolishOptions& options) {
  conic_->scaled.to_scaled(r_, scaled_);
  semismooth_polish(*conic_, {}, options, scaled_, [&](std::span<const double> iterate) {
    conic_->scaled.to_physical(iterate, r_);
    return show(monitor);
  });
  return monitor.stopped();
}

bool Nipm::show(Monitor& monitor) {
  const double before = monitor.best_error();
  const bool stop = monitor.show(r_);
  if (monitor.best_error() < before) best_ = r_;
  return stop;
}

std::unique_ptr<Method> make_nipm(const NipmOptions& options) { return std::make_unique<Nipm>(options); }

}  // namespace stickslip::internal
