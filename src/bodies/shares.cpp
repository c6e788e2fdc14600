#include "bodies/shares.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace stickslip::internal {
namespace {

constexpr int nobody = -1;

/// visit(contact, body) for what the contacts of a chunk touch.
template <class Visit>
void touched_by_chunk(const BodyGraph& graph, const Colouring& colouring, Index chunk, const Visit& visit) {
  for (auto k = std::size_t(colouring.chunk_start[std::size_t(chunk)]);
       k < std::size_t(colouring.chunk_start[std::size_t(chunk) + 1]); ++k)
    for (const Index body : graph.bodies_of(colouring.contacts[k]))
      if (body != BodyGraph::none) visit(colouring.contacts[k], body);
}

/// Rows of a square or rectangular matrix: `rows` of A, with columns renumbered by `place`; those without a place are left out.
SparseMatrix cut(const SparseMatrix& A, const std::vector<Index>& rows, const std::vector<Index>& place,
                 Index columns) {
  std::vector<Index> start = {0}, column;
  std::vector<double> value;
  for (const Index row : rows) {
    for (auto k = std::size_t(A.row_start()[std::size_t(row)]);
         k < std::size_t(A.row_start()[std::size_t(row) + 1]); ++k)
      if (const Index to = place[std::size_t(A.column()[k])]; to != BodyGraph::none) {
        column.push_back(to);
        value.push_back(A.value()[k]);
      }
    start.push_back(Index(column.size()));
  }
  return SparseMatrix::from_csr(Index(rows.size()), columns, std::move(start), std::move(column),
                                std::move(value));
}

}  // namespace

Shares::Shares(const BodyGraph& graph, Colouring colouring, int ranks, std::vector<int> rank_of_chunk)
    : graph_(graph),
      colouring_(std::move(colouring)),
      ranks_(ranks),
      rank_of_chunk_(std::move(rank_of_chunk)) {
  find_passings();
}

void Shares::find_passings() {
  struct Touch {
    Index colour = 0;
    int rank = nobody;
  };
  const auto bodies = std::size_t(graph_.bodies());
  std::vector<Touch> last(bodies);
  std::vector<int> first(bodies, nobody);
  std::vector<std::pair<Index, int>> guests;  // ranks of bodies that pass
  for (Index colour = 0; colour < colouring_.colours(); ++colour)
    for (Index chunk = colouring_.colour_start[std::size_t(colour)];
         chunk < colouring_.colour_start[std::size_t(colour) + 1]; ++chunk) {
      const int rank = rank_of_chunk_[std::size_t(chunk)];
      touched_by_chunk(graph_, colouring_, chunk, [&](Index, Index body) {
        Touch& touch = last[std::size_t(body)];
        if (touch.rank == nobody) first[std::size_t(body)] = rank;
        if (touch.rank != nobody && touch.rank != rank) {
          after_colour_.push_back({touch.colour, touch.rank, rank, body});
          guests.emplace_back(body, rank);
          guests.emplace_back(body, touch.rank);
        }
        touch = {colour, rank};
      });
    }
  std::ranges::sort(guests);
  guests.erase(std::unique(guests.begin(), guests.end()), guests.end());
  for (const auto& [body, rank] : guests) {
    const auto [colour, holder] = last[std::size_t(body)];
    const int next = first[std::size_t(body)];
    if (rank == holder) continue;
    if (rank == next)
      after_colour_.push_back({colour, holder, next, body});
    else
      everywhere_.push_back({0, holder, rank, body});
  }
  std::sort(after_colour_.begin(), after_colour_.end());
  std::sort(everywhere_.begin(), everywhere_.end());
  home_.resize(bodies);
  for (std::size_t b = 0; b < bodies; ++b)
    home_[b] = last[b].rank != nobody ? last[b].rank : int(b * std::size_t(ranks_) / bodies);
}

std::vector<Index> Shares::contacts_of(int rank) const {
  std::vector<Index> mine;
  for (std::size_t chunk = 0; chunk < rank_of_chunk_.size(); ++chunk)
    if (rank_of_chunk_[chunk] == rank)
      mine.insert(mine.end(), colouring_.contacts.begin() + colouring_.chunk_start[chunk],
                  colouring_.contacts.begin() + colouring_.chunk_start[chunk + 1]);
  std::ranges::sort(mine);
  return mine;
}

