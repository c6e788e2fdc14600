#include "bodies/body_graph.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "base/pieces.hpp"
#include "bodies/symmetric.hpp"
#include "linalg/factorisation.hpp"

namespace stickslip::internal {
namespace {

constexpr double rounding = 1e-14;  // relative; what inertia tensors and frames lose when they are rotated

/// Whether all of so many pass.
template <class Test>
bool all_of(ThreadTeam* team, std::size_t items, const Test& test) {
  std::atomic<bool> all = true;
  in_pieces(team, items, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && all.load(std::memory_order_relaxed); ++i)
      if (!test(Index(i))) all = false;
  });
  return all;
}

bool all_symmetric(const BodyGraph& graph, ThreadTeam* team) {
  return all_of(team, std::size_t(graph.bodies()),
                [&](Index b) { return symmetric_up_to_rounding(graph.mass(b)); });
}

}  // namespace

BodyGraph::BodyGraph(const GlobalProblem& problem, ThreadTeam* team)
    : problem_(&problem), team_(team), Ht_(problem.H(), team) {
  if (problem.bilateral_constraints() > 0) {
    reason_ = "there are bilateral constraints, which couple the bodies";
    return;
  }
  kind_.rigid = problem.dimension() == 3 && consecutive(6) && is_rigid();
  if (!kind_.rigid) find_general();
  if (applies()) kind_.symmetric = all_symmetric(*this, team);
}

BodyGraph::BodyGraph(const GlobalProblem& part, std::span<const Index> body_size, Kind kind)
    : problem_(&part), team_(nullptr), Ht_(part.H()), kind_(kind) {
  std::vector<Index> body_of_row;
  for (std::size_t b = 0; b < body_size.size(); ++b)
    body_of_row.insert(body_of_row.end(), std::size_t(body_size[b]), Index(b));
  group(std::move(body_of_row));
  link();
}

BodyGraph::BodyGraph(Index bodies, std::vector<std::array<Index, 2>> bodies_of)
    : problem_(nullptr),
      team_(nullptr),
      start_(std::size_t(bodies) + 1, 0),
      bodies_of_(std::move(bodies_of)) {}

/// The finest grouping that serves: components of M, then consecutive rows.
void BodyGraph::find_general() {
  Index count = 0;
  group(connected_components(problem_->M(), count));
  for (Index b = 0; b < bodies(); ++b)
    if (const auto size = rows(b).size(); size > std::size_t(largest_body)) {
      reason_ =
          "M couples " + std::to_string(size) + " rows (at most " + std::to_string(largest_body) + " a body)";
      return;
    }
  if (link()) return;
  const std::string of_components = reason_;
  for (Index size : {2, 3, 6, 12})
    if (consecutive(size)) return;
  reason_ = of_components;
}

/// Takes a grouping of the rows, bodies numbered from 0 without gaps.
void BodyGraph::group(std::vector<Index> body_of_row) {
  body_of_row_ = std::move(body_of_row);
  const Index count = body_of_row_.empty() ? 0 : *std::ranges::max_element(body_of_row_) + 1;
  start_.assign(std::size_t(count) + 1, 0);
  for (Index b : body_of_row_) ++start_[std::size_t(b) + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  rows_.resize(body_of_row_.size());
  place_.resize(body_of_row_.size());
  std::vector<Index> next(start_.begin(), start_.end());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto b = std::size_t(body_of_row_[i]);
    place_[i] = next[b] - start_[b];
    rows_[std::size_t(next[b]++)] = Index(i);
  }
}

/// The bodies of one contact; what it touches instead unless there are one or two.
const char* BodyGraph::find_bodies(std::size_t contact, std::array<Index, 2>& mine) const {
  const auto d = std::size_t(problem_->dimension());
  mine = {none, none};
  for (auto k = std::size_t(Ht_.row_start[contact * d]); k < std::size_t(Ht_.row_start[(contact + 1) * d]);
       ++k) {
    const Index b = body_of_row_[std::size_t(Ht_.column[k])];
    if (b == mine[0] || b == mine[1]) continue;
    if (mine[1] != none) return "more than two bodies";
    mine[mine[0] == none ? 0 : 1] = b;
  }
  if (mine[0] == none) return "no body";
  if (mine[1] != none && mine[1] < mine[0]) std::swap(mine[0], mine[1]);
  return nullptr;
}

/// Finds the bodies of each contact; false with a reason, that of the first, unless there are one or two.
bool BodyGraph::link() {
  const auto n = std::size_t(problem_->contacts());
  bodies_of_.resize(n);
  reason_.clear();
  if (all_of(team_, n, [&](Index i) { return !find_bodies(std::size_t(i), bodies_of_[std::size_t(i)]); }))
    return true;
  for (std::size_t i = 0; i < n && reason_.empty(); ++i)
    if (const char* what = find_bodies(i, bodies_of_[i]))
      reason_ = "contact " + std::to_string(i) + " touches " + what;
  return false;
}

/// Tries bodies of `size` consecutive rows.
bool BodyGraph::consecutive(Index size) {
  const SparseMatrix& M = problem_->M();
  if (M.rows() % size != 0) return false;
  for (Index i = 0; i < M.rows(); ++i)
    for (auto k = std::size_t(M.row_start()[std::size_t(i)]);
         k < std::size_t(M.row_start()[std::size_t(i) + 1]); ++k)
      if (M.column()[k] / size != i / size) return false;
  std::vector<Index> body_of_row(static_cast<std::size_t>(M.rows()));
  for (std::size_t i = 0; i < body_of_row.size(); ++i) body_of_row[i] = Index(i) / size;
  group(std::move(body_of_row));
  return link();
}

