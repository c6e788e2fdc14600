// The linear system of a nonsmooth Newton step, RR Algorithm 4, for u = W r + q + α(r − c) (α = 0: the
// problem itself):
//
//   Φ(u, r) = 0,     ( Φ_u (W + αI + aI) + Φ_r ) δ = −Φ
//
// (with a normal compliance ε: u_N + ε r_N, and Φ_u ε e_N e_Nᵀ beside Φ_r)
//
// in scaled variables (solve/scaled_problem.hpp) where every contact's block of W is of order 1. A contact whose
// Φ_u vanishes (open ones, with most maps) has δ_i = −Φ_r⁻¹ Φ_i at once and is left out of the system. a ≥ 0
// keeps the system regular where W is rank deficient: as a → 0 the step tends to the one of least norm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "residual/maps.hpp"
#include "solve/scaled_problem.hpp"

namespace stickslip::internal {

class NewtonSystem {
 public:
  /// Binds to a problem and the system that was analysed for it, and finds the contacts' ρ. Keeps references to both.
  void bind(const ScaledProblem& problem, ContactSystem& system, Map map, RhoRule rho);
  /// Instead of a map of Coulomb's law the natural map of the convex program with û = u + μ s e_N, s ≥ 0 one number a contact,
  /// CAD (24), from now on. The natural map has ρ = 1 here.
  void set_shift(std::span<const double> s) { shift_ = s; }

  /// The proximal term α(r − c) in scaled variables from now on; α = 0: none. `damped`: ρ becomes ρ/(1 + αρ), as the diagonal
  /// blocks W_ii + αI ask for.
  void set_proximal(double alpha, std::span<const double> centre, bool damped = false);

  /// A normal compliance in scaled variables from now on, one number a contact: u_N + ε r_N in the place of u_N; empty: none. To be
  /// kept until the next call.
  void set_compliance(std::span<const double> epsilon) { compliance_ = epsilon; }

  /// ½‖Φ‖² at r with velocity u.
  double merit(std::span<const double> r, std::span<const double> u) const;
  /// The same, and keeps Φ and its Jacobian for `step`.
  double linearise(std::span<const double> r, std::span<const double> u);
  /// Rows that were made elsewhere, d×d column-major blocks and d numbers a contact: Φ_u, Φ_r and the right-hand side −value.
  void set_rows(std::span<const double> by_u, std::span<const double> by_r, std::span<const double> value);
  /// δ of the last linearisation; false where it is not finite.
  bool step(double regularisation, std::span<double> delta,
            ContactSystem::Accuracy accuracy = ContactSystem::for_newton);

  /// Velocities, products and units.
  const ScaledProblem& problem() const { return *problem_; }
  std::size_t size() const { return problem_->size(); }
  int dimension() const { return problem_->dimension(); }
  const Rho& rho(std::size_t contact) const { return rho_[contact]; }
  /// Contacts in the last system, factorisations so far, and pivots that vanished in the last one.
  long active_contacts() const { return active_count_; }
  long factorisations() const { return system_->count(); }
  long replaced_pivots() const { return system_->replaced(); }

 private:
  template <int D>
  Vec<D> residual_at(std::size_t i, const double* r, const double* u) const;
  template <int D>
  MapValue<D> map_at(std::size_t i, const double* r, const double* u) const;
  /// u + α(r − c) + ε r_N e_N of contact i.
  template <int D>
  Vec<D> velocity_at(std::size_t i, const Vec<D>& r, const double* u) const;
  /// Of a piece of the contacts: Σ‖Φ_i‖², and those that couple.
  struct Sums {
    double squares = 0;
    long active = 0;
    void operator+=(const Sums& other) {
      squares += other.squares;
      active += other.active;
    }
  };
  template <int D>
  Sums linearise_piece(std::size_t begin, std::size_t end, const double* r, const double* u);
  template <int D>
  double merit_typed(const double* r, const double* u) const;
  template <int D>
  bool eliminate_typed(double* delta);
  /// The step of a few contacts; false where the matrix is singular.
  bool small_step(double regularisation, std::span<double> delta);

  Map map_ = Map::alart_curnier;
  const ScaledProblem* problem_ = nullptr;
  ContactSystem* system_ = nullptr;
  std::vector<Rho> base_rho_, rho_;  // of W_ii, and of W_ii + αI
  double damping_ = 0;               // α of rho_
  std::span<const double> shift_;    // s; empty: Coulomb's law
  double alpha_ = 0;
  std::span<const double> centre_;

  std::vector<double> value_, by_u_, by_r_, rhs_;
  std::vector<std::uint8_t> active_;
  long active_count_ = 0;
  std::span<const double> compliance_;  // ε; empty: none
};

}  // namespace stickslip::internal
