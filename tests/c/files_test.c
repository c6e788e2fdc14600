/* Files: what is written is read back; what is no file is refused. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

void test_files(void) {
  char folder[] = "/tmp/stickslip_c_XXXXXX", path[64];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/random.hdf5", folder);
  stickslip_problem* p = stickslip_problem_generate("random", 20, 1);
  double r[100], u[100], again[100];
  CHECK(3 * stickslip_problem_contacts(p) <= 100);
  CHECK(stickslip_solve(p, "auto", NULL, r, u, NULL) == STICKSLIP_CONVERGED);
  CHECK(stickslip_problem_write(p, path, r, u) == STICKSLIP_OK);
  stickslip_problem* read = stickslip_problem_read(path);
  CHECK(read != NULL);
  CHECK(stickslip_problem_contacts(read) == stickslip_problem_contacts(p));
  CHECK(stickslip_problem_is_global(read) == stickslip_problem_is_global(p));
  CHECK(stickslip_solve(read, "auto", NULL, again, NULL, NULL) == STICKSLIP_CONVERGED);
  CHECK(memcmp(r, again, sizeof(double) * 3 * (size_t)stickslip_problem_contacts(p)) == 0);
  CHECK(stickslip_problem_write(p, path, NULL, NULL) == STICKSLIP_OK);

  CHECK(stickslip_problem_write(p, "/no/such/folder/x.hdf5", NULL, NULL) == STICKSLIP_OUTPUT_ERROR);
  CHECK_MESSAGE("/no/such/folder");
  CHECK(stickslip_problem_write(NULL, path, NULL, NULL) == STICKSLIP_INPUT_ERROR);
  CHECK(stickslip_problem_write(p, NULL, NULL, NULL) == STICKSLIP_INPUT_ERROR);
  CHECK(stickslip_problem_read("/no/such/file.hdf5") == NULL);
  CHECK_MESSAGE("/no/such/file.hdf5");
  CHECK(stickslip_problem_read(NULL) == NULL);
  stickslip_problem_free(p);
  stickslip_problem_free(read);
  unlink(path);
  rmdir(folder);
}
