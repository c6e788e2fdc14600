"""Problems from other programs: Siconos' objects, and steps of MuJoCo and Drake as arrays."""

import sys
from pathlib import Path

import numpy as np
import pytest
import stickslip as ss
from stickslip import engines

DATA = Path(__file__).parent / "data"


@pytest.fixture
def siconos():
    return pytest.importorskip("siconos.numerics")


@pytest.mark.filterwarnings("ignore::UserWarning")  # Siconos' about conversions
def test_siconos_reduced(siconos):
    from stickslip.siconos import from_siconos, to_siconos

    for p in (ss.generate("random", size=20), ss.generate("stack").reduce()):
        p = p if p.form == "reduced" else p.reduce()
        theirs = to_siconos(p)
        assert theirs.numberOfContacts == p.contacts and theirs.dimension == 3
        again = from_siconos(theirs)
        np.testing.assert_array_equal(again.W.toarray(), p.W.toarray())
        np.testing.assert_array_equal(again.q, p.q)
        np.testing.assert_array_equal(again.mu, p.mu)
        # Siconos' Gauss–Seidel on their object, judged by our checker.
        r, u = np.zeros(3 * p.contacts), np.zeros(3 * p.contacts)
        options = siconos.SolverOptions(siconos.SICONOS_FRICTION_3D_NSGS)
        options.dparam[siconos.SICONOS_DPARAM_TOL] = 1e-10
        options.iparam[siconos.SICONOS_IPARAM_MAX_ITER] = 100000
        assert siconos.fc3d_driver(theirs, r, u, options) == 0
        assert ss.check(p, r, tolerance=1e-7).good


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_siconos_global(siconos):
    from stickslip.siconos import from_siconos, to_siconos

    p = ss.generate("stack")
    again = from_siconos(to_siconos(p))
    for name in ("M", "H"):
        np.testing.assert_array_equal(getattr(again, name).toarray(), getattr(p, name).toarray())
    for name in ("f", "w", "mu"):
        np.testing.assert_array_equal(getattr(again, name), getattr(p, name))


def test_siconos_refuses(siconos):
    from stickslip.siconos import from_siconos, to_siconos

    with pytest.raises(ss.InputError, match="int"):
        from_siconos(3)
    G = ss.Problem(M=np.eye(2), H=np.eye(2), f=[0, 0], w=[0, 0], mu=[0.1], G=[[1.0], [0]], b=[0])
    with pytest.raises(ss.InputError, match="bilateral"):
        to_siconos(G)


def test_without_siconos(monkeypatch):
    from stickslip.siconos import from_siconos

    monkeypatch.setitem(sys.modules, "siconos", None)
    monkeypatch.setitem(sys.modules, "siconos.numerics", None)
    with pytest.raises(ss.MissingComponent, match="python3-siconos"):
        from_siconos(None)


def test_mujoco_step():
    """A box of 1 kg slides on a plane: a step of MuJoCo 2.2.2 itself (data/mujoco_step.c), four corners, normal first."""
    data = np.load(DATA / "mujoco_box.npz")
    h = float(data["timestep"])
    p = engines.from_mujoco(data["M"], data["efc_J"], data["qvel"], data["qfrc_smooth"], data["friction"], h, dist=data["dist"])
    assert p.contacts == 4 and p.dimension == 3 and "MuJoCo" in p.title
    # The arrays are read as MuJoCo means them: with its own forces M (v⁺ − v) = h (τ + Jᵀ f) gives its own next velocity.
    force = data["efc_force"]
    v = data["qvel"] + h * np.linalg.solve(data["M"], data["qfrc_smooth"] + data["efc_J"].T @ force)
    np.testing.assert_allclose(v, data["qvel_after"], atol=1e-6)  # its integrator adds damping of 1e-7
    # Its forces lie in the elliptic cone, but a soft contact lets the box take off where Coulomb's law keeps it on the ground.
    report = engines.compare(p, force * h, tolerance=1e-10)
    assert report.exact.converged and not report.engine.good
    assert report.engine.impulse_violation < 1e-6 and report.engine.complementarity > 1e-4
    u = (data["efc_J"] @ report.exact.v).reshape(4, 3)
    assert u[:, 0].min() > -1e-9 and (data["efc_J"] @ data["qvel_after"])[::3].max() > 0.03
    assert "engine:" in repr(report)
    perfect = engines.compare(p, report.exact.r, tolerance=1e-9)
    assert perfect.engine.good and perfect.velocity_difference < 1e-8


def test_drake_arrays():
    """A sphere that rolls and slips on an incline, in Drake's layout: tangents first, normal last."""
    data = np.load(DATA / "drake_sphere.npz")
    p = engines.from_drake(data["M"], data["J"], data["v0"], data["tau"], data["mu"], float(data["time_step"]), phi=data["phi"])
    result = ss.solve(p, tolerance=1e-12)
    # Sliding at tan θ > 7/2 μ: acceleration g (sin θ − μ cos θ) along the slope.
    theta, mu, h = float(data["theta"]), float(data["mu"][0]), float(data["time_step"])
    assert np.linalg.norm(result.v[3:]) == pytest.approx(9.81 * h * (np.sin(theta) - mu * np.cos(theta)), rel=1e-9)
    report = engines.compare(p, data["impulses"], normal="last")
    assert report.engine.good and report.impulse_difference < 1e-9


def test_engines_refuse():
    good = dict(M=np.eye(3), J=np.eye(3), v=[0, 0, 0], force=[0, 0, -1], mu=[0.5], step=0.1)
    for name, value in [("M", np.eye(2)), ("J", np.eye(4)), ("v", [1]), ("force", [1]), ("mu", [0.5, 0.5]), ("step", 0), ("step", float("nan")),
                        ("mu", [-1]), ("M", -np.eye(3)), ("v", [np.nan, 0, 0])]:  # fmt: skip
        with pytest.raises(ss.InputError):
            engines.step_problem(**{**good, name: value})
    with pytest.raises(ss.InputError):
        engines.step_problem(**good, normal="up")
    with pytest.raises(ss.InputError):
        engines.compare(engines.step_problem(**good), [1, 2])
    gap = engines.step_problem(**good, gap=[0.02])
    assert ss.solve(gap).v[0] == pytest.approx(0, abs=1e-8)  # it may approach by 0.2 m/s and has no reason to
    # Restitution: −1 m/s becomes 0.5 m/s.
    bounce = engines.step_problem(np.eye(3), np.eye(3), [-1, 0, 0], [0, 0, 0], [0.5], 0.1, restitution=0.5)
    assert ss.solve(bounce, tolerance=1e-12).v[0] == pytest.approx(0.5, abs=1e-9)
