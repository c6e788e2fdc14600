"""Figures that the build makes: pictures of built-in problems, and errors over time on one of them."""
import csv
import pathlib
import subprocess
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "stickslip", "font.family": "sans-serif", "font.size": 11,
                     "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#dddddd"})


def run(stickslip, *words, good=(0,)):
    done = subprocess.run([stickslip, *map(str, words)], capture_output=True, text=True)
    if done.returncode not in good:
        raise RuntimeError(f"{words}: {done.stderr}")


def history(stickslip, problem, solver, seconds):
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        run(stickslip, "solve", problem, "--solver", solver, "--time-limit", seconds, "--history", file.name, "--quiet", good=(0, 1))
        rows = list(csv.DictReader(open(file.name)))
    return [float(row["seconds"]) for row in rows], [float(row["error"]) for row in rows]


def make(stickslip, folder):
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as problems:
        run(stickslip, "generate", "wall", "-o", problems, "--size", 1000, "--load", 0.2, "--picture")
        run(stickslip, "generate", "spheres", "-o", problems, "--size", 300)
        next(pathlib.Path(problems).glob("wall*.svg")).rename(folder / "wall.svg")
        for kind, title in (("wall", "a wall of 1,000 contacts under a sideways load"), ("spheres", "a heap of 300 sphere contacts")):
            problem = next(pathlib.Path(problems).glob(f"{kind}*.hdf5"))
            figure, axes = plt.subplots(figsize=(7, 3.6))
            for solver in ("gs", "gs(anderson=8)", "nipm", "auto"):
                seconds, errors = history(stickslip, problem, solver, 2)
                axes.loglog([max(s, 1e-5) for s in seconds], [max(e, 1e-17) for e in errors], label=solver, linewidth=1.6)
            axes.axhline(1e-8, color="#888888", linewidth=0.8, linestyle="--")
            axes.set(xlabel="seconds", ylabel="error", title=title, ylim=(1e-11, 10))
            axes.legend(frameon=False)
            figure.savefig(folder / f"errors_{kind}.svg", bbox_inches="tight", metadata={"Date": None})
            plt.close(figure)
