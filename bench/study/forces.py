#!/usr/bin/env python3
"""Draws the forces of a solved plane structure: a needle at each contact, and the line of thrust through the joints.

    bench/study/forces.py COMMAND FAMILY OUT.svg [OPTIONS OF generate...]

COMMAND is the program stickslip, FAMILY a family of blocks that has --dimension 2. docs/figures/forces.svg is the output for
`arch --size 40`. A development script: needs python3 only, is not run by the tests.
"""
import collections
import math
import pathlib
import re
import subprocess
import sys
import tempfile


def numbers(file):
    """Rows, columns and entries of a Matrix Market file; a vector has the column 0."""
    lines = [line.split() for line in file.read_text().splitlines() if not line.startswith("%")]
    if len(lines[0]) == 2:
        return [float(line[0]) for line in lines[1:]]
    return {(int(row) - 1, int(column) - 1): float(value) for row, column, value in lines[1:]}


def solved(command, family, options):
    """The picture of the scene, H and r."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run = lambda *words: subprocess.run([command, *words], check=True, capture_output=True)
        run("generate", family, "--dimension", "2", "--picture", "-o", name, *options)
        problem = next(folder.glob("*.hdf5"))
        run("solve", str(problem), "-o", str(folder / "solved.hdf5"))
        run("convert", str(folder / "solved.hdf5"), str(folder / "text"))
        return (problem.with_suffix(".svg").read_text(), numbers(folder / "text" / "H.mtx"), numbers(folder / "text" / "r.mtx"))


def forces(H, r):
    """The bodies of each contact and the force there, in the picture's axes (x to the right, y down)."""
    bodies, force = collections.defaultdict(set), collections.defaultdict(lambda: [0.0, 0.0])
    for row, column in H:
        bodies[column // 2].add(row // 3)
    for (row, column), value in H.items():
        contact = column // 2
        if row // 3 == max(bodies[contact]) and row % 3 < 2:
            force[contact][row % 3] += value * r[column] * (1 if row % 3 == 0 else -1)
    return [tuple(sorted(bodies[i])) for i in range(len(r) // 2)], [force[i] for i in range(len(r) // 2)]


def main(command, family, out, *options):
    svg, H, r = solved(command, family, options)
    dots = [(float(x), float(y)) for x, y in re.findall(r'class="k" cx="([-\d.]+)" cy="([-\d.]+)"', svg)]
    bodies, force = forces(H, r)
    longest = max(math.hypot(*f) for f in force)
    needles, joints = [], collections.OrderedDict()
    for i, (x, y) in enumerate(dots):
        fx, fy = (28 * component / longest for component in force[i])
        needles.append(f"M{x - fx:.1f} {y - fy:.1f}L{x + fx:.1f} {y + fy:.1f}")
        joints.setdefault(bodies[i] if len(bodies[i]) == 2 else (-1, bodies[i][0]), []).append(i)
    # The resultant of a joint meets it where the moments of its normal forces say.
    centre = {}
    for pair, contacts in joints.items():
        weight = [abs(r[2 * i]) for i in contacts]
        if sum(weight) > 0:
            centre[pair] = tuple(sum(w * dots[i][k] for w, i in zip(weight, contacts)) / sum(weight) for k in (0, 1))
    thrust = []
    for body in {b for pair in centre for b in pair if b >= 0}:
        mine = [pair for pair in centre if body in pair]
        if len(mine) == 2:
            (a, b), (c, d) = centre[mine[0]], centre[mine[1]]
            thrust.append(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}")
    svg = re.sub(r'<circle class="k"[^>]*/>', "", svg)
    style = 'fill="none" stroke-linecap="round"'
    lines = [f'<path {style} style="stroke:#1f4fbf;stroke-width:1.6;stroke-opacity:.85" d="{"".join(needles)}"/>',
             f'<path {style} style="stroke:#d6225f;stroke-width:2.2" d="{"".join(thrust)}"/>']
    pathlib.Path(out).write_text(svg.replace("</svg>", "\n".join(lines) + "\n</svg>\n"))


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
