#!/usr/bin/env python3
"""Runs variants of Newton's method and of the proximal point algorithm on a collection of problems: RR 9.3 and 9.4.

    bench/study/newton.py COMMAND [--stride 3] [--studies maps,search] [--runs runs.csv] [--draw-only] [--png FOLDER]

Problems, repetitions and profiles as in first_order.py beside it, but: three-dimensional problems of at most 600 contacts,
tolerance 1e-8, two seconds of wall time. Figures go to docs/figures, the tables of docs/newton_study.md to standard output.
"""
import argparse
import csv

import first_order as study

# Newton alone, as in RR: no sweeps where it fails.
ALONE = "sweeps=0, patience=30"

study.TIME_LIMIT, study.LARGEST, study.PREFIX = 2.0, 600, "newton"
study.STUDIES = {
    "maps": ("The map of plain Newton", "AC", {
        name.upper(): f"newton(map={name}, {ALONE})" for name in ("ac", "jm", "nm", "fb", "hsw", "xsw")}),
    "search": ("The line search", "AC", {
        "AC": f"newton(map=ac, {ALONE})", "AC-GP": f"newton(map=ac, search=goldstein_price, {ALONE})",
        "AC-A": f"newton(map=ac, search=armijo, {ALONE})", "AC-nonmonotone": f"newton(map=ac, search=nonmonotone, {ALONE})",
        "FB": f"newton(map=fb, {ALONE})", "FB-GP": f"newton(map=fb, search=goldstein_price, {ALONE})",
        "FB-A": f"newton(map=fb, search=armijo, {ALONE})"}),
    "rho": ("The rule for ρ, Alart–Curnier", "(111) split", {
        "1, unscaled": f"newton(rho=one, scaling=off, {ALONE})", "1, scaled": f"newton(rho=one, {ALONE})",
        "(110) spectral": f"newton(rho=spectral, {ALONE})", "(111) split": f"newton(map=ac, {ALONE})",
        "(112) conditioned": f"newton(rho=split_conditioned, {ALONE})"}),
    "help": ("What helps Newton", "plain", {
        "plain": f"newton(map=ac, {ALONE})", "start: 100 EG-VI-UPK": f"newton(start=extragradient, {ALONE})",
        "sweeps where it stalls": "newton", "both": "newton(start=extragradient)", "proximal point": "proximal"}),
    "inner": ("The proximal point algorithm: inner solver", "AC", {
        "AC": "proximal", "AC-GP": "proximal(inner=newton(search=goldstein_price))", "AC-A": "proximal(inner=newton(search=armijo))",
        "NM": "proximal(inner=newton(map=nm))", "FB": "proximal(inner=newton(map=fb))", "FB-GP": "proximal(inner=newton(map=fb, search=goldstein_price))",
        "NSGS-AC": "proximal(inner=gs(local=newton))"}),
    "alpha": ("The proximal point algorithm: α", "÷3, ×3", {
        "÷3, ×3": "proximal", "÷10, ×5": "proximal(rule=success(shrink=10, grow=5))",
        "÷10, ×5, tight": "proximal(rule=success(shrink=10, grow=5), inner_iterations=20, inner_factor=0.1)",
        "error": "proximal(rule=error)", "0.1 √error": "proximal(rule=error(sigma=0.1, nu=0.5))",
        "100 error²": "proximal(rule=error(sigma=100, nu=2))", "÷3, ×3, ω = 1.5": "proximal(relaxation=1.5)"}),
}


def problems(stride):
    with open(study.DATA / "manifest.csv", encoding="utf-8") as manifest:
        rows = [row for row in csv.DictReader(manifest)
                if row["dim"] == "3" and "rolling" not in row["kind"] and int(row["nc"]) <= study.LARGEST]
    return rows[::stride]


def main():
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("command")
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--studies", default=",".join(study.STUDIES))
    parser.add_argument("--runs", default="newton_runs.csv")
    parser.add_argument("--draw-only", action="store_true")
    parser.add_argument("--png", help="folder for copies as PNG")
    arguments = parser.parse_args()
    studies = arguments.studies.split(",")
    if not arguments.draw_only:
        study.measure(arguments.command, problems(arguments.stride), studies, 1e-8, arguments.runs)
    runs, names = study.read(arguments.runs)
    study.tables(runs, names, studies)
    if len(studies) < len(study.STUDIES):
        return

    plt = study.plots()
    study.draw_profiles(plt, runs, names, arguments.png)


if __name__ == "__main__":
    main()