std::vector<Index> Shares::home_of(int rank) const {
  std::vector<Index> mine;
  for (std::size_t b = 0; b < home_.size(); ++b)
    if (home_[b] == rank) mine.push_back(Index(b));
  return mine;
}

HaloPlan Shares::halo(int rank, const std::vector<Index>& place) const {
  HaloPlan made;
  made.after_colour.resize(std::size_t(colouring_.colours()));
  const auto add = [&](const Passing& passing, HaloPlan::Exchange& exchange) {
    const auto append = [&](std::vector<HaloPlan::Message>& messages, int other) {
      auto message = std::ranges::find(messages, Index(other), &HaloPlan::Message::rank);
      if (message == messages.end()) message = messages.insert(messages.end(), {Index(other), {}});
      message->bodies.push_back(place[std::size_t(passing.body)]);
    };
    if (passing.from == rank) append(exchange.out, passing.to);
    if (passing.to == rank) append(exchange.in, passing.from);
  };
  for (const Passing& passing : after_colour_) add(passing, made.after_colour[std::size_t(passing.colour)]);
  for (const Passing& passing : everywhere_) add(passing, made.everywhere);
  return made;
}

SharePlan Shares::plan(int rank) const {
  SharePlan made{
      .contacts = contacts_of(rank), .bodies = home_of(rank), .home = {}, .layout = {}, .halo = {}};
  made.home = made.bodies;
  for (const Index contact : made.contacts)
    for (const Index body : graph_.bodies_of(contact))
      if (body != BodyGraph::none) made.bodies.push_back(body);
  std::ranges::sort(made.bodies);
  made.bodies.erase(std::unique(made.bodies.begin(), made.bodies.end()), made.bodies.end());
  std::vector<Index> body_place(std::size_t(graph_.bodies()), BodyGraph::none);
  for (std::size_t b = 0; b < made.bodies.size(); ++b) body_place[std::size_t(made.bodies[b])] = Index(b);
  for (Index& body : made.home) body = body_place[std::size_t(body)];
  made.halo = halo(rank, body_place);

  std::vector<Index> contact_place(colouring_.contacts.size(), BodyGraph::none);
  for (std::size_t i = 0; i < made.contacts.size(); ++i)
    contact_place[std::size_t(made.contacts[i])] = Index(i);
  Colouring& layout = made.layout;
  layout.chunk_start = layout.colour_start = {0};
  for (Index colour = 0; colour < colouring_.colours(); ++colour) {
    for (auto chunk = std::size_t(colouring_.colour_start[std::size_t(colour)]);
         chunk < std::size_t(colouring_.colour_start[std::size_t(colour) + 1]); ++chunk) {
      if (rank_of_chunk_[chunk] != rank) continue;
      for (auto k = std::size_t(colouring_.chunk_start[chunk]);
           k < std::size_t(colouring_.chunk_start[chunk + 1]); ++k)
        layout.contacts.push_back(contact_place[std::size_t(colouring_.contacts[k])]);
      layout.chunk_start.push_back(Index(layout.contacts.size()));
    }
    layout.colour_start.push_back(layout.chunks());
  }
  return made;
}

Share Shares::share(int rank) const {
  const GlobalProblem& whole = graph_.problem();
  const auto d = std::size_t(whole.dimension());
  SharePlan made = plan(rank);
  std::vector<Index> rows, row_place(std::size_t(whole.degrees_of_freedom()), BodyGraph::none), body_size;
  std::vector<double> f, w, mu;
  for (const Index body : made.bodies) {
    body_size.push_back(Index(graph_.rows(body).size()));
    for (const Index row : graph_.rows(body)) {
      row_place[std::size_t(row)] = Index(rows.size());
      rows.push_back(row);
      f.push_back(whole.f()[std::size_t(row)]);
    }
  }
  std::vector<Index> column_place(whole.w().size(), BodyGraph::none);
  for (std::size_t i = 0; i < made.contacts.size(); ++i) {
    const auto from = std::size_t(made.contacts[i]);
    mu.push_back(whole.mu()[from]);
    for (std::size_t c = 0; c < d; ++c) {
      column_place[from * d + c] = Index(i * d + c);
      w.push_back(whole.w()[from * d + c]);
    }
  }
  GlobalProblem problem(whole.dimension(), cut(whole.M(), rows, row_place, Index(rows.size())),
                        cut(whole.H(), rows, column_place, Index(made.contacts.size() * d)), std::move(f),
                        std::move(w), std::move(mu));
  return {std::move(problem),     std::move(made.contacts), std::move(body_size), graph_.kind(),
          std::move(made.layout), std::move(made.halo),     std::move(made.home), whole.contacts()};
}

