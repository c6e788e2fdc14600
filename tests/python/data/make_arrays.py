"""Makes the stored arrays of engines' steps. MuJoCo's come from a step of the engine itself; those in Drake's documented layout follow from
mechanics, the engine was not run.

    python3 tests/python/data/make_arrays.py
"""

import subprocess
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def skew(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def mujoco_box():
    """A real step: mujoco_step.c is compiled and run (Debian: libmujoco-dev; stored are those of MuJoCo 2.2.2)."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "mujoco_step"
        subprocess.run(["gcc", HERE / "mujoco_step.c", "-o", program, "-lmujoco"], check=True)
        printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    arrays = {line.split()[0]: np.array(line.split()[1:], dtype=float) for line in printed.splitlines()}
    shapes = {"M": (6, 6), "efc_J": (12, 6), "friction": (4, 5), "timestep": ()}
    np.savez(HERE / "mujoco_box.npz", **{name: x.reshape(shapes.get(name, x.shape)) for name, x in arrays.items()})


def drake_sphere():
    # v is angular velocity, then linear (Drake's spatial velocity), world axes; solid sphere of 2 kg, radius 0.1.
    h, m, radius, theta, mu = 0.01, 2.0, 0.1, np.deg2rad(40), 0.2
    inertia = 0.4 * m * radius**2
    M = np.diag([inertia] * 3 + [m] * 3)
    normal, down = np.array([np.sin(theta), 0, np.cos(theta)]), np.array([np.cos(theta), 0, -np.sin(theta)])
    R_WC = np.column_stack([down, np.cross(normal, down), normal])  # Cz is the normal
    velocity = np.hstack([-skew(-radius * normal), np.eye(3)])  # of the contact point
    g = np.array([0, 0, -9.81])
    N, T = m * 9.81 * np.cos(theta) * h, mu * m * 9.81 * np.cos(theta) * h
    np.savez(HERE / "drake_sphere.npz", M=M, J=R_WC.T @ velocity, v0=np.zeros(6), tau=np.concatenate([np.zeros(3), m * g]), mu=np.array([mu]),
             time_step=h, phi=np.zeros(1), theta=theta, impulses=np.array([-T, 0, N]))  # fmt: skip


if __name__ == "__main__":
    mujoco_box()
    drake_sphere()
