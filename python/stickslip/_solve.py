"""solve, as people type it."""

from __future__ import annotations

from typing import Any, Callable, Optional, Union

from . import _stickslip
from ._stickslip import Progress, Result


def solve(
    W: Any = None,
    q: Any = None,
    mu: Any = None,
    *,
    M: Any = None,
    H: Any = None,
    f: Any = None,
    w: Any = None,
    G: Any = None,
    b: Any = None,
    dimension: Optional[int] = None,
    solver: str = "auto",
    tolerance: float = 1e-8,
    time_limit: Optional[float] = None,
    memory_limit: Union[float, str, None] = None,
    max_iterations: Optional[int] = None,
    guess: Any = None,
    threads: int = 1,
    history: bool = False,
    explain: bool = False,
    callback: Optional[Callable[[Progress], Any]] = None,
    callback_every: Optional[int] = None,
    **options: Any,
) -> Result:
    """Solves a frictional contact problem and returns a Result; one that was not solved has a status, never an exception.

    The problem is one of
        W, q, mu              W: any scipy.sparse format (bsr with d×d blocks is taken as it is), numpy, nested lists;
                              d = len(q)/len(mu) is 2 or 3; one mu for all contacts where dimension= or the shape of q says d
        M=, H=, f=, w=, mu=   the global form; G= and b= for bilateral constraints; w is zero where it is not given
        a Problem, or the path of a file

    solver          a name of solvers(), or a composition such as "NSGS-AC(order=shuffled)"; its options may also be
                    keywords: solve(p, solver="gs", relaxation=0.9)
    tolerance       on the error ‖r − P_K(r − û)‖/‖q‖ of the problem as it is given
    time_limit      seconds; max_iterations of the outermost loop
    memory_limit    bytes, or "4G": what would take more is left out
    guess           a first r, an earlier Result, or "stored" for the one in the file
    threads         changes no bit of the result
    history         keep the error of every iteration: result.history
    explain         keep what auto tried: result.explanation
    callback        called with a Progress (iteration, seconds, error) at most every 50 ms, or at every k-th measured iterate
                    with callback_every=k; True stops the solve, an exception ends it

    The lock of the interpreter is released meanwhile. Ctrl-C raises KeyboardInterrupt.

    >>> import numpy as np, scipy.sparse as sp, stickslip as ss
    >>> W = sp.identity(6, format="bsr")
    >>> result = ss.solve(W, [-1, 0.2, 0, -1, 3, 4], [0.5, 0.5], tolerance=1e-10)
    >>> result.r.round(9) + 0.0
    array([[ 1. , -0.2,  0. ],
           [ 1. , -0.3, -0.4]])
    >>> result.contact_status.tolist() == [ss.STICK, ss.SLIP]
    True
    """
    others = {"M": M, "H": H, "f": f, "w": w, "G": G, "b": b, "dimension": dimension}
    return _stickslip.solve(
        W, q, mu, others, solver, options, tolerance, time_limit, memory_limit, max_iterations, guess, threads,
        history, explain, callback, callback_every,
    )  # fmt: skip
