"""Everything else that python.md promises: files, generators, checks, catalogue, cones, campaigns, display, the command line."""

import inspect
import re
import subprocess
import sys

import numpy as np
import pytest
import stickslip as ss


def test_every_name_is_documented():
    for name in ss.__all__:
        assert hasattr(ss, name)
        if callable(getattr(ss, name)):
            assert (getattr(ss, name).__doc__ or "").strip(), name
    assert re.match(r"\d+\.\d+\.\d+", ss.__version__)
    assert (ss.OPEN, ss.STICK, ss.SLIP) == (0, 1, 2)


def test_read_and_write(tmp_path, wall):
    result = ss.solve(wall)
    for name in ("wall.hdf5", "wall.h5", "folder"):
        ss.write(tmp_path / name, wall, solution=result)
        again = ss.read(str(tmp_path / name))
        np.testing.assert_array_equal(again.M.toarray(), wall.M.toarray())
        np.testing.assert_array_equal(again.f, wall.f)
    again = ss.read(tmp_path / "wall.hdf5")
    assert again.title == wall.title
    np.testing.assert_array_equal(again.solution["r"], result.r)
    np.testing.assert_array_equal(again.solution["v"], result.v)
    assert ss.solve(tmp_path / "wall.hdf5", guess="stored").iterations == 0
    assert ss.check(tmp_path / "wall.hdf5", result).good
    with pytest.raises(ss.InputError, match="neither"):
        ss.solve(wall, guess="stored")
    ss.write(tmp_path / "wall.dat", wall.reduce())
    assert ss.read(tmp_path / "wall.dat").form == "reduced"
    ss.write(tmp_path / "r.hdf5", wall, solution=result.r)
    assert set(ss.read(tmp_path / "r.hdf5").solution) == {"r"}
    ss.write(tmp_path / "uv.hdf5", wall, solution={"r": result.r, "u": result.u, "v": result.v})
    assert set(ss.read(tmp_path / "uv.hdf5").solution) >= {"r", "u", "v"}


def test_generate_and_families():
    names = [row["name"] for row in ss.families()]
    assert len(names) >= 20 and names == sorted(set(names), key=names.index)
    a, b = ss.generate("random", size=30, seed=3), ss.generate("random", size=30, seed=3)
    np.testing.assert_array_equal(a.f if a.form == "global" else a.q, b.f if b.form == "global" else b.q)
    assert ss.picture("arch").startswith("<svg")
    text = repr(ss.families())
    assert text.splitlines()[0].split() == ["name", "summary", "options", "reference"] and "wall" in text
    assert "<table>" in ss.families()._repr_html_()


def test_check(wall):
    result = ss.solve(wall)
    verdict = ss.check(wall, result.r)
    assert verdict.good and verdict.verdict == "good" and verdict
    assert verdict.error == pytest.approx(result.error, rel=0.1, abs=1e-12)  # long double beside double
    np.testing.assert_array_equal(verdict.contact_status, result.contact_status)
    np.testing.assert_allclose(verdict.u, result.u, atol=1e-9)
    assert (verdict.open, verdict.stick, verdict.slip) == (result.open, result.stick, result.slip)
    wrong = ss.check(wall, np.zeros_like(result.r))
    assert not wrong.good and wrong.velocity_violation > 0 and "wanting" in repr(wrong)
    assert not ss.check(wall, result.r, tolerance=1e-20)


def test_existence():
    yes, no = ss.existence(ss.generate("arch")), ss.existence(ss.generate("infeasible"))
    assert yes.answer == "exists" and yes.margin > 0 and yes.certificate.size == 0
    assert no.answer == "none" and no.message and "none" in repr(no)
    assert ss.check_certificate(ss.generate("infeasible"), no.certificate)["proves_infeasible"]


