"""The thickness at which an arch falls.                                      python3 02_arch.py [--short] [-o FOLDER]

A semicircular arch of blocks under its own weight stands as long as a line of thrust fits inside it. Milankovitch (1907) found that it needs a
thickness of at least t = 0.1075 R, R the radius of the middle line, where the joints are everywhere; with a few blocks hinges can only open at
joints, and a slightly thinner arch still stands. Here the thickness is found by bisection: a scene is made, one step is done, and the arch falls
if its blocks move.
"""

# %% A scene for each thickness.
import argparse
from pathlib import Path

import numpy as np
import stickslip as ss

radius, depth, step = 1.0, 0.3, 1e-3  # m, m, s
milankovitch = 0.1075


def voussoir(start, end, thickness):
    """The eight corners of a block between two angles."""
    corners = []
    for angle in (start, end):
        for r in (radius - thickness / 2, radius + thickness / 2):
            for y in (-depth / 2, depth / 2):
                corners.append([r * np.cos(angle), y, r * np.sin(angle)])
    return np.array(corners)


def arch(thickness, blocks):
    scene = ss.Scene(step=step, friction=0.9, title=f"an arch of {blocks} blocks, t = {thickness:.4f} R", tolerance=1e-8)
    scene.add(ss.Plane(), kind="fixed")
    joints = np.linspace(0, np.pi, blocks + 1)
    for start, end in zip(joints[:-1], joints[1:]):
        scene.add(ss.Convex(voussoir(start, end, thickness)), density=2400)
    return ss.Simulation(scene)


def acceleration(thickness, blocks):
    """Of the fastest block after a step from rest, as a share of gravity."""
    simulation = arch(thickness, blocks)
    simulation.step()
    return np.linalg.norm(simulation.velocities, axis=1).max() / (step * 9.81)


def critical(blocks, digits=2e-4):
    low, high = 0.08, 0.13
    while high - low > digits:
        middle = (low + high) / 2
        low, high = (middle, high) if acceleration(middle, blocks) > 1e-4 else (low, middle)
    return high


# %% The sweep, the thickness, the picture.
def draw(axes, thickness, blocks):
    """The blocks, and the force through each joint."""
    simulation = arch(thickness, blocks)
    simulation.step()
    joints = np.linspace(0, np.pi, blocks + 1)
    for start, end in zip(joints[:-1], joints[1:]):
        c = voussoir(start, end, thickness)[[0, 2, 6, 4]]
        axes.fill(c[:, 0], c[:, 2], facecolor="#eee4d4", edgecolor="0.4", linewidth=0.6)
    contacts = simulation.contacts
    pairs = {}
    for body, point, impulse in zip(contacts.body, contacts.point, contacts.impulse):
        pairs.setdefault(tuple(body), []).append((point, impulse))
    thrust = []
    for found in pairs.values():
        points, impulses = np.array([p for p, _ in found]), np.array([i for _, i in found])
        share = np.linalg.norm(impulses, axis=1)
        if share.sum() > 0:
            thrust.append((share[:, None] * points).sum(axis=0) / share.sum())
    thrust = np.array(sorted(thrust, key=lambda p: np.arctan2(p[2], p[0])))
    axes.plot(thrust[:, 0], thrust[:, 2], color="tab:red", linewidth=1.5, label="line of thrust")
    axes.set_aspect("equal")
    axes.set_title(f"t = {thickness:.4f} R stands")
    axes.legend(loc="lower center")
    axes.set_axis_off()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--short", action="store_true", help="few blocks, few thicknesses")
    arguments.add_argument("-o", "--output", type=Path, default=Path("."), help="folder of the picture")
    given = arguments.parse_args()

    blocks = 15 if given.short else 31
    thicknesses = np.linspace(0.085, 0.125, 5 if given.short else 21)
    speeds = [acceleration(t, blocks) for t in thicknesses]
    found = critical(blocks, 1e-3 if given.short else 2e-4)
    print(f"{blocks} blocks: falls below t = {found:.4f} R; Milankovitch: {milankovitch} R with joints everywhere")
    for t, a in zip(thicknesses, speeds):
        print(f"  t = {t:.4f} R   {'stands' if a < 1e-4 else f'falls with {a:.4f} g'}")
    assert 0.09 < found < milankovitch + 1e-3, "joints in few places make an arch stronger, not weaker"

    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    left.plot(thicknesses, speeds, ".-")
    left.axvline(found, color="tab:red", label=f"{found:.4f} R, {blocks} blocks")
    left.axvline(milankovitch, color="0.6", linestyle="--", label=f"{milankovitch} R, Milankovitch")
    left.set_xlabel("thickness / R")
    left.set_ylabel("acceleration of the fastest block / g")
    left.legend()
    draw(right, found + 2e-4, blocks)
    figure.savefig(given.output / "arch.png", dpi=120, bbox_inches="tight")


if __name__ == "__main__":
    main()
