#!/usr/bin/python3
"""The scene `spheres` (balls settling in a box) in Siconos' mechanics, to be held against ours.

  stickslip simulate spheres -D n=945 --steps 1 -o start.h5
  OMP_NUM_THREADS=1 bench/engines/settling_siconos.py start.h5 [--steps 160] [--tolerance 1e-4]

Positions and masses are those of the first record. Moreau and Jean's scheme, Bullet for the geometry, Gauss–Seidel (NSGS) with the
natural-map error ‖r − P(r − û)‖/‖q‖ ≤ tolerance at every step, as ours. Seconds are those of the processor, from the first step on, the
output left out. Needs python3-siconos and python3-h5py of Debian; nothing of the product uses it.
"""
import argparse
import math
import os
import tempfile
import time

import h5py
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.io.mechanics_run import MechanicsHdf5Runner
from siconos.mechanics.collision.bullet import SiconosBulletOptions
from siconos.mechanics.collision.tools import Contactor

parser = argparse.ArgumentParser()
parser.add_argument("record")
parser.add_argument("--steps", type=int, default=160)
parser.add_argument("--step", type=float, default=2e-3)
parser.add_argument("--tolerance", type=float, default=1e-4)
parser.add_argument("--friction", type=float, default=0.8)
parser.add_argument("--density", type=float, default=2500.0)
parser.add_argument("--every", type=int, default=20)
given = parser.parse_args()

with h5py.File(given.record) as record:
    position = record["stickslip/position"][0]
    mass = record["stickslip/body/mass"][:]
radius = [(3 * m / (4 * math.pi * given.density)) ** (1 / 3) for m in mass]
half = 0.06 * math.ceil((len(mass) / 1.3) ** (1 / 3) - 1e-12)  # of the box, as the scene has it
height = float(position[:, 2].max()) + 1

os.chdir(tempfile.mkdtemp())
with MechanicsHdf5Runner() as scene:
    for k, r in enumerate(radius):
        scene.add_primitive_shape(f"ball{k}", "Sphere", (r,))
        scene.add_object(f"b{k}", [Contactor(f"ball{k}")], translation=list(position[k]), mass=float(mass[k]))
    thick = 0.2
    scene.add_primitive_shape("floor", "Box", (4 * half, 4 * half, thick))
    scene.add_primitive_shape("across", "Box", (thick, 4 * half, 2 * height))
    scene.add_primitive_shape("along", "Box", (4 * half, thick, 2 * height))
    scene.add_object("floor", [Contactor("floor")], translation=[0, 0, -thick / 2])
    for sign in (-1, 1):
        scene.add_object(f"x{sign}", [Contactor("across")], translation=[sign * (half + thick / 2), 0, 0])
        scene.add_object(f"y{sign}", [Contactor("along")], translation=[0, sign * (half + thick / 2), 0])
    scene.add_Newton_impact_friction_nsl("law", mu=given.friction, e=0.0)

options = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 100000
options.dparam[numerics.SICONOS_DPARAM_TOL] = given.tolerance
options.iparam[numerics.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = \
    numerics.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT_WITH_FULL_FINAL

steps, contacts, iterations, worst, started = 0, 0, 0, 0.0, 0.0


class Start:
    def __call__(self, runner):
        global started
        if steps == 0:
            started = time.process_time()


class End:
    """Counts what a step took."""

    def __call__(self, runner):
        global steps, contacts, iterations, worst
        steps += 1
        count = runner._simulation.oneStepNSProblem(0).getSizeOutput() // 3
        contacts += count
        if count > 0:
            iterations += options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]
            worst = max(worst, options.dparam[numerics.SICONOS_DPARAM_RESIDU])
        if steps % given.every == 0:
            print(f"{steps:6d} {count:7d} contacts {options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]:7d} sweeps "
                  f"{options.dparam[numerics.SICONOS_DPARAM_RESIDU]:.1e} {time.process_time() - started:9.2f} s", flush=True)


bullet = SiconosBulletOptions()
bullet.worldScale = 1.0
bullet.contactBreakingThreshold = 0.02 * min(radius)
with MechanicsHdf5Runner(mode="r+") as runner:
    runner.run(t0=0, T=given.steps * given.step, h=given.step, theta=0.50001, Newton_max_iter=1, bullet_options=bullet,
               solver_options=options, output_frequency=10**9, verbose=False,
               verbose_progress=False,
               start_run_iteration_hook=Start(), end_run_iteration_hook=End())
seconds = time.process_time() - started
print(f"{steps} steps, {seconds:.2f} s of the processor; {contacts / steps:.1f} contacts and {iterations / steps:.1f} sweeps a step, "
      f"largest error {worst:.1e}; {1e6 * seconds / max(contacts, 1):.2f} µs a contact and step")
