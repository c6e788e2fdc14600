#!/usr/bin/env python3
"""The study of docs/optimisation_study.md: Panagiotopoulos, Tresca, ACLM and the convex relaxation (RR 9.5).

    bench/study/optimisation.py COMMAND [--stride 3] [--tolerance 1e-4] [--runs runs.csv] [--draw-only] [--png FOLDER]

Measures, tabulates and draws as bench/study/first_order.py does, with other variants; see there. The convex relaxation
counts as solved when it has solved its own problem, which is another law. With --sets the solved problems are counted by set.
"""
import argparse
import collections

import first_order

first_order.PREFIX = "optimisation"
first_order.SOLVED = ("converged", "converged_reduced")
first_order.STUDIES = {
    "families": ("Freezing a part of Coulomb's law", "NSGS-EXACT", {
        "NSGS-EXACT": "gs", "PANA-PGS-CONVEXQP-PG": "panagiotopoulos(tangent=projected_gradient)",
        "TRESCA-EG": "tresca(inner=extragradient)", "ACLM-EG": "aclm(inner=extragradient)", "EG-VI-UPK": "extragradient",
        "SOCLCP (another law)": "convex_relaxation"}),
    "inner": ("The convex solver inside Tresca and ACLM", "TRESCA-NSGS", {
        "TRESCA-NSGS": "tresca", "TRESCA-FP": "tresca(inner=fixed_point)", "TRESCA-EG": "tresca(inner=extragradient)",
        "TRESCA-PG": "tresca(inner=projected_gradient)", "ACLM-NSGS": "aclm", "ACLM-EG": "aclm(inner=extragradient)",
        "ACLM-PG": "aclm(inner=projected_gradient)"}),
    "panagiotopoulos": ("The two problems of Panagiotopoulos", "PGS, FP", {
        "PGS, FP": "panagiotopoulos", "PGS, EG": "panagiotopoulos(tangent=extragradient)",
        "PGS, PG": "panagiotopoulos(tangent=projected_gradient)",
        "PG, PG": "panagiotopoulos(normal=projected_gradient, tangent=projected_gradient)"}),
    "acceleration": ("Anderson mixing of the outer fixed point", "TRESCA-EG", {
        "TRESCA-EG": "tresca(inner=extragradient)",
        "TRESCA-EG, mixed": "tresca(inner=extragradient, acceleration=anderson)",
        "ACLM-EG": "aclm(inner=extragradient)", "ACLM-EG, mixed": "aclm(inner=extragradient, acceleration=anderson)"}),
}


def by_set(runs, files):
    variants = first_order.STUDIES["families"][2]
    sets = collections.defaultdict(list)
    for file in files:
        sets[file.split("/")[0]].append(file)
    print("\n| set | problems | " + " | ".join(variants) + " |\n" + "| --- " * (len(variants) + 2) + "|")
    for name, members in sets.items():
        solved = [sum(runs[f, s]["status"] in first_order.SOLVED for f in members) for s in variants.values()]
        print(f"| {name} | {len(members)} | " + " | ".join(map(str, solved)) + " |")


def main():
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("command")
    parser.add_argument("--stride", type=int, default=3)
    parser.add_argument("--tolerance", type=float, default=first_order.DRAWN_TOLERANCE)
    parser.add_argument("--runs", default="optimisation_runs.csv")
    parser.add_argument("--draw-only", action="store_true")
    parser.add_argument("--sets", action="store_true")
    parser.add_argument("--png", help="folder for copies as PNG")
    arguments = parser.parse_args()
    if not arguments.draw_only:
        first_order.measure(arguments.command, first_order.problems(arguments.stride), first_order.STUDIES,
                            arguments.tolerance, arguments.runs)
    runs, files = first_order.read(arguments.runs)
    first_order.tables(runs, files, first_order.STUDIES)
    if arguments.sets:
        by_set(runs, files)
    if arguments.tolerance != first_order.DRAWN_TOLERANCE:
        return
    plt = first_order.plots()
    first_order.draw_profiles(plt, runs, files, arguments.png)


if __name__ == "__main__":
    main()