def test_catalogue():
    rows = ss.solvers()
    labels = [row["label"] for row in rows]
    assert labels[0] == "auto" and "NSGS-AC" in labels and len(labels) > 60
    assert set(rows[0]) == {"label", "family", "composition", "summary", "reference", "needs"}
    assert repr(rows).splitlines()[0].startswith("label")
    auto = ss.describe("auto")
    assert auto["stages"] and auto["options"] and "auto = automatic" in repr(auto)
    assert ss.describe()["solver"] == "auto" and "<table>" in auto._repr_html_()
    for row in rows:
        assert ss.Solver(row["label"]).composition == row["composition"]
    with pytest.raises(ss.InputError):
        ss.describe("nothing")


def test_cone_functions():
    random = np.random.default_rng(2)
    for d in (2, 3):
        x, mu = random.standard_normal((50, d)), random.random(50)
        p = ss.project_on_cone(x, mu)
        assert p.shape == x.shape
        tangent = np.linalg.norm(p[:, 1:], axis=1)
        assert (tangent <= mu * p[:, 0] * (1 + 1e-12) + 1e-15).all()
        np.testing.assert_allclose(ss.project_on_cone(p, mu), p, atol=1e-14)  # idempotent to rounding
        # Moreau: what is left is in the polar cone and orthogonal.
        np.testing.assert_allclose(((x - p) * p).sum(axis=1), 0, atol=1e-14)
        assert ss.project_on_cone(x[0], mu[0]).shape == (d,)
        u, r = random.standard_normal((2, 50, d))
        shifted = u.copy()
        shifted[:, 0] += mu * np.linalg.norm(u[:, 1:], axis=1)
        np.testing.assert_allclose(ss.natural_map(u, r, mu), r - ss.project_on_cone(r - shifted, mu), atol=1e-14)
    result = ss.solve(np.eye(6), [-1, 0.2, 0, -1, 3, 4], [0.5, 0.5], tolerance=1e-12)
    assert np.abs(ss.natural_map(result.u, result.r, 0.5)).max() < 1e-11
    assert ss.project_on_cone(np.zeros((2, 5, 3)), 0.3).shape == (2, 5, 3)


def test_display(wall):
    html = ss.solve(wall, solver="gs", max_iterations=50, history=True)._repr_html_()
    assert "<svg" in html and "<polyline" in html and "iteration_limit" in html
    assert "<svg" not in ss.solve(wall)._repr_html_()
    assert "good" in ss.check(wall, ss.solve(wall))._repr_html_()
    assert "wall" in wall._repr_html_()
    from xml.etree import ElementTree

    ElementTree.fromstring(html)  # well formed


