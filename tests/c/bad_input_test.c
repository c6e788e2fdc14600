/* Whatever is handed over, the answer is a status and one line that names the object: never a crash, never an exception. */
#include "check.h"

static const int32_t row_start[] = {0, 1}, column[] = {0};
static const double block[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 0.5, 0}, mu[] = {0.5};

static void problems(void) {
  const double bad_q[] = {-1, NAN, 0}, bad_mu[] = {-0.5}, hollow[9] = {0};
  const int32_t falling[] = {0, -1}, late[] = {1, 1}, outside[] = {7}, negative[] = {-1};
  CHECK(stickslip_problem_reduced(4, 1, row_start, column, block, q, mu) == NULL);
  CHECK_MESSAGE("dimension is 4");
  CHECK(stickslip_problem_reduced(3, -1, row_start, column, block, q, mu) == NULL);
  CHECK_MESSAGE("contacts is -1");
  CHECK(stickslip_problem_reduced(3, 1, NULL, column, block, q, mu) == NULL);
  CHECK_MESSAGE("row_start is NULL");
  CHECK(stickslip_problem_reduced(3, 1, row_start, NULL, block, q, mu) == NULL);
  CHECK_MESSAGE("column is NULL");
  CHECK(stickslip_problem_reduced(3, 1, row_start, column, NULL, q, mu) == NULL);
  CHECK_MESSAGE("blocks is NULL");
  CHECK(stickslip_problem_reduced(3, 1, row_start, column, block, NULL, mu) == NULL);
  CHECK_MESSAGE("q is NULL");
  CHECK(stickslip_problem_reduced(3, 1, row_start, column, block, q, NULL) == NULL);
  CHECK_MESSAGE("mu is NULL");
  CHECK(stickslip_problem_reduced(3, 1, falling, column, block, q, mu) == NULL);
  CHECK(stickslip_problem_reduced(3, 1, late, column, block, q, mu) == NULL);
  CHECK(stickslip_problem_reduced(3, 1, row_start, outside, block, q, mu) == NULL);
  CHECK(stickslip_problem_reduced(3, 1, row_start, negative, block, q, mu) == NULL);
  CHECK(stickslip_problem_reduced(3, 1, row_start, column, hollow, q, mu) == NULL);
  CHECK(stickslip_problem_reduced(3, 1, row_start, column, block, bad_q, mu) == NULL);
  CHECK_MESSAGE("q");
  CHECK(stickslip_problem_reduced(3, 1, row_start, column, block, q, bad_mu) == NULL);
  CHECK_MESSAGE("-0.5");

  CHECK(stickslip_problem_reduced_sparse(3, 1, NULL, q, mu) == NULL);
  CHECK_MESSAGE("W is NULL");
  const int32_t starts[] = {0, 1, 2, 3}, diagonal[] = {0, 1, 2};
  const double ones[] = {1, 1, 1};
  const stickslip_matrix unit = {3, 3, starts, diagonal, ones}, wide = {3, 2, starts, diagonal, ones},
                         short_of_values = {3, 3, starts, diagonal, NULL};
  CHECK(stickslip_problem_reduced_sparse(3, 2, &unit, q, mu) == NULL);
  CHECK_MESSAGE("3 rows; 2 contacts need 6");
  CHECK(stickslip_problem_reduced_sparse(3, 1, &wide, q, mu) == NULL);
  CHECK(stickslip_problem_reduced_sparse(3, 1, &short_of_values, q, mu) == NULL);
  CHECK_MESSAGE("value is NULL");
  CHECK(stickslip_problem_reduced_dense(3, 1, NULL, q, mu) == NULL);
  CHECK(stickslip_problem_global(3, 1, &unit, NULL, q, NULL, mu) == NULL);
  CHECK_MESSAGE("H is NULL");
  CHECK(stickslip_problem_global(3, 1, &unit, &wide, q, NULL, mu) == NULL);
  CHECK(stickslip_problem_global(3, 1, &unit, &unit, NULL, NULL, mu) == NULL);
  CHECK_MESSAGE("f is NULL");
  CHECK(stickslip_problem_global_with_constraints(3, 1, &unit, &unit, q, q, mu, NULL, NULL) == NULL);
  CHECK_MESSAGE("G is NULL");
  CHECK(stickslip_problem_generate("wal", 50, 1) == NULL);
  CHECK_MESSAGE("wall"); /* the nearest name */
  CHECK(stickslip_problem_generate(NULL, 50, 1) == NULL);
}

