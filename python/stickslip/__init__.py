"""stickslip: impulses between bodies that touch, stick and slide.

    M v = H r + f,   u = Hᵀ v + w,   K* ∋ u + (μ‖u_T‖, 0, 0) ⊥ r ∈ K = { ‖r_T‖ ≤ μ r_N }

Each contact has 2 or 3 numbers, the normal first. Give the problem as W, q, mu or as M, H, f, w, mu:

>>> import stickslip as ss
>>> result = ss.solve([[1, 0], [0, 1]], [-1, 0.8], [0.5])      # one contact in the plane: it slips
>>> result.r.round(9)
array([[ 1. , -0.5]])

solve · Problem · Solver · read · write · generate · families · check · existence · solvers · describe
project_on_cone · natural_map · campaign · plot_profiles · Scene · Simulation · scenes · export
stickslip.siconos and stickslip.engines take problems from other programs. `python -m stickslip` is the command line.
"""

from . import _display, engines
from ._campaign import Campaign, campaign
from ._profiles import plot_profiles, profiles
from ._solve import solve
from ._stickslip import (
    OPEN,
    SLIP,
    STICK,
    Box,
    Capsule,
    Check,
    Compound,
    Contacts,
    Convex,
    Cylinder,
    ElementMesh,
    Ellipsoid,
    Error,
    Existence,
    InputError,
    Mesh,
    MissingComponent,
    OutputError,
    Pipe,
    Plane,
    Problem,
    Progress,
    Result,
    Scene,
    Simulation,
    Solver,
    Sphere,
    __version__,
    check,
    check_certificate,
    existence,
    export,
    generate,
    natural_map,
    picture,
    project_on_cone,
    read,
    write,
)
from ._tables import Description, Table, describe, families, scenes, solvers

_display.install()

__all__ = [
    "OPEN", "STICK", "SLIP", "__version__",
    "solve", "Solver", "Result", "Progress", "Problem", "read", "write", "generate", "picture", "families",
    "check", "Check", "check_certificate", "existence", "Existence", "solvers", "describe", "Table", "Description",
    "project_on_cone", "natural_map", "campaign", "Campaign", "profiles", "plot_profiles",
    "Scene", "Simulation", "Contacts", "scenes", "export", "engines",
    "Sphere", "Ellipsoid", "Capsule", "Cylinder", "Box", "Plane", "Convex", "Mesh", "Pipe", "Compound", "ElementMesh",
    "Error", "InputError", "OutputError", "MissingComponent",
]  # fmt: skip
