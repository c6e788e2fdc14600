// 02: files. Reads a problem in any known format (or generates one), solves it, writes problem and solution
// as FCLIB, reads that back and tests Coulomb's law contact by contact.
//
//   build/release/examples/02_read_and_solve [PROBLEM [SOLVED.hdf5]]
#include <cmath>
#include <cstdio>
#include <stickslip/stickslip.hpp>

namespace {

/// The largest breach of Coulomb's law over the contacts, straight from its definition:
/// u_N ≥ 0, r_N ≥ 0, u_N r_N = 0, ‖r_T‖ ≤ μ r_N, and u_T ≠ 0 only against r_T on the cone.
double largest_breach(int d, std::span<const double> mu, const stickslip::StoredPoint& point) {
  double worst = 0;
  for (std::size_t i = 0; i < mu.size(); ++i) {
    const double* r = &point.r[i * std::size_t(d)];
    const double* u = &point.u[i * std::size_t(d)];
    const double rT = d == 3 ? std::hypot(r[1], r[2]) : std::abs(r[1]);
    const double uT = d == 3 ? std::hypot(u[1], u[2]) : std::abs(u[1]);
    const double power = r[1] * u[1] + (d == 3 ? r[2] * u[2] : 0);
    for (const double breach : {-u[0], -r[0], std::abs(std::min(u[0], r[0])), rT - mu[i] * r[0],
                                std::abs(power + mu[i] * r[0] * uT) / (1 + std::abs(r[0]))})
      worst = std::max(worst, breach);
  }
  return worst;
}

}  // namespace

int main(int argc, char** argv) try {
  stickslip::ProblemFile file =
      argc > 1 ? stickslip::read_problem(argv[1]) : stickslip::generate("random", {.size = 40, .seed = 5});
  const char* output = argc > 2 ? argv[2] : "02_solved.hdf5";

  const stickslip::SolveResult result = stickslip::solve(file, {.tolerance = 1e-10, .time_limit = 30});
  std::fputs(result.report().c_str(), stdout);

  file.solution = stickslip::StoredPoint{result.u, result.r, result.v, result.lambda};
  stickslip::write_fclib(output, file);

  const stickslip::ProblemFile again = stickslip::read_fclib(output);
  const auto d = std::visit([](const auto& p) { return p.dimension(); }, again.problem);
  const auto mu = std::visit([](const auto& p) { return p.mu(); }, again.problem);
  const double breach = largest_breach(d, mu, *again.solution);
  std::printf("%s holds problem and solution; largest breach of Coulomb's law %.1e\n", output, breach);
  return result.converged() && breach < 1e-8 ? 0 : 1;
} catch (const stickslip::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
