"""What the library knows of itself: solvers, families, scenes, as tables that print like those of the command line."""

from __future__ import annotations

import html
from typing import Any, Dict, List, Sequence

from . import _stickslip


def _columns(rows: Sequence[Dict[str, Any]], names: Sequence[str]) -> str:
    cells = [list(names)] + [[_word(row[name]) for name in names] for row in rows]
    widths = [max(len(line[c]) for line in cells) for c in range(len(names))]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in cells)


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{k}={v:g}" if isinstance(v, float) else str(k) for k, v in value.items())
    return str(value)


def _html(rows: Sequence[Dict[str, Any]], names: Sequence[str]) -> str:
    head = "".join(f"<th style='text-align:left'>{html.escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{html.escape(_word(row[name]))}</td>" for name in names) + "</tr>"
        for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


class Table(List[Dict[str, Any]]):
    """A list of rows, each a dict, that prints as columns."""

    def __init__(self, rows: Sequence[Dict[str, Any]], names: Sequence[str]):
        super().__init__(rows)
        self._names = list(names)

    def __repr__(self) -> str:
        return _columns(self, self._names)

    def _repr_html_(self) -> str:
        return _html(self, self._names)


class Description(Dict[str, Any]):
    """What a solver is: solver, composition, summary, reference, options and stages."""

    def __repr__(self) -> str:
        text = f"{self['solver']} = {self['composition']}\n"
        if self["summary"]:
            text += f"{self['summary']} ({self['reference']})\n"
        text += "\n" + _columns(self["options"], ["name", "value", "range", "meaning"])
        if self["stages"]:
            text += "\n\n" + _columns(self["stages"], ["name", "round", "start", "when", "until"])
        return text

    def _repr_html_(self) -> str:
        title = f"<p><b>{html.escape(self['solver'])}</b> = <code>{html.escape(self['composition'])}</code><br>"
        title += f"{html.escape(self['summary'])}</p>"
        text = title + _html(self["options"], ["name", "value", "range", "meaning"])
        return text + (_html(self["stages"], ["name", "round", "start", "when", "until"]) if self["stages"] else "")


def solvers() -> Table:
    """Every solver, as `stickslip list` shows them: rows with label, family, composition, summary, reference, needs.

    >>> import stickslip as ss
    >>> [row["label"] for row in ss.solvers()][0]
    'auto'
    """
    return Table(_stickslip.solvers(), ["label", "family", "summary", "needs", "reference"])


def describe(name: str = "auto", **options: Any) -> Description:
    """A solver with its options, their values, ranges and meanings, as `stickslip describe` shows it.

    >>> import stickslip as ss
    >>> gs = ss.describe("gs", relaxation=0.9)
    >>> gs["composition"]
    'gs(relaxation=0.9)'
    >>> [o["range"] for o in gs["options"] if o["name"] == "relaxation"]
    ['(0, 2]']
    """
    return Description(_stickslip.describe(name, **options))


def families() -> Table:
    """The built-in problem families: rows with name, summary, reference, options (with their meaning), has_picture.

    >>> import stickslip as ss
    >>> "wall" in [row["name"] for row in ss.families()]
    True
    """
    return Table(_stickslip.families(), ["name", "summary", "options", "reference"])


def scenes() -> Table:
    """The built-in scenes: rows with name, title and parameters.

    >>> import stickslip as ss
    >>> "incline" in [row["name"] for row in ss.scenes()]
    True
    """
    return Table(_stickslip.scenes(), ["name", "title", "parameters"])
