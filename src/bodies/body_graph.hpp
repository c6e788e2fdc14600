// The bodies behind a global problem M v = H r + f, u = Hᵀ v + w, and which contact touches which of them.
//
// A body is a group of rows that M couples with no other row. A contact between bodies A and B has
//
//   H_αᵀ v = H_Aᵀ v_A + H_Bᵀ v_B
//   for rigid bodies:   H_A = [ R ; G_A ],   H_B = [ −R ; G_B ],   M_A = diag(m I₃, J)
//
// with the frame R (columns n, t₁, t₂) and the arms G. This is what Gauss–Seidel on velocities works on
// (velocity_sweep).
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "linalg/colouring.hpp"
#include "linalg/transposed.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::internal {

/// Groups the rows of M into bodies of at most 12 rows such that each contact touches one or two of them.
/// Tried in this order: rigid bodies of six consecutive rows (d = 3); the connected components of M; groups
/// of 2, 3, 6 and 12 consecutive rows, since a diagonal M does not tell which rows belong together.
class BodyGraph {
 public:
  static constexpr Index largest_body = 12;
  static constexpr Index none = -1;
  using Dense =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, largest_body, largest_body>;

  /// What the storage of a sweep depends on.
  struct Kind {
    bool rigid = false, symmetric = false;
  };

  /// Keeps a reference to the problem. `team` shares the work; it may be nullptr.
  explicit BodyGraph(const GlobalProblem& problem, ThreadTeam* team = nullptr);
  /// The graph of a part of a problem whose bodies, of so many rows each, and kind are known.
  BodyGraph(const GlobalProblem& part, std::span<const Index> body_size, Kind kind);
  /// Who touches whom, without rows and columns, of a problem that nobody has whole. `bodies_of` as the function of that name.
  BodyGraph(Index bodies, std::vector<std::array<Index, 2>> bodies_of);

  /// Whether such bodies were found, and why not otherwise.
  bool applies() const { return reason_.empty(); }
  const std::string& reason() const { return reason_; }

  // The rest needs applies().

  const GlobalProblem& problem() const { return *problem_; }
  /// Every body and contact has the structure above; J need not be symmetric.
  bool rigid() const { return kind_.rigid; }
  /// M = Mᵀ up to rounding.
  bool symmetric() const { return kind_.symmetric; }
  Kind kind() const { return kind_; }
  Index bodies() const { return Index(start_.size()) - 1; }
  std::span<const Index> rows(Index body) const;
  /// The bodies of a contact, the one of the smaller number first; the second may be none.
  std::array<Index, 2> bodies_of(Index contact) const { return bodies_of_[std::size_t(contact)]; }
  std::span<const std::array<Index, 2>> bodies_of() const { return bodies_of_; }
  /// M_b.
  Dense mass(Index body) const;
  /// The rows of body b in the d columns of a contact in H.
  Dense columns(Index contact, Index body) const;
  /// Blocks that W would have beside its diagonal: ordered pairs of contacts that share a body.
  std::size_t off_diagonal_blocks() const;
  /// The contacts sorted by their bodies: neighbours in this order share a body, which stays in the cache.
  std::vector<Index> contacts_by_body() const;
  /// Chunks of contacts that share no body inside a colour; one of all where they do not apply.
  const Colouring& colouring() const;
  /// Hᵀ, or nullptr where it was given back.
  const Transposed* columns() const { return Ht_.row_start.empty() ? nullptr : &Ht_; }
  /// Gives Hᵀ back, which has the size of H: columns of contacts are then looked for in H, which takes longer.
  void forget_columns() { Ht_ = {}; }

 private:
  void find_general();
  void group(std::vector<Index> body_of_row);
  bool link();
  bool consecutive(Index size);
  bool is_rigid() const;
  const char* find_bodies(std::size_t contact, std::array<Index, 2>& mine) const;

  const GlobalProblem* problem_;
  ThreadTeam* team_;  // while bodies are looked for
  Transposed Ht_;
  std::vector<Index> body_of_row_, place_, start_, rows_;  // rows of body b: rows_[start_[b]..start_[b+1])
  std::vector<std::array<Index, 2>> bodies_of_;
  mutable Colouring colouring_;  // found when it is asked for
  std::string reason_;
  Kind kind_;
};

/// Contacts of two bodies that touch, in the mean: one for round grains, several where faces meet. `bodies_of` as BodyGraph::bodies_of.
double contacts_a_pair(std::vector<std::array<Index, 2>> bodies_of);

}  // namespace stickslip::internal
