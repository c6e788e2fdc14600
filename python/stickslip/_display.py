"""Results in a notebook: a small table, and the curve of the error as SVG."""

from __future__ import annotations

import html
import math
from typing import Any, List, Tuple

from ._stickslip import Check, Problem, Result


def error_curve(history: Any, tolerance: float, width: int = 360, height: int = 120) -> str:
    """log₁₀ of the error over the iterations, with the tolerance as a dashed line; empty without two finite points."""
    points: List[Tuple[float, float]] = [
        (float(k), math.log10(e)) for k, e in zip(history["iteration"], history["error"]) if e > 0 and math.isfinite(e)
    ]
    if len(points) < 2:
        return ""
    if len(points) > 2 * width:  # no more than the eye can see
        stride = len(points) / (2 * width)
        points = [points[int(i * stride)] for i in range(2 * width)] + [points[-1]]
    goal = math.log10(tolerance)
    left, right, top, bottom = 44, 8, 8, 22
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1)
    low = math.floor(min(min(y for _, y in points), goal))
    high = math.ceil(max(max(y for _, y in points), goal))
    high = max(high, low + 1)

    def x(k: float) -> float:
        return left + (k - first) / (last - first) * (width - left - right)

    def y(e: float) -> float:
        return top + (high - e) / (high - low) * (height - top - bottom)

    line = " ".join(f"{x(k):.1f},{y(e):.1f}" for k, e in points)
    text = "font-family='sans-serif' font-size='10' fill='currentColor'"
    frame = f"M{left},{top}V{height - bottom}H{width - right}"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' role='img' "
        f"aria-label='error over iterations'>"
        f"<path d='{frame}' fill='none' stroke='currentColor' stroke-opacity='0.5'/>"
        f"<line x1='{left}' x2='{width - right}' y1='{y(goal):.1f}' y2='{y(goal):.1f}' stroke='#b2182b' stroke-dasharray='4 3'/>"
        f"<polyline points='{line}' fill='none' stroke='#2166ac' stroke-width='1.5'/>"
        f"<text x='{left - 4}' y='{top + 8}' text-anchor='end' {text}>1e{high}</text>"
        f"<text x='{left - 4}' y='{height - bottom}' text-anchor='end' {text}>1e{low}</text>"
        f"<text x='{left}' y='{height - 8}' {text}>{first:g}</text>"
        f"<text x='{width - right}' y='{height - 8}' text-anchor='end' {text}>{last:g} iterations</text>"
        f"</svg>"
    )


def _table(rows: List[Tuple[str, str]]) -> str:
    cells = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th><td style='text-align:left'>{html.escape(value)}</td></tr>"
        for name, value in rows
    )
    return f"<table>{cells}</table>"


def result_html(result: Result) -> str:
    ran = result.stage or result.solver_used
    rows = [
        ("status", result.status),
        ("error", f"{result.error:.3e} (tolerance {result.tolerance:.0e})"),
        ("iterations", f"{result.iterations} in {result.seconds:.3g} s"),
        ("contacts", f"{result.open} open, {result.stick} stick, {result.slip} slip"),
        ("solver", result.solver if result.solver == ran else f"{result.solver} = {ran}"),
    ]
    if result.message:
        rows.insert(1, ("message", result.message))
    return f"<div>{_table(rows)}{error_curve(result.history, result.tolerance)}</div>"


def check_html(check: Check) -> str:
    return _table(
        [
            ("verdict", check.verdict),
            ("error", f"{check.error:.3e} (tolerance {check.tolerance:.0e})"),
            ("outside K", f"{check.impulse_violation:.1e}"),
            ("penetration", f"{check.velocity_violation:.1e}"),
            ("|r·û|", f"{check.complementarity:.1e}"),
            ("contacts", f"{check.open} open, {check.stick} stick, {check.slip} slip"),
        ]
    )


def install() -> None:
    """Gives the classes of the extension their look in notebooks."""
    for kind, show in ((Result, result_html), (Check, check_html)):
        setattr(kind, "_repr_html_", show)
    setattr(Problem, "_repr_html_", lambda self: f"<p>{html.escape(repr(self))}</p>")
