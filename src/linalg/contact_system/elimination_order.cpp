#include "linalg/contact_system/elimination_order.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <bit>
#include <cstdint>

namespace stickslip::internal {
namespace {

constexpr std::size_t word = 64;

void order_by_words(std::span<const Index> start, std::span<const Index> neighbour,
                    std::vector<Index>& order) {
  const auto bit = [](std::size_t i) { return std::uint64_t(1) << i; };
  std::uint64_t graph[word] = {}, left = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    left |= bit(i);
    for (Index e = start[i]; e < start[i + 1]; ++e) graph[i] |= bit(std::size_t(neighbour[std::size_t(e)]));
  }
  for (Index& next : order) {
    int least = int(word);
    for (std::uint64_t rest = left; rest; rest &= rest - 1) {
      const int i = std::countr_zero(rest), degree = std::popcount(graph[i]);
      if (degree < least) least = degree, next = i;
    }
    const std::uint64_t touched = graph[next], gone = bit(std::size_t(next));
    left &= ~gone;
    for (std::uint64_t rest = touched; rest; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      graph[i] = (graph[i] | touched) & ~gone & ~bit(std::size_t(i));
    }
  }
}

}  // namespace

void minimum_degree_order(std::span<const Index> start, std::span<const Index> neighbour,
                          std::vector<Index>& order) {
  const auto n = Index(start.size()) - 1;
  order.resize(std::size_t(n));
  if (order.size() <= word) return order_by_words(start, neighbour, order);
  // Eigen takes a contact without a diagonal entry for a full one: the diagonal has to be there.
  Eigen::SparseMatrix<double, Eigen::ColMajor, Index> graph(n, n);
  graph.resizeNonZeros(Index(neighbour.size()) + n);
  Index filled = 0;
  for (Index i = 0; i < n; ++i) {
    graph.outerIndexPtr()[i] = filled;
    Index e = start[std::size_t(i)];
    const Index end = start[std::size_t(i) + 1];
    while (e < end && neighbour[std::size_t(e)] < i)
      graph.innerIndexPtr()[filled++] = neighbour[std::size_t(e++)];
    graph.innerIndexPtr()[filled++] = i;
    while (e < end) graph.innerIndexPtr()[filled++] = neighbour[std::size_t(e++)];
  }
  graph.outerIndexPtr()[n] = filled;
  std::fill_n(graph.valuePtr(), filled, 1.0);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> permutation;
  Eigen::AMDOrdering<Index>()(graph.selfadjointView<Eigen::Lower>(), permutation);
  // The permutation that comes back sends old to new by its inverse: indices()[k] is the k-th contact.
  for (Index k = 0; k < n; ++k) order[std::size_t(k)] = permutation.indices()[k];
}

}  // namespace stickslip::internal
