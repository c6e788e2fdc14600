// NIPM: the interior point with s as an unknown, for Coulomb's law itself.
//
// The path (interior_iteration, θ = 1) is followed down from several starts, the last digits by proximal semismooth Newton
// (semismooth_polish). Coulomb's law is not monotone: the path folds on hyperstatic problems, and a step that aims at a smaller
// gap may leave the residual behind. A path that stops is cheap (20 to 40 factorisations), and another start often arrives.
#pragma once

#include <memory>
#include <vector>

#include "solve/method.hpp"
#include "solve/options.hpp"
#include "solvers/interior_point/interior_iteration.hpp"
#include "solvers/interior_point/semismooth_polish.hpp"

namespace stickslip::internal {

struct NipmOptions {
  long paths = 60;  ///< at most, no two from the same start
  double polish_from =
      1e-5;  ///< gap m, in scaled units, from which semismooth Newton is tried; larger: earlier
  double polish_again = 1e-2;  ///< and after each further fall of m by this factor
  long polish_steps = 15;      ///< Newton steps of one try
  long burst = 200;            ///< proximal Newton steps from the best point after every third path; 0: none

  bool certificate = true;  ///< look for a proof that there is no solution; `auto` does that itself
  bool keep_guess = true;   ///< try Newton from the guess first; `auto` has done so

  void visit(OptionVisitor& visitor);
};

/// How a path starts: sizes of x and y in scaled units, or from the best point pushed into the cone by `margin` > 0; ε/m, and
/// the pin of the null space (a, and a per √m).
struct PathStart {
  double x, y, smoothing, pin, pin_per_gap;
  double margin = 0;
  bool operator==(const PathStart&) const = default;
};
/// The start of path k = 0, 1, …; all differ.
PathStart path_start(long k);

class Nipm final : public Method {
 public:
  explicit Nipm(const NipmOptions& options) : options_(options) {}

  /// Paths of the next part of a solve; one that resumes goes on with starts that were not taken yet.
  void set_paths(long paths) { options_.paths = paths; }

 private:
  bool needs_matrix(ContactProblem& problem) const override { return !problem.bodies_pay(); }
  void iterate(ContactProblem& problem, Monitor& monitor) override;
  void resume(ContactProblem& problem, Monitor& monitor) override;

  void follow_paths(Monitor& monitor);
  /// One path down to its end. True: the monitor says stop.
  bool follow(Monitor& monitor);
  bool polish(Monitor& monitor);
  /// Small steps of the proximal term from the best point so far.
  bool burst(Monitor& monitor);
  bool newton(Monitor& monitor, const PolishOptions& options);
  /// Shows r_ and remembers it where it is the best so far.
  bool show(Monitor& monitor);

  NipmOptions options_;
  long next_path_ = 0;
  std::unique_ptr<ConicProblem> conic_;  // of the solve
  std::unique_ptr<InteriorPoint> method_;
  std::vector<double> r_, scaled_, best_;
};

std::unique_ptr<Method> make_nipm(const NipmOptions& options);

}  // namespace stickslip::internal
