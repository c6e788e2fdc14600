/* The same two contacts in every way a problem can be made: all must give the same bits. */
#include "check.h"

/* Two contacts in the plane, coupled, W unsymmetric inside its blocks so that rows and columns cannot be mixed up unnoticed. */
static const int32_t row_start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
static const double by_rows[] = {2, 0.25, 0.125, 1, 0.5, 0, 0.25, 0.5, 0.5, 0.25, 0, 0.5, 3, 0.5, 0.25, 2};
static const double by_columns[] = {2, 0.125, 0.25, 1, 0.5, 0.25, 0, 0.5, 0.5, 0, 0.25, 0.5, 3, 0.25, 0.5, 2};
static const double dense[] = {2,   0.25, 0.5, 0,   /**/ 0.125, 1,   0.25, 0.5,
                               0.5, 0.25, 3,   0.5, /**/ 0,     0.5, 0.25, 2};
static const double q[] = {-1, 0.8, -2, 0.25}, mu[] = {0.5, 0.75};

static void solve_into(stickslip_problem* p, double* r) {
  stickslip_options o = stickslip_default_options();
  o.tolerance = 1e-12;
  CHECK(p != NULL);
  CHECK(stickslip_solve(p, "auto", &o, r, NULL, NULL) == STICKSLIP_CONVERGED);
  stickslip_problem_free(p);
}

static void every_way_gives_the_same(void) {
  const int32_t scalar_start[] = {0, 4, 8, 12, 16};
  const int32_t scalar_column[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
  const stickslip_matrix W = {4, 4, scalar_start, scalar_column, dense};
  double r[4][4];
  solve_into(stickslip_problem_reduced(2, 2, row_start, column, by_rows, q, mu), r[0]);
  solve_into(stickslip_problem_reduced_by_columns(2, 2, row_start, column, by_columns, q, mu), r[1]);
  solve_into(stickslip_problem_reduced_sparse(2, 2, &W, q, mu), r[2]);
  solve_into(stickslip_problem_reduced_dense(2, 2, dense, q, mu), r[3]);
  for (int way = 1; way < 4; ++way) CHECK(memcmp(r[0], r[way], sizeof r[0]) == 0);
}

static void a_problem_knows_itself(void) {
  stickslip_problem* p = stickslip_problem_reduced(2, 2, row_start, column, by_rows, q, mu);
  CHECK(stickslip_problem_dimension(p) == 2);
  CHECK(stickslip_problem_contacts(p) == 2);
  CHECK(stickslip_problem_is_global(p) == 0);
  CHECK(stickslip_problem_degrees_of_freedom(p) == -1);
  stickslip_problem_free(p);
  p = stickslip_problem_generate("incline", 0, 1);
  CHECK(stickslip_problem_dimension(p) == 3);
  CHECK(stickslip_problem_contacts(p) == 4);
  CHECK(stickslip_problem_is_global(p) == 1);
  CHECK(stickslip_problem_degrees_of_freedom(p) == 6);
  stickslip_problem_free(p);
}

/* A block of mass 2 on the ground, one contact in the plane, M = 2 I, H = I: v = u = W r + f / 2. */
static void the_global_form(void) {
  const int32_t start[] = {0, 1, 2}, unit[] = {0, 1};
  const double twos[] = {2, 2}, ones[] = {1, 1}, f[] = {-2, 3}, w[] = {0, 0}, friction[] = {0.5};
  const stickslip_matrix M = {2, 2, start, unit, twos}, H = {2, 2, start, unit, ones};
  stickslip_options o = stickslip_default_options();
  double r[2], u[2];
  int64_t count = 0;
  o.tolerance = 1e-13;
  stickslip_solver* solver = stickslip_solver_new("auto");
  stickslip_problem* p = stickslip_problem_global(2, 1, &M, &H, f, NULL, friction);
  CHECK(p != NULL);
  CHECK(stickslip_solver_solve(solver, p, &o, r, u, NULL) == STICKSLIP_CONVERGED);
  /* It slips: r = (2, -1), u = (0, 1). The tolerance is relative to |q| = 1.8. */
  CHECK_NEAR(r[0], 2, 1e-12);
  CHECK_NEAR(r[1], -1, 1e-12);
  CHECK_NEAR(u[1], 1, 1e-12);
  const double* v = stickslip_solver_v(solver, &count);
  CHECK(count == 2 && v != NULL);
  CHECK_NEAR(v[1], 1, 1e-12);
  const uint8_t* contacts = stickslip_solver_contacts(solver, &count);
  CHECK(count == 1 && contacts[0] == 2);
  CHECK(stickslip_solver_certificate(solver, &count) == NULL && count == 0);
  CHECK(strncmp(stickslip_solver_report(solver), "converged", 9) == 0);

  /* A sixth of the push along the ground, and it sticks: r_T = -0.5 holds it. */
  const double weaker[] = {-2, 0.5};
  CHECK(stickslip_problem_set_f(p, weaker) == STICKSLIP_OK);
  CHECK(stickslip_solver_solve(solver, p, &o, r, u, NULL) == STICKSLIP_CONVERGED);
  CHECK_NEAR(r[1], -0.5, 1e-12);
  contacts = stickslip_solver_contacts(solver, NULL);
  CHECK(contacts[0] == 1);
  /* Ground that moves along with u_T: w shifts the velocity, and a lighter block takes half the impulse. */
  const double moving[] = {0, 1}, lighter[] = {1, 1}, twice[] = {2, 2}, slippery[] = {0};
  CHECK(stickslip_problem_set_w(p, moving) == STICKSLIP_OK);
  CHECK(stickslip_problem_set_M_values(p, lighter) == STICKSLIP_OK);
  CHECK(stickslip_problem_set_mu(p, slippery) == STICKSLIP_OK);
  CHECK(stickslip_solver_solve(solver, p, &o, r, u, NULL) == STICKSLIP_CONVERGED);
  CHECK_NEAR(r[0], 2, 1e-12);
  CHECK_NEAR(u[1], 1.5, 1e-12);
  CHECK(stickslip_problem_set_H_values(p, twice) == STICKSLIP_OK);
  CHECK(stickslip_solver_solve(solver, p, &o, r, u, NULL) == STICKSLIP_CONVERGED);
  CHECK_NEAR(r[0], 1, 1e-12);
  stickslip_problem_free(p);

  /* The same block held along the ground by a bilateral constraint: the contact carries its weight alone. */
  const int32_t held_start[] = {0, 0, 1}, held_column[] = {0};
  const double one[] = {1}, zero[] = {0};
  const stickslip_matrix G = {2, 1, held_start, held_column, one};
  p = stickslip_problem_global_with_constraints(2, 1, &M, &H, f, w, friction, &G, zero);
  CHECK(stickslip_solver_solve(solver, p, &o, r, u, NULL) == STICKSLIP_CONVERGED);
  CHECK_NEAR(r[0], 2, 1e-12);
  CHECK_NEAR(r[1], 0, 1e-12);
  const double* lambda = stickslip_solver_lambda(solver, &count);
  CHECK(count == 1);
  CHECK_NEAR(lambda[0], -3, 1e-12);
  CHECK(stickslip_problem_set_b(p, one) == STICKSLIP_OK);
  CHECK(stickslip_solver_solve(solver, p, &o, r, u, NULL) == STICKSLIP_CONVERGED);
  CHECK_NEAR(u[1], -1, 1e-12);
  stickslip_problem_free(p);
  stickslip_solver_free(solver);
}

void test_problems(void) {
  every_way_gives_the_same();
  a_problem_knows_itself();
  the_global_form();
}