std::vector<int> cut_evenly(const BodyGraph& graph, int ranks) {
  const Colouring& colouring = graph.colouring();
  std::vector<int> rank_of_chunk(std::size_t(colouring.chunks()), 0);
  if (colouring.chunks() < 2) return rank_of_chunk;
  const auto size = [&](Index chunk) {
    return double(colouring.chunk_start[std::size_t(chunk) + 1] - colouring.chunk_start[std::size_t(chunk)]);
  };
  const Index inner = colouring.colour_start[1];

  // The domain of each body, and what a domain weighs: its inside, and its part of the chunks around it.
  std::vector<Index> domain(std::size_t(graph.bodies()), BodyGraph::none);
  std::vector<double> weight(std::size_t(inner), 0.0);
  for (Index chunk = 0; chunk < inner; ++chunk) {
    weight[std::size_t(chunk)] = size(chunk);
    touched_by_chunk(graph, colouring, chunk, [&](Index, Index body) { domain[std::size_t(body)] = chunk; });
  }
  const auto domains_of = [&](Index chunk) {
    std::vector<Index> mine;
    touched_by_chunk(graph, colouring, chunk, [&](Index, Index body) {
      if (const Index at = domain[std::size_t(body)];
          at != BodyGraph::none && std::ranges::find(mine, at) == mine.end())
        mine.push_back(at);
    });
    std::ranges::sort(mine);
    return mine;
  };
  std::vector<std::vector<Index>> around;
  for (Index chunk = inner; chunk < colouring.chunks(); ++chunk) {
    around.push_back(domains_of(chunk));
    for (const Index at : around.back())
      weight[std::size_t(at)] += size(chunk) / double(around.back().size());
  }

  // Equal weights along the line of domains; then the chunks between ranks, each to the one with less in its colour.
  const double all = std::max(std::accumulate(weight.begin(), weight.end(), 0.0), 1.0);
  std::vector<double> load(std::size_t(ranks), 0);
  double passed = 0;
  for (Index chunk = 0; chunk < inner; ++chunk) {
    const double middle = passed + weight[std::size_t(chunk)] / 2;
    const int rank = std::min(int(middle / all * ranks), ranks - 1);
    rank_of_chunk[std::size_t(chunk)] = rank;
    load[std::size_t(rank)] += size(chunk);
    passed += weight[std::size_t(chunk)];
  }
  std::vector<double> in_colour(std::size_t(ranks), 0);
  const auto give = [&](Index chunk, int rank) {
    rank_of_chunk[std::size_t(chunk)] = rank;
    load[std::size_t(rank)] += size(chunk);
    in_colour[std::size_t(rank)] += size(chunk);
  };
  const auto each_of = [&](Index colour, const auto& visit) {
    for (Index chunk = colouring.colour_start[std::size_t(colour)];
         chunk < colouring.colour_start[std::size_t(colour) + 1]; ++chunk) {
      std::vector<int> candidates;
      for (const Index at : around[std::size_t(chunk - inner)])
        candidates.push_back(rank_of_chunk[std::size_t(at)]);
      if (candidates.empty()) candidates.push_back(0);
      visit(chunk, candidates);
    }
  };
  for (Index colour = 1; colour < colouring.colours(); ++colour) {
    std::ranges::fill(in_colour, 0.0);
    each_of(colour, [&](Index chunk, const std::vector<int>& candidates) {
      if (candidates.front() == candidates.back()) give(chunk, candidates.front());
    });
    each_of(colour, [&](Index chunk, const std::vector<int>& candidates) {
      if (candidates.front() != candidates.back())
        give(chunk, *std::ranges::min_element(candidates, {}, [&](int rank) {
               return std::pair(in_colour[std::size_t(rank)], load[std::size_t(rank)]);
             }));
    });
  }
  return rank_of_chunk;
}

}  // namespace stickslip::internal
