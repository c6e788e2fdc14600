// The error of a solution, recomputed by code that shares nothing with the solvers (verify).
#pragma once

#include <functional>
#include <span>

#include "stickslip/problem_file.hpp"
#include "verify/verify.hpp"

namespace stickslip::campaign {

/// The entries of A as the checker takes them.
stickslip_verify::Matrix to_raw(const SparseMatrix& A);

/// Holds the raw data of one problem, so that many solutions can be verified. Keeps a reference to the file.
class Verifier {
 public:
  explicit Verifier(const ProblemFile& file);
  /// Throws std::invalid_argument when r has the wrong size, std::runtime_error when a factorisation fails,
  /// stickslip_verify::Stopped where `stop` said true.
  stickslip_verify::Report operator()(std::span<const double> r,
                                      const std::function<bool()>& stop = {}) const;

 private:
  const ProblemFile& file_;
  stickslip_verify::Matrix W_, M_, H_, G_;
};

}  // namespace stickslip::campaign
