/* Judging: the error of any r, existence, the reduced form, the limit of memory. */
#include "check.h"

static void the_error_of_an_r(void) {
  stickslip_problem* p = stickslip_problem_generate("stack", 20, 1);
  stickslip_problem* reduced = stickslip_problem_reduce(p);
  const int32_t n = 3 * stickslip_problem_contacts(p);
  double r[300], u[300], other[300];
  stickslip_info info, again;
  CHECK(n <= 300 && stickslip_problem_is_global(p) == 1 && stickslip_problem_is_global(reduced) == 0);
  CHECK(stickslip_problem_degrees_of_freedom(reduced) == stickslip_problem_degrees_of_freedom(p));
  CHECK(stickslip_solve(p, NULL, NULL, r, u, NULL) == STICKSLIP_CONVERGED);
  CHECK(stickslip_measure(p, r, other, &info) == STICKSLIP_OK);
  CHECK(info.error <= 1e-8 && info.worst_contact == -1);
  for (int32_t k = 0; k < n; ++k) CHECK_NEAR(u[k], other[k], 1e-9);
  CHECK(stickslip_measure(reduced, r, NULL, &again) == STICKSLIP_OK);
  CHECK_NEAR(info.error, again.error, 1e-14); /* the same W, the same sums */
  for (int32_t k = 0; k < n; ++k) other[k] = 0;
  CHECK(stickslip_measure(reduced, other, NULL, &again) == STICKSLIP_OK);
  CHECK(again.error > 1e-3 && again.velocity_violation > 0);
  CHECK(stickslip_measure(reduced, NULL, NULL, NULL) == STICKSLIP_INPUT_ERROR);
  CHECK_MESSAGE("r is NULL");
  CHECK(stickslip_measure(NULL, r, NULL, NULL) == STICKSLIP_INPUT_ERROR);
  CHECK(stickslip_problem_reduce(NULL) == NULL);
  stickslip_problem_free(reduced);
  stickslip_problem_free(p);
}

static void whether_a_solution_exists(void) {
  int32_t answer = 7;
  double margin = -1, proof[300];
  stickslip_problem* p = stickslip_problem_generate("arch", 0, 1);
  CHECK(stickslip_existence(p, &answer, &margin, NULL) == STICKSLIP_OK);
  CHECK(answer == 1 && margin > 0);
  CHECK_MESSAGE("Slater");
  stickslip_problem_free(p);
  p = stickslip_problem_generate("infeasible", 30, 4);
  const int32_t n = 3 * stickslip_problem_contacts(p);
  CHECK(n <= 300);
  CHECK(stickslip_existence(p, &answer, NULL, proof) == STICKSLIP_OK && answer == 0);
  double length = 0;
  for (int32_t k = 0; k < n; ++k) {
    CHECK(k % 3 == 0 ? proof[k] >= 0 : proof[k] == 0);
    length += proof[k] * proof[k];
  }
  CHECK_NEAR(length, 1, 1e-9);
  CHECK(stickslip_existence(NULL, &answer, NULL, NULL) == STICKSLIP_INPUT_ERROR);
  stickslip_problem_free(p);
}

static void a_limit_of_memory(void) {
  stickslip_problem* p = stickslip_problem_generate("random", 20, 1);
  stickslip_options o = stickslip_default_options();
  o.memory_limit = 4e9;
  CHECK(stickslip_solve(p, NULL, &o, NULL, NULL, NULL) == STICKSLIP_CONVERGED);
  o.memory_limit = 0;
  CHECK(stickslip_solve(p, NULL, &o, NULL, NULL, NULL) == STICKSLIP_INPUT_ERROR);
  CHECK_MESSAGE("memory");
  stickslip_problem_free(p);
}

void test_judging(void) {
  the_error_of_an_r();
  whether_a_solution_exists();
  a_limit_of_memory();
}
