/* A step of MuJoCo as arrays, one name and its numbers a line: a box of 1 kg that slides on a plane, elliptic cones, four contacts.
 *
 *   gcc mujoco_step.c -o mujoco_step -lmujoco && ./mujoco_step > mujoco_box.txt
 *
 * make_arrays.py packs what it prints. The fields are those that stickslip.engines.from_mujoco asks for. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

static const char* scene =
    "<mujoco><option cone='elliptic' timestep='0.002' solver='Newton' tolerance='1e-12' jacobian='dense'/>"
    "<worldbody><geom type='plane' size='5 5 1' condim='3' friction='0.4 0.005 0.0001'/>"
    "<body pos='0 0 0.05'><freejoint/>"
    "<geom type='box' size='0.1 0.1 0.05' mass='1' condim='3' friction='0.4 0.005 "
    "0.0001'/></body></worldbody></mujoco>";

static void print(const char* name, const mjtNum* x, int count) {
  printf("%s", name);
  for (int k = 0; k < count; ++k) printf(" %.17g", x[k]);
  printf("\n");
}

int main(void) {
  char path[] = "/tmp/mujoco_step.xml", error[1000] = "";
  FILE* file = fopen(path, "w");
  if (file == NULL || fputs(scene, file) < 0 || fclose(file) != 0) return 1;
  mjModel* model = mj_loadXML(path, NULL, error, sizeof error);
  remove(path);
  if (model == NULL) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData* data = mj_makeData(model);
  /* It settles, is pushed, and slides for a while. */
  while (data->time < 1) mj_step(model, data);
  data->qvel[0] = 3;
  data->qvel[1] = 1;
  for (int k = 0; k < 10 || (k < 1000 && (data->ncon != 4 || fabs(data->qvel[2]) > 3e-3)); ++k) {
    mj_step(model, data);
    mj_forward(model, data);
  }
  if (data->ncon != 4 || data->nefc != 12) {
    fprintf(stderr, "%d contacts, %d rows\n", data->ncon, data->nefc);
    return 1;
  }
  mjtNum M[36], friction[20], dist[4], before[6];
  mj_fullM(model, M, data->qM);
  for (int c = 0; c < 4; ++c) {
    for (int k = 0; k < 5; ++k) friction[5 * c + k] = data->contact[c].friction[k];
    dist[c] = data->contact[c].dist;
  }
  for (int k = 0; k < 6; ++k) before[k] = data->qvel[k];
  print("M", M, 36);
  print("efc_J", data->efc_J, data->nefc * model->nv);
  print("qvel", before, 6);
  print("qfrc_smooth", data->qfrc_smooth, 6);
  print("friction", friction, 20);
  print("dist", dist, 4);
  print("efc_force", data->efc_force, data->nefc);
  print("timestep", &model->opt.timestep, 1);
  mj_step(model, data);
  print("qvel_after", data->qvel, 6);
  return 0;
}
