// The two forms of the discrete frictional contact problem, and the way from one to the other.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "stickslip/block_matrix.hpp"
#include "stickslip/export.hpp"
#include "stickslip/sparse_matrix.hpp"

namespace stickslip {

/// The reduced form: find r with K* ∋ û ⊥ r ∈ K, u = W r + q, û = u + (μ‖u_T‖, 0, 0) at each contact.
///
/// Each contact has d numbers, the normal first: (N, T) for d = 2, (N, T1, T2) for d = 3. W may be singular
/// and unsymmetric. Immutable during a solve; valid by construction.
class STICKSLIP_EXPORT ReducedProblem {
 public:
  /// Throws InputError unless q has d·n and μ has n finite numbers, μ ≥ 0, W is finite, and the diagonal
  /// block of each contact has a positive normal entry and no clearly negative direction.
  ReducedProblem(BlockMatrix W, std::vector<double> q, std::vector<double> mu);

  int dimension() const { return W_.dimension(); }
  Index contacts() const { return W_.size(); }
  const BlockMatrix& W() const { return W_; }
  std::span<const double> q() const { return q_; }
  std::span<const double> mu() const { return mu_; }
  /// ‖q‖₂, by which the error is measured.
  double q_norm() const { return q_norm_; }
  /// Σ⟨W_αα⁻¹ q_α, q_α⟩, by which the spurious energy is measured.
  double q_energy() const { return q_energy_; }
  // Time loops: other numbers on the same contacts. They take no memory, and throw InputError as the constructor does; the
  // problem is then as it was.
  void set_q(std::span<const double> q);
  void set_mu(std::span<const double> mu);

  /// Its parts, to be filled again without taking new memory; the problem is spent.
  struct Parts {
    BlockMatrix::Parts W;
    std::vector<double> q, mu;
  };
  Parts release() && { return {std::move(W_).release(), std::move(q_), std::move(mu_)}; }

  /// Degrees of freedom of the mechanical system behind W, where it is known.
  std::optional<Index> degrees_of_freedom;

 private:
  void require_load(std::span<const double> q) const;
  void require_mu(std::span<const double> mu) const;
  void weigh_load();

  BlockMatrix W_;
  std::vector<double> q_;
  std::vector<double> mu_;
  double q_norm_ = 0;
  double q_energy_ = 0;
};

/// The global form: M v = H r + G λ + f, Gᵀ v + b = 0, u = Hᵀ v + w, with the same contact law on (u, r).
/// M is n×n positive definite, H is n×d·nc. G and b (bilateral constraints) may be empty.
class STICKSLIP_EXPORT GlobalProblem {
 public:
  /// Throws InputError on sizes that do not fit, numbers that are not finite, μ < 0 or a diagonal entry of
  /// M ≤ 0. That M is positive definite is found out when it is factorised (Reduction).
  GlobalProblem(int dimension, SparseMatrix M, SparseMatrix H, std::vector<double> f, std::vector<double> w,
                std::vector<double> mu, SparseMatrix G = {}, std::vector<double> b = {});

  int dimension() const { return dimension_; }
  Index contacts() const { return static_cast<Index>(mu_.size()); }
  Index degrees_of_freedom() const { return M_.rows(); }
  Index bilateral_constraints() const { return static_cast<Index>(b_.size()); }
  const SparseMatrix& M() const { return M_; }
  const SparseMatrix& H() const { return H_; }
  const SparseMatrix& G() const { return G_; }
  std::span<const double> f() const { return f_; }
  std::span<const double> w() const { return w_; }
  std::span<const double> b() const { return b_; }
  std::span<const double> mu() const { return mu_; }

  // Time loops: other numbers on the same bodies and contacts. They take no memory, and throw InputError as the constructor
  // does; the problem is then as it was.
  void set_f(std::span<const double> f);
  void set_w(std::span<const double> w);
  void set_mu(std::span<const double> mu);
  void set_b(std::span<const double> b);
  /// In the order of M().value() and H().value(): the pattern stays.
  void set_M_values(std::span<const double> values);
  void set_H_values(std::span<const double> values);

 private:
  int dimension_;
  SparseMatrix M_, H_, G_;
  std::vector<double> f_, w_, b_, mu_;

  void require_mass(std::span<const double> values) const;
};

/// The Delassus operator of a global problem: W = Hᵀ M⁻¹ H (with the bilateral constraints eliminated) as an
/// operator and as a matrix. M is factorised once: body by body where it is block diagonal, by a sparse
/// factorisation otherwise.
class STICKSLIP_EXPORT Reduction {
 public:
  /// Keeps a reference to the problem. Throws InputError when M is not positive definite or G is rank
  /// deficient. `stop` is asked during long work; where it says true an exception leaves that only the library catches.
  explicit Reduction(const GlobalProblem& problem, const std::function<bool()>& stop = {});
  ~Reduction();
  Reduction(Reduction&&) noexcept;
  Reduction& operator=(Reduction&&) noexcept;

  /// u ← W r, without forming W.
  void apply(std::span<const double> r, std::span<double> u) const;
  /// q = Hᵀ v₀ + w, v₀ the velocity without contact impulses.
  std::span<const double> q() const;
  /// v and λ that belong to r.
  void velocity(std::span<const double> r, std::vector<double>& v, std::vector<double>& lambda) const;
  /// Forms W block by block; it is as sparse as the contacts' coupling through the bodies.
  ReducedProblem reduced(const std::function<bool()>& stop = {}) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Eliminates the equality unknowns of FCLIB's local form, u = W r + q + V l with Vᵀ r + R l + s = 0. Throws
/// InputError when R is singular.
STICKSLIP_EXPORT ReducedProblem eliminate_equalities(int dimension, const SparseMatrix& W,
                                                     const SparseMatrix& V, const SparseMatrix& R,
                                                     std::vector<double> q, std::span<const double> s,
                                                     std::vector<double> mu);

}  // namespace stickslip
