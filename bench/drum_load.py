#!/usr/bin/env python3
"""drum_load.py R0 TOP > SCENE: PQN's drum (8.1) under load, as a scene.

Ellipsoids lie in the lower part of the drum, up to the height TOP, in columns that stand on its sides. Columns touch each other, so that all weigh on
all from the first step. Grains are 0.9, 0.5 and 1 times R0: 0.01 and -0.405 give 100,000 of them. Of the scene: -D deformable=1 makes them
pseudo-rigid, -D h is the step, 1e-4 s as in the public job script."""
import sys
from math import cos, floor, pi, sin, sqrt

r0, top = float(sys.argv[1]), float(sys.argv[2])
sides = [(f + 0.5) * pi / 16 for f in range(-7, 7)]  # of 32, by the angle from below
reach, rows = cos(pi / 32), floor(0.48 / r0)


def lowest(x):
    """The height of an ellipsoid at x that rests on a side."""
    return max((x * sin(a) - reach + sqrt((0.9 * r0 * sin(a)) ** 2 + (r0 * cos(a)) ** 2)) / cos(a) for a in sides)


def next_to(x):
    """The nearest place for another column: where bodies of both just touch, whatever the shift between them."""

    def apart(dx):
        shift = (lowest(x + dx) - lowest(x)) / (2 * r0)
        return dx - 1.8 * r0 * sqrt(1 - (shift - floor(shift + 0.5)) ** 2)

    dx = 1.5 * r0
    while apart(dx) < 0:
        dx += 1e-4 * r0
    low, high = dx - 1e-4 * r0, dx
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if apart(middle) < 0 else (low, middle)
    return x + high


columns = [0.0]
while lowest(columns[-1]) < top - r0:
    columns.append(next_to(columns[-1]))
columns = [-x for x in reversed(columns[1:-1])] + columns[:-1]

print(f"""title    = "drum of ellipsoids under load"
gravity  = [0, 0, -10]
step     = "h"
steps    = 20
scheme   = "linearly_implicit"

[parameters]
h          = 1e-4
deformable = 0
omega      = 1
friction   = 0.3
limit      = 3       # s a step
tolerance  = 1e-4

[solver]
name       = "PQN(form=velocity, delta=0.01, decay=0, scaling=off, linear=gmres(accuracy=0.25, iterations=10, restart=10))"
tolerance  = "tolerance"
time_limit = "limit"

[contact]
friction = "friction"

[[material]]
name    = "grain"
density = 100
young   = 1e6
poisson = 0.25

[[body]]
name     = "drum"
kind     = "driven"
angular_velocity = [0, "omega", 0]
centre   = [0, 0.25, 0]
position = [0, 0.25, 0]

[body.shape]
kind  = "compound"
parts = [
  {{ kind = "pipe", inner = 1, outer = 1.05, length = 0.5, pieces = 32, rotation = {{ axis = [1, 0, 0], angle = -90 }} }},
  {{ kind = "box", size = [0.2, 0.5, 0.2], position = [-0.9, 0, 0] }},
  {{ kind = "box", size = [0.2, 0.5, 0.2], position = [0.9, 0, 0] }},
]""")
for name, y in (("front", -0.027), ("back", 0.527)):
    print(f"""
[[body]]
name     = "{name}"
kind     = "fixed"
shape    = {{ kind = "cylinder", radius = 1.05, length = 0.05 }}
position = [0, {y}, 0]
rotation = {{ axis = [1, 0, 0], angle = 90 }}""")
for deformable, kind in enumerate(("rigid", "pseudo_rigid")):
    for c, x in enumerate(columns):
        print(f"""
[[body]]
name     = "{kind}{c}"
kind     = "{kind}"
material = "grain"
shape    = {{ kind = "ellipsoid", radii = [{0.9 * r0!r}, {0.5 * r0!r}, {r0!r}] }}
position = [{x!r}, "{0.25 - r0 * (rows - 1) / 2!r} + {r0!r}*j", "{lowest(x)!r} + {2 * r0!r}*k"]
count    = [1, {rows}, {floor((top - r0 - lowest(x)) / (2 * r0)) + 1}]
if       = "deformable == {deformable}\"""")
        if deformable:
            print('damping  = "h"')
