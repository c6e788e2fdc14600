"""Campaigns as numpy sees them."""

from __future__ import annotations

import os
from typing import Any, Dict, Union

from . import _stickslip


class Campaign:
    """The rows of a campaign: one for each solve, with what is known of its problem, solver and machine.

    rows       numpy structured array; numbers that are not known are NaN
    meta       title, plan, created, version, …
    pending    how many rows of the plan are not done yet
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"]):
        read = _stickslip.read_campaign(folder)
        self.rows: Any = read["rows"]
        self.meta: Dict[str, str] = read["meta"]
        self.pending: int = read["pending"]

    @property
    def title(self) -> str:
        return self.meta.get("title", "")

    def __repr__(self) -> str:
        solved = int(self.rows["solved"].sum()) if len(self.rows) else 0
        name = f" '{self.title}'" if self.title else ""
        return f"campaign{name}: {len(self.rows)} rows, {solved} solved, {self.pending} pending"


def campaign(folder: Union[str, "os.PathLike[str]"]) -> Campaign:
    """Reads a campaign by its folder or its file: `stickslip campaign run PLAN.toml -o results`, then campaign("results").rows.

    Columns are those of `stickslip campaign export`: problem_name, solver_label, tolerance, status, solved, seconds, iterations,
    verified_error, …
    """
    return Campaign(folder)