bool BodyGraph::is_rigid() const {
  for (Index b = 0; b < bodies(); ++b) {
    const Dense M = mass(b);
    if (M.topLeftCorner<3, 3>() != M(0, 0) * Eigen::Matrix3d::Identity() ||
        !M.bottomLeftCorner<3, 3>().isZero(0) || !M.topRightCorner<3, 3>().isZero(0))
      return false;
  }
  return all_of(team_, std::size_t(problem_->contacts()), [&](Index i) {
    const auto [a, b] = bodies_of(i);
    if (b == none) return true;
    const Eigen::Matrix3d R = columns(i, a).topRows<3>(), sum = R + columns(i, b).topRows<3>();
    return sum.cwiseAbs().maxCoeff() <= rounding * R.cwiseAbs().maxCoeff();
  });
}

std::span<const Index> BodyGraph::rows(Index body) const {
  const auto begin = std::size_t(start_[std::size_t(body)]), end = std::size_t(start_[std::size_t(body) + 1]);
  return std::span(rows_).subspan(begin, end - begin);
}

BodyGraph::Dense BodyGraph::mass(Index body) const {
  const SparseMatrix& M = problem_->M();
  const auto mine = rows(body);
  Dense dense = Dense::Zero(Index(mine.size()), Index(mine.size()));
  for (std::size_t i = 0; i < mine.size(); ++i)
    for (auto k = std::size_t(M.row_start()[std::size_t(mine[i])]);
         k < std::size_t(M.row_start()[std::size_t(mine[i]) + 1]); ++k)
      dense(Index(i), place_[std::size_t(M.column()[k])]) = M.value()[k];
  return dense;
}

BodyGraph::Dense BodyGraph::columns(Index contact, Index body) const {
  const int d = problem_->dimension();
  const auto mine = rows(body);
  Dense dense = Dense::Zero(Index(mine.size()), d);
  if (!columns()) {
    const SparseMatrix& H = problem_->H();
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const auto begin = H.column().begin() + H.row_start()[std::size_t(mine[i])],
                 end = H.column().begin() + H.row_start()[std::size_t(mine[i]) + 1];
      for (auto at = std::lower_bound(begin, end, contact * d); at != end && *at < (contact + 1) * d; ++at)
        dense(Index(i), *at - contact * d) = H.value()[std::size_t(at - H.column().begin())];
    }
    return dense;
  }
  for (int c = 0; c < d; ++c) {
    const auto column = std::size_t(contact) * std::size_t(d) + std::size_t(c);
    for (auto k = std::size_t(Ht_.row_start[column]); k < std::size_t(Ht_.row_start[column + 1]); ++k) {
      const auto row = std::size_t(Ht_.column[k]);
      if (body_of_row_[row] == body) dense(place_[row], c) = Ht_.value[k];
    }
  }
  return dense;
}

std::size_t BodyGraph::off_diagonal_blocks() const {
  // Pairs that share a body, once for each body, less those that share both and so were counted twice.
  std::vector<std::size_t> touching(std::size_t(bodies()), 0);
  std::vector<std::array<Index, 2>> pairs;
  for (const auto& mine : bodies_of_) {
    ++touching[std::size_t(mine[0])];
    if (mine[1] == none) continue;
    ++touching[std::size_t(mine[1])];
    pairs.push_back(mine);
  }
  std::size_t count = 0;
  for (std::size_t n : touching) count += n * n;
  std::ranges::sort(pairs);
  for (auto begin = pairs.begin(); begin != pairs.end();) {
    const auto end = std::find_if(begin, pairs.end(), [&](const auto& pair) { return pair != *begin; });
    count -= std::size_t((end - begin) * (end - begin));
    begin = end;
  }
  return count - bodies_of_.size();
}

std::vector<Index> BodyGraph::contacts_by_body() const {
  std::vector<Index> order(bodies_of_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](Index i) { return bodies_of(i); });
  return order;
}

const Colouring& BodyGraph::colouring() const {
  if (!colouring_.chunk_start.empty()) return colouring_;
  const Index contacts = problem_ ? problem_->contacts() : Index(bodies_of_.size());
  if (!applies() || contacts < coloured_contacts) return colouring_ = one_chunk(contacts);
  std::vector<std::size_t> first = {0};
  std::vector<Index> body;
  first.reserve(bodies_of_.size() + 1);
  body.reserve(2 * bodies_of_.size());
  for (const auto& mine : bodies_of_) {
    for (Index b : mine)
      if (b != none) body.push_back(b);
    first.push_back(body.size());
  }
  return colouring_ = colour_by_nodes(bodies(), first, body);
}

double contacts_a_pair(std::vector<std::array<Index, 2>> bodies_of) {
  std::sort(bodies_of.begin(), bodies_of.end());
  const auto pairs = std::unique(bodies_of.begin(), bodies_of.end()) - bodies_of.begin();
  return double(bodies_of.size()) / std::max(1.0, double(pairs));
}

}  // namespace stickslip::internal
