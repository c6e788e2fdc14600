#include "distributed/together.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "base/peak_memory.hpp"
#include "base/timer.hpp"
#include "catalog/make_method.hpp"
#include "distributed/division.hpp"
#include "distributed/letters.hpp"
#include "distributed/packed_share.hpp"
#include "residual/operator_measures.hpp"
#include "solve/diagnosis.hpp"
#include "stickslip/errors.hpp"

namespace stickslip::internal {
namespace {

/// The numbers of some contacts, or rows, of a whole vector.
template <class T>
std::vector<T> picked(std::span<const T> whole, std::span<const Index> which, std::size_t each) {
  std::vector<T> part;
  if (whole.empty()) return part;
  for (const Index i : which)
    part.insert(part.end(), &whole[std::size_t(i) * each], &whole[std::size_t(i) * each] + each);
  return part;
}
template <class T>
void put(std::span<const T> part, std::span<const Index> which, std::size_t each, std::vector<T>& whole) {
  for (std::size_t k = 0; k < which.size(); ++k)
    std::copy_n(&part[k * each], each, &whole[std::size_t(which[k]) * each]);
}

/// What rank 0 remembers of the shares: contacts and rows of the bodies at home.
struct Places {
  std::vector<std::vector<Index>> contacts, rows;
};

/// Rank 0: cuts, sends, keeps its own.
PackedShare share_out(Ranks& ranks, const BodyGraph& graph, std::span<const double> guess,
                      std::vector<int> rank_of_chunk, Places& places) {
  const Shares shares(graph, graph.colouring(), ranks.size(), std::move(rank_of_chunk));
  const auto d = std::size_t(graph.problem().dimension());
  const auto make = [&](int rank) {
    PackedShare packed{shares.share(rank), {}};
    packed.guess = picked(guess, packed.share.contacts, d);
    return packed;
  };
  for (int rank = 0; rank < ranks.size(); ++rank) {
    places.contacts.push_back(shares.contacts_of(rank));
    auto& rows = places.rows.emplace_back();
    for (const Index body : shares.home_of(rank))
      rows.insert(rows.end(), graph.rows(body).begin(), graph.rows(body).end());
    if (rank == 0) continue;
    const std::vector<std::byte> bytes = pack(make(rank));
    const std::uint64_t size = bytes.size();
    send<std::uint64_t>(ranks, rank, {&size, 1});
    send<std::byte>(ranks, rank, bytes);
  }
  return make(0);
}

PackedShare take_share(Ranks& ranks) {
  std::uint64_t size = 0;
  receive<std::uint64_t>(ranks, 0, {&size, 1});
  std::vector<std::byte> bytes(size);
  receive<std::byte>(ranks, 0, bytes);
  return unpack_share(std::move(bytes));
}

/// The velocities of the bodies at home, in their rows' order.
std::vector<double> home_velocities(const Share& share, std::span<const double> v) {
  std::vector<std::size_t> start = {0};
  for (const Index size : share.body_size) start.push_back(start.back() + std::size_t(size));
  std::vector<double> part;
  for (const Index body : share.home)
    part.insert(part.end(), v.begin() + std::ptrdiff_t(start[std::size_t(body)]),
                v.begin() + std::ptrdiff_t(start[std::size_t(body) + 1]));
  return part;
}

/// The parts of a result: to rank 0 …
void give_back(Ranks& ranks, const Share& share, const SolveResult& result) {
  send<double>(ranks, 0, result.r);
  send<double>(ranks, 0, result.u);
  send<double>(ranks, 0, home_velocities(share, result.v));
  send<ContactStatus>(ranks, 0, result.contacts);
}

/// … and put together there.
void gather(Ranks& ranks, const Share& share, const Places& places, const GlobalProblem& problem,
            SolveResult& result) {
  const auto d = std::size_t(problem.dimension());
  std::vector<double> r(problem.w().size()), u(r.size()), v(problem.f().size());
  std::vector<ContactStatus> contacts(problem.mu().size());
  std::vector<double> part = home_velocities(share, result.v);
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const auto &which = places.contacts[std::size_t(rank)], &rows = places.rows[std::size_t(rank)];
    if (rank != 0) {
      result.r.resize(which.size() * d), result.u.resize(which.size() * d);
      part.resize(rows.size()), result.contacts.resize(which.size());
      receive<double>(ranks, rank, result.r);
      receive<double>(ranks, rank, result.u);
      receive<double>(ranks, rank, part);
      receive<ContactStatus>(ranks, rank, result.contacts);
    }
    put<double>(result.r, which, d, r);
    put<double>(result.u, which, d, u);
    put<double>(part, rows, 1, v);
    put<ContactStatus>(result.contacts, which, 1, contacts);
  }
  result.r = std::move(r), result.u = std::move(u), result.v = std::move(v);
  result.contacts = std::move(contacts);
}

/// What the others are asked to do: to end, or a solve of which they must know this much.
struct Order {
  std::int64_t name_size = 0;  // 0: to end
  double tolerance = 0, time_limit = 0, finer_tolerance = 0;
  std::int64_t max_iterations = 0, finer_iterations = 0, threads = 1, history = 0;
};

/// Ends a phase: its seconds, and what it sent.
PhaseTraffic end_phase(Ranks& ranks, Timer& timer, Ranks::Traffic& before) {
  const Ranks::Traffic now = ranks.traffic();
  PhaseTraffic phase;
  std::int64_t counts[2] = {now.messages - before.messages, now.bytes - before.bytes};
  phase.traffic.sums = now.sums - before.sums;
  ranks.add(counts);
  phase.traffic.seconds = now.seconds - before.seconds;
  ranks.largest({&phase.traffic.seconds, 1});
  phase.traffic.messages = counts[0], phase.traffic.bytes = counts[1];
  phase.seconds = timer.seconds();
  timer = Timer();
  before = ranks.traffic();
  return phase;
}

/// What every rank does with its share.
void solve_share(Ranks& ranks, Method& method, const PackedShare& packed, SolveRequest request,
                 SolveResult& result) {
  request.guess = packed.guess;
  request.guess_velocity = {};
  method.solve(packed.share, ranks, request, result);
}

/// Sums over all ranks: contacts of each, and what the plan says.
void count_work(Ranks& ranks, const Share& share, TogetherReport& report) {
  const auto n = std::size_t(ranks.size());
  std::vector<std::int64_t> counts(n, 0);
  counts[std::size_t(ranks.rank())] = share.problem.contacts();
  for (const std::int64_t number : TrafficPlan(share).numbers()) counts.push_back(number);
  ranks.add(counts);
  report.contacts.assign(counts.begin(), counts.begin() + std::ptrdiff_t(n));
  report.plan = TrafficPlan::from(std::span(counts).last<6>());
}

ProblemKind kind_of(const BodyGraph& graph) {
  const GlobalProblem& problem = graph.problem();
  return {.redundancy = double(problem.w().size()) / double(problem.degrees_of_freedom()),
          .contacts_a_pair = contacts_a_pair({graph.bodies_of().begin(), graph.bodies_of().end()}),
          .symmetric = graph.symmetric()};
}

/// What was done with `auto` stands before what it tried.
void explain(const TogetherReport& report, const SolveRequest& request, SolveResult& result) {
  if (request.explain && !report.division.empty())
    result.explanation.insert(result.explanation.begin(), "several processes: " + report.division);
}

SolveResult not_applicable(const Method& method, const BodyGraph& graph, const SolveRequest& request) {
  SolveResult result;
  result.status = Status::not_applicable;
  result.message = "several ranks: " + graph.reason();
  result.solver = method.label();
  result.solver_used = method.composition();
  result.tolerance = request.tolerance;
  result.measures.error = std::numeric_limits<double>::infinity();
  const GlobalProblem& problem = graph.problem();
  result.r.assign(problem.w().size(), 0.0);
  result.u.assign(problem.w().size(), std::numeric_limits<double>::quiet_NaN());
  result.contacts.assign(problem.mu().size(), ContactStatus::open);
  return result;
}

}  // namespace

