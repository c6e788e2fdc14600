// [ M  −G ; Gᵀ  0 ] (v, λ) = (a, −b), split into the bodies that it couples.
#pragma once

#include <memory>
#include <vector>

#include "verify/verify.hpp"

namespace stickslip_verify {

using Vector = std::vector<long double>;

class LinearSystem {
 public:
  /// Throws std::runtime_error when a body's matrix cannot be factorised, Stopped where `stop` says true before one is.
  LinearSystem(const Matrix& M, const Matrix& G, const std::function<bool()>& stop = {});
  ~LinearSystem();

  int size() const { return static_cast<int>(body_.size()); }
  /// The body that a row (of M, then of Gᵀ) belongs to.
  int body(int row) const { return body_[row]; }
  /// x ← solution for the right-hand side of one body, whose rows alone are read and written.
  void solve_body(int body, const Vector& right, Vector& x) const;
  Vector solve(const Vector& right) const;

 private:
  struct Body;
  std::vector<int> body_, local_;
  std::vector<std::unique_ptr<Body>> bodies_;
};

}  // namespace stickslip_verify
