/* Solving: figures, limits, guesses, the callback, cancelling, proofs; and the names of statuses. */
#include "check.h"

static void figures(void) {
  stickslip_problem* p = stickslip_problem_generate("random", 60, 2);
  const int32_t n = 3 * stickslip_problem_contacts(p);
  double r[300], u[300];
  stickslip_info info;
  CHECK(n <= 300);
  CHECK(stickslip_solve(p, "auto", NULL, r, u, &info) == STICKSLIP_CONVERGED);
  CHECK(info.status == STICKSLIP_CONVERGED && info.error <= 1e-8 && info.worst_contact == -1);
  CHECK(info.open + info.stick + info.slip == n / 3);
  CHECK(info.seconds >= info.setup_seconds + info.factorisation_seconds + info.iteration_seconds);
  CHECK(info.message[0] == '\0' && info.stage[0] != '\0');

  /* From its own solution there is nothing to do. */
  stickslip_options o = stickslip_default_options();
  o.guess = r;
  CHECK(stickslip_solve(p, "gs", &o, NULL, NULL, &info) == STICKSLIP_CONVERGED);
  CHECK(info.iterations == 0);
  stickslip_problem_free(p);
}

static int count_and_stop(const stickslip_progress* progress, void* user) {
  int* calls = user;
  CHECK(progress->error >= 0 && progress->seconds >= 0);
  return ++*calls == 3;
}

static void limits(void) {
  stickslip_problem* p = stickslip_problem_generate("wall", 500, 1);
  stickslip_options o = stickslip_default_options();
  stickslip_info info;
  int calls = 0;
  o.max_iterations = 5;
  CHECK(stickslip_solve(p, "gs", &o, NULL, NULL, &info) == STICKSLIP_ITERATION_LIMIT);
  CHECK(info.iterations == 5 && info.error > 1e-8 && info.worst_contact >= 0);
  o = stickslip_default_options();
  o.time_limit = 1e-4;
  o.tolerance = 1e-14;
  CHECK(stickslip_solve(p, "gs", &o, NULL, NULL, &info) == STICKSLIP_TIME_LIMIT);
  o = stickslip_default_options();
  o.callback = count_and_stop;
  o.user = &calls;
  CHECK(stickslip_solve(p, "gs", &o, NULL, NULL, &info) == STICKSLIP_CANCELLED);
  CHECK(calls == 3);
  /* Cancelling a solve that has not begun ends it at once, and only that one. */
  stickslip_solver* solver = stickslip_solver_new("gs");
  stickslip_solver_cancel(solver);
  o = stickslip_default_options();
  o.max_iterations = 5;
  CHECK(stickslip_solver_solve(solver, p, &o, NULL, NULL, &info) == STICKSLIP_CANCELLED);
  CHECK(stickslip_solver_solve(solver, p, &o, NULL, NULL, &info) == STICKSLIP_ITERATION_LIMIT);
  stickslip_solver_free(solver);
  stickslip_problem_free(p);
}

static void a_proof(void) {
  stickslip_problem* p = stickslip_problem_generate("infeasible", 30, 4);
  stickslip_solver* solver = stickslip_solver_new(NULL);
  int64_t count = 0;
  CHECK(stickslip_solver_solve(solver, p, NULL, NULL, NULL, NULL) == STICKSLIP_INFEASIBLE);
  const double* d = stickslip_solver_certificate(solver, &count);
  CHECK(d != NULL && count == 3 * stickslip_problem_contacts(p));
  CHECK(stickslip_message()[0] != '\0');
  for (int64_t i = 0; i < count; i += 3) CHECK(d[i] >= 0 && d[i + 1] == 0 && d[i + 2] == 0);
  stickslip_solver_free(solver);
  stickslip_problem_free(p);
}

static void names(void) {
  CHECK(strcmp(stickslip_status_name(STICKSLIP_CONVERGED), "converged") == 0);
  CHECK(strcmp(stickslip_status_name(STICKSLIP_CANCELLED), "cancelled") == 0);
  CHECK(strcmp(stickslip_status_name(STICKSLIP_INPUT_ERROR), "input_error") == 0);
  CHECK(strcmp(stickslip_status_name((stickslip_status)99), "unknown") == 0);
  CHECK(strcmp(stickslip_version(), STICKSLIP_EXPECTED_VERSION) == 0);
}

void test_solving(void) {
  figures();
  limits();
  a_proof();
  names();
}
