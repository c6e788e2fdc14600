// 01: one contact. A mass m touches a plane and moves with the free velocity q; friction decides what it
// does.
//
//   build/release/examples/01_one_contact
//
// W = I/m, and Coulomb's law has a closed form for each of the three statuses:
//   take-off  q_N ≥ 0               : r = 0,                         u = q
//   stick     ‖q_T‖ ≤ −μ q_N        : r = −m q,                      u = 0
//   slip      otherwise             : r = −m q_N (1, −μ q_T/‖q_T‖),  u_T = (1 + μ q_N/‖q_T‖) q_T
#include <cmath>
#include <cstdio>
#include <stickslip/stickslip.hpp>

namespace {

constexpr double mass = 2, mu = 0.5;

/// Solves, prints one line, and compares with the closed form.
bool agrees(const char* what, const std::vector<double>& q, const std::vector<double>& expected_r) {
  // The normal comes first: (N, T1, T2). W is given by its entries.
  const std::vector<stickslip::Triplet> entries = {{0, 0, 1 / mass}, {1, 1, 1 / mass}, {2, 2, 1 / mass}};
  const stickslip::BlockMatrix W(stickslip::SparseMatrix(3, 3, entries), 3);
  const stickslip::ReducedProblem problem(W, q, {mu});

  const stickslip::SolveResult result = stickslip::solve(problem, {.tolerance = 1e-12});

  std::printf("%-9s %-6s r = (%6.3f, %6.3f, %6.3f)   u = (%6.3f, %6.3f, %6.3f)   error %.0e\n", what,
              stickslip::name(result.contacts[0]).data(), result.r[0], result.r[1], result.r[2], result.u[0],
              result.u[1], result.u[2], result.error());
  bool good = result.converged();
  for (std::size_t c = 0; c < 3; ++c) good = good && std::abs(result.r[c] - expected_r[c]) < 1e-12;
  return good;
}

}  // namespace

int main() {
  // −m q_N = 2 presses the contact; sliding at q_T = (0.6, 0.8), of length 1, needs more friction than μ·2 =
  // 1 can give.
  const bool good = agrees("leaving", {0.5, 1, 0}, {0, 0, 0}) &
                    agrees("slow", {-1, 0.3, 0.1}, {2, -0.6, -0.2}) &
                    agrees("fast", {-1, 0.6, 0.8}, {2, -0.6, -0.8});
  std::puts(good ? "all three agree with the closed form" : "WRONG: not the closed form");
  return good ? 0 : 1;
}
