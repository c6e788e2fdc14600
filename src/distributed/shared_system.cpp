#include "distributed/shared_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

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
  cut();
  place_.resize(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) place_[std::size_t(order_[k])] = Index(k);
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

/// As many nodes for each rank, up to a quarter more or less so that bodies stay whole.
void SharedSystem::cut() {
  const double share = double(order_.size()) / ranks_.size();
  cut_.assign(1, 0);
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    const double even = share * rank;
    const auto after = std::ranges::lower_bound(body_start_, Index(even));
    Index at = *after;
    if (after != body_start_.begin() && even - double(*std::prev(after)) < double(at) - even)
      at = *std::prev(after);
    if (std::abs(double(at) - even) > share / 4) at = Index(even);
    cut_.push_back(std::max(at, cut_.back()));
  }
  cut_.push_back(Index(order_.size()));
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
