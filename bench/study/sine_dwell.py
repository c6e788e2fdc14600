"""Tables and figures of the sine dwell: python3 bench/study/sine_dwell.py FOLDER [RECORDS...]

FOLDER holds what bench/study/sine_dwell_runs made, one JSON object a run; tables go to standard output as Markdown, figures to docs/figures. Records of long
runs (stickslip simulate sine_dwell -o elements.h5) give sine_dwell_energy.svg and sine_dwell_force.svg. A development script: needs matplotlib, and h5py for records.
"""
import json
import pathlib
import sys

FIGURES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "figures"
KINDS = {"elements": "elements", "rigid": "rigid"}


def plots():
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "stickslip", "font.size": 10, "font.family": "DejaVu Sans"})
    import matplotlib.pyplot as plt
    return plt


def save(figure, name):
    figure.savefig(FIGURES / name, metadata={"Date": None})


def read(folder):
    return {p.stem: json.loads(p.read_text()) for p in sorted(pathlib.Path(folder).glob("*.json"))}


def cells(run):
    """Runtime, share of the solver, iterations a step, diverged steps: PQN's columns."""
    if run is None:
        return "> limit | – | – | –"
    return (f"{run['seconds']:.0f} s | {run['solve_seconds'] / run['seconds']:.2f} | "
            f"{run['iterations_mean']:.0f} | {run['unconverged']}")


def table_of_delta(runs):
    print("\n| δ/avg W_ii | " + " | ".join(f"{k}: runtime | ratio | it/step | divs" for k in KINDS) + " |")
    print("| --- |" + " --- |" * 8)
    for delta in ("0.0001", "0.001", "0.01", "0.1", "1"):
        print(f"| {delta} | " + " | ".join(cells(runs.get(f"delta-{k}-{delta}")) for k in KINDS) + " |")
    for name, label in (("gs", "Gauss–Seidel"), ("auto", "`auto`")):
        print(f"| {label} | " + " | ".join(cells(runs.get(f"solver-{k}-{name}")) for k in KINDS) + " |")


def table_of(runs, what, values):
    for kind in KINDS:
        print(f"\n| {kind}: {what} | " +
              " | ".join(f"δ = {d}: runtime | ratio | it/step | divs" for d in ("0.001", "0.01", "0.1")) + " |")
        print("| --- |" + " --- |" * 12)
        for value in values:
            print(f"| {value} | " + " | ".join(cells(runs.get(f"{what}-{kind}-{d}-{value}")) for d in ("0.001", "0.01", "0.1")) + " |")


def figure_of_iterations(runs):
    plt = plots()
    figure, panels = plt.subplots(1, 3, figsize=(10, 3.4), sharey=True, layout="constrained")
    for kind, colour in (("elements", "C0"), ("rigid", "C1")):
        points = [(float(d), runs[f"delta-{kind}-{d}"]["iterations_mean"]) for d in ("0.0001", "0.001", "0.01", "0.1", "1")
                  if f"delta-{kind}-{d}" in runs]
        panels[0].plot(*zip(*points), "o-", color=colour, label=kind)
        for panel, what, values in ((panels[1], "density", ("100", "316", "1000", "3160", "10000")),
                                    (panels[2], "friction", ("0", "0.1", "0.3", "0.6", "1"))):
            for delta, dash in (("0.001", ":"), ("0.01", "-"), ("0.1", "--")):
                points = [(float(v), runs[f"{what}-{kind}-{delta}-{v}"]["iterations_mean"]) for v in values
                          if f"{what}-{kind}-{delta}-{v}" in runs]
                if points:
                    panel.plot(*zip(*points), "o" + dash, color=colour, label=f"{kind}, δ = {delta}", markersize=4)
    for panel, label in zip(panels, ("δ / avg W_ii", "density, kg/m³", "friction")):
        panel.set_xlabel(label)
        panel.set_yscale("log")
        panel.grid(True, alpha=0.3)
    panels[0].set_xscale("log")
    panels[1].set_xscale("log")
    panels[0].set_ylabel("iterations a step")
    panels[0].legend(frameon=False)
    panels[2].legend(frameon=False, fontsize=7)
    save(figure, "sine_dwell_iterations.svg")


def figures_of_records(records):
    import h5py
    import numpy as np
    plt = plots()
    energy, axes = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
    force, panels = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
    for name in records:
        with h5py.File(name) as file:
            run = file["stickslip"]
            label = pathlib.Path(name).stem
            steps = run["step"]
            n = len(steps["kinetic"])
            t = np.arange(1, n + 1) * 5e-4
            axes[0].plot(t, steps["kinetic"][:], lw=0.8, label=f"{label}: kinetic")
            axes[1].plot(t, -np.cumsum(steps["contact_work"][:]), lw=0.8, label=f"{label}: dissipated by contacts")
            # The force of the walls on the cubes at recorded steps: along the motion, and the largest contact force.
            start = run["contact/start"][:]
            body, impulse, times = run["contact/body"][:], run["contact/impulse"][:] / 5e-4, run["time"][:]
            along, largest = [], []
            for k in range(len(times)):
                part = slice(start[k], start[k + 1])
                wall = body[part, 0] < 0
                along.append(impulse[part][wall] @ np.array([1, 1, 0]) / np.sqrt(2) if wall.any() else np.zeros(1))
                largest.append(np.linalg.norm(impulse[part], axis=1).max(initial=0))
            panels[0].plot(times, [a.sum() for a in along], lw=0.8, label=label)
            panels[1].plot(times, largest, lw=0.8, label=label)
    for panel, text in zip((*axes, *panels), ("kinetic energy, J", "dissipated, J", "walls on cubes along (1,1,0), N",
                                               "largest contact force, N")):
        panel.set_ylabel(text)
        panel.grid(True, alpha=0.3)
        panel.legend(frameon=False, fontsize=8)
    axes[1].set_xlabel("t, s")
    panels[1].set_xlabel("t, s")
    save(energy, "sine_dwell_energy.svg")
    save(force, "sine_dwell_force.svg")


def main():
    runs = read(sys.argv[1])
    if runs:
        table_of_delta(runs)
        table_of(runs, "density", ("100", "316", "1000", "3160", "10000"))
        table_of(runs, "friction", ("0", "0.1", "0.3", "0.6", "1"))
        figure_of_iterations(runs)
    if len(sys.argv) > 2:
        figures_of_records(sys.argv[2:])


if __name__ == "__main__":
    main()
