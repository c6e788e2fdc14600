#include "distributed/shared_solve.hpp"

#include "catalog/make_method.hpp"

namespace stickslip::internal {

SharedSolve::SharedSolve(Ranks& ranks, const std::string& solver, CutRule cut, BodyCut body_cut)
    : ranks_(ranks),
      division_(solver),
      method_(make_method(division_.shared())),
      cut_(std::move(cut)),
      body_cut_(std::move(body_cut)),
      before_(ranks.traffic()) {}
SharedSolve::SharedSolve(Ranks& ranks, const std::string& solver, ParallelSolver& systems)
    : ranks_(ranks),
      division_(Division::on_first(solver)),
      systems_(&systems),
      cut_(cut_evenly),
      before_(ranks.traffic()) {}
SharedSolve::~SharedSolve() = default;

void SharedSolve::alone(const std::function<void(BlockSolver*)>& work) {
  ++mine_.alone;
  if (!systems_) {
    if (ranks_.rank() == 0) work(nullptr);
    return;
  }
  if (ranks_.rank() != 0) return serve_system(ranks_, *systems_);
  SharedSystem system(ranks_, *systems_);
  work(&system);
  mine_.systems += system.report();
}

std::vector<int> SharedSolve::plan(Index bodies, std::vector<std::array<Index, 2>> bodies_of) {
  contacts_ = Index(bodies_of.size());
  const BodyGraph graph(bodies, std::move(bodies_of));
  const Colouring& colouring = graph.colouring();
  std::vector<int> rank_of_chunk = cut_(graph, ranks_.size()), rank_of_contact(std::size_t(contacts_), 0);
  for (std::size_t chunk = 0; chunk < rank_of_chunk.size(); ++chunk)
    for (auto k = std::size_t(colouring.chunk_start[chunk]);
         k < std::size_t(colouring.chunk_start[chunk + 1]); ++k)
      rank_of_contact[std::size_t(colouring.contacts[k])] = rank_of_chunk[chunk];
  mine_.colours = colouring.colours();
  mine_.chunks = colouring.chunks();
  plan_ = Shares(graph, colouring, ranks_.size(), std::move(rank_of_chunk)).plan(ranks_.rank());
  return rank_of_contact;
}

void SharedSolve::solve(GlobalProblem part, std::vector<Index> sizes, BodyGraph::Kind kind,
                        const SolveRequest& request, SolveResult& result) {
  mine_.contacts = {part.contacts()};
  const Share share{.problem = std::move(part),
                    .contacts = std::move(plan_.contacts),
                    .body_size = std::move(sizes),
                    .kind = kind,
                    .layout = std::move(plan_.layout),
                    .halo = std::move(plan_.halo),
                    .home = std::move(plan_.home),
                    .contacts_in_all = contacts_};
  mine_.plan = TrafficPlan(share);
  const Ranks::Passes passed = ranks_.passes();
  method_->solve(share, ranks_, request, result);
  mine_.planned += mine_.plan.of(passed, ranks_.passes());
  mine_.passes = ranks_.passes();
  ++mine_.solves;
}

void SharedSolve::end(SharedPhase phase) {
  const Ranks::Traffic now = ranks_.traffic();
  PhaseTraffic& of = mine_.phases[std::size_t(phase)];
  of += {timer_.seconds(),
         {now.messages - before_.messages, now.bytes - before_.bytes, now.sums - before_.sums,
          now.seconds - before_.seconds}};
  timer_ = Timer();
  before_ = now;
}

SharedReport SharedSolve::report() {
  SharedReport all = mine_;
  const auto n = std::size_t(ranks_.size());
  std::vector<std::int64_t> counts(n, 0);
  if (!mine_.contacts.empty()) counts[std::size_t(ranks_.rank())] = mine_.contacts[0];
  for (const std::int64_t number : mine_.plan.numbers()) counts.push_back(number);
  counts.insert(counts.end(), {mine_.planned.messages, mine_.planned.bytes});
  const std::size_t phases = counts.size();
  counts.resize(phases + 2 * shared_phases);
  std::array<double, 2 * shared_phases> seconds{};
  for (std::size_t k = 0; k < shared_phases; ++k) {
    counts[phases + 2 * k] = mine_.phases[k].traffic.messages;
    counts[phases + 2 * k + 1] = mine_.phases[k].traffic.bytes;
    seconds[2 * k] = mine_.phases[k].seconds, seconds[2 * k + 1] = mine_.phases[k].traffic.seconds;
  }
  ranks_.add(counts);
  ranks_.largest(seconds);
  all.contacts.assign(counts.begin(), counts.begin() + std::ptrdiff_t(n));
  all.plan = TrafficPlan::from(std::span(counts).subspan(n).first<6>());
  all.planned = {counts[phases - 2], counts[phases - 1]};
  for (std::size_t k = 0; k < shared_phases; ++k) {
    all.phases[k].traffic.messages = counts[phases + 2 * k];
    all.phases[k].traffic.bytes = counts[phases + 2 * k + 1];
    all.phases[k].seconds = seconds[2 * k], all.phases[k].traffic.seconds = seconds[2 * k + 1];
  }
  all.peak_memory = peak_memories(ranks_);
  return all;
}

}  // namespace stickslip::internal
