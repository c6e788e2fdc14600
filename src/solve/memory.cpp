#include "solve/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stickslip::internal {
namespace {

double of(const SparseMatrix& A) { return 12.0 * double(A.value().size()) + 4.0 * double(A.rows() + 1); }

/// Points of d numbers that a solve keeps: iterates, velocities, the best, scaled ones; with mixing 2 × 8 differences, in whose place
/// an interior path or alternating directions have as many points.
constexpr double points = 16, differences = 16;
/// Of a contact between rigid bodies: the record of a sweep; two arms, blocks and places of the linear system.
constexpr double record = 520, arms = 2 * 18 * 8 + 72 + 60;
/// Of six rows of M: four velocities and a factor of the mass for sweeps; the diagonals of M and K.
constexpr double velocities = 4 * 64 + 84, body = 2 * 36 * 8;
/// Of a contact of a packing: domains that are solved apart have a tenth of the contacts at times, and factors of their own.
constexpr double domains = 600;

double vectors(double contacts, int d) { return 8.0 * d * contacts * (points + differences); }

}  // namespace

double problem_bytes(const ReducedProblem& problem) {
  const double d = problem.dimension(),
               blocks = double(problem.W().off_diagonal_blocks()) + problem.contacts();
  return blocks * (8 * d * d + 4) + 8 * (d + 1) * problem.contacts();
}

double problem_bytes(const GlobalProblem& problem) {
  return of(problem.M()) + of(problem.H()) + of(problem.G()) +
         8.0 * double(problem.f().size() + problem.w().size() + problem.mu().size());
}

double sweep_bytes(const GlobalProblem& problem) {
  // Hᵀ is given back before points and differences are taken.
  return record * problem.contacts() + velocities * double(problem.degrees_of_freedom()) / 6 +
         std::max(of(problem.H()), vectors(problem.contacts(), problem.dimension()));
}

double domain_bytes(const GlobalProblem& problem) { return domains * problem.contacts(); }

double mixing_bytes(const ReducedProblem& problem) {
  return vectors(problem.contacts(), problem.dimension());
}

double matrix_bytes(const BodyGraph& bodies) {
  const GlobalProblem& problem = bodies.problem();
  const double d = problem.dimension(), n = problem.contacts();
  const double blocks = bodies.applies() ? double(bodies.off_diagonal_blocks()) + n : n * n;
  return blocks * (8 * d * d + 4);
}

double body_system_bytes(const GlobalProblem& problem) {
  return arms * problem.contacts() + body * double(problem.degrees_of_freedom()) / 6;
}

std::string size_in_words(double bytes) {
  if (!std::isfinite(bytes)) return "more than 30 GiB";  // given up, contact_system/front_tree.cpp
  const double mega = bytes / (1 << 20);
  return mega < 1000 ? fmt::format("{:.3g} MiB", mega) : fmt::format("{:.3g} GiB", mega / 1024);
}

}  // namespace stickslip::internal
