"""Makes the stored arrays of engines' steps in the layouts that MuJoCo 3 and Drake document. The engines themselves were not run:
the numbers follow from mechanics, and the impulses of "MuJoCo" are those of a pyramid whose faces stand outside the cone.

    python3 tests/python/data/make_arrays.py
"""

from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def skew(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def mujoco_box():
    # A free joint: qvel is linear velocity (world), then angular velocity (body). Half sizes 0.1, 0.1, 0.05; 1 kg.
    h, m, half = 0.002, 1.0, np.array([0.1, 0.1, 0.05])
    inertia = m / 3 * np.array([half[1] ** 2 + half[2] ** 2, half[0] ** 2 + half[2] ** 2, half[0] ** 2 + half[1] ** 2])
    M = np.diag([m, m, m, *inertia])
    rows = []
    for sx, sy in [(1, 1), (1, -1), (-1, 1), (-1, -1)]:
        arm = np.array([sx * half[0], sy * half[1], -half[2]])
        velocity = np.hstack([np.eye(3), -skew(arm)])  # of the corner
        frame = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])  # contact frame: normal, tangent, tangent
        rows.append(frame @ velocity)
    mu = 0.4
    friction = np.tile([mu, mu, 0.005, 1e-4, 1e-4], (4, 1))
    # A corner of the pyramid: |t1| + |t2| ≤ μ n becomes |t1| ≤ μ n, |t2| ≤ μ n in a soft solver.
    force = np.tile([m * 9.81 / 4, -mu * m * 9.81 / 4, 0.3 * mu * m * 9.81 / 4], (4, 1))
    np.savez(HERE / "mujoco_box.npz", M=M, efc_J=np.vstack(rows), qvel=np.array([0.5, 0, 0, 0, 0, 0]), qfrc_smooth=np.array([0, 0, -m * 9.81, 0, 0, 0]),
             friction=friction, timestep=h, dist=np.zeros(4), efc_force=force.ravel())  # fmt: skip


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
