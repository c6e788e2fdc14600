#include "solvers/automatic/relaxed.hpp"

#include <limits>

#include "solvers/automatic/explained_phase.hpp"
#include "solvers/automatic/stage_methods.hpp"
#include "solvers/interior_point/relaxed_path.hpp"
#include "solvers/parts/anderson.hpp"

namespace stickslip::internal {

void RelaxedOptions::visit(OptionVisitor& v) {
  v.integer("anderson", anderson, {1, Anderson::most}, "differences mixed by Anderson acceleration");
  v.integer("horizon", horizon, {0, 1e9}, "sweeps that may be expected to be needed before the first path");
  v.integer("patience", patience, {1, 1e9}, "likewise: while so many sweeps halve the error, they go on");
  v.integer("warm_horizon", warm_horizon, {0, 1e9}, "`horizon` where a guess was given");
  v.integer("warm_patience", warm_patience, {1, 1e9}, "`patience` where a guess was given");
  v.integer("centre_patience", centre_patience, {1, 1e9},
            "sweeps from the end of a path that have to halve the error");
  v.integer("paths", paths, {0, 1e6}, "paths at most; then sweeps alone go on");
  v.integer("turn", turn, {1, 1e9},
            "without paths: sweeps with mixing, or plain ones, that have to halve the error before it is the "
            "turn of the others");
  v.real("redundancy", redundancy, {0, 1e9},
         "contact unknowns a degree of freedom from which there are sweeps alone");
}

namespace {

class Relaxed final : public Method {
 public:
  explicit Relaxed(const RelaxedOptions& options) : options_(options) {
    path_.set_system(RelaxedPath::System::springs);
  }

 private:
  bool needs_matrix(ContactProblem& problem) const override { return !problem.bodies().applies(); }
  std::string refusal_of_ranks() const override { return {}; }

  void iterate(ContactProblem& problem, Monitor& monitor) override {
    const bool guessed = monitor.prefer_zero();
    if (monitor.stopped()) return;
    const std::string_view reason =
        problem.formed() ? "bodies of at most twelve rows are not known"
                         : why_no_paths(problem.redundancy(), problem.bodies().symmetric(), options_);
    if (!reason.empty()) {
      monitor.note(std::string(reason) + ": sweeps with and without mixing only");
      return by_turns(problem, monitor);
    }
    const long paths = options_.paths;
    if (paths > 0 && mix(problem, monitor,
                         {.horizon = guessed ? options_.warm_horizon : options_.horizon,
                          .patience = guessed ? options_.warm_patience : options_.patience,
                          .looks = 2}))
      return;
    for (long k = 0; k < paths; ++k) {
      // Speeds of an iterate that no path has led to say nothing.
      path_.set_slip(k > 0 && path_.arrived() ? RelaxedPath::Slip::of_the_start : RelaxedPath::Slip::none);
      if (follow(problem, monitor)) return;
      monitor.start_from(path_.end());
      if (mix(problem, monitor, {.patience = options_.centre_patience})) return;
    }
    mix(problem, monitor, {});
  }

  /// As long as a round of both lessens the error; then mixing alone, to the end.
  void by_turns(ContactProblem& problem, Monitor& monitor) {
    const auto plain = make_mixing(0);
    constexpr double lessens = 0.9;
    for (double before = std::numeric_limits<double>::infinity(); monitor.best_error() < lessens * before;) {
      before = monitor.best_error();
      if (mix(problem, monitor, {.patience = options_.turn}) ||
          run("sweeps", *plain, problem, monitor, {.patience = options_.turn}))
        return;
    }
    mix(problem, monitor, {});
  }

  /// Each: true, the solve is over.
  bool mix(ContactProblem& problem, Monitor& monitor, const Phase& phase) {
    if (!mixing_) mixing_ = make_mixing(options_.anderson);
    return run("mixing", *mixing_, problem, monitor, phase);
  }
  bool follow(ContactProblem& problem, Monitor& monitor) {
    mixing_.reset();  // its memory
    return run("relaxed", path_, problem, monitor, {});
  }

  static bool run(std::string_view name, Method& method, ContactProblem& problem, Monitor& monitor,
                  const Phase& phase) {
    ExplainedPhase explained(name, monitor, phase);
    method.iterate_within(problem, monitor);
    return explained.end();
  }

  RelaxedOptions options_;
  std::unique_ptr<Method> mixing_;
  RelaxedPath path_;
};

}  // namespace

std::string_view why_no_paths(double redundancy, bool symmetric, const RelaxedOptions& options) {
  if (!symmetric) return "M is not symmetric";
  return redundancy < options.redundancy ? "" : "contacts are redundant";
}

std::unique_ptr<Method> make_relaxed(const RelaxedOptions& options) {
  return std::make_unique<Relaxed>(options);
}

}  // namespace stickslip::internal
