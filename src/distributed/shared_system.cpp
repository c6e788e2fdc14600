#include "distributed/shared_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

#include "base/timer.hpp"
#include "distributed/letters.hpp"
#include "solvers/parts/contact_order.hpp"

namespace stickslip::internal {
namespace {

/// What rank 0 asks the others to do, with the sizes of what follows.
struct Task {
  enum class Kind : std::int64_t { end, factorise, solve } kind = Kind::end;
  std::int64_t symmetric = 0, dimension = 0, first = 0, all = 0, rows = 0, blocks = 0, bodies = 0;
};

/// By how much of its share a rank may have more or less, so that bodies stay whole.
constexpr double slack = 0.25;

/// Whether all ranks say yes.
bool all_agree(Ranks& ranks, bool mine) {
  double failed = mine ? 0 : 1;
  ranks.largest({&failed, 1});
  return failed == 0;
}

}  // namespace

SharedSystem::~SharedSystem() {
  const Task end;
  if (entangled_) return;
  for (int rank = 1; rank < ranks_.size(); ++rank) send<Task>(ranks_, rank, {&end, 1});
}

void SharedSystem::Report::operator+=(const Report& other) {
  factorisations += other.factorisations;
  solves += other.solves;
  iterations += other.iterations;
  factorising += other.factorising;
  solving += other.solving;
  if (other.factorisations == 0) return;
  rows = other.rows;
  between = other.between;
  solver = other.solver;
}

void SharedSystem::set_bodies(std::span<const Index> least_node) {
  if (std::ranges::equal(least_node_, least_node)) return;
  least_node_.assign(least_node.begin(), least_node.end());
  order_.clear();
}

void SharedSystem::order(const BlockView& K) {
  if (!order_.empty() && std::ranges::equal(row_start_, K.row_start) && std::ranges::equal(column_, K.column))
    return;
  row_start_.assign(K.row_start.begin(), K.row_start.end());
  column_.assign(K.column.begin(), K.column.end());
  order_ = bandwidth_order(K);
  if (least_node_.size() != order_.size()) {
    least_node_.resize(order_.size());
    std::iota(least_node_.begin(), least_node_.end(), 0);
  }
  gather_bodies();
  if (!divide(K)) cut();
  place_.resize(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) place_[std::size_t(order_[k])] = Index(k);
  report_.between = count_between(K);
}

/// Bodies follow each other as the middles of their nodes do.
void SharedSystem::gather_bodies() {
  const std::size_t n = order_.size();
  std::vector<double> middle(n, 0.0);
  std::vector<Index> nodes(n, 0);
  const auto body = [&](Index node) { return std::size_t(least_node_[std::size_t(node)]); };
  for (std::size_t k = 0; k < n; ++k) middle[body(order_[k])] += double(k), ++nodes[body(order_[k])];
  for (std::size_t b = 0; b < n; ++b)
    if (nodes[b] > 0) middle[b] /= double(nodes[b]);
  std::ranges::stable_sort(order_, {}, [&](Index node) { return std::pair(middle[body(node)], body(node)); });
  body_start_.assign(1, 0);
  for (std::size_t k = 1; k <= n; ++k)
    if (k == n || body(order_[k]) != body(order_[k - 1])) body_start_.push_back(Index(k));
}

/// By the parts that the solver finds; false where bodies are single nodes, or larger than a share, or it has no way.
bool SharedSystem::divide(const BlockView& K) {
  const auto bodies = std::size_t(body_start_.size() - 1);
  const double share = double(order_.size()) / ranks_.size();
  if (ranks_.size() == 1 || bodies == order_.size()) return false;
  std::vector<std::size_t> body(order_.size());
  BodyNetwork network;
  for (std::size_t b = 0; b < bodies; ++b) {
    network.nodes.push_back(body_start_[b + 1] - body_start_[b]);
    for (Index k = body_start_[b]; k < body_start_[b + 1]; ++k) body[std::size_t(order_[std::size_t(k)])] = b;
  }
  if (double(std::ranges::max(network.nodes)) > (1 + slack) * share) return false;
  std::map<std::size_t, Index> blocks;
  for (std::size_t b = 0; b < bodies; ++b) {
    blocks.clear();
    for (Index k = body_start_[b]; k < body_start_[b + 1]; ++k) {
      const auto node = std::size_t(order_[std::size_t(k)]);
      for (Index e = K.row_start[node]; e < K.row_start[node + 1]; ++e)
        if (const std::size_t other = body[std::size_t(K.column[std::size_t(e)])]; other != b)
          ++blocks[other];
    }
    for (const auto& [other, count] : blocks) {
      network.neighbour.push_back(Index(other));
      network.blocks.push_back(count);
    }
    network.row_start.push_back(Index(network.neighbour.size()));
  }
  const std::vector<Index> part = solver_.parts(network, ranks_.size());
  if (part.empty()) return false;

  // Along each part as along the whole: pieces of it hang together.
  std::vector<Index> start = {0}, neighbour;
  for (std::size_t b = 0; b < bodies; ++b) {
    for (Index e = network.row_start[b]; e < network.row_start[b + 1]; ++e)
      if (const Index other = network.neighbour[std::size_t(e)]; part[std::size_t(other)] == part[b])
        neighbour.push_back(other);
    start.push_back(Index(neighbour.size()));
  }
  BlockView inside;
  inside.row_start = start;
  inside.column = neighbour;
  std::vector<Index> line = bandwidth_order(inside);
  std::ranges::stable_sort(line, {}, [&](Index b) { return part[std::size_t(b)]; });
  const std::vector<Index> nodes = std::exchange(order_, {}), from = std::exchange(body_start_, {0});
  cut_.assign(std::size_t(ranks_.size()) + 1, 0);
  for (const Index b : line) {
    order_.insert(order_.end(), nodes.begin() + from[std::size_t(b)],
                  nodes.begin() + from[std::size_t(b) + 1]);
    body_start_.push_back(Index(order_.size()));
    cut_[std::size_t(part[std::size_t(b)]) + 1] = Index(order_.size());
  }
  for (std::size_t rank = 1; rank < cut_.size(); ++rank) cut_[rank] = std::max(cut_[rank], cut_[rank - 1]);
  return true;
}

/// As many nodes for each rank, along the order.
void SharedSystem::cut() {
  const double share = double(order_.size()) / ranks_.size();
  cut_.assign(1, 0);
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    const double even = share * rank;
    const auto after = std::ranges::lower_bound(body_start_, Index(even));
    Index at = *after;
    if (after != body_start_.begin() && even - double(*std::prev(after)) < double(at) - even)
      at = *std::prev(after);
    if (std::abs(double(at) - even) > slack * share) at = Index(even);
    cut_.push_back(std::max(at, cut_.back()));
  }
  cut_.push_back(Index(order_.size()));
}

