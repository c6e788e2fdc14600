/* Eight threads share one problem, and each has its own message. */
#include <pthread.h>

#include "check.h"

enum { threads = 8, numbers = 300 };

typedef struct Task {
  const stickslip_problem* problem;
  double r[numbers];
  int number, good;
} Task;

static void* work(void* given) {
  Task* task = given;
  char name[32];
  snprintf(name, sizeof name, "NSGS-%d", task->number);
  task->good = stickslip_solve(task->problem, "gs", NULL, task->r, NULL, NULL) == STICKSLIP_CONVERGED;
  task->good = task->good && stickslip_solver_new(name) == NULL && strstr(stickslip_message(), name) != NULL;
  return NULL;
}

void test_threads(void) {
  static Task tasks[threads];
  pthread_t running[threads];
  stickslip_problem* p = stickslip_problem_generate("random", 40, 3);
  CHECK(3 * stickslip_problem_contacts(p) <= numbers);
  for (int i = 0; i < threads; ++i) {
    tasks[i].problem = p;
    tasks[i].number = i;
    CHECK(pthread_create(&running[i], NULL, work, &tasks[i]) == 0);
  }
  for (int i = 0; i < threads; ++i) pthread_join(running[i], NULL);
  for (int i = 0; i < threads; ++i) {
    CHECK(tasks[i].good);
    CHECK(memcmp(tasks[i].r, tasks[0].r, sizeof tasks[0].r) == 0);
  }
  stickslip_problem_free(p);
}
