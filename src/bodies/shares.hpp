// A global problem cut into shares, one for each rank.
//
// What is cut are the chunks of the colouring, whole: the order in which a sweep visits the contacts of a body is that of the colouring
// and knows no ranks. So a cut decides who works and who waits, and changes no bit of a result.
#pragma once

#include <tuple>
#include <vector>

#include "bodies/body_graph.hpp"
#include "bodies/halo.hpp"

namespace stickslip::internal {

/// What one rank knows of the problem: its contacts, the bodies that they touch, and what it sends and receives.
struct Share {
  GlobalProblem problem;         ///< contacts and bodies numbered in the order that they have in the whole
  std::vector<Index> contacts;   ///< their numbers in the whole
  std::vector<Index> body_size;  ///< rows of each body, which lie side by side
  BodyGraph::Kind kind;
  Colouring layout;  ///< as many colours as the whole has, some without chunks
  HaloPlan halo;
  std::vector<Index> home;  ///< the bodies, rising, that this rank answers for
  Index contacts_in_all;
};

/// A share without its numbers: who works on what, and what passes.
struct SharePlan {
  std::vector<Index> contacts;  ///< their numbers in the whole, rising
  std::vector<Index>
      bodies;  ///< numbers in the whole, rising: those that the contacts touch, and those at home
  std::vector<Index> home;  ///< places in `bodies`
  Colouring layout;
  HaloPlan halo;
};

/// Who has which chunk, and which bodies pass from whom to whom.
class Shares {
 public:
  /// Keeps a reference to the graph, which must apply. `rank_of_chunk`: any ranks 0 … ranks − 1, one for each chunk of the colouring.
  Shares(const BodyGraph& graph, Colouring colouring, int ranks, std::vector<int> rank_of_chunk);

  int ranks() const { return ranks_; }
  SharePlan plan(int rank) const;
  /// With its part of the problem, which the graph must have.
  Share share(int rank) const;
  /// The contacts of a rank, rising, and the bodies that it answers for.
  std::vector<Index> contacts_of(int rank) const;
  std::vector<Index> home_of(int rank) const;

 private:
  /// A body that goes from one rank to another after a colour.
  struct Passing {
    Index colour;
    int from, to;
    Index body;
    bool operator<(const Passing& other) const {
      return std::tie(colour, from, to, body) < std::tie(other.colour, other.from, other.to, other.body);
    }
  };

  void find_passings();
  HaloPlan halo(int rank, const std::vector<Index>& place) const;

  const BodyGraph& graph_;
  Colouring colouring_;
  int ranks_;
  std::vector<int> rank_of_chunk_, home_;  // home_: of each body
  std::vector<Passing> after_colour_, everywhere_;
};

/// As many contacts for each rank as whole chunks allow: the chunks of the first colour, the insides of the domains, lie along a
/// line that is cut at equal work; each of the others goes to one of the ranks that have its bodies.
std::vector<int> cut_evenly(const BodyGraph& graph, int ranks);

}  // namespace stickslip::internal
