// The linear system of a nonsmooth Newton step, RR Algorithm 4, for u = W r + q + α(r − c) (α = 0: the
// problem itself):
//
//   Φ(u, r) = 0,     ( Φ_u (W + αI + aI) + Φ_r ) δ = −Φ
//
// in scaled variables (problem/scaling.hpp) where every contact's block of W is of order 1. A contact whose
// Φ_u vanishes (open ones, with most maps) has δ_i = −Φ_r⁻¹ Φ_i at once and is left out of the system. a ≥ 0
// keeps the system regular where W is rank deficient: as a → 0 the step tends to the one of least norm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/contact_lu.hpp"
#include "linalg/front_lu.hpp"
#include "linalg/scalar_lu.hpp"
#include "linalg/small_system.hpp"
#include "problem/contact_operator.hpp"
#include "residual/maps.hpp"
#include "stickslip/problem.hpp"

namespace stickslip::internal {

class NewtonSystem {
 public:
  enum class Scaled { off, on };
  enum class Linear { fronts, sparse };

  /// Takes a scaled copy of the problem; the order of elimination is found at the first step.
  void prepare(const ReducedProblem& problem, Map map, RhoRule rho, Scaled scaled,
               Linear linear = Linear::fronts);

  /// The proximal term α(r − c) in scaled variables from now on; α = 0: none.
  void set_proximal(double alpha, std::span<const double> centre);

  /// u ← W r + q (the problem's own velocity, without the proximal term).
  void velocity(std::span<const double> r, std::span<double> u) const;
  /// y ← W x.
  void product(std::span<const double> x, std::span<double> y) const;
  /// ½‖Φ‖² at r with velocity u.
  double merit(std::span<const double> r, std::span<const double> u) const;
  /// The same, and keeps Φ and its Jacobian for `step`.
  double linearise(std::span<const double> r, std::span<const double> u);
  /// Rows that were made elsewhere, d×d column-major blocks and d numbers a contact: Φ_u, Φ_r and the right-hand side −value.
  void set_rows(std::span<const double> by_u, std::span<const double> by_r, std::span<const double> value);
  /// δ of the last linearisation; false where it is not finite.
  bool step(double regularisation, std::span<double> delta);

  std::size_t size() const { return q_.size(); }
  std::span<const double> mu() const { return mu_; }
  const Rho& rho(std::size_t contact) const { return rho_[contact]; }
  int dimension() const { return dimension_; }
  void to_scaled(std::span<const double> r, std::span<double> scaled) const;
  void to_physical(std::span<const double> scaled, std::span<double> r) const;
  /// Physical velocity from the scaled one.
  void velocity_to_physical(std::span<const double> scaled, std::span<double> u) const;
  /// Contacts in the last system, factorisations so far, and pivots that vanished in the last one.
  long active_contacts() const { return active_count_; }
  long factorisations() const { return factorisations_; }
  long replaced_pivots() const { return replaced_; }

 private:
  void prepare_contacts(const ContactOperator& problem, Map map, RhoRule rho, Scaled scaled);
  template <int D>
  double linearise_typed(const double* r, const double* u);
  template <int D>
  double merit_typed(const double* r, const double* u) const;
  template <int D>
  bool eliminate_typed(double* delta);
  template <class Factor>
  void scale_contacts(std::span<const double> x, std::span<double> y, Factor factor) const;
  /// The step of a few contacts; false where the matrix is singular.
  bool small_step(double regularisation, std::span<double> delta);
  /// delta ← A⁻¹ delta on the active contacts, block by block; false, and delta untouched, where that is not
  /// accurate.
  bool solve_by_blocks(double shift, std::span<double> delta);
  /// The length of −Φ − A δ over the active contacts, which goes into rest_.
  template <int D>
  double linear_residual(double shift, const double* delta);

  Map map_ = Map::alart_curnier;
  int dimension_ = 3;
  BlockMatrix W_;
  std::vector<double> q_, mu_, zero_;
  std::vector<double> scale_;  // s_i; r = s r'/c
  double load_scale_ = 1;      // c
  std::vector<Rho> rho_;
  double alpha_ = 0;
  std::span<const double> centre_;

  std::vector<double> value_, by_u_, by_r_, rhs_;
  std::vector<std::uint8_t> active_;
  long active_count_ = 0, factorisations_ = 0, replaced_ = 0;
  Linear linear_ = Linear::fronts;
  FrontLu fronts_;
  ContactLu blocks_;
  bool by_blocks_ = false;
  std::vector<double> kept_, product_, rest_;
  ScalarLu scalars_;
  SmallSystem small_;
  bool ordered_ = false;
};

}  // namespace stickslip::internal
