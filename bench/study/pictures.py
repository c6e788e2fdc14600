#!/usr/bin/env python3
"""Draws CAD Figures 7 and 8, φ(s) of the bead in a corner and of the bad boy, and SSN Figures 1 to 3, the constraints.

    bench/study/pictures.py COMMAND [--png FOLDER]

COMMAND is the program stickslip, which makes the problems of CAD. Figures go to docs/figures. A development script: needs
python3 with numpy and matplotlib, is not run by the tests, and takes some seconds. It computes φ and the constraints itself.
"""
import argparse
import itertools
import pathlib
import subprocess
import tempfile

import numpy as np

import first_order as study


def problem(command, family):
    """W, q and μ of a built-in family, contacts in the plane, normal first."""
    def numbers(file):
        lines = [line.split() for line in file.read_text().splitlines() if not line.startswith("%")]
        if len(lines[0]) == 2:
            return np.array([float(line[0]) for line in lines[1:]])
        matrix = np.zeros((int(lines[0][0]), int(lines[0][1])))
        for row, column, value in lines[1:]:
            matrix[int(row) - 1, int(column) - 1] = float(value)
        return matrix

    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run([command, "generate", family, "-o", folder], check=True, capture_output=True, text=True)
        reduced = pathlib.Path(folder) / "reduced"
        subprocess.run([command, "convert", "--reduce", made.stdout.strip(), str(reduced)], check=True)
        return [numbers(reduced / f"{name}.mtx") for name in ("W", "q", "mu")]


def phi(W, q, mu, s):
    """CAD section 4 in the plane: r = Gλ with the edges (1, ±μ) of the cones, λ ≥ 0; every set of λ > 0 is tried."""
    n = len(mu)
    G = np.zeros((2 * n, 2 * n))
    for i, m in enumerate(mu):
        G[2 * i, 2 * i:2 * i + 2] = 1
        G[2 * i + 1, 2 * i:2 * i + 2] = m, -m
    load = q.copy()
    load[0::2] += mu * s
    A, b = G.T @ W @ G, G.T @ load
    for chosen in itertools.chain.from_iterable(itertools.combinations(range(2 * n), k) for k in range(2 * n + 1)):
        x = np.zeros(2 * n)
        if chosen:
            x[list(chosen)] = np.linalg.lstsq(A[np.ix_(chosen, chosen)], -b[list(chosen)], rcond=None)[0]
        gradient = A @ x + b
        if x.min() >= -1e-9 and gradient.min() >= -1e-9 and np.abs(gradient[list(chosen)]).max(initial=0) < 1e-9:
            u = W @ G @ x + q
            return 0.5 * np.sum((s - np.abs(u[1::2])) ** 2)
    return np.nan


def draw_bad_boy(plt, command):
    W, q, mu = problem(command, "bad_boy")
    speeds = np.linspace(0, 8, 401)
    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    axes.plot(speeds, [phi(W, q, mu, np.array([s])) for s in speeds], color="#1f4e9c")
    for s, text in ((0, "false minimum, φ = 0.5"), (5, "solution: take-off")):
        value = phi(W, q, mu, np.array([float(s)]))
        axes.plot([s], [value], "o", color="#b03030")
        axes.annotate(text, (s, value), xytext=(s + 0.25, value + 0.45))
    axes.set(xlabel="s", ylabel="φ(s)", title="CAD 5.4, the bad boy", xlim=(-0.2, 8), ylim=(-0.1, 5))
    return figure


def draw_bead(plt, command):
    W, q, mu = problem(command, "bead")
    speeds = np.linspace(0, 1.6, 81)
    values = np.array([[phi(W, q, mu, np.array([s1, s2])) for s1 in speeds] for s2 in speeds])
    figure, axes = plt.subplots(figsize=(5.2, 4.2), layout="constrained")
    levels = [0, 0.002, 0.01, 0.03, 0.06, 0.1, 0.2, 0.4, 0.8, 2]
    norm = plt.matplotlib.colors.BoundaryNorm(levels, 256)
    lines = axes.contourf(speeds, speeds, values, levels=levels, norm=norm, cmap="viridis")
    figure.colorbar(lines, label="φ(s)")
    axes.plot([0, 1], [0, 1], "o", color="#b03030")
    axes.annotate("wedged", (0, 0), xytext=(0.06, 0.05), color="white")
    axes.annotate("pulled away", (1, 1), xytext=(1.04, 1.04), color="white")
    axes.set(xlabel="s₁", ylabel="s₂", title="CAD 5.3, the bead in a corner")
    return figure


def draw_signorini(plt):
    """SSN Figure 1: c(r) = r − max(0, r(1 − w) − b), (34), and c₁(r₁, r₂), (35)."""
    figure = plt.figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.add_subplot(1, 2, 1)
    r = np.linspace(-2, 4, 301)
    for b in (-1.0, -0.5, 0.0, 0.5):
        axes.plot(r, r - np.maximum(0, 0.5 * r - b), label=f"b = {b:g}")
    axes.axhline(0, color="#888", linewidth=0.8)
    axes.legend()
    axes.set(xlabel="r", ylabel="c(r)", title="w = 0.5")
    surface = figure.add_subplot(1, 2, 2, projection="3d")
    one, two = np.meshgrid(np.linspace(-2, 2, 25), np.linspace(-2, 2, 25))
    c = one - np.maximum(0, 0.5 * one - 0.3 * two)
    surface.plot_surface(one, two, c, cmap="viridis", linewidth=0)
    surface.contour(one, two, c, levels=[0], colors="#b03030", offset=-2.5)
    surface.set(xlabel="r₁", ylabel="r₂", zlabel="c₁", title="w₁₂ = 0.3, b₁ = 0")
    return figure


