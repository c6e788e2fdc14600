// The matrix of the bodies K = M + H C Hᵀ on several ranks: rank 0 runs a second-order method and has K, all ranks solve with it.
//
// The nodes are put in the order of reverse Cuthill–McKee, those of a body side by side, and each rank takes as many of them, whole bodies where they are smaller
// than its share: what it has is connected, and little lies between ranks. Bodies of elements are divided by the solver, if it has a way. Rank 0 sends each its rows of K at every factorisation, and its part of the vector at every solve.
#pragma once

#include <string>

#include "base/ranks.hpp"
#include "distributed/parallel_solver.hpp"

namespace stickslip::internal {

/// Rank 0's hold on the others, which are to call serve_system. They are let go when it ends.
class SharedSystem final : public BlockSolver {
 public:
  struct Report {
    long factorisations = 0, solves = 0, iterations = 0;
    double factorising = 0, solving = 0;  ///< seconds, messages included
    Index rows = 0;                       ///< of the last K, in numbers
    Index between = 0;                    ///< its blocks of which another rank has the column
    std::string solver;
    void operator+=(const Report& other);
  };

  /// Keeps references.
  SharedSystem(Ranks& ranks, ParallelSolver& solver) : ranks_(ranks), solver_(solver) {}
  ~SharedSystem() override;
  SharedSystem(const SharedSystem&) = delete;
  SharedSystem& operator=(const SharedSystem&) = delete;

  void set_bodies(std::span<const Index> least_node) override;
  bool factorise(const BlockView& K, Symmetry symmetry) override;
  bool solve(std::span<double> x) override;
  const Report& report() const { return report_; }
  /// The others wait for messages that will not come: only Ranks::abort ends them.
  bool entangled() const { return entangled_; }

 private:
  void order(const BlockView& K);
  void gather_bodies();
  bool divide(const BlockView& K);
  void cut();
  Index count_between(const BlockView& K) const;
  BlockRows rows_of(const BlockView& K, int rank) const;
  Index begin_of(int rank) const { return cut_[std::size_t(rank)]; }

  Ranks& ranks_;
  ParallelSolver& solver_;
  std::vector<Index> row_start_, column_;  // the pattern that was ordered
  std::vector<Index> least_node_;          // of the body of each node
  std::vector<Index> order_, place_;       // the nodes one after the other, and where each is
  std::vector<Index> body_start_;          // along the order
  std::vector<Index> cut_;                 // rank k has the places cut_[k] … cut_[k + 1] − 1
  std::size_t dimension_ = 3;
  std::vector<double> parts_;
  Report report_;
  bool entangled_ = false;
};

/// Ranks other than 0: factorise and solve until rank 0 has no more.
void serve_system(Ranks& ranks, ParallelSolver& solver);

}  // namespace stickslip::internal
