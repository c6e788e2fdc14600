#!/usr/bin/env python3
"""Runs variants of the first-order solvers on a collection of problems and draws performance profiles.

    bench/study/first_order.py COMMAND [--stride 2] [--tolerance 1e-8] [--studies families,order] [--runs runs.csv]
                               [--draw-only] [--png FOLDER]

COMMAND is the command line to measure, for example build/release/stickslip. The problems are the files of at most 300
contacts that manifest.csv lists in $STICKSLIP_DATA (default: ../shared/data beside the repository); --stride takes every
n-th of them, rolling friction left out. Each run asks for the tolerance, 1e-4 by default, within one second of wall time.
Runs below 50 ms are repeated twice more and the least time counts. What is measured goes to --runs (CSV), from which
--draw-only draws again. The figures (SVG) go to docs/figures, the tables of docs/first_order_study.md to standard output;
at another tolerance there are tables only.

A development script: needs python3 with matplotlib, is not run by the tests, and takes some minutes. Put it on one core
that has nothing else to do (taskset -c 0).
"""
import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("STICKSLIP_DATA", ROOT / ".." / "shared" / "data"))
TIME_LIMIT, LARGEST, DRAWN_TOLERANCE = 1.0, 300, 1e-4
PREFIX, SOLVED = "first_order", ("converged",)  # of the figures' names; what counts as solved

FLEXIBLE = ("Cubes", "LowWall")  # finite elements; all other sets are rigid bodies

# figure: title, the variant that others are compared with, then legend → solver
STUDIES = {
    "local_solver": ("Local solver of Gauss–Seidel", "EXACT", {
        "EXACT": "gs", "AC": "gs(local=newton)", "AC-GP": "gs(local=newton(search=goldstein_price))",
        "JM": "gs(local=newton(map=jm))", "JM-GP": "gs(local=newton(map=jm, search=goldstein_price))",
        "FP-VI-UPK": "gs(local=fixed_point)", "FP-DS-One": "gs(local=fixed_point(step=fixed, iterations=1))"}),
    "local_tolerance": ("Local tolerance of NSGS-FP-VI-UPK", "1e-14", {
        "1e-4": "gs(local=fixed_point(tolerance=1e-4))", "1e-8": "gs(local=fixed_point(tolerance=1e-8))",
        "1e-12": "gs(local=fixed_point(tolerance=1e-12))", "1e-14": "gs(local=fixed_point)",
        "adaptive": "gs(local=fixed_point, local_tolerance=adaptive)"}),
    "rho": ("Rule for ρ in NSGS-AC", "split (111)", {
        "one": "gs(local=newton(rho=one))", "spectral (110)": "gs(local=newton(rho=spectral))", "split (111)": "gs(local=newton)",
        "split_conditioned (112)": "gs(local=newton(rho=split_conditioned))"}),
    "order": ("Order of the contacts, NSGS-EXACT", "given", {
        "given": "NSGS-EXACT", "shuffled": "NSGS-EXACT(order=shuffled)", "reshuffled": "NSGS-EXACT(order=reshuffled)",
        "symmetric": "NSGS-EXACT(order=symmetric)", "bandwidth": "NSGS-EXACT(order=bandwidth)"}),
    "relaxation": ("Relaxation ω, exact local solver", "ω = 1", {
        "ω = 0.8": "NSGS-EXACT(relaxation=0.8)", "ω = 1": "NSGS-EXACT", "ω = 1.2": "NSGS-EXACT(relaxation=1.2)",
        "ω = 1.5": "NSGS-EXACT(relaxation=1.5)"}),
    "families": ("The first-order families", "NSGS-EXACT", {
        "NSGS-EXACT": "NSGS-EXACT", "NSGS-ANDERSON": "NSGS-ANDERSON", "EG-VI-UPK": "extragradient", "FP-VI-UPK": "fixed_point",
        "ADMM": "ADMM(anderson=0)"}),
}
# NSGS-ANDERSON without islands, whose histories cannot be put together.
HISTORIES = {"NSGS-EXACT": "NSGS-EXACT", "NSGS-ANDERSON(islands=off)": "gs(anderson=8)", "ADMM": "ADMM(anderson=0)",
             "EG-VI-UPK": "extragradient"}
HISTORY_FILES = ("Capsules_gen", "CubesH8_5_gen")  # the file with the most contacts of each that is measured

