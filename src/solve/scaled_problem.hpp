// A problem in units that suit it, contact by contact, which keep the friction cones:
//
//   s_i = (tr W_ii/d)^(−1/2),  c = 1/rms‖s_i q_i‖,  W' = S W S,  q' = c S q,  r = S r'/c,  u = S⁻¹ u'/c
//
// One scalar a contact multiplies normal and tangents alike, so r ∈ K ⇔ r' ∈ K, and ρ = 1 suits every contact: what
// second-order methods work on. With W its blocks are scaled once; without it products go through the bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/contact_system/contact_system.hpp"
#include "solve/contact_problem.hpp"

namespace stickslip::internal {

/// s_i of every contact.
void contact_scale(const ContactOperator& problem, std::vector<double>& scale);

class ScaledProblem final : public ContactProducts {
 public:
  /// Takes a scaled copy of W where it is formed; memory of earlier problems is used again. Keeps a reference.
  void prepare(const ContactProblem& problem, Scaled scaled, Frictionless frictionless = Frictionless::whole);

  int dimension() const override { return dimension_; }
  Index contacts() const override { return Index(mu_.size()); }
  std::size_t size() const { return q_.size(); }
  std::span<const double> mu() const { return mu_; }
  std::span<const double> q() const { return q_; }
  const BlockMatrix* blocks() const override { return has_blocks_ ? &W_ : nullptr; }
  const BodyFactors* bodies() const override { return bodies_.M ? &bodies_ : nullptr; }
  ThreadTeam* team() const override { return problem_->team(); }
  const ContactProblem& physical() const { return *problem_; }

  /// u' ← W' r' + q'.
  void velocity(std::span<const double> r, std::span<double> u) const;
  void product(std::span<const double> x, std::span<double> y) const override;
  /// W'_ii, d×d column-major.
  void diagonal(Index i, double* block) const;

  void to_scaled(std::span<const double> r, std::span<double> scaled) const;
  void to_physical(std::span<const double> scaled, std::span<double> r) const;
  void velocity_to_physical(std::span<const double> scaled, std::span<double> u) const;
  /// u' of contact i is that times u.
  double velocity_factor(Index i) const { return load_scale_ * scale_[std::size_t(i)]; }
  /// W'_ii is that times W_ii.
  double block_factor(Index i) const { return scale_[std::size_t(i)] * scale_[std::size_t(i)]; }

 private:
  void copy_blocks(const BlockMatrix& W);
  template <class Factor>
  void scale_contacts(std::span<const double> x, std::span<double> y, Factor factor) const;
  void drop_idle(std::span<double> x) const;

  const ContactProblem* problem_ = nullptr;
  int dimension_ = 3;
  bool has_blocks_ = false;
  BlockMatrix W_;
  BodyFactors bodies_;
  std::vector<double> mu_, q_, scale_;
  std::vector<std::uint8_t> idle_;  // contacts whose tangents are left out; empty: none
  double load_scale_ = 1;           // c
  mutable std::vector<double> point_;
};

}  // namespace stickslip::internal
