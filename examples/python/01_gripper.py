"""How hard must a gripper squeeze?                                           python3 01_gripper.py [--short] [-o FOLDER]

Two fingertips hold a box of mass m; a mechanism moves them symmetrically and presses each with the force F. The gripper accelerates in any
direction θ of its plane: θ = 0 along the line between the fingers, 90° upwards. The grasp closes where contact forces inside the friction cones
balance the load: then the box does not move against the fingers after a step from rest.

The smallest F has a closed form. Without a moment both fingers carry half of m a sin θ, and the one that the box is pushed away from presses with
F − m a |cos θ|/2 only; its friction is enough while

    F ≥ m a/2 · (|sin θ|/μ + |cos θ|).
"""

# %% The problem: bodies, contacts, constraint. A step of h seconds from rest.
import argparse
from pathlib import Path

import numpy as np
import stickslip as ss

mass, mu, acceleration, step = 0.5, 0.4, 9.81, 1e-2  # kg, –, m/s², s
half = np.array([0.03, 0.02, 0.05])  # half sizes of the box, m
finger_mass = 0.1  # kg

# Degrees of freedom: the box (v, ω), then the way of each finger along x.
inertia = mass / 3 * (half @ half - half**2)
M = np.diag([mass] * 3 + [*inertia] + [finger_mass] * 2)


def contact_columns(point, normal, finger):
    """The columns of H of one contact: normal and two tangents, from the finger to the box."""
    tangents = np.array([[0, 1, 0], [0, 0, 1]])
    columns = []
    for axis in (normal, *tangents):
        column = np.zeros(8)
        column[:3], column[3:6] = axis, np.cross(point, axis)
        column[6 + finger] = -axis[0]  # it moves along x only
        columns.append(column)
    return np.array(columns).T


sides = (-1.0, 1.0)
H = np.hstack([contact_columns(np.array([side * half[0], 0, 0]), np.array([-side, 0, 0]), k) for k, side in enumerate(sides)])

# The mechanism: the fingers move against each other, x₁ + x₂ = 0.
G = np.zeros((8, 1))
G[6:, 0] = 1.0

problem = ss.Problem(M=M, H=H, f=np.zeros(8), w=np.zeros(H.shape[1]), mu=[mu, mu], G=G, b=[0.0], title="a parallel gripper")
solver = ss.Solver("auto")


# %% Does it hold?
def box_velocity(force, angle):
    """Of the box after the step, as a share of what it would have without the fingers."""
    load = mass * acceleration * np.array([np.cos(angle), 0, np.sin(angle)])
    problem.f[:3] = step * load
    problem.f[6:] = step * force * np.array([1.0, -1.0])
    result = solver.solve(problem, tolerance=1e-10)
    return np.linalg.norm(result.v[:3]) / (step * acceleration)


def least_force(angle, digits=1e-5):
    """By bisection: the grasp holds above."""
    low, high = 0.0, 2 * mass * acceleration / mu
    while high - low > digits * high:
        middle = (low + high) / 2
        low, high = (low, middle) if box_velocity(middle, angle) < 1e-6 else (middle, high)
    return high


def closed_form(angle):
    return mass * acceleration / 2 * (np.abs(np.sin(angle)) / mu + np.abs(np.cos(angle)))


# %% All directions.
def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--short", action="store_true", help="few directions")
    arguments.add_argument("-o", "--output", type=Path, default=Path("."), help="folder of the picture")
    given = arguments.parse_args()

    angles = np.linspace(0, 2 * np.pi, 12 if given.short else 72, endpoint=False)
    forces = np.array([least_force(a) for a in angles])
    worst = np.abs(forces / closed_form(angles) - 1).max()
    print(f"{len(angles)} directions: F from {forces.min():.3f} N to {forces.max():.3f} N; upwards {least_force(np.pi / 2):.3f} N")
    print(f"largest difference from the closed form: {worst:.1e}")
    assert worst < 1e-4, "the bisection is good to 1e-5, and the test of rest to 1e-6"

    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return
    figure, axes = plt.subplots(subplot_kw={"projection": "polar"}, figsize=(5, 5))
    fine = np.linspace(0, 2 * np.pi, 721)
    axes.plot(fine, closed_form(fine), color="0.7", linewidth=4, label="closed form")
    axes.plot(angles, forces, ".", color="tab:blue", label="bisection with stickslip")
    axes.set_title("Least grip force (N) by the direction of the load")
    axes.set_rlabel_position(22)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, -0.18), ncol=2)
    figure.savefig(given.output / "gripper.png", dpi=120, bbox_inches="tight")


if __name__ == "__main__":
    main()
