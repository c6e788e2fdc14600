/* What the tests in C share. CHECK counts and goes on; NDEBUG does not switch it off. */
#ifndef STICKSLIP_TESTS_C_CHECK_H
#define STICKSLIP_TESTS_C_CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stickslip/stickslip.h"

extern int failures, checks;

#define CHECK(condition)                                                                               \
  (++checks, (condition) ? (void)0                                                                     \
                         : (void)(++failures, fprintf(stderr, "%s:%d: %s (message: '%s')\n", __FILE__, \
                                                      __LINE__, #condition, stickslip_message())))
#define CHECK_NEAR(a, b, tolerance) CHECK(fabs((a) - (b)) <= (tolerance))
#define CHECK_MESSAGE(part) CHECK(strstr(stickslip_message(), part) != NULL)

void test_problems(void);
void test_bad_input(void);
void test_solving(void);
void test_judging(void);
void test_threads(void);
void test_files(void);

#endif