std::vector<std::int64_t> peak_memories(Ranks& ranks) {
  std::vector<std::int64_t> peaks(std::size_t(ranks.size()), 0);
  peaks[std::size_t(ranks.rank())] = peak_memory();
  ranks.add(peaks);
  return peaks;
}

void PhaseTraffic::operator+=(const PhaseTraffic& other) {
  seconds += other.seconds;
  traffic.messages += other.traffic.messages;
  traffic.bytes += other.traffic.bytes;
  traffic.sums += other.traffic.sums;
  traffic.seconds += other.traffic.seconds;
}

Together::~Together() {
  const Order end;
  if (!entangled_)
    for (int rank = 1; rank < ranks_.size(); ++rank) send<Order>(ranks_, rank, {&end, 1});
}

void Together::tell(std::string words) {
  report_.division = std::move(words);
  if (notice_ && !report_.division.empty()) notice_(report_.division);
}

template <class Problem>
SolveResult Together::solve_alone(const std::string& solver, const Problem& problem,
                                  const SolveRequest& request, const std::string& reason) {
  tell(solver == "auto" ? "auto, on process 0 alone: " + reason : "");
  SolveResult result = Solver(solver).solve(problem, request);
  explain(report_, request, result);
  report_.contacts.assign(std::size_t(ranks_.size()), 0);
  report_.contacts[0] = problem.contacts();
  report_.colours = report_.chunks = 1;
  report_.plan = {};
  report_.solving.seconds += result.timing.total;
  ++report_.solves;
  return result;
}

