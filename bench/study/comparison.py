#!/usr/bin/env python3
"""Draws the figures of docs/comparison.md and prints its tables, from campaigns that were run before.

    bench/study/comparison.py STICKSLIP CAMPAIGNS FIGURES

CAMPAIGNS is a folder with the campaigns named in FIGURES_OF below; one that is not there is left out. A figure is the
profile that 'stickslip campaign report' draws of the solvers named here, taken from a copy with these solvers alone, so
that τ = 1 is the best of those shown.
"""

import fnmatch
import math
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

# figure: campaign, tolerances, solvers (patterns)
FIGURES_OF = {
    "vi": ("rr-vi", ("1e-4", "1e-8"), ["*"]),
    "local": ("rr-gauss-seidel", ("1e-8",), ["NSGS-AC", "NSGS-JM", "NSGS-AC-GP", "NSGS-JM-GP", "NSGS-FP-DS-One",
                                            "NSGS-FP-VI-UPK", "NSGS-EXACT"]),
    "order": ("rr-gauss-seidel", ("1e-8",), ["NSGS-AC-GP", "NSGS-AC-GP(order*"]),
    "relaxation": ("rr-gauss-seidel", ("1e-8",), ["NSGS-AC", "PSOR-AC*"]),
    "rho": ("rr-gauss-seidel", ("1e-8",), ["NSGS-AC", "NSGS-AC ρ*"]),
    "newton": ("rr-newton", ("1e-8",), ["NSGS-AC", "NSN-NM", "NSN-AC", "NSN-JM", "NSN-FB", "NSN-AC-GP", "NSN-FB-GP",
                                       "NSN-AC-HYBRID", "SSN-HYB-G", "PQN", "newton", "newton(start*", "semismooth",
                                       "quasi_newton"]),
    "proximal": ("rr-proximal", ("1e-8",), ["*"]),
    "optimisation": ("rr-optimisation", ("1e-4", "1e-8"), ["NSGS-AC", "PANA-PGS-FP-VI-UPK", "PANA-PGS-CONVEXQP-PG",
                                                          "TRESCA-NSGS-FP-VI-UPK", "TRESCA-EG-VI-UPK",
                                                          "ACLM-NSGS-FP-VI-UPK", "ACLM-EG-VI-UPK", "SOCLCP-NSGS-PLI",
                                                          "CADOUX", "NIPM"]),
    "across": ("rr-across", ("1e-4", "1e-8"), ["NSGS-EXACT", "NSGS-AC", "NSGS-FP-VI-UPK", "NSGS-ANDERSON", "EG-VI-UPK",
                                              "ADMM", "NSN-AC-GP", "NSN-AC-HYBRID", "PPA-NSN-AC-GP", "ACLM-NSGS-FP-VI-UPK",
                                              "SSN-HYB-G", "NIPM", "auto"]),
    "data": ("data-across", ("1e-4", "1e-8"), ["NSGS-EXACT", "NSGS-AC", "NSGS-FP-VI-UPK", "NSGS-ANDERSON", "EG-VI-UPK",
                                               "ADMM", "NSN-AC-GP", "NSN-AC-HYBRID", "PPA-NSN-AC-GP", "ACLM-NSGS-FP-VI-UPK",
                                               "SSN-HYB-G", "NIPM", "auto"]),
    "siconos": ("siconos", ("1e-4", "1e-8"), ["auto", "siconos:*"]),
    "ours": ("siconos", ("1e-4", "1e-8"), ["auto", "gs", "NSGS-ANDERSON", "extragradient", "ADMM", "newton(start*",
                                           "newton(map=fb*", "proximal", "proximal(inner=newton*", "semismooth",
                                           "quasi_newton", "NIPM", "cadoux", "aclm"]),
    "last": ("last", ("1e-4", "1e-8"), ["*"]),
}

ROWS = """SELECT p.set_name, p.name, s.label, r.tolerance, r.solved, r.seconds
          FROM run r JOIN problem p ON p.id = r.problem JOIN solver s ON s.id = r.solver
          WHERE r.status <> 'load_failed'"""


def subset(campaign: pathlib.Path, target: pathlib.Path, patterns: list[str]) -> None:
    """A copy of the campaign with the solvers that match and the problems that could be read."""
    target.mkdir()
    with sqlite3.connect(campaign / "campaign.sqlite") as source, sqlite3.connect(target / "campaign.sqlite") as copy:
        source.backup(copy)
        for number, label in copy.execute("SELECT id, label FROM solver").fetchall():
            if not any(label == p or fnmatch.fnmatchcase(label, p) for p in patterns):
                for sql in ("DELETE FROM run WHERE solver = ?", "DELETE FROM task WHERE solver = ?",
                            "DELETE FROM solver WHERE id = ?"):
                    copy.execute(sql, (number,))
        refused = "(SELECT problem FROM run WHERE status = 'load_failed')"
        copy.execute(f"DELETE FROM task WHERE problem IN {refused}")
        copy.execute(f"DELETE FROM problem WHERE id IN {refused}")
        copy.execute("DELETE FROM run WHERE status = 'load_failed'")


def draw(stickslip: str, campaigns: pathlib.Path, figures: pathlib.Path) -> None:
    for name, (campaign, tolerances, patterns) in FIGURES_OF.items():
        if not (campaigns / campaign / "campaign.sqlite").exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            part = pathlib.Path(folder) / "part"
            subset(campaigns / campaign, part, patterns)
            subprocess.run([stickslip, "campaign", "report", str(part)], check=True, stdout=subprocess.DEVNULL)
            for tolerance in tolerances:
                shutil.copy(part / "report" / "figures" / f"profile_time_{tolerance}_log.svg",
                            figures / f"comparison_{name}_{tolerance}.svg")


def mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def table(campaign: pathlib.Path) -> None:
    """Problems solved and the geometric mean of time over that of the fastest, for each solver, kind of W and tolerance."""
    with sqlite3.connect(campaign / "campaign.sqlite") as base:
        rows = base.execute(ROWS).fetchall()
    best: dict[tuple, float] = {}
    for set_name, problem, _, tolerance, solved, seconds in rows:
        if solved:
            key = set_name, problem, tolerance
            best[key] = min(best.get(key, math.inf), seconds)
    print(f"\n{campaign.name}")
    tolerances = sorted({row[3] for row in rows}, reverse=True)
    print("| solver |" + "".join(f" solved at {t:g} | time / fastest | fastest on |" for t in tolerances))
    print("| --- |" + " --- | --- | --- |" * len(tolerances))
    for label in dict.fromkeys(row[2] for row in rows):
        line = f"| {label} |"
        for t in tolerances:
            mine = [row for row in rows if row[2] == label and row[3] == t]
            ratios = [row[5] / best[row[0], row[1], t] for row in mine if row[4]]
            line += f" {len(ratios)} of {len(mine)} | {mean(ratios):.3g} | {sum(x == 1 for x in ratios)} |"
        print(line)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    where = pathlib.Path(sys.argv[2])
    draw(sys.argv[1], where, pathlib.Path(sys.argv[3]))
    for name in dict.fromkeys(value[0] for value in FIGURES_OF.values()):
        if (where / name / "campaign.sqlite").exists():
            table(where / name)
