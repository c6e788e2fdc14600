// What K = M + H C Hᵀ is made of: the arms of the contacts, node by node, the pattern of K, and the blocks of M.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/pieces.hpp"
#include "base/raw_numbers.hpp"
#include "linalg/contact_system/body_system.hpp"
#include "linalg/transposed.hpp"

namespace stickslip::internal {

/// Nodes of N rows, contacts of D columns.
template <int N, int D>
struct BodyArms {
  static constexpr std::size_t node_area = std::size_t(N) * N, arm_area = std::size_t(N) * D;

  /// The non-zero blocks of H S, contact by contact.
  void take_arms(const BodyFactors& given, ThreadTeam* team) {
    const Transposed own = given.Ht ? Transposed() : Transposed(*given.H, team);
    const Transposed& Ht = given.Ht ? *given.Ht : own;
    n = Ht.rows() / D;
    // work(k, c, row) for the entries of contact i that count, c the column.
    const auto each = [&](std::size_t i, const auto& work) {
      for (std::size_t c = 0; c < D; ++c) {
        if (c > 0 && !given.idle.empty() && given.idle[i]) break;
        for (auto k = std::size_t(Ht.row_start[i * D + c]); k < std::size_t(Ht.row_start[i * D + c + 1]); ++k)
          work(k, c, Ht.column[k]);
      }
    };
    const auto nodes_of = [&](std::size_t i, std::vector<Index>& found) {
      found.clear();
      each(i, [&](std::size_t, std::size_t, Index row) {
        if (std::find(found.begin(), found.end(), row / N) == found.end()) found.push_back(row / N);
      });
    };
    first.resize(n + 1);
    first[0] = 0;
    in_pieces(team, n, [&](std::size_t begin, std::size_t end) {
      std::vector<Index> found;
      for (std::size_t i = begin; i < end; ++i) {
        nodes_of(i, found);
        first[i + 1] = found.size();
      }
    });
    for (std::size_t i = 0; i < n; ++i) first[i + 1] += first[i];
    node.resize(first[n]);
    arms.resize(first[n] * arm_area);
    in_pieces(team, n, [&](std::size_t begin, std::size_t end) {
      std::vector<Index> found;
      for (std::size_t i = begin; i < end; ++i) {
        nodes_of(i, found);
        std::copy(found.begin(), found.end(), node.begin() + std::ptrdiff_t(first[i]));
        double* const mine = arms.data() + first[i] * arm_area;
        std::fill_n(mine, found.size() * arm_area, 0.0);
        each(i, [&](std::size_t k, std::size_t c, Index row) {
          const auto at = std::size_t(std::find(found.begin(), found.end(), row / N) - found.begin());
          mine[at * arm_area + c * N + std::size_t(row % N)] = given.scale[i] * Ht.value[k];
        });
      }
    });
  }

