"""Problems from and to Siconos' Python objects (siconos.numerics), where Siconos is installed.

Siconos' global form is M v = H r + q, u = Hᵀ v + b: its q is our f, its b our w.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from ._stickslip import InputError, MissingComponent, Problem


def _numerics() -> Any:
    try:
        import siconos.numerics as numerics
    except ImportError:
        raise MissingComponent("this needs Siconos' Python module, which is not installed (Debian: python3-siconos)") from None
    return numerics


def _matrix(numerics: Any, matrix: Any) -> Any:
    """A NumericsMatrix, or what its properties gave, as scipy or numpy has it."""
    return numerics.NM_csc(matrix) if isinstance(matrix, numerics.NumericsMatrix) else matrix


def from_siconos(problem: Any) -> Problem:
    """A FrictionContactProblem or a GlobalFrictionContactProblem as a Problem; its arrays are copied."""
    numerics = _numerics()
    if isinstance(problem, numerics.FrictionContactProblem):
        W = _matrix(numerics, problem.M)
        return Problem(W, problem.q, np.atleast_1d(problem.mu), dimension=problem.dimension)
    if isinstance(problem, numerics.GlobalFrictionContactProblem):
        M, H = _matrix(numerics, problem.M), _matrix(numerics, problem.H)
        mu = np.atleast_1d(problem.mu)
        return Problem(M=M, H=H, f=problem.q, w=problem.b, mu=mu, dimension=problem.dimension)
    raise InputError(f"neither a FrictionContactProblem nor a GlobalFrictionContactProblem: {type(problem).__name__}")


def _columns(matrix: Any) -> Any:
    """Compressed columns with the 64-bit indices that Siconos has."""
    csc = sp.csc_matrix(matrix, copy=True)
    csc.indices, csc.indptr = csc.indices.astype(np.int64), csc.indptr.astype(np.int64)
    return csc


def to_siconos(problem: Problem) -> Any:
    """A Problem as a FrictionContactProblem or a GlobalFrictionContactProblem. Bilateral constraints have no place there."""
    numerics = _numerics()
    if problem.form == "reduced":
        return numerics.FrictionContactProblem(problem.dimension, _columns(problem.W), np.array(problem.q), np.array(problem.mu))
    if len(problem.b) > 0:
        raise InputError("Siconos' GlobalFrictionContactProblem has no bilateral constraints; reduce() eliminates them")
    out = numerics.GlobalFrictionContactProblem(problem.dimension)
    out.numberOfContacts = problem.contacts
    out.M = _columns(problem.M)
    out.H = _columns(problem.H)
    out.q = np.array(problem.f)
    out.b = np.array(problem.w)
    out.mu = np.array(problem.mu)
    return out