# Okabe and Ito's colours, told apart by people with any colour vision, and a dash pattern each.
STYLES = [("#000000", "-"), ("#D55E00", "-"), ("#0072B2", "-"), ("#009E73", "--"), ("#CC79A7", "--"), ("#E69F00", "-."),
          ("#56B4E9", ":")]


def problems(stride):
    with open(DATA / "manifest.csv", encoding="utf-8") as manifest:
        rows = [row for row in csv.DictReader(manifest) if row["dim"] in "23" and int(row["nc"]) <= LARGEST]
    return rows[::stride]


def solve(command, file, solver, tolerance):
    run = subprocess.run([command, "solve", "--json", "--solver", solver, "--tolerance", str(tolerance), "--time-limit",
                          str(TIME_LIMIT), str(DATA / file)], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        return {"status": "refused: " + run.stderr.strip(), "iterations": 0, "seconds": math.inf, "error": math.inf}
    found = json.loads(run.stdout)
    return {key: found[key] for key in ("status", "iterations", "seconds", "error")}


def measure(command, files, studies, tolerance, runs):
    solvers = list(dict.fromkeys(s for name in studies for s in STUDIES[name][2].values()))
    with open(runs, "w", newline="", encoding="utf-8") as out:
        table = csv.writer(out)
        table.writerow(["file", "set", "contacts", "solver", "status", "iterations", "seconds", "error"])
        for row in files:
            for solver in solvers:
                best = solve(command, row["file"], solver, tolerance)
                for _ in range(2 if best["seconds"] < 0.05 else 0):
                    best["seconds"] = min(best["seconds"], solve(command, row["file"], solver, tolerance)["seconds"])
                table.writerow([row["file"], row["set"], row["nc"], solver, *best.values()])
            out.flush()


def read(runs):
    with open(runs, encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    refused = {row["file"] for row in rows if row["status"].startswith("refused")}
    rows = [row for row in rows if row["file"] not in refused]
    return {(row["file"], row["solver"]): row for row in rows}, list(dict.fromkeys(row["file"] for row in rows))


def cost(runs, file, solver, what):
    row = runs[file, solver]
    return max(float(row[what]), 1e-9) if row["status"] in SOLVED else math.inf


def ratios(runs, files, solvers, what="seconds"):
    """For each solver its cost on each file, relative to the best of these solvers (Dolan and Moré 2002)."""
    result = {solver: [] for solver in solvers}
    for file in files:
        costs = {solver: cost(runs, file, solver, what) for solver in solvers}
        best = min(costs.values())
        for solver in solvers:
            result[solver].append(costs[solver] / best if best < math.inf else math.inf)
    return result


def flexible(file):
    return file.startswith(FLEXIBLE)


def tables(runs, files, studies):
    groups = {"flexible": [f for f in files if flexible(f)], "rigid": [f for f in files if not flexible(f)]}
    print(f"{len(files)} problems: {len(groups['rigid'])} of rigid bodies, {len(groups['flexible'])} flexible")
    for title, reference, variants in (STUDIES[name] for name in studies):
        print(f"\n### {title}\n\n| variant | solved, rigid | solved, flexible | fastest | time, rigid | time, flexible "
              "| iterations, rigid | iterations, flexible |\n" + "| --- " * 8 + "|")
        first = variants[reference]
        fastest = ratios(runs, files, variants.values())
        for legend, solver in variants.items():
            cells = [str(sum(cost(runs, f, solver, "seconds") < math.inf for f in g)) for g in
                     (groups["rigid"], groups["flexible"])]
            cells.append(str(sum(ratio == 1 for ratio in fastest[solver])))
            for what in ("seconds", "iterations"):
                for group in (groups["rigid"], groups["flexible"]):
                    logs = [math.log(cost(runs, f, solver, what) / cost(runs, f, first, what)) for f in group
                            if cost(runs, f, solver, what) < math.inf and cost(runs, f, first, what) < math.inf
                            and cost(runs, f, first, "iterations") >= 1]
                    cells.append(f"{math.exp(sum(logs) / len(logs)):.2f}" if logs else "–")
            print(f"| {legend} | " + " | ".join(cells) + " |")
        unsolved = {legend: sorted({runs[f, s]["set"] for f in files if cost(runs, f, s, "seconds") == math.inf})
                    for legend, s in variants.items()}
        for legend, sets in unsolved.items():
            print(f"not solved by {legend}: {', '.join(sets) or '–'}")


def style_axes(axes):
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def save(figure, name, png):
    folder = ROOT / "docs" / "figures"
    folder.mkdir(exist_ok=True)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    if png:
        figure.savefig(pathlib.Path(png) / f"{name}.png", dpi=90)


def plots():
    """matplotlib's pyplot, set up for figures that come out the same each time."""
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "stickslip", "font.size": 10, "font.family": "DejaVu Sans"})
    import matplotlib.pyplot as plt
    return plt