  /// The blocks of M + Mᵀ and of H Hᵀ beside the diagonal, and for each contact where those of its nodes lie.
  void find_pattern(const SparseMatrix& M, ThreadTeam* team) {
    std::vector<std::pair<Index, Index>> all;
    all.reserve(2 * n);  // two bodies a contact, mostly
    const auto couple = [&](Index a, Index b) {
      if (a != b) all.insert(all.end(), {{a, b}, {b, a}});
    };
    for (Index i = 0; i < M.rows(); ++i)
      for (auto k = std::size_t(M.row_start()[std::size_t(i)]);
           k < std::size_t(M.row_start()[std::size_t(i) + 1]); ++k)
        couple(i / N, M.column()[k] / N);
    std::pair<Index, Index> last{-1, -1};
    for (std::size_t i = 0; i < n; ++i) {
      if (first[i + 1] - first[i] == 2) {  // neighbours often share their bodies
        const std::pair pair{node[first[i]], node[first[i] + 1]};
        if (pair == last) continue;
        last = pair;
      }
      for (std::size_t k = first[i]; k < first[i + 1]; ++k)
        for (std::size_t l = k + 1; l < first[i + 1]; ++l) couple(node[k], node[l]);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<Index> starts(std::size_t(nodes) + 1, 0), columns;
    columns.reserve(all.size());
    for (const auto& [row, col] : all) {
      ++starts[std::size_t(row) + 1];
      columns.push_back(col);
    }
    for (std::size_t a = 0; a < std::size_t(nodes); ++a) starts[a + 1] += starts[a];
    row_start = std::move(starts);
    column = std::move(columns);
    places_start.resize(n + 1);
    places_start[0] = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t count = first[i + 1] - first[i];
      places_start[i + 1] = places_start[i] + count * count;
    }
    places.resize(places_start[n]);
    in_pieces(team, n, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Index* to = places.data() + places_start[i];
        for (std::size_t k = first[i]; k < first[i + 1]; ++k)
          for (std::size_t l = first[i]; l < first[i + 1]; ++l) *to++ = k == l ? -1 : place(node[k], node[l]);
      }
    });
  }

  Index place(Index row, Index col) const {
    const auto from = column.begin() + row_start[std::size_t(row)],
               to = column.begin() + row_start[std::size_t(row) + 1];
    return Index(std::lower_bound(from, to, col) - column.begin());
  }

  /// The blocks of M; beside the diagonal only meshes have any. Whether M is symmetric.
  bool take_masses(const SparseMatrix& M) {
    const auto each = [&](const auto& work) {
      for (Index i = 0; i < M.rows(); ++i)
        for (auto k = std::size_t(M.row_start()[std::size_t(i)]);
             k < std::size_t(M.row_start()[std::size_t(i) + 1]); ++k)
          work(i, M.column()[k], M.value()[k]);
    };
    mass_place.clear();
    each([&](Index i, Index j, double) {
      if (i / N == j / N) return;
      if (const Index at = place(i / N, j / N); mass_place.empty() || mass_place.back() != at)
        mass_place.push_back(at);
    });
    std::sort(mass_place.begin(), mass_place.end());
    mass_place.erase(std::unique(mass_place.begin(), mass_place.end()), mass_place.end());
    mass.assign(mass_place.size() * node_area, 0.0);
    mass_diagonal.assign(std::size_t(nodes) * node_area, 0.0);
    each([&](Index i, Index j, double value) {
      double* block = i / N == j / N ? &mass_diagonal[std::size_t(i / N) * node_area]
                                     : &mass[mass_block(i / N, j / N) * node_area];
      block[i % N + N * (j % N)] = value;
    });
    bool symmetric = true;
    each([&](Index i, Index j, double value) {
      if (i == j || !symmetric) return;
      double there = 0;
      if (i / N == j / N)
        there = mass_diagonal[std::size_t(i / N) * node_area + std::size_t(j % N + N * (i % N))];
      else if (const std::size_t at = mass_block(j / N, i / N); at < mass_place.size())
        there = mass[at * node_area + std::size_t(j % N + N * (i % N))];
      symmetric = there == value;
    });
    for (Index k = M.rows(); k < nodes * N; ++k)  // rows that fill the last node
      mass_diagonal[std::size_t(k / N) * node_area + std::size_t((k % N) * (N + 1))] = 1;
    return symmetric;
  }

  /// Where M_ab lies among the blocks beside the diagonal; beyond them: there is none.
  std::size_t mass_block(Index a, Index b) const {
    const Index at = place(a, b);
    const auto found = std::lower_bound(mass_place.begin(), mass_place.end(), at);
    return std::size_t((found != mass_place.end() && *found == at ? found : mass_place.end()) -
                       mass_place.begin());
  }

  std::size_t n = 0;
  Index nodes = 0;
  std::vector<std::size_t> first;  // arms of contact i: first[i] … first[i+1]
  std::vector<Index> node;         // of each arm
  RawNumbers arms;                 // N×D, column-major
  RawVector<Index> places;         // for each pair of a contact's arms: the block of K, −1 on the diagonal
  std::vector<std::size_t> places_start;
  std::vector<Index> row_start, column;     // of K, the diagonal apart
  std::vector<Index> mass_place;            // blocks of K beside the diagonal that M has
  std::vector<double> mass, mass_diagonal;  // M by blocks
};

}  // namespace stickslip::internal
