// What is asked of a solver and what it gives back.
#pragma once

#include <atomic>
#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stickslip/export.hpp"
#include "stickslip/measures.hpp"
#include "stickslip/problem.hpp"

namespace stickslip {

enum class Status {
  converged,          ///< the error is at or below the tolerance
  converged_reduced,  ///< a weaker goal of the solver's own was met (it says which); the error is above the
                      ///< tolerance
  stalled,            ///< no further progress
  iteration_limit,
  time_limit,
  infeasible,      ///< no solution exists; the certificate proves it
  not_applicable,  ///< the solver does not fit the problem; the message says why
  numerical_failure,
  cancelled
};
STICKSLIP_EXPORT std::string_view name(Status status);

/// How far a solve has come; shown to the observer of a request.
struct Progress {
  long iteration;
  double seconds;
  double error;  ///< the true error at this iteration
};

/// Who looks on while a solve goes: a function of Progress that returns nothing, or true to stop the solve.
class Observer {
 public:
  Observer() = default;
  template <class Function>
  requires std::invocable<Function&, const Progress&> &&
      (!std::same_as<std::remove_cvref_t<Function>, Observer>)
          Observer(Function&& function) {  // NOLINT: a lambda is an observer
    if constexpr (std::is_void_v<std::invoke_result_t<Function&, const Progress&>>)
      call_ = [f = std::forward<Function>(function)](const Progress& progress) mutable {
        return f(progress), false;
      };
    else
      call_ = std::forward<Function>(function);
  }
  explicit operator bool() const { return bool(call_); }
  bool operator()(const Progress& progress) const { return call_(progress); }

 private:
  std::function<bool(const Progress&)> call_;
};

/// What a caller may ask for. Every field has a default that suits.
struct SolveRequest {
  double tolerance = 1e-8;                                      ///< on the natural-map error; > 0
  double time_limit = std::numeric_limits<double>::infinity();  ///< wall-clock seconds; > 0
  long max_iterations = std::numeric_limits<long>::max();       ///< of the outermost loop; ≥ 0
  /// As long as so many iterations halve the error, a solve ends only at this error; then as soon as the tolerance holds. For steps in time: what
  /// one leaves over, those after it have to make up for. 0: the tolerance is enough.
  long finer_iterations = 0;
  double finer_tolerance = 0;
  std::span<const double> guess = {};  ///< a first r, d·n numbers; empty: zero
  /// The u that the guess had in the last problem, where a method goes on from both (semismooth: SSN section 6); d·n numbers or
  /// empty: W r + q.
  std::span<const double> guess_velocity = {};
  int threads = 1;  ///< ≥ 1
  /// Bytes that may be taken, the problem itself counted; > 0. Before W is formed or a matrix factorised, what that needs is held
  /// against it: `auto` goes on without, others refuse (Status::not_applicable).
  double memory_limit = std::numeric_limits<double>::infinity();
  bool history = false;                       ///< keep the error of every iteration
  bool explain = false;                       ///< keep the decisions of `auto`
  const std::atomic<bool>* cancel = nullptr;  ///< set to true from anywhere: stop with the best iterate
  Observer observer =
      {};  ///< called whenever the true error was measured; may stop the solve as `cancel` does
};

/// Where the time went, in wall-clock seconds.
struct Timing {
  double total = 0;          ///< 0: a few contacts, all open, take less than a clock
  double setup = 0;          ///< reduction, scaling, preparation of the contacts
  double factorisation = 0;  ///< of M or of a solver's own matrices
  double iterations = 0;
  double measuring = 0;  ///< the true error
};

struct STICKSLIP_EXPORT SolveResult {
  Status status = Status::numerical_failure;
  std::string message;      ///< empty, or one line: the reason
  std::string solver;       ///< as it was asked for
  std::string solver_used;  ///< the composition that ran, with every option that differs from its default
  std::string stage;        ///< of a solver made of several (auto): the one that ended it; otherwise empty
  double tolerance = 0;
  std::vector<double> r;       ///< best impulses seen
  std::vector<double> u;       ///< W r + q
  std::vector<double> v;       ///< global problems: velocities
  std::vector<double> lambda;  ///< global problems: multipliers of the bilateral constraints
  std::vector<ContactStatus> contacts;
  Measures measures;
  long iterations = 0;
  Timing timing;
  std::vector<Progress> history;
  std::vector<std::string> explanation;  ///< with `explain`: what was tried, with figures, a line each
  std::vector<Index>
      worst_contacts;  ///< unless converged: where the error sits, largest first, at most three
  std::vector<std::string>
      diagnosis;  ///< with Status::stalled: what makes the problem hard, in words with figures
  std::vector<double> certificate;  ///< with Status::infeasible: d with d_N ≥ 0, d_T = 0, Wᵀd = 0 and q·d < 0

  double error() const { return measures.error; }
  bool converged() const { return status == Status::converged; }
  std::size_t count(ContactStatus which) const;
  /// A few lines for people.
  std::string report() const;
};

namespace internal {
class Method;
}

/// A solver by its name: holds its options and its working memory, so that repeated Gauss–Seidel solves of one size allocate
/// nothing (VI methods, ADMM and the fixed points of convex programs take some memory once a solve). Not to be shared between
/// threads; the same object gives the same result each time.
class STICKSLIP_EXPORT Solver {
 public:
  /// A label of the catalogue or a composition (stickslip/catalog.hpp). Throws InputError naming the nearest valid name when
  /// something is unknown or out of range.
  explicit Solver(std::string_view name = "auto");
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Validates the request, takes the trivial cases, iterates, measures. Always returns the best iterate seen. Throws
  /// InputError on a bad request, or an M that is not positive definite.
  SolveResult solve(const ReducedProblem& problem, const SolveRequest& request = {});
  SolveResult solve(const GlobalProblem& problem, const SolveRequest& request = {});
  /// The same into a result whose memory is used again.
  void solve(const ReducedProblem& problem, const SolveRequest& request, SolveResult& into);
  void solve(const GlobalProblem& problem, const SolveRequest& request, SolveResult& into);

  /// The name it was asked for by, and the composition with the options that differ from their defaults.
  const std::string& label() const;
  const std::string& composition() const;

 private:
  std::unique_ptr<internal::Method> method_;
};

}  // namespace stickslip