Index SharedSystem::count_between(const BlockView& K) const {
  const auto rank_of = [&](Index node) { return std::ranges::upper_bound(cut_, place_[std::size_t(node)]); };
  Index count = 0;
  for (std::size_t node = 0; node < order_.size(); ++node)
    for (Index e = K.row_start[node]; e < K.row_start[node + 1]; ++e)
      count += rank_of(K.column[std::size_t(e)]) != rank_of(Index(node));
  return count;
}

BlockRows SharedSystem::rows_of(const BlockView& K, int rank) const {
  BlockRows rows;
  rows.dimension = K.dimension;
  rows.first = begin_of(rank);
  rows.all = Index(order_.size());
  std::vector<std::pair<Index, const double*>> row;
  for (Index k = rows.first; k < begin_of(rank + 1); ++k) {
    const Index node = order_[std::size_t(k)];
    row.assign(1, {k, K.diagonal(node)});
    for (Index e = K.row_start[std::size_t(node)]; e < K.row_start[std::size_t(node) + 1]; ++e)
      row.emplace_back(place_[std::size_t(K.column[std::size_t(e)])], K.block(e));
    std::ranges::sort(row);
    for (const auto& [column, block] : row) {
      rows.column.push_back(column);
      rows.values.insert(rows.values.end(), block, block + K.area());
    }
    rows.row_start.push_back(Index(rows.column.size()));
  }
  for (auto body = std::ranges::upper_bound(body_start_, rows.first);
       body != body_start_.end() && *body < begin_of(rank + 1); ++body)
    rows.body_start.push_back(*body - rows.first);
  if (rows.rows() > 0) rows.body_start.push_back(rows.rows());
  return rows;
}

