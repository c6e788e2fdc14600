"""Steps of physics engines as contact problems: check your engine's friction with an exact solver.

An engine with velocities v, mass matrix M, step h, forces τ (gravity, Coriolis, actuators, springs) and contact Jacobians J (the relative
velocity of contact α is J_α v) solves, exactly or nearly,

    M (v⁺ − v) = h τ + Jᵀ r,   u = J v⁺,   Coulomb's law between u and the impulses r.

That is the global form with H = Jᵀ, f = M v + h τ, w = what the contact law adds to u. Engines differ in the order of a contact's axes, in
what they add to the law (regularised, relaxed, soft contacts) and in how well they solve it; `compare` shows by how much.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._solve import solve
from ._stickslip import Check, InputError, Problem, Result, check


def step_problem(
    M: Any,
    J: Any,
    v: Any,
    force: Any,
    mu: Any,
    step: float,
    *,
    gap: Any = None,
    restitution: Any = 0.0,
    normal: str = "first",
    title: str = "a step of an engine",
) -> Problem:
    """The contact problem of one step.

    M            mass matrix, (n, n), dense or sparse
    J            contact Jacobian, (contacts·d, n), dense or sparse: the rows of a contact follow each other
    v            velocities before the step, n
    force        τ, generalised forces without those of contacts, n
    mu           friction coefficient of each contact, or one for all
    step         h > 0, s
    gap          distance of each contact at the start; an open one may close by the end of the step: u_N ≥ −gap/h.
                 Penetration counts as touching.
    restitution  Newton's: u_N⁺ ≥ −e u_N⁻ where bodies approach
    normal       "first": the rows of a contact are normal, tangents (MuJoCo); "last": tangents, normal (Drake)

    >>> import numpy as np, stickslip as ss
    >>> p = ss.engines.step_problem(np.eye(3), np.eye(3), [1, 0, 0], [0, 0, -10], [0.5], 0.1, normal="last")
    >>> ss.solve(p).v.round(9)                                    # a point of 1 kg slides on the plane z = 0
    array([0.5, 0. , 0. ])
    """
    import scipy.sparse as sp

    if not step > 0:
        raise InputError(f"step must be > 0, got {step}")
    M = sp.csr_matrix(M, dtype=float)
    J = sp.csr_matrix(J, dtype=float)
    v = np.asarray(v, dtype=float).ravel()
    force = np.asarray(force, dtype=float).ravel()
    n = len(v)
    if M.shape != (n, n) or J.shape[1] != n or len(force) != n:
        raise InputError(f"v has {n} numbers, M is {M.shape}, J is {J.shape}, force has {len(force)}; they do not fit")
    mu = np.asarray(mu, dtype=float)
    d = 3 if mu.ndim == 0 else (J.shape[0] // len(mu) if len(mu) and J.shape[0] % len(mu) == 0 else 0)
    if d not in (2, 3) or J.shape[0] % d:
        raise InputError(f"J has {J.shape[0]} rows for {mu.size} numbers of mu: a contact needs 2 or 3 rows")
    contacts = J.shape[0] // d
    mu = np.broadcast_to(mu, contacts)
    J = J[_order(contacts, d, normal)]

    w = np.zeros((contacts, d))
    before = (J @ v).reshape(contacts, d)[:, 0]
    w[:, 0] = np.broadcast_to(np.asarray(restitution, dtype=float), contacts) * np.minimum(before, 0.0)
    if gap is not None:
        w[:, 0] += np.maximum(np.broadcast_to(np.asarray(gap, dtype=float), contacts), 0.0) / step
    return Problem(M=M, H=J.T, f=M @ v + step * force, w=w, mu=mu, dimension=d, title=title)


def _order(contacts: int, d: int, normal: str) -> Any:
    """The rows of J with the normal first."""
    if normal not in ("first", "last"):
        raise InputError(f"normal must be 'first' or 'last', got {normal!r}")
    rows = np.arange(contacts * d).reshape(contacts, d)
    return (rows if normal == "first" else np.roll(rows, 1, axis=1)).ravel()


def from_mujoco(
    M: Any,
    efc_J: Any,
    qvel: Any,
    qfrc_smooth: Any,
    friction: Any,
    timestep: float,
    *,
    dist: Any = None,
) -> Problem:
    """A step of MuJoCo with elliptic cones (`<option cone="elliptic"/>`, condim 3), from the arrays of mjData after mj_step1 or mj_forward.

    M             mj_fullM(model, M, data.qM)
    efc_J         data.efc_J, dense, its rows of contacts: normal, tangent 1, tangent 2 of each
    qvel          data.qvel
    qfrc_smooth   data.qfrc_smooth = qfrc_passive − qfrc_bias + qfrc_applied + qfrc_actuator + xfrc
    friction      data.contact.friction: (contacts, 5), of which the first is the tangential one, or one number a contact
    timestep      model.opt.timestep
    dist          data.contact.dist

    MuJoCo's impulses of the same contacts are data.efc_force · timestep, in the same order: `compare(problem, impulses)`.
    """
    friction = np.asarray(friction, dtype=float)
    mu = friction[:, 0] if friction.ndim == 2 else friction
    return step_problem(M, efc_J, qvel, qfrc_smooth, mu, timestep, gap=dist, title="a step of MuJoCo")


def from_drake(
    M: Any,
    J: Any,
    v0: Any,
    tau: Any,
    mu: Any,
    time_step: float,
    *,
    phi: Any = None,
) -> Problem:
    """A step of Drake's discrete MultibodyPlant, from arrays.

    M    plant.CalcMassMatrix(context)
    J    contact Jacobian, rows of each contact: tangent 1, tangent 2, normal (the z axis of its frame R_WC), so that J v is the relative velocity in it
    v0   plant.GetVelocities(context)
    tau  generalised forces: −bias + gravity + actuation
    mu   combined coefficient of friction of each pair
    phi  signed distance of each pair

    Drake's impulses in that order go to `compare(problem, impulses, normal="last")`.
    """
    return step_problem(M, J, v0, tau, mu, time_step, gap=phi, normal="last", title="a step of Drake")


@dataclass
class Comparison:
    """What an engine gave beside the exact solution of the same step."""

    engine: Check  #: the engine's impulses, judged by the independent checker
    exact: Result  #: the solution
    impulse_difference: float  #: ‖r_engine − r‖/‖r‖; impulses need not be unique
    velocity_difference: float  #: ‖v_engine − v‖ in the norm of M, by that of v: velocities mostly are

    def __repr__(self) -> str:
        return (
            f"engine: {self.engine}\n"
            f"exact:  {self.exact.status}, error {self.exact.error:.3e}, {self.exact.open} open, {self.exact.stick} stick, "
            f"{self.exact.slip} slip\n"
            f"the engine's impulses differ by {self.impulse_difference:.1e}, its velocities by {self.velocity_difference:.1e}"
        )


def compare(problem: Problem, impulses: Any, *, normal: str = "first", tolerance: float = 1e-8, **options: Any) -> Comparison:
    """Holds an engine's impulses against Coulomb's law and against the exact solution of the same step.

    impulses     (contacts, d) or flat, N·s, axes in the engine's order as `normal` says
    tolerance    of the exact solution and of the verdict; further options go to solve
    """
    d, n = problem.dimension, problem.contacts
    r = np.asarray(impulses, dtype=float).ravel()
    if r.size != n * d:
        raise InputError(f"impulses has {r.size} numbers, expected {n * d}")
    r = r[_order(n, d, normal)].reshape(n, d)
    exact = solve(problem, tolerance=tolerance, guess=r, **options)
    from scipy.sparse.linalg import spsolve

    M, H = problem.M.tocsc(), problem.H
    v = spsolve(M, problem.f + H @ r.ravel())
    size = max(float(np.sqrt(exact.v @ (M @ exact.v))), 1e-300)
    dv, dr = v - exact.v, r - exact.r
    return Comparison(
        engine=check(problem, r, tolerance),
        exact=exact,
        impulse_difference=float(np.linalg.norm(dr) / max(float(np.linalg.norm(exact.r)), 1e-300)),
        velocity_difference=float(np.sqrt(max(dv @ (M @ dv), 0.0)) / size),
    )
