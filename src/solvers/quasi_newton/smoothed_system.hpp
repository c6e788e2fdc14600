// The linear system of one projected quasi-Newton step, known by its products only, PQN (41)–(52):
//
//   C = F_ω(u) + m_ω(z),  z = r − F_ω(u);     A x = X (W x) + Y x + δ x,   Y = ∂m_ω/∂z,   X = (I − Y) ∂F_ω/∂u
//
// in the units of solve/scaled_problem, r = S r'/c and u' = c S u, or in the problem's own (S = I, c = 1).
#pragma once

#include <span>
#include <vector>

#include "solve/scaled_problem.hpp"

namespace stickslip::internal {

class SmoothedSystem {
 public:
  /// Keeps a reference to the problem. `scaled`: whether contacts are scaled by their diagonal blocks.
  void prepare(const ContactOperator& problem, Scaled scaled, double omega);

  /// The diagonal entries of W in the units of the system: least, mean, largest.
  struct Diagonal {
    double min, avg, max;
  };
  Diagonal diagonal() const;
  /// ‖c S q‖.
  double load_norm() const { return load_norm_; }

  /// Linearises at r with the velocity u = W r + q, both in the problem's units; C() is known afterwards.
  void linearise(std::span<const double> r, std::span<const double> u, double delta);
  std::span<const double> C() const { return C_; }
  /// ‖C‖ at r, u without linearising.
  double residual(std::span<const double> r, std::span<const double> u) const;

  /// y ← A x. One product with W.
  void apply(std::span<const double> x, std::span<double> y);
  /// y ← P x, P the inverse of the diagonal blocks of A.
  void precondition(std::span<const double> x, std::span<double> y) const;
  /// next ← P_K(r − S x/c).
  void project_step(std::span<const double> r, std::span<const double> x, std::span<double> next) const;

 private:
  template <int D>
  void typed_linearise(const double* r, const double* u, double delta);

  const ContactOperator* problem_ = nullptr;
  double omega_ = 0, c_ = 1, load_norm_ = 0;
  std::vector<double> s_;                // one number a contact
  std::vector<double> X_, Y_, inverse_;  // d×d blocks; Y holds δ as well
  std::vector<double> C_, point_, image_;
};

}  // namespace stickslip::internal
