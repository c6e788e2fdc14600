// A problem as methods see it that need only products with W: u = W r + q, W formed or not.
#pragma once

#include <span>
#include <vector>

#include "base/ranks.hpp"
#include "base/thread_team.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::internal {

/// The reduced problem behind an operator. Immutable during a solve.
class ContactOperator {
 public:
  virtual ~ContactOperator() = default;

  virtual int dimension() const = 0;
  virtual std::span<const double> q() const = 0;
  virtual std::span<const double> mu() const = 0;
  virtual double q_norm() const = 0;
  virtual double q_energy() const = 0;
  /// W_ii, d×d column-major.
  virtual const double* diagonal(Index i) const = 0;
  /// u ← W r + q.
  virtual void velocity(std::span<const double> r, std::span<double> u) const = 0;
  /// s ← |W||r| + |q| or more: what rounding acts on.
  virtual void magnitude(std::span<const double> r, std::span<double> s) const = 0;

  /// Threads that share long loops; nullptr: none.
  virtual ThreadTeam* team() const { return nullptr; }
  /// Those who have the other contacts; nullptr: there are none.
  virtual Ranks* ranks() const { return nullptr; }

  Index contacts() const { return static_cast<Index>(mu().size()); }
  /// Those of the other ranks counted.
  virtual Index contacts_in_all() const { return contacts(); }
};

/// The operator of a problem whose W is at hand.
class MatrixOperator final : public ContactOperator {
 public:
  /// Keeps a reference.
  explicit MatrixOperator(const ReducedProblem& problem) : problem_(problem) {}

  int dimension() const override { return problem_.dimension(); }
  std::span<const double> q() const override { return problem_.q(); }
  std::span<const double> mu() const override { return problem_.mu(); }
  double q_norm() const override { return problem_.q_norm(); }
  double q_energy() const override { return problem_.q_energy(); }
  const double* diagonal(Index i) const override { return problem_.W().diagonal(i); }
  void velocity(std::span<const double> r, std::span<double> u) const override {
    problem_.W().multiply(r, q(), u);
  }
  void magnitude(std::span<const double> r, std::span<double> s) const override;

 private:
  const ReducedProblem& problem_;
};

}  // namespace stickslip::internal
