#include "bodies/body_part.hpp"

#include <algorithm>
#include <numeric>

namespace stickslip::internal {

GlobalProblem part_of(const BodyGraph& graph, std::span<const Index> contacts, std::span<const double> r,
                      std::span<const double> v) {
  const GlobalProblem& whole = graph.problem();
  const auto d = std::size_t(whole.dimension());
  std::vector<Index> first_row(std::size_t(graph.bodies()), BodyGraph::none), touched;
  Index rows = 0;
  for (const Index i : contacts)
    for (const Index b : graph.bodies_of(i))
      if (b != BodyGraph::none && first_row[std::size_t(b)] == BodyGraph::none) {
        first_row[std::size_t(b)] = rows;
        rows += Index(graph.rows(b).size());
        touched.push_back(b);
      }
  // f_S = M v − H_S r_S.
  std::vector<Triplet> M, H;
  std::vector<double> f(std::size_t(rows), 0.0), w, mu;
  for (const Index b : touched) {
    const BodyGraph::Dense mass = graph.mass(b);
    const Index at = first_row[std::size_t(b)];
    for (Index j = 0; j < mass.cols(); ++j)
      for (Index i = 0; i < mass.rows(); ++i) {
        M.push_back({at + i, at + j, mass(i, j)});
        f[std::size_t(at + i)] += mass(i, j) * v[std::size_t(graph.rows(b)[std::size_t(j)])];
      }
  }
  for (std::size_t s = 0; s < contacts.size(); ++s) {
    const auto i = std::size_t(contacts[s]);
    w.insert(w.end(), &whole.w()[i * d], &whole.w()[i * d] + d);
    mu.push_back(whole.mu()[i]);
    for (const Index b : graph.bodies_of(contacts[s])) {
      if (b == BodyGraph::none) continue;
      const BodyGraph::Dense arm = graph.columns(contacts[s], b);
      const Index at = first_row[std::size_t(b)];
      for (Index c = 0; c < arm.cols(); ++c)
        for (Index k = 0; k < arm.rows(); ++k) {
          H.push_back({at + k, Index(s * d) + c, arm(k, c)});
          f[std::size_t(at + k)] -= arm(k, c) * r[i * d + std::size_t(c)];
        }
    }
  }
  return {whole.dimension(),
          SparseMatrix(rows, rows, M),
          SparseMatrix(rows, Index(contacts.size() * d), H),
          std::move(f),
          std::move(w),
          std::move(mu)};
}

Neighbourhood::Neighbourhood(const BodyGraph& graph)
    : graph_(graph), start_(std::size_t(graph.bodies()) + 1, 0) {
  const Index n = graph.problem().contacts();
  const auto each = [&](auto&& visit) {
    for (Index i = 0; i < n; ++i)
      for (const Index b : graph.bodies_of(i))
        if (b != BodyGraph::none) visit(i, std::size_t(b));
  };
  each([&](Index, std::size_t b) { ++start_[b + 1]; });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  contacts_.resize(std::size_t(start_.back()));
  std::vector<Index> next(start_.begin(), start_.end() - 1);
  each([&](Index i, std::size_t b) { contacts_[std::size_t(next[b]++)] = i; });
}

std::vector<Index> Neighbourhood::around(std::span<const Index> contacts, int rings) const {
  std::vector<Index> found(contacts.begin(), contacts.end());
  std::vector<bool> taken(std::size_t(graph_.problem().contacts())), seen(std::size_t(graph_.bodies()));
  for (const Index i : contacts) taken[std::size_t(i)] = true;
  std::size_t done = 0;
  for (int ring = 0; ring < rings; ++ring)
    for (const std::size_t end = found.size(); done < end; ++done)
      for (const Index body : graph_.bodies_of(found[done])) {
        const auto b = std::size_t(body);
        if (body == BodyGraph::none || seen[b]) continue;
        seen[b] = true;
        for (Index k = start_[b]; k < start_[b + 1]; ++k) {
          const Index i = contacts_[std::size_t(k)];
          if (!taken[std::size_t(i)]) found.push_back(i);
          taken[std::size_t(i)] = true;
        }
      }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace stickslip::internal