def draw_profiles(plt, runs, files, png, studies=None):
    for name in studies or STUDIES:
        title, _, variants = STUDIES[name]
        profile = ratios(runs, files, variants.values())
        figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
        largest = 100
        for (legend, solver), (colour, dash) in zip(variants.items(), STYLES):
            steps = sorted(ratio for ratio in profile[solver] if ratio <= largest)
            x = [1, *steps, largest]
            y = [0, *[(k + 1) / len(files) for k in range(len(steps))], len(steps) / len(files)]
            solved = sum(ratio < math.inf for ratio in profile[solver])
            axes.step(x, y, where="post", color=colour, linestyle=dash, linewidth=1.8,
                      label=f"{legend} ({solved} of {len(files)})")
        axes.set_xscale("log")
        axes.set_xlim(1, largest)
        axes.set_ylim(0, 1.02)
        axes.set_xticks([1, 2, 5, 10, 20, 50, 100], labels=["1", "2", "5", "10", "20", "50", "100"])
        axes.minorticks_off()
        axes.set_xlabel("τ: time relative to the fastest of these on the same problem")
        axes.set_ylabel("share of problems solved within τ")
        axes.set_title(title, loc="left", fontsize=11)
        axes.legend(loc="lower right", fontsize=9, framealpha=0.9)
        style_axes(axes)
        save(figure, f"{PREFIX}_{name}", png)
        plt.close(figure)


def draw_histories(plt, command, files, png):
    chosen = [max((row for row in files if row["set"] == s), key=lambda row: int(row["nc"])) for s in HISTORY_FILES]
    figure, panels = plt.subplots(1, len(chosen), figsize=(9, 4), sharey=True, layout="constrained")
    for axes, row in zip(panels, chosen):
        for (legend, solver), (colour, dash) in zip(HISTORIES.items(), STYLES):
            with tempfile.TemporaryDirectory() as folder:
                log = pathlib.Path(folder) / "history.csv"
                subprocess.run([command, "solve", str(DATA / row["file"]), "--solver", solver, "--tolerance", "1e-8",
                                "--max-iterations", "2000", "--time-limit", "5", "--history", str(log)],
                               capture_output=True, check=False)
                with open(log, encoding="utf-8") as lines:
                    points = [(int(p["iteration"]), float(p["error"])) for p in csv.DictReader(lines)]
            axes.plot(*zip(*[p for p in points if p[0] > 0 and p[1] > 0]), color=colour, linestyle=dash, linewidth=1.4,
                      label=legend)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("sweeps or iterations")
        axes.set_title(f"{row['set'].removesuffix('_gen')}, {row['nc']} contacts", loc="left", fontsize=11)
        style_axes(axes)
    panels[0].set_ylabel("error")
    panels[0].legend(loc="lower left", fontsize=9, framealpha=0.9)
    save(figure, "first_order_history", png)
    plt.close(figure)
    print("\nhistories on " + ", ".join(row["file"] for row in chosen))


def main():
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("command")
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--tolerance", type=float, default=DRAWN_TOLERANCE)
    parser.add_argument("--studies", default=",".join(STUDIES))
    parser.add_argument("--runs", default="first_order_runs.csv")
    parser.add_argument("--draw-only", action="store_true")
    parser.add_argument("--png", help="folder for copies as PNG")
    arguments = parser.parse_args()
    files, studies = problems(arguments.stride), arguments.studies.split(",")
    if not arguments.draw_only:
        measure(arguments.command, files, studies, arguments.tolerance, arguments.runs)
    runs, names = read(arguments.runs)
    tables(runs, names, studies)
    if arguments.tolerance != DRAWN_TOLERANCE:
        return
    plt = plots()
    draw_profiles(plt, runs, names, arguments.png, studies)
    if len(studies) == len(STUDIES):
        draw_histories(plt, arguments.command, files, arguments.png)


if __name__ == "__main__":
    main()
