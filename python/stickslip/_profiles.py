"""Performance profiles (Dolan, Moré 2002): for each solver the share of problems that it solves within τ times the best time."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np

from ._stickslip import InputError, MissingComponent


def profiles(rows: Any, measure: str = "seconds", tolerance: Optional[float] = None) -> Dict[str, Tuple[Any, Any]]:
    """For each solver τ, rising, and ρ(τ): the share of problems solved within τ times the best.

    rows       of a campaign; a problem that nobody solved counts for none
    measure    the column that is compared, smaller is better
    tolerance  where the rows have several, which one

    >>> import numpy as np, stickslip as ss
    >>> rows = np.array([("p", "a", 1.0, True), ("p", "b", 2.0, True)],
    ...                 dtype=[("problem_name", "U9"), ("solver_label", "U9"), ("seconds", "f8"), ("solved", "?")])
    >>> {label: (tau.tolist(), rho.tolist()) for label, (tau, rho) in ss.profiles(rows).items()}
    {'a': ([1.0], [1.0]), 'b': ([2.0], [1.0])}
    """
    names = getattr(getattr(rows, "dtype", None), "names", None)
    if names is None:
        raise InputError("rows must be a structured array, as campaign(folder).rows is")
    for name in ("problem_name", "solver_label", "solved", measure):
        if name not in names:
            raise InputError(f"rows have no column '{name}'")
    if tolerance is not None:
        rows = rows[rows["tolerance"] == tolerance]
    keys = [name for name in ("problem_set_name", "problem_name", "tolerance", "time_limit") if name in names]
    problem = [tuple(row) for row in rows[keys].tolist()]
    cost = np.where(rows["solved"], np.asarray(rows[measure], dtype=float), np.inf)
    cost = np.where(np.isnan(cost), np.inf, cost)
    best: Dict[Any, float] = {}
    for key, value in zip(problem, cost):
        best[key] = min(best.get(key, np.inf), value)
    total = len(best)
    out: Dict[str, Tuple[Any, Any]] = {}
    for label in dict.fromkeys(rows["solver_label"].tolist()):
        mine = rows["solver_label"] == label
        # A time of zero is as good as the best.
        ratio = np.sort(
            [v / best[k] if best[k] > 0 else 1.0 for k, v, m in zip(problem, cost, mine) if m and np.isfinite(v)]
        )
        out[label] = (ratio, np.arange(1, len(ratio) + 1) / max(total, 1))
    return out


def plot_profiles(rows: Any, measure: str = "seconds", tolerance: Optional[float] = None, ax: Any = None) -> Any:
    """Draws the performance profiles of a campaign's rows by matplotlib, and returns the axes.

    Raises MissingComponent where matplotlib is not installed.
    """
    curves = profiles(rows, measure, tolerance)
    if ax is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise MissingComponent("plot_profiles needs matplotlib, which is not installed (Debian: python3-matplotlib)") from None
        ax = plt.subplots(figsize=(7, 4))[1]
    end = max([1.0] + [float(tau[-1]) for tau, _ in curves.values() if len(tau)]) * 1.2
    order = sorted(curves, key=lambda label: -float(curves[label][1].sum() if len(curves[label][1]) else 0))
    for label in order:
        tau, rho = curves[label]
        ax.step(np.concatenate([[1.0], tau, [end]]), np.concatenate([[0.0], rho, rho[-1:] if len(rho) else [0.0]]), where="post", label=label)
    ax.set_xscale("log")
    ax.set_xlim(1, max(end, 1.1))
    ax.set_ylim(0, 1.02)
    ax.set_xlabel(f"τ: {measure}, as a multiple of the best")
    ax.set_ylabel("ρ(τ): share of problems solved")
    ax.grid(alpha=0.3)
    ax.legend(fontsize="small", loc="lower right")
    return ax
