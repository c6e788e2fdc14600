// The room that contacts lack. With a spring behind each contact,
//
//   u_N + s_N,   s = e r_N,   e > 0,     that is W + e e_N e_Nᵀ in the place of W,
//
// Slater's condition holds (v = 0, s large), so that there is a solution, and it solves the problem with the room s as well. As e → 0:
// s → 0 where impulses stay bounded; otherwise r grows like 1/e and s tends to what is missing. Without friction that limit is
// the shortest s for which the problem has a solution: ½‖s‖² + eψ(s) is minimised, ψ the energy of the problem with the room s.
//
// At the limit the impulses of the squeezed contacts are not determined: a little more room sets them free.
//
// A certificate d (d_N ≥ 0, d_T = 0, Wᵀd = 0, q·d < 0) asks for (q + s)·d ≥ 0: the shortest such s is −(q·d) d/‖d‖².

#include "stickslip/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/timer.hpp"
#include "solvers/automatic/automatic.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/measures.hpp"

namespace stickslip {

using namespace internal;

namespace {

/// e, relative to the normal entries of W: the first, the least, and what it is divided by.
constexpr double first_compliance = 1, least_compliance = 1e-8, fall = 5;
/// A room that keeps this part over a fall has settled.
constexpr double settled_part = 0.95;
/// Room beyond the limit, relative, that sets squeezed impulses free: the first that is solved.
constexpr std::array spares = {1e-3, 1e-2, 0.0};
/// Of the tolerance: the problem with the room has another ‖q‖ than the one with the spring.
constexpr double part_of_tolerance = 0.3;
/// Of the time: when the search for the room ends, and the search for impulses with a little more.
constexpr double part_for_search = 0.7, part_for_spare = 0.95;
/// Contacts with this part of the largest room are squeezed; so many are named.
constexpr double squeezed_part = 0.1;
constexpr std::size_t named = 5;

/// `auto` that gives up early: what takes longer is left to a larger e.
std::unique_ptr<Method> make_short() {
  AutomaticOptions options;
  options.rounds = 2;
  options.body_rounds = 2;
  return make_automatic(options);
}

std::vector<double> shifted(std::span<const double> q, std::span<const double> s, int dimension) {
  const auto d = std::size_t(dimension);
  if (s.size() * d != q.size())
    throw InputError(
        fmt::format("the room has {} numbers, the problem has {} contacts", s.size(), q.size() / d));
  std::vector<double> sum(q.begin(), q.end());
  for (std::size_t i = 0; i < s.size(); ++i) sum[i * d] += s[i];
  return sum;
}

/// The problem with the spring e behind each contact.
ReducedProblem with_springs(const ReducedProblem& problem, double e) {
  const auto d = std::size_t(problem.dimension()), area = d * d;
  auto [W, q, mu] = ReducedProblem(problem).release();
  for (std::size_t k = 0; k < W.diagonal.size(); k += area) W.diagonal[k] += e;
  W.blocks.resize(W.column.size() * area);  // without the numbers that pad it
  return {BlockMatrix(int(d), std::move(W.row_start), std::move(W.column), std::move(W.blocks),
                      std::move(W.diagonal)),
          std::move(q), std::move(mu)};
}

double length(std::span<const double> s) {
  double sum = 0;
  for (double number : s) sum += number * number;
  return std::sqrt(sum);
}

/// The solves of a search, and what is left of its time.
class Solves {
 public:
  explicit Solves(const NearestRequest& request) : request_(request), auto_(make_short()) {}

  /// Until this part of the time is over.
  template <class Problem>
  SolveResult operator()(const Problem& problem, std::span<const double> guess, double tolerance,
                         double part) {
    const double left = part * request_.time_limit - timer_.seconds();
    return auto_->solve(problem, {.tolerance = tolerance,
                                  .time_limit = std::max(left, 1e-3),
                                  .guess = guess,
                                  .cancel = request_.cancel});
  }

  bool over(double part = 1) const {
    return timer_.seconds() >= part * request_.time_limit || (request_.cancel && request_.cancel->load());
  }

 private:
  const NearestRequest& request_;
  Timer timer_;
  std::unique_ptr<Method> auto_;
};

class Search {
 public:
  Search(const ReducedProblem& problem, const NearestRequest& request, Solves& solve)
      : problem_(problem), request_(request), solve_(solve) {
    double sum = 0;
    for (Index i = 0; i < problem.contacts(); ++i) sum += problem.W().diagonal(i)[0];
    mean_ = sum / double(std::max<Index>(problem.contacts(), 1));
  }

  /// Follows e; false: not even the first problem was solved. An e that is not solved is followed by one nearer to the last.
  bool run() {
    double e = first_compliance, step = fall;
    while (e >= least_compliance) {
      const ReducedProblem springs = with_springs(problem_, e * mean_);
      const SolveResult result = solve_(springs, r_, part_of_tolerance * request_.tolerance, part_for_search);
      if (!result.converged()) {
        if (room_.empty() || step < 2 || solve_.over(part_for_search)) return !room_.empty();
        e *= step;
        step = std::sqrt(step);
        e /= step;
        continue;
      }
      std::vector<double> s(std::size_t(problem_.contacts()));
      for (std::size_t i = 0; i < s.size(); ++i)
        s[i] = std::max(0.0, e * mean_ * result.r[i * std::size_t(problem_.dimension())]);
      settled_ = !room_.empty() && step == fall && length(s) > settled_part * length(room_);
      room_ = std::move(s);
      r_ = result.r;
      if (settled_ || length(room_) <= request_.tolerance * problem_.q_norm()) return true;
      e /= step;
    }
    return true;
  }

