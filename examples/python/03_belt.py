"""Stick and slip of a block on a belt.                                       python3 03_belt.py [--short] [-o FOLDER]

A block of mass m on a belt that moves with speed V is held by a spring k to the wall. While it sticks it rides with the belt and the spring
stretches; when the spring wins it slips back. With one coefficient of friction for stick and slip the sliding block is a harmonic oscillator:
from outside its orbits end on the circle of radius V/ω around x = μ m g/k, the one that just touches the speed of the belt. With friction that
falls with the sliding speed (Stribeck) the motion becomes a cycle of sticking and slipping for ever: what makes brakes squeal and violins sound.
"""

# %% One contact problem for the whole run; f and μ change from step to step.
import argparse
from pathlib import Path

import numpy as np
import stickslip as ss

m, k, V, g, h = 1.0, 100.0, 0.2, 9.81, 1e-3  # kg, N/m, m/s, m/s², s
omega = np.sqrt(k / m)
mu_static, mu_sliding, stribeck = 0.4, 0.25, 0.1  # –, –, m/s


def friction(speed, falling):
    """μ at a sliding speed."""
    return mu_sliding + (mu_static - mu_sliding) / (1 + abs(speed) / stribeck) if falling else mu_static


def run(x, v, duration, falling):
    """Positions, velocities and whether the block sticks, step by step."""
    # Velocities (x, z); the contact's axes are normal z and tangent x; the belt moves: u = Hᵀ v + w.
    problem = ss.Problem(M=m * np.eye(2), H=[[0, 1], [1, 0]], f=[0, 0], w=[0, -V], mu=[mu_static])
    solver = ss.Solver("auto")
    states = np.empty((int(round(duration / h)), 3))
    for step in range(len(states)):
        problem.mu[0] = friction(v - V, falling)
        # The spring at the middle of the step.
        problem.f[:] = m * v - h * k * (x + h / 2 * v), -h * m * g
        result = solver.solve(problem, tolerance=1e-12)
        x += h / 2 * (v + result.v[0])
        v = result.v[0]
        states[step] = x, v, result.contact_status[0] == ss.STICK
    return states


# %% Orbits.
def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--short", action="store_true", help="a shorter run")
    arguments.add_argument("-o", "--output", type=Path, default=Path("."), help="folder of the picture")
    given = arguments.parse_args()
    duration = 2.0 if given.short else 6.0

    constant = run(0.0, 0.0, duration, falling=False)
    falling = run(0.0, 0.0, duration, falling=True)
    # Constant friction: after the first sticking the orbit is the circle.
    centre = mu_static * m * g / k
    last = constant[-int(2 * np.pi / omega / h) :]
    radius = np.hypot(last[:, 0] - centre, last[:, 1] / omega)
    print(f"constant friction: radius {radius.min():.5f} to {radius.max():.5f} m, closed form V/ω = {V / omega:.5f} m")
    assert np.allclose(radius, V / omega, rtol=0.02), "the step is 1 % of a period's radian"
    late = falling[len(falling) // 2 :]
    stuck = late[late[:, 2] == 1]
    print(f"falling friction:  sticks {100 * len(stuck) / len(late):.0f} % of the time, x from {late[:, 0].min():.4f} to {late[:, 0].max():.4f} m")
    assert len(stuck) and np.abs(stuck[:, 1] - V).max() < 1e-9, "a block that sticks has the speed of the belt"
    # It leaves when the spring pulls with the static friction.
    assert abs(stuck[:, 0].max() - mu_static * m * g / k) < 0.01 * centre

    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return
    figure, (portrait, course) = plt.subplots(1, 2, figsize=(10, 4.2))
    for states, name, colour in ((constant, "one μ", "0.55"), (falling, "μ falls with the speed", "tab:blue")):
        portrait.plot(states[:, 0], states[:, 1], color=colour, linewidth=1, label=name)
        course.plot(h * np.arange(len(states)), states[:, 1], color=colour, linewidth=1)
    portrait.axhline(V, color="tab:red", linestyle="--", linewidth=0.8, label="the belt")
    portrait.set_xlabel("x (m)")
    portrait.set_ylabel("velocity (m/s)")
    portrait.set_title("phase portrait")
    portrait.legend()
    course.axhline(V, color="tab:red", linestyle="--", linewidth=0.8)
    course.set_xlabel("time (s)")
    course.set_title("velocity")
    figure.savefig(given.output / "belt.png", dpi=120, bbox_inches="tight")


if __name__ == "__main__":
    main()
