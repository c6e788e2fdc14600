"""Docstrings, the page docs/python.md and the examples are run."""

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
import stickslip as ss

TOP = Path(__file__).resolve().parents[2]


def documented():
    """Every function and class with a docstring: of the package and of the extension, whose functions doctest does not find by itself."""
    found = {}
    modules = [ss] + [importlib.import_module(f"stickslip.{m.name}") for m in pkgutil.iter_modules(ss.__path__) if m.name != "__main__"]
    for module in modules:
        found[module.__name__] = module.__doc__ or ""
        for name, thing in vars(module).items():
            if getattr(thing, "__module__", "").startswith("stickslip") and getattr(thing, "__doc__", None):
                found[f"{thing.__module__}.{name}"] = thing.__doc__
    return {name: text for name, text in found.items() if ">>>" in text}


EXAMPLES = documented()


@pytest.mark.parametrize("name", EXAMPLES)
def test_docstring(name):
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, None, 0)
    messages = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=messages.append)
    assert not messages, "".join(messages)


def test_what_people_type_has_an_example():
    for name in ("solve", "Solver", "Problem", "Result", "read", "write", "generate", "families", "check", "existence", "solvers", "describe",
                 "project_on_cone", "natural_map", "profiles", "Scene", "Simulation", "scenes"):  # fmt: skip
        assert ">>>" in getattr(ss, name).__doc__, name


def test_page(tmp_path, monkeypatch):
    """The python blocks of the page, one after the other, in one session."""
    pytest.importorskip("matplotlib").use("Agg")
    text = (TOP / "docs" / "python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    assert len(blocks) > 8
    monkeypatch.chdir(tmp_path)
    names = {}
    for k, block in enumerate(blocks):
        line = text[: text.index(block)].count("\n")
        exec(compile("\n" * line + block, "docs/python.md", "exec"), names)


@pytest.mark.parametrize("script", sorted((TOP / "examples" / "python").glob("*.py")), ids=lambda p: p.stem)
def test_example(script, tmp_path):
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    run = subprocess.run([sys.executable, str(script), "--short", "-o", str(tmp_path)], capture_output=True, text=True, env=environment, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return
    assert list(tmp_path.glob("*.png"))
