"""Which solver for my problem?                                  python3 04_compare_solvers.py [FILE] [--short] [-o FOLDER]

Give a problem file (FCLIB, Siconos text, Matrix Market), or take a wall with an earthquake. Every solver gets the same time; what it returns is
judged by code that shares nothing with the solvers, and the curves show how the error falls with time.
"""

# %% The problem and the candidates.
import argparse
from pathlib import Path

import stickslip as ss

candidates = [
    "auto",  # the default: several methods by turns
    "gs",  # sweeps: cheap, and slow where contacts are redundant
    "NSGS-AC",  # the same as published, with Newton in each contact
    "admm",  # one factorisation, then projections
    "newton",  # second order
    "proximal",  # Newton made robust
    "nipm",  # interior point
]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file", nargs="?", help="a problem file")
    arguments.add_argument("--short", action="store_true", help="a smaller wall, less time")
    arguments.add_argument("-o", "--output", type=Path, default=Path("."), help="folder of the picture")
    given = arguments.parse_args()

    # %% Look at it first: redundant contacts (rank below 1) are what makes problems hard.
    problem = ss.read(given.file) if given.file else ss.generate("wall", size=200 if given.short else 1000, load=0.2)
    figures = problem.statistics()
    print(problem)
    print(f"  {figures['islands']} islands, rank {figures['rank_ratio']} of full, μ from {figures['mu_min']:g} to {figures['mu_max']:g}\n")

    # %% The same goal and the same time for all.
    limit = 1.0 if given.short else 5.0
    results = {}
    print(f"{'solver':<10} {'status':<16} {'seconds':>9} {'iterations':>10} {'checked error':>14}")
    for name in candidates:
        result = ss.solve(problem, solver=name, tolerance=1e-8, time_limit=limit, history=True)
        verdict = ss.check(problem, result)
        results[name] = result
        print(f"{name:<10} {result.status:<16} {result.seconds:>9.4f} {result.iterations:>10} {verdict.error:>14.2e}")
    best = min((r for r in results.values() if r.converged), key=lambda r: r.seconds, default=None)
    if best is not None:
        print(f"\nfastest: {best.solver} ({best.solver_used})")
    assert results["auto"].converged, "auto solves walls"

    # %% The curves.
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return
    figure, axes = plt.subplots(figsize=(7, 4.2))
    for name, result in results.items():
        seconds, error = result.history["seconds"], result.history["error"]
        good = error > 0
        axes.plot(seconds[good], error[good], label=name, linewidth=2 if name == "auto" else 1)
    axes.axhline(1e-8, color="0.6", linestyle="--", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(1e-10, 1e2)
    axes.set_xlabel("seconds")
    axes.set_ylabel("error")
    axes.set_title(problem.title or "the problem")
    axes.legend(fontsize="small")
    figure.savefig(given.output / "solvers.png", dpi=120, bbox_inches="tight")


if __name__ == "__main__":
    main()
