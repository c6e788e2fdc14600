/* The C interface, tested from C. */
#include "check.h"

int failures = 0, checks = 0;

int main(void) {
  test_problems();
  test_bad_input();
  test_solving();
  test_judging();
  test_threads();
#ifdef STICKSLIP_HAVE_FILES
  test_files();
#endif
  printf("%d checks, %d failures\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