SolveResult Together::solve(const ReducedProblem& problem, const std::string& solver,
                            const SolveRequest& request) {
  const std::string reason = "the problem has W, and several processes share bodies (M, H)";
  if (!Division(solver).chooses()) throw InputError("solver '" + solver + "': " + reason);
  return solve_alone(solver, problem, request, reason);
}

SolveResult Together::solve(const GlobalProblem& problem, const std::string& solver,
                            const SolveRequest& request) {
  const Timer whole;
  Timer timer;
  const Division division(solver);
  Method::validate(request, problem.w().size());
  // A few contacts are one chunk: there is nothing to share.
  if (problem.contacts() < coloured_contacts)
    return solve_alone(solver, problem, request, "there are few contacts");
  auto graph = std::make_unique<BodyGraph>(problem);
  const std::string alone = graph->applies() ? division.why_alone(kind_of(*graph)) : graph->reason();
  const auto method = make_method(division.shared());
  if (!alone.empty()) {
    if (!division.chooses()) return not_applicable(*method, *graph, request);
    graph.reset();
    return solve_alone(solver, problem, request, alone);
  }
  tell(division.chooses() ? division.shared() + " in place of auto, which works in one process" : "");

  entangled_ = true;
  Ranks::Traffic before = ranks_.traffic();
  const Order order{std::int64_t(division.shared().size()),
                    request.tolerance,
                    request.time_limit,
                    request.finer_tolerance,
                    request.max_iterations,
                    request.finer_iterations,
                    request.threads,
                    request.history};
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    send<Order>(ranks_, rank, {&order, 1});
    send<char>(ranks_, rank, division.shared());
  }
  Places places;
  report_.colours = graph->colouring().colours();
  report_.chunks = graph->colouring().chunks();
  const PackedShare packed = share_out(ranks_, *graph, request.guess, cut_(*graph, ranks_.size()), places);
  graph.reset();
  count_work(ranks_, packed.share, report_);
  report_.sharing += end_phase(ranks_, timer, before);

  SolveRequest mine = request;
  if (request.observer) mine.observer = [&](const Progress& progress) { request.observer(progress); };
  SolveResult result;
  const Ranks::Passes passed = ranks_.passes();
  solve_share(ranks_, *method, packed, mine, result);
  report_.solving += end_phase(ranks_, timer, before);
  report_.planned += report_.plan.of(passed, ranks_.passes());
  report_.passes = ranks_.passes();

  gather(ranks_, packed.share, places, problem, result);
  if (!result.converged()) {
    std::vector<double> errors;
    contact_errors(problem.dimension(), problem.mu(), result.r, result.u, errors);
    worst_contacts(errors, result.worst_contacts);
    if (result.status == Status::stalled) result.diagnosis = diagnose(problem);
  }
  explain(report_, request, result);
  report_.peak_memory = peak_memories(ranks_);
  report_.gathering += end_phase(ranks_, timer, before);
  ++report_.solves;
  entangled_ = false;
  result.timing.total = whole.seconds();
  return result;
}

void serve(Ranks& ranks) {
  for (;;) {
    Order order;
    receive<Order>(ranks, 0, {&order, 1});
    if (order.name_size == 0) return;
    Timer timer;
    Ranks::Traffic before = ranks.traffic();
    std::string solver(std::size_t(order.name_size), ' ');
    receive<char>(ranks, 0, solver);
    const auto method = make_method(solver);
    const PackedShare packed = take_share(ranks);
    TogetherReport unused;
    count_work(ranks, packed.share, unused);
    end_phase(ranks, timer, before);
    SolveResult result;
    solve_share(ranks, *method, packed,
                {.tolerance = order.tolerance,
                 .time_limit = order.time_limit,
                 .max_iterations = order.max_iterations,
                 .finer_iterations = order.finer_iterations,
                 .finer_tolerance = order.finer_tolerance,
                 .threads = int(order.threads),
                 .history = order.history != 0},
                result);
    end_phase(ranks, timer, before);
    give_back(ranks, packed.share, result);
    peak_memories(ranks);
    end_phase(ranks, timer, before);
  }
}

}  // namespace stickslip::internal