bool SharedSystem::factorise(const BlockView& K, Symmetry symmetry) {
  const Timer timer;
  entangled_ = true;
  order(K);
  dimension_ = std::size_t(K.dimension);
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    const BlockRows rows = rows_of(K, rank);
    const Task task{Task::Kind::factorise,
                    symmetry == Symmetry::symmetric,
                    rows.dimension,
                    rows.first,
                    rows.all,
                    rows.rows(),
                    std::int64_t(rows.column.size()),
                    std::int64_t(rows.body_start.size())};
    send<Task>(ranks_, rank, {&task, 1});
    send<Index>(ranks_, rank, rows.row_start);
    send<Index>(ranks_, rank, rows.column);
    send<Index>(ranks_, rank, rows.body_start);
    send<double>(ranks_, rank, rows.values);
  }
  const bool ok = all_agree(ranks_, solver_.factorise(rows_of(K, 0), symmetry));
  entangled_ = false;
  ++report_.factorisations;
  report_.rows = Index(order_.size() * dimension_);
  report_.solver = solver_.description();
  report_.factorising += timer.seconds();
  return ok;
}

bool SharedSystem::solve(std::span<double> x) {
  const Timer timer;
  entangled_ = true;
  const std::size_t d = dimension_;
  parts_.resize(x.size());
  for (std::size_t k = 0; k < order_.size(); ++k)
    std::copy_n(&x[std::size_t(order_[k]) * d], d, &parts_[k * d]);
  const auto part = [&](int rank) {
    const auto begin = std::size_t(begin_of(rank)) * d, end = std::size_t(begin_of(rank + 1)) * d;
    return std::span(parts_).subspan(begin, end - begin);
  };
  const Task task{.kind = Task::Kind::solve};
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    send<Task>(ranks_, rank, {&task, 1});
    send<double>(ranks_, rank, part(rank));
  }
  const long taken = solver_.solve(part(0));
  for (int rank = 1; rank < ranks_.size(); ++rank) receive<double>(ranks_, rank, part(rank));
  for (std::size_t k = 0; k < order_.size(); ++k)
    std::copy_n(&parts_[k * d], d, &x[std::size_t(order_[k]) * d]);
  entangled_ = false;
  ++report_.solves;
  report_.iterations += std::max(taken, 0L);
  report_.solving += timer.seconds();
  return taken >= 0;
}

void serve_system(Ranks& ranks, ParallelSolver& solver) {
  std::vector<double> x;
  for (;;) {
    Task task;
    receive<Task>(ranks, 0, {&task, 1});
    switch (task.kind) {
      case Task::Kind::end:
        return;
      case Task::Kind::factorise: {
        BlockRows rows;
        rows.dimension = int(task.dimension);
        rows.first = Index(task.first);
        rows.all = Index(task.all);
        rows.row_start.resize(std::size_t(task.rows) + 1);
        rows.column.resize(std::size_t(task.blocks));
        rows.body_start.resize(std::size_t(task.bodies));
        rows.values.resize(std::size_t(task.blocks * task.dimension * task.dimension));
        receive<Index>(ranks, 0, rows.row_start);
        receive<Index>(ranks, 0, rows.column);
        receive<Index>(ranks, 0, rows.body_start);
        receive<double>(ranks, 0, rows.values);
        all_agree(ranks, solver.factorise(rows, task.symmetric ? BlockSolver::Symmetry::symmetric
                                                               : BlockSolver::Symmetry::general));
        x.resize(std::size_t(task.rows * task.dimension));
        break;
      }
      case Task::Kind::solve:
        receive<double>(ranks, 0, x);
        solver.solve(x);
        send<double>(ranks, 0, x);
        break;
    }
  }
}

}  // namespace stickslip::internal