PLAN = """
title = "three solvers"
solvers = ["auto", "gs", "admm"]
tolerances = [1e-4, 1e-8]
time_limit = 10
[[set]]
name = "small"
family = "random"
size = [10, 20]
seeds = 2
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    (folder / "plan.toml").write_text(PLAN)
    command = [sys.executable, "-m", "stickslip", "campaign", "run", str(folder / "plan.toml"), "-o", str(folder / "results")]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode == 2:
        pytest.fail(run.stderr)
    return folder / "results"


def test_campaign(results):
    found = ss.campaign(results)
    rows = found.rows
    assert len(rows) == 3 * 2 * 4 and found.pending == 0 and found.title == "three solvers"
    assert rows["solved"].dtype == bool and rows["seconds"].dtype == float
    assert set(rows["solver_label"]) == {"auto", "gs", "admm"} and set(rows["tolerance"]) == {1e-4, 1e-8}
    assert rows["solved"][rows["solver_label"] == "auto"].all()
    assert (rows["verified_error"][rows["solved"]] <= rows["tolerance"][rows["solved"]]).all()
    assert "24 rows" in repr(found)
    curves = ss.profiles(rows, tolerance=1e-8)
    assert max(rho[-1] for _, rho in curves.values()) == 1.0
    with pytest.raises(ss.InputError):
        ss.profiles(rows, measure="nothing")
    with pytest.raises(ss.InputError):
        ss.profiles([1, 2])
    with pytest.raises(ss.InputError):
        ss.campaign(results / "nowhere")


def test_plot_profiles(results, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    ax = ss.plot_profiles(ss.campaign(results).rows)
    assert len(ax.get_lines()) == 3
    ax.figure.savefig(tmp_path / "profiles.png")


def test_plot_without_matplotlib(results, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ss.MissingComponent, match="python3-matplotlib"):
        ss.plot_profiles(ss.campaign(results).rows)


def test_command_line(tmp_path):
    run = subprocess.run([sys.executable, "-m", "stickslip", "--version"], capture_output=True, text=True)
    assert run.returncode == 0 and run.stdout.strip() == f"stickslip {ss.__version__}"
    run = subprocess.run([sys.executable, "-m", "stickslip", "solve", "nowhere.hdf5"], capture_output=True, text=True)
    assert run.returncode == 2 and "nowhere.hdf5" in run.stderr


def test_keywords_are_those_of_the_command_line():
    help_text = subprocess.run([sys.executable, "-m", "stickslip", "solve", "--help"], capture_output=True, text=True).stdout
    options = {name.replace("-", "_") for name in re.findall(r"--([a-z-]+)", help_text)}
    # What prints or writes has no place in a function, and Python is one process.
    files = {"output", "json", "write_failed", "help", "quiet", "verbose", "version", "petsc"}
    keywords = set(inspect.signature(ss.solve).parameters)
    assert options - files <= keywords, options - files - keywords
    own = {"W", "q", "mu", "M", "H", "f", "w", "G", "b", "dimension", "callback", "callback_every", "options"}
    assert keywords - own <= options, keywords - own - options


def test_result_as_dict_is_the_json_of_the_command_line(tmp_path, wall):
    import json

    ss.write(tmp_path / "wall.hdf5", wall)
    run = subprocess.run([sys.executable, "-m", "stickslip", "solve", "--json", str(tmp_path / "wall.hdf5")], capture_output=True, text=True)
    printed, ours = json.loads(run.stdout), ss.solve(wall).as_dict()
    assert set(printed) - set(ours) <= {"file", "degrees_of_freedom", "form"}
    for name in ("contacts", "solver", "solver_used", "status", "tolerance", "open", "stick", "slip"):
        assert printed[name] == ours[name]
    assert str(ss.solve(wall)).splitlines()[0].startswith("converged in")


def test_stubs_know_every_name():
    """The stub and the extension have the same names; mypy looks at the rest where it is installed."""
    import ast
    from pathlib import Path

    import stickslip._stickslip as extension

    tree = ast.parse((Path(ss.__file__).parent / "_stickslip.pyi").read_text())
    stub = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            stub[node.name] = {m.name for m in node.body if isinstance(m, ast.FunctionDef)}
            stub[node.name] |= {m.target.id for m in node.body if isinstance(m, ast.AnnAssign)}
        elif isinstance(node, ast.FunctionDef):
            stub[node.name] = set()
        elif isinstance(node, ast.AnnAssign):
            stub[node.target.id] = set()
    for name in dir(extension):
        if name.startswith("__") and name != "__version__":
            continue
        assert name in stub, name
        if inspect.isclass(getattr(extension, name)) and not issubclass(getattr(extension, name), Exception):
            members = {m for m in vars(getattr(extension, name)) if not m.startswith("_") and m != "_repr_html_"}
            assert members <= stub[name], (name, members - stub[name])
            assert {m for m in stub[name] if not m.startswith("_")} <= members, (name, stub[name] - members)


def test_types():
    api = pytest.importorskip("mypy.api")
    from pathlib import Path

    package = Path(ss.__file__).resolve().parent
    source = Path(package, "__init__.py").resolve().parent
    output, errors, status = api.run(["--strict", "--ignore-missing-imports", "--cache-dir=/dev/null", "--no-error-summary", "--allow-any-generics",
                                      "--no-warn-return-any", "--no-warn-unused-ignores", str(source)])  # fmt: skip
    assert status == 0, output + errors
