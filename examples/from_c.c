/* From C: a block on a moving belt, held by a spring. One problem and one solver, made once, for all steps.
 *
 *   build/release/examples/from_c
 *
 * One contact in the plane, normal first: W = I/m, u = (v_N, v_T − V). The belt of speed V carries the block along until the
 * spring pulls with μ m g: it slips at x = μ m g/k. Then it swings about that place, and the largest stretch is μ m g/k + V √(m/k).
 *
 * Each step of length h takes the spring at the end of the step: (1 + h²k/m) v = v₀ − h k x₀/m + r_T/m. */
#include <math.h>
#include <stdio.h>
#include <stickslip/stickslip.h>

int main(void) {
  const double m = 2, g = 9.81, k = 50, mu = 0.4, V = 0.3, h = 1e-4;
  const double stiff = 1 + h * h * k / m;

  const int32_t row_start[] = {0, 1}, column[] = {0};
  const double block[] = {1 / m, 0, 0, 1 / (m * stiff)}, start[] = {-h * g, 0};
  stickslip_problem* problem = stickslip_problem_reduced(2, 1, row_start, column, block, start, &mu);
  stickslip_solver* solver = stickslip_solver_new("auto");
  if (problem == NULL || solver == NULL) {
    fprintf(stderr, "%s\n", stickslip_message());
    return 2;
  }
  stickslip_options options = stickslip_default_options();
  options.tolerance = 1e-12;

  double x = 0, v = V, slips_at = 0, largest = 0;
  puts("time (s)   stretch (mm)   spring (N)   contact");
  for (int step = 1; step <= 20000; ++step) {
    const double free_speed = (v - h * k * x / m) / stiff, q[] = {-h * g, free_speed - V};
    double r[2], u[2];
    stickslip_info info;
    stickslip_problem_set_q(problem, q);
    const stickslip_status status = stickslip_solver_solve(solver, problem, &options, r, u, &info);
    if (status != STICKSLIP_CONVERGED) {
      fprintf(stderr, "step %d: %s %s\n", step, stickslip_status_name(status), stickslip_message());
      return 1;
    }
    v = u[1] + V;
    x += h * v;
    if (info.slip > 0 && slips_at == 0) slips_at = x;
    if (x > largest) largest = x;
    if (step % 2000 == 0)
      printf("%8.2f   %12.3f   %10.3f   %s\n", step * h, 1e3 * x, k * x, info.slip > 0 ? "slip" : "stick");
  }
  stickslip_solver_free(solver);
  stickslip_problem_free(problem);

  /* The step is of first order: h V is the way of the belt in one step, and the swing loses a share of h ω. */
  const double expected = mu * m * g / k, swing = expected + V * sqrt(m / k);
  const int good = fabs(slips_at - expected) < 2 * h * V && fabs(largest - swing) < h * V;
  printf("\nslips at %.4f mm (closed form %.4f), largest stretch %.4f mm (closed form %.4f)\n",
         1e3 * slips_at, 1e3 * expected, 1e3 * largest, 1e3 * swing);
  puts(good ? "agrees with the closed form" : "WRONG: not the closed form");
  return good ? 0 : 1;
}