  const std::vector<double>& room() const { return room_; }
  const std::vector<double>& impulses() const { return r_; }
  bool settled() const { return settled_; }

 private:
  const ReducedProblem& problem_;
  const NearestRequest& request_;
  Solves& solve_;
  double mean_ = 0;
  std::vector<double> room_, r_;
  bool settled_ = false;
};

std::string contact_list(std::span<const Index> squeezed) {
  std::string text = squeezed.size() == 1 ? "contact " : "contacts ";
  const std::size_t shown = squeezed.size() <= named + 1 ? squeezed.size() : named;
  for (std::size_t k = 0; k < shown; ++k) {
    if (k > 0) text += k + 1 == squeezed.size() ? " and " : ", ";
    text += std::to_string(squeezed[k]);
  }
  if (shown < squeezed.size()) text += fmt::format(" and {} more", squeezed.size() - shown);
  return text + (squeezed.size() == 1 ? " is" : " are");
}

void describe(NearestResult& result, int dimension) {
  const auto largest = std::max_element(result.room.begin(), result.room.end());
  result.size = length(result.room);
  for (std::size_t i = 0; i < result.room.size(); ++i)
    if (result.room[i] > 0 && result.room[i] >= squeezed_part * *largest) result.squeezed.push_back(Index(i));
  std::stable_sort(result.squeezed.begin(), result.squeezed.end(), [&](Index a, Index b) {
    return result.room[std::size_t(a)] > result.room[std::size_t(b)];
  });
  double impulse = 0;
  for (std::size_t k = 0; k < result.solution.r.size(); k += std::size_t(dimension))
    impulse = std::max(impulse, result.solution.r[k]);
  result.message = fmt::format(
      "{} squeezed by {}{:.3g}; with that much room there is a solution, error {:.1e}, normal impulses up to "
      "{:.3g}",
      contact_list(result.squeezed), result.settled ? "" : "at most ", *largest, result.solution.error(),
      impulse);
}

/// The room that a certificate asks for, one number a contact.
std::vector<double> room_of(std::span<const double> certificate, std::span<const double> q, int dimension) {
  const auto d = std::size_t(dimension);
  double product = 0, square = 0;
  for (std::size_t k = 0; k < certificate.size(); k += d) {
    product += q[k] * certificate[k];
    square += certificate[k] * certificate[k];
  }
  std::vector<double> s(certificate.size() / d);
  for (std::size_t i = 0; i < s.size(); ++i) s[i] = std::max(0.0, -product / square * certificate[i * d]);
  return s;
}

/// Solves the problem with the room s and a little more, so that impulses stay moderate; without more the guess is a solution.
template <class Problem>
void give_room(const Problem& problem, std::span<const double> s, std::span<const double> guess,
               double tolerance, Solves& solve, NearestResult& result) {
  for (const double spare : spares) {
    if (spare == 0 && guess.empty()) return;
    if (spare > 0 && solve.over(part_for_spare)) continue;
    result.room.assign(s.begin(), s.end());
    for (double& number : result.room) number *= 1 + spare;
    result.solution = solve(with_room(problem, result.room), spare > 0 ? std::span<const double>{} : guess,
                            tolerance, spare > 0 ? part_for_spare : 1);
    result.found = result.solution.converged();
    if (result.found) return;
  }
}

/// `reduce` gives the same problem with W.
template <class Problem, class Reduce>
NearestResult nearest(const Problem& problem, std::span<const double> q, const NearestRequest& request,
                      Reduce reduce) {
  NearestResult result;
  Solves solve(request);
  if (!request.known) {
    result.solution = solve(problem, {}, request.tolerance, 1);
    if (result.solution.converged()) {
      result.room.assign(std::size_t(problem.contacts()), 0.0);
      result.found = result.settled = true;
      result.message = "no room is missing: there is a solution";
      return result;
    }
  }
  const std::vector<double> certificate =
      request.known ? request.known->certificate : result.solution.certificate;
  if (certificate.size() == q.size() && !q.empty()) {
    result.settled = true;
    give_room(problem, room_of(certificate, q, problem.dimension()), {}, request.tolerance, solve, result);
  }
  if (!result.found && !solve.over(part_for_search)) {
    const ReducedProblem reduced = reduce();
    Search search(reduced, request, solve);
    if (search.run()) {
      result.settled = search.settled();
      give_room(problem, search.room(), search.impulses(), request.tolerance, solve, result);
    }
  }
  if (result.found) {
    describe(result, problem.dimension());
    return result;
  }
  result.room.assign(std::size_t(problem.contacts()), 0.0);
  result.settled = false;
  result.message = solve.over() ? "the time for the room that is missing is over"
                                : "the problem with the room that is missing was not solved";
  return result;
}

}  // namespace

ReducedProblem with_room(const ReducedProblem& problem, std::span<const double> s) {
  ReducedProblem other = problem;
  other.set_q(shifted(problem.q(), s, problem.dimension()));
  return other;
}

GlobalProblem with_room(const GlobalProblem& problem, std::span<const double> s) {
  GlobalProblem other = problem;
  other.set_w(shifted(problem.w(), s, problem.dimension()));
  return other;
}

NearestResult nearest_feasible(const ReducedProblem& problem, const NearestRequest& request) {
  return nearest(problem, problem.q(), request, [&] { return problem; });
}

NearestResult nearest_feasible(const GlobalProblem& problem, const NearestRequest& request) {
  const Reduction reduction(problem);
  return nearest(problem, reduction.q(), request, [&] { return reduction.reduced(); });
}

}  // namespace stickslip