W_OF_SSN = np.array([[0.8, 0.4, 0.4], [0.4, 0.8, 0.4], [0.4, 0.4, 0.8]])  # tangent first
B_OF_SSN = np.array([0.0, 0.0, -2.0])


def tangential(R, mu):
    """SSN (37), ρ = 1; R holds R_T1, R_T2, R_N along its last axis."""
    d = R - (R @ W_OF_SSN.T + B_OF_SSN)
    length = np.hypot(d[..., 0], d[..., 1])
    larger, bound = np.maximum(mu * d[..., 2], length), mu * np.maximum(0, d[..., 2])
    return larger[..., None] * R[..., :2] - bound[..., None] * d[..., :2]


def draw_constraints(plt):
    """SSN Figure 2: C_N = 0 and both components of C_T = 0, for μ = 0.1 and 0.9."""
    figure = plt.figure(figsize=(9, 4.2), layout="constrained")
    fine = np.linspace(-1.5, 1.5, 301)
    for place, mu in enumerate((0.1, 0.9)):
        axes = figure.add_subplot(1, 2, place + 1, projection="3d")
        one, two = np.meshgrid(np.linspace(-1.5, 1.5, 5), np.linspace(-1.5, 1.5, 5))
        axes.plot_surface(one, two, (2 - 0.4 * (one + two)) / 0.8, color="#8ab4f8", alpha=0.5)  # U_N = 0
        other, normal = np.meshgrid(np.linspace(-1.5, 1.5, 15), np.linspace(0.2, 4, 15))
        for component, colour in ((0, "#f2a65a"), (1, "#7bc47f")):
            # The first change of sign along the component, on a fine grid.
            R = np.empty((*other.shape, len(fine), 3))
            R[..., component], R[..., 1 - component], R[..., 2] = fine, other[..., None], normal[..., None]
            values = tangential(R, mu)[..., component]
            change = np.signbit(values[..., :-1]) != np.signbit(values[..., 1:])
            root = np.where(change.any(axis=-1), fine[change.argmax(axis=-1)], np.nan)
            axes.plot_surface(*((root, other, normal) if component == 0 else (other, root, normal)), color=colour, alpha=0.6)
        axes.set(xlabel="R_T1", ylabel="R_T2", zlabel="R_N", title=f"μ = {mu:g}", zlim=(0, 4))
    return figure


def draw_modification(plt):
    """SSN Figure 3: R_T + (I − M) δR_T + ρ M S, ‖S‖ = ‖δU_T‖, with F of (56) and of (59)."""
    mu, d_N, next_N = 0.5, 1.6, 1.9
    R, d = np.array([1.0, 0.35]), np.array([1.7, 0.9])
    dR, dU = np.array([-0.25, 0.1]), 1.2
    length = np.linalg.norm(d)
    figure, both = plt.subplots(1, 2, figsize=(8, 4), layout="constrained", sharex=True, sharey=True)
    angle = np.linspace(0, 2 * np.pi, 200)
    circle = np.array([np.cos(angle), np.sin(angle)])
    for axes, bound, title in ((both[0], mu * d_N, "(56)"), (both[1], max(mu * d_N, np.linalg.norm(R)), "(59)")):
        M = mu * d_N / length * (np.eye(2) - np.outer(R, d) / (bound * length))
        reached = (R + (np.eye(2) - M) @ dR)[:, None] + M @ (dU * circle)
        for radius, dash in ((mu * d_N, "-"), (mu * next_N, "--")):
            axes.plot(*(radius * circle), color="#444", linestyle=dash, linewidth=1)
        axes.fill(*reached, color="#f2a65a", alpha=0.6)
        axes.annotate("", R, (0, 0), arrowprops={"arrowstyle": "->", "color": "#1f4e9c"})
        axes.annotate("", 0.8 * d, (0, 0), arrowprops={"arrowstyle": "->", "color": "#b03030"})
        axes.annotate("R_T", R * 0.75, color="#1f4e9c")
        axes.annotate("d_T", 0.72 * d, color="#b03030")
        axes.set(title=title, aspect="equal", xlim=(-1.2, 1.8), ylim=(-1.2, 1.4))
    return figure


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--png")
    arguments = parser.parse_args()
    pyplot = study.plots()
    for name, figure in {
            "cad_bad_boy": draw_bad_boy(pyplot, arguments.command), "cad_bead": draw_bead(pyplot, arguments.command),
            "ssn_signorini": draw_signorini(pyplot), "ssn_constraints": draw_constraints(pyplot),
            "ssn_modification": draw_modification(pyplot)}.items():
        study.save(figure, name, arguments.png)
