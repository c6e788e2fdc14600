// The linear system of every second-order contact method,
//
//   A = diag(L_i) (W + αI) + diag(R_i)   on the contacts that take part,
//
// factorised again and again with other L, R, α and sets. One interface; behind it, chosen by counting operations:
//
//   dense      a few contacts: elimination at once                                    small_system
//   contacts   contact by contact, where little fills in; pivots inside a contact     contact_lu
//   fronts     multifrontal, dense kernels, pivots inside a front                     front_lu
//   bodies     K = M + H (R + αL)⁻¹ L Hᵀ, of the size of the bodies; W not needed     body_system
//   gradients  the same K, symmetric, by conjugate gradients to a few digits          block_gradients
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/stopwatch.hpp"
#include "base/thread_team.hpp"
#include "linalg/contact_system/body_system.hpp"
#include "linalg/contact_system/contact_lu.hpp"
#include "linalg/contact_system/front_lu.hpp"
#include "linalg/contact_system/small_system.hpp"

namespace stickslip::internal {

/// What the system knows of W: blocks, or bodies, or both, and always products.
class ContactProducts {
 public:
  virtual ~ContactProducts() = default;
  virtual int dimension() const = 0;
  virtual Index contacts() const = 0;
  /// W, or nullptr where it is not formed.
  virtual const BlockMatrix* blocks() const = 0;
  /// Its factors, or nullptr where they are not known.
  virtual const BodyFactors* bodies() const = 0;
  /// Threads that share the work; nullptr: none.
  virtual ThreadTeam* team() const { return nullptr; }
  /// y ← W x.
  virtual void product(std::span<const double> x, std::span<double> y) const = 0;
};

class ContactSystem {
 public:
  /// What a solve aims at: steps of refinement as long as ‖b − A x‖ is above `enough`·‖b‖ and falls; through the bodies, where
  /// small blocks of B cost digits, above `through_bodies`·‖b‖. Conjugate gradients end at `by_gradients` of the first residual, or where
  /// b − A x is about `velocities` a contact.
  struct Accuracy {
    double enough;
    int refinements;
    double through_bodies, by_gradients, velocities;
  };
  /// Newton's methods correct the next time what is missing.
  static constexpr Accuracy for_newton = {1e-6, 1, 1e-11, 1e-6, 0};
  /// Interior points see the last digits of the residual.
  static constexpr Accuracy for_the_last_digit = {1e-15, 3, 1e-15, 1e-6, 0};
  /// Until a path is near its end, the next iteration corrects what is missing here too.
  static constexpr Accuracy for_a_path = {1e-15, 3, 1e-7, 1e-6, 0};
  /// A predictor only says how far to aim.
  static constexpr Accuracy for_a_prediction = {1e-15, 3, 1e-7, 1e-3, 0};

  enum class Strategy { dense, contacts, fronts, bodies, gradients };

  /// Chooses the strategy and finds the order of elimination, unless the pattern is that of the last call. Keeps a reference.
  /// `watch` may be nullptr; else factorisations are timed.
  void analyse(const ContactProducts& problem, Stopwatch* watch = nullptr);
  /// Goes on with the W that was analysed, and with the last factorise_penalty: only loads are other ones.
  void keep(Stopwatch* watch);
  Strategy strategy() const { return strategy_; }

  struct Outcome {
    bool ok = false;    ///< false: singular or not finite
    long replaced = 0;  ///< pivots that vanished to working precision and were replaced
  };
  /// Factorises for the contacts i with active[i] ≠ 0 (empty: all); the rows and columns of others are left out. `left` and
  /// `right` hold d×d column-major blocks for all contacts, to be kept until the last solve; no `left` stands for identities.
  Outcome factorise(std::span<const std::uint8_t> active, const double* left, const double* right,
                    double alpha);
  /// W + ρI for all contacts, ρI as blocks in `right`, for solve_penalty. Nothing to do where the last call of all said the same.
  Outcome factorise_penalty(const double* right, double rho);
  /// Whether it takes conjugate gradients, since factors would cost more than all their products.
  bool gradients_pay_for_a_penalty() const;
  /// The same for all contacts with L = I, α = 0 and symmetric positive definite R, where a few digits are enough: solves take
  /// conjugate gradients through the bodies if the factors would cost more.
  Outcome factorise_loosely(const double* right);
  bool gradients_pay() const;
  /// x ← A⁻¹ x on the active contacts; other places of x are left alone. A solve without pivots that leaves much is repeated with
  /// pivots in fronts, where W is there. Gives ‖b − A x‖/‖b‖, or 0 where it was not looked at; not finite: singular, or
  /// through the bodies so inaccurate that x is of no use.
  double solve(std::span<double> x, Accuracy accuracy = for_newton);

  /// x ← (W + ρI)⁻¹ x after factorise_penalty, once. By conjugate gradients up to ‖δx‖ of about `enough`. False: x is of no use.
  bool solve_penalty(std::span<double> x, double enough);

  /// Multiplications of a factorisation of all contacts, those of dense kernels counted as the part of a single one that they
  /// cost.
  double work() const;
  /// Of one product with K of the bodies.
  double product_work() const { return bodies_.product_work(); }
  /// Bytes that it takes, W itself not counted.
  double bytes() const;
  /// The same where conjugate gradients take the place of factors. Precondition: they pay, for a penalty or else.
  double loose_bytes() const { return bodies_.loose_bytes(); }
  /// Factorisations so far, and pivots replaced in the one that served the last solve.
  long count() const { return count_; }
  long replaced() const { return replaced_; }

 private:
  bool factorise_by(Strategy strategy);
  void apply(std::span<double> x);
  /// rest_ ← b_ − A x on the active contacts, product_ being W x; its length.
  template <int D>
  double residual(std::span<const double> x);
  template <int D>
  double residual_at(std::size_t contact, std::span<const double> x);
  double refine(std::span<double> x, Accuracy accuracy);
  void choose();
  void leave_out_inactive();
  void take_all(const double* right);

  const ContactProducts* problem_ = nullptr;
  Stopwatch* watch_ = nullptr;
  Strategy strategy_ = Strategy::fronts, used_ = Strategy::fronts;
  std::span<const std::uint8_t> active_;
  const double *left_ = nullptr, *right_ = nullptr;
  double alpha_ = 0;
  double penalty_ = -1;  // ρ of the factors that are there; −1: others
  long count_ = 0, replaced_ = 0;
  bool ordered_ = false;  // the fronts of W
  SmallSystem small_;
  ContactLu contacts_;
  FrontLu fronts_;
  BodySystem bodies_;
  std::vector<std::uint8_t> everyone_;
  std::vector<double> x_, b_, rest_, trial_, product_, masked_left_, masked_right_;
};

}  // namespace stickslip::internal