static void setters(void) {
  stickslip_problem* p = stickslip_problem_reduced(3, 1, row_start, column, block, q, mu);
  const double bad[] = {INFINITY, 0, 0};
  double before[3], after[3];
  CHECK(stickslip_solve(p, NULL, NULL, before, NULL, NULL) == STICKSLIP_CONVERGED);
  CHECK(stickslip_problem_set_q(p, bad) == STICKSLIP_INPUT_ERROR);
  CHECK(stickslip_problem_set_q(p, NULL) == STICKSLIP_INPUT_ERROR);
  CHECK(stickslip_problem_set_mu(p, bad) == STICKSLIP_INPUT_ERROR);
  CHECK(stickslip_problem_set_f(p, q) == STICKSLIP_INPUT_ERROR);
  CHECK_MESSAGE("f belongs to the global form");
  CHECK(stickslip_problem_set_q(NULL, q) == STICKSLIP_INPUT_ERROR);
  /* The problem is as it was. */
  CHECK(stickslip_solve(p, NULL, NULL, after, NULL, NULL) == STICKSLIP_CONVERGED);
  CHECK(memcmp(before, after, sizeof before) == 0);
  stickslip_problem_free(p);
  p = stickslip_problem_generate("incline", 0, 1);
  CHECK(stickslip_problem_set_q(p, q) == STICKSLIP_INPUT_ERROR);
  CHECK_MESSAGE("q belongs to the reduced form");
  stickslip_problem_free(p);
}

static void solves(void) {
  stickslip_problem* p = stickslip_problem_reduced(3, 1, row_start, column, block, q, mu);
  stickslip_options o = stickslip_default_options();
  stickslip_info info;
  double r[3] = {7, 7, 7};
  CHECK(stickslip_solve(NULL, "auto", &o, r, NULL, &info) == STICKSLIP_INPUT_ERROR);
  CHECK(info.status == STICKSLIP_INPUT_ERROR && isnan(info.error) && r[0] == 7);
  CHECK(strcmp(info.message, stickslip_message()) == 0);
  CHECK(stickslip_solve(p, "NSGS-XY", &o, r, NULL, &info) == STICKSLIP_INPUT_ERROR);
  CHECK_MESSAGE("NSGS");
  CHECK(strcmp(info.message, stickslip_message()) == 0);
  CHECK(stickslip_solver_new("gs(relaxation=3)") == NULL);
  CHECK(stickslip_solver_solve(NULL, p, &o, r, NULL, &info) == STICKSLIP_INPUT_ERROR);
  o.tolerance = -1;
  CHECK(stickslip_solve(p, "auto", &o, r, NULL, &info) == STICKSLIP_INPUT_ERROR);
  CHECK_MESSAGE("tolerance");
  o = stickslip_default_options();
  o.threads = 0;
  CHECK(stickslip_solve(p, "auto", &o, r, NULL, &info) == STICKSLIP_INPUT_ERROR);
  memset(&o, 0, sizeof o);
  CHECK(stickslip_solve(p, "auto", &o, r, NULL, &info) == STICKSLIP_INPUT_ERROR);
  CHECK_MESSAGE("stickslip_default_options()");
  /* A success clears the message. */
  CHECK(stickslip_solve(p, "auto", NULL, r, NULL, &info) == STICKSLIP_CONVERGED);
  CHECK(strcmp(stickslip_message(), "") == 0);
  stickslip_problem_free(p);
}

static void nothing_at_all(void) {
  stickslip_problem_free(NULL);
  stickslip_solver_free(NULL);
  stickslip_solver_cancel(NULL);
  CHECK(stickslip_problem_contacts(NULL) == 0);
  CHECK(stickslip_solver_v(NULL, NULL) == NULL);
  CHECK(strcmp(stickslip_solver_report(NULL), "") == 0);
  /* No contacts: solved. */
  const int32_t none[] = {0};
  stickslip_problem* p = stickslip_problem_reduced(3, 0, none, NULL, NULL, NULL, NULL);
  CHECK(p != NULL);
  CHECK(stickslip_solve(p, "auto", NULL, NULL, NULL, NULL) == STICKSLIP_CONVERGED);
  stickslip_problem_free(p);
}

void test_bad_input(void) {
  problems();
  setters();
  solves();
  nothing_at_all();
}
