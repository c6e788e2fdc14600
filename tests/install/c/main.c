/* One contact in space that comes down and slides: r = (1, -0.5, 0). */
#include <stdio.h>
#include <stickslip/stickslip.h>

int main(void) {
  const int32_t row_start[] = {0, 1}, column[] = {0};
  const double blocks[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 0.8, 0}, mu[] = {0.5};
  stickslip_problem* p = stickslip_problem_reduced(3, 1, row_start, column, blocks, q, mu);
  stickslip_options o = stickslip_default_options();
  stickslip_info info;
  double r[3], u[3];
  o.tolerance = 1e-10;
  const stickslip_status s = stickslip_solve(p, "auto", &o, r, u, &info);
  stickslip_problem_free(p);
  printf("%s, error %.1e, r = %g %g %g\n", stickslip_status_name(s), info.error, r[0], r[1], r[2]);
  return s == STICKSLIP_CONVERGED && r[0] > 0.999 && r[0] < 1.001 && r[1] < -0.499 ? 0 : 1;
}
