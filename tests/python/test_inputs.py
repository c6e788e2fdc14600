"""Bad input for every argument: the right answer, or one clear exception; never a crash."""

import numpy as np
import pytest
import scipy.sparse as sp
import stickslip as ss

W, Q, MU = np.eye(6), np.array([-1.0, 0, 0, -1, 0, 0]), np.array([0.5, 0.5])


def broken_csr(**arrays):
    """A csr matrix whose arrays were spoiled after scipy had checked them."""
    A = sp.csr_matrix(np.eye(6))
    for name, value in arrays.items():
        setattr(A, name, np.asarray(value))
    return A


def broken_bsr(**arrays):
    A = sp.bsr_matrix(np.eye(6), blocksize=(3, 3))
    for name, value in arrays.items():
        setattr(A, name, np.asarray(value))
    return A


BAD_W = {
    "a number": 3.0,
    "a vector": np.ones(36),
    "three axes": np.ones((6, 6, 1)),
    "not square": np.ones((6, 3)),
    "too small": np.eye(3),
    "too large": np.eye(9),
    "NaN": np.where(np.eye(6) > 0, np.nan, 0),
    "infinite": np.diag([1, 1, np.inf, 1, 1, 1]),
    "complex": np.eye(6) * 1j,
    "words": np.full((6, 6), "a"),
    "objects": np.array([[None] * 6] * 6),
    "ragged": [[1, 0], [0]],
    "a dict": {"a": 1},
    "zero": np.zeros((6, 6)),
    "negative normal": -np.eye(6),
    "indefinite": np.kron(np.eye(2), [[1, 0, 5], [0, 1, 0], [5, 0, 1]]),
    "empty": [],
    "sparse complex": sp.csr_matrix(np.eye(6) * 1j),
    "sparse NaN": sp.csr_matrix(np.diag([1, np.nan, 1, 1, 1, 1])),
    "sparse too large": sp.identity(9, format="csc"),
    "sparse not square": sp.csr_matrix((6, 3)),
    "column beyond": broken_csr(indices=np.array([0, 1, 2, 3, 4, 77], dtype=np.int32)),
    "negative column": broken_csr(indices=np.array([0, 1, 2, 3, 4, -1], dtype=np.int32)),
    "rows fall": broken_csr(indptr=np.array([0, 5, 2, 3, 4, 5, 6], dtype=np.int32)),
    "rows beyond": broken_csr(indptr=np.array([0, 1, 2, 3, 4, 5, 99], dtype=np.int32)),
    "rows do not begin": broken_csr(indptr=np.array([3, 3, 3, 3, 4, 5, 6], dtype=np.int32)),
    "rows are short": broken_csr(indptr=np.array([0, 6], dtype=np.int32)),
    "no rows": broken_csr(indptr=np.array([], dtype=np.int32)),
    "few numbers": broken_csr(data=np.ones(2)),
    "indices real": broken_csr(indices=np.arange(6) + 0.5),
    "wide column beyond": broken_csr(indices=np.array([0, 1, 2, 3, 4, 2**40]), indptr=np.arange(7)),
    "bsr column beyond": broken_bsr(indices=np.array([0, 9], dtype=np.int32)),
    "bsr rows short": broken_bsr(indptr=np.array([0, 2], dtype=np.int32)),
    "bsr rows beyond": broken_bsr(indptr=np.array([0, 1, 50], dtype=np.int32)),
    "bsr few numbers": broken_bsr(data=np.ones((1, 3, 3))),
    "huge": sp.coo_matrix(([1.0], ([0], [0])), shape=(2**40, 2**40)),
}


@pytest.mark.parametrize("name", BAD_W)
def test_bad_W(name):
    with pytest.raises(ss.InputError) as raised:
        ss.solve(BAD_W[name], Q, MU)
    assert "W" in str(raised.value) and "\n" not in str(raised.value)


BAD_Q = {
    "None": None,
    "a number": 1.0,
    "too short": Q[:5],
    "too long": np.zeros(7),
    "NaN": Q * np.nan,
    "infinite": np.full(6, np.inf),
    "complex": Q * 1j,
    "words": ["a"] * 6,
    "ragged": [[1, 2], [3]],
    "objects": [object()] * 6,
    "a dict": {},
    "a matrix": sp.csr_matrix(np.eye(6)),
}


@pytest.mark.parametrize("name", BAD_Q)
def test_bad_q(name):
    with pytest.raises(ss.InputError) as raised:
        ss.solve(W, BAD_Q[name], MU)
    assert "q" in str(raised.value)


BAD_MU = {
    "None": None,
    "negative": [0.5, -0.1],
    "NaN": [0.5, np.nan],
    "infinite": [0.5, np.inf],
    "too many": [0.5] * 3 + [0.5] * 2,
    "too few": [0.5] * 1,
    "none": [],
    "complex": [0.5j, 0.5],
    "words": ["a", "b"],
}


@pytest.mark.parametrize("name", BAD_MU)
def test_bad_mu(name):
    with pytest.raises(ss.InputError) as raised:
        ss.solve(W, Q, BAD_MU[name])
    assert "mu" in str(raised.value)


def test_one_mu_needs_a_dimension():
    with pytest.raises(ss.InputError, match="dimension"):
        ss.solve(W, Q, 0.5)
    assert ss.solve(W, Q, 0.5, dimension=3).converged
    assert ss.solve(W, Q.reshape(2, 3), 0.5).converged
    assert ss.solve(sp.bsr_matrix(W, blocksize=(3, 3)), Q, 0.5).r.shape == (2, 3)
    for wrong in (1, 4, "3", 2.5, 10**30):
        with pytest.raises(ss.InputError, match="dimension"):
            ss.solve(W, Q, 0.5, dimension=wrong)
    with pytest.raises(ss.InputError, match="mu|multiple"):
        ss.solve(np.eye(4), np.zeros(4), 0.5, dimension=3)


BAD_OPTIONS = [
    ("tolerance", [0, -1, np.nan, np.inf, "a", None, [1e-8, 1]]),
    ("time_limit", [0, -1, np.nan, "a", [1, 2]]),
    ("memory_limit", [0, -1, np.nan, "a", "4Q", [1, 2]]),
    ("max_iterations", [-1, 1.5, "a", 10**30]),
    ("threads", [0, -1, 1.5, None, "2", 10**9]),
    ("guess", [[1, 2], "file", np.full(6, np.nan), [1j] * 6, 3, object()]),
    ("callback", [3, "a"]),
    ("callback_every", [0, -1, 1.5, "a"]),
    ("solver", [3, None, "", "NSGS-AX", "gs(", "gs(relaxation=3)", b"gs", "gs\0", "é"]),
]


@pytest.mark.parametrize("name,values", BAD_OPTIONS, ids=[name for name, _ in BAD_OPTIONS])
def test_bad_options(name, values):
    # Not solved by the first look, so that the request is read.
    p = ss.generate("random", size=10)
    for value in values:
        if name == "tolerance" and value is np.inf:
            continue
        with pytest.raises(ss.InputError):
            ss.solve(p, **{name: value})
            pytest.fail(f"{name}={value!r} was accepted")


def test_messages_name_the_nearest():
    with pytest.raises(ss.InputError, match="did you mean 'NSGS-AC'"):
        ss.solve(W, Q, MU, solver="NSGS-AX")
    with pytest.raises(ss.InputError, match="did you mean 'size'"):
        ss.generate("wall", sise=3)
    with pytest.raises(ss.InputError, match="did you mean 'wall'"):
        ss.generate("wal")
    with pytest.raises(ss.InputError, match="friction"):
        ss.Scene(fricton=0.3)


def test_what_goes_together():
    p = ss.generate("incline")
    for arguments, keywords, word in [
        ((), {}, "give a problem"),
        ((W,), {}, "q is missing"),
        ((W, Q), {}, "mu is missing"),
        ((p, Q, MU), {}, "whole problem"),
        ((W, Q, MU), {"M": W}, "not both"),
        ((), {"M": W, "H": W, "mu": MU}, "f is missing"),
        ((), {"M": W, "H": W, "f": Q}, "mu is missing"),
        ((), {"M": W, "f": Q, "mu": MU}, "H is missing"),
        ((), {"M": W, "H": W, "f": Q, "w": Q, "mu": MU, "G": W}, "both G and b"),
        ((None, Q), {"M": W, "H": W, "f": Q, "mu": MU}, "q goes with W"),
    ]:
        with pytest.raises(ss.InputError, match=word):
            ss.solve(*arguments, **keywords)


GOOD_GLOBAL = {"M": np.eye(6), "H": np.eye(6), "f": Q, "w": np.zeros(6), "mu": MU}
BAD_GLOBAL = [
    ("M", np.eye(5)), ("M", np.ones((6, 5))), ("M", -np.eye(6)), ("M", np.eye(6) * np.nan), ("M", np.ones(6)),
    ("M", sp.identity(6) * 1j), ("M", np.ones((6, 6)) - 1e-3 * np.eye(6)), ("M", "a"), ("M", 3),
    ("M", sp.coo_matrix(([1.0], ([0], [0])), shape=(2**40, 2**40))),
    ("H", np.eye(5)), ("H", np.ones((5, 6))), ("H", np.full((6, 6), np.inf)), ("H", [[1], [2, 3]]), ("H", np.ones((6, 5))),
    ("f", Q[:4]), ("f", Q * np.nan), ("f", 1j * Q), ("f", "abc"),
    ("w", Q[:4]), ("w", Q * np.nan), ("w", ["a"] * 6),
    ("mu", [0.5]), ("mu", [-1, 0.5]), ("mu", [np.nan, 0]), ("mu", "a"),
]  # fmt: skip


@pytest.mark.parametrize("name,value", BAD_GLOBAL)
def test_bad_global_form(name, value):
    with pytest.raises(ss.InputError):
        ss.solve(**{**GOOD_GLOBAL, name: value})


def test_bad_constraints():
    for G, b in [(np.ones((5, 1)), [0]), (np.ones((6, 1)), [0, 0]), (np.ones((6, 1)) * np.nan, [0]), (np.ones((6, 1)), [np.nan]),
                 (np.ones((6, 2)), [0, 0])]:  # fmt: skip
        with pytest.raises(ss.InputError):
            ss.solve(**GOOD_GLOBAL, G=G, b=b)


def test_csc_and_csr_of_global_matrices_are_checked():
    for spoil in ({"indices": np.array([0, 1, 2, 3, 4, 77], dtype=np.int32)}, {"indptr": np.array([0, 6], dtype=np.int32)},
                  {"indptr": np.array([0, 5, 2, 3, 4, 5, 6], dtype=np.int32)}, {"data": np.ones(2)}):  # fmt: skip
        for kind in (sp.csr_matrix, sp.csc_matrix):
            H = kind(np.eye(6))
            for name, value in spoil.items():
                setattr(H, name, value)
            with pytest.raises(ss.InputError, match="H"):
                ss.solve(**{**GOOD_GLOBAL, "H": H})


def test_paths(tmp_path):
    with pytest.raises(ss.InputError, match="nowhere"):
        ss.read(tmp_path / "nowhere.hdf5")
    with pytest.raises(ss.InputError):
        ss.solve(str(tmp_path))
    (tmp_path / "bad.hdf5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(500))
    with pytest.raises(ss.InputError, match="bad.hdf5"):
        ss.solve(tmp_path / "bad.hdf5")
    for wrong in (3, None, object(), "a\0b"):
        with pytest.raises((ss.InputError, ValueError)):
            ss.read(wrong)
    p = ss.generate("incline")
    with pytest.raises(ss.OutputError):
        ss.write(tmp_path / "no" / "such" / "p.hdf5", p)
    with pytest.raises(ss.InputError, match="ending"):
        ss.write(tmp_path / "p.txt", p)
    for wrong in ([1, 2], {"r": [1]}, {"x": [1]}, "stored", {"r": p.f * np.nan}):
        with pytest.raises(ss.InputError):
            ss.write(tmp_path / "p.hdf5", p, solution=wrong)
    assert not list(tmp_path.glob("p*"))


def test_bad_generate():
    for keywords in ({"size": 0}, {"size": "a"}, {"size": 1.5}, {"seed": -1}, {"seed": 2**64}, {"mu": np.nan}, {"mu": -1}, {"points": 10**12},
                     {"size": 10**18}, {"angle": 20}):  # fmt: skip
        with pytest.raises(ss.InputError):
            ss.generate("wall", **keywords)
    with pytest.raises(ss.InputError):
        ss.generate(3)
    assert ss.generate("random", size=5, seed=2**64 - 1).contacts == 5


def test_bad_check():
    p = ss.generate("incline")
    n = p.contacts * 3
    for wrong in ([1], np.zeros(n + 1), np.full(n, np.nan), np.full(n, np.inf), "a", None, np.zeros(n) * 1j):
        with pytest.raises(ss.InputError):
            ss.check(p, wrong)
        with pytest.raises(ss.InputError):
            ss.check_certificate(p, wrong)
    for tolerance in (0, -1, np.nan, "a"):
        with pytest.raises(ss.InputError):
            ss.check(p, np.zeros(n), tolerance=tolerance)
    for wrong in (None, 3, "nowhere.hdf5"):
        with pytest.raises(ss.InputError):
            ss.existence(wrong)


def test_bad_cone():
    x = np.zeros((4, 3))
    for points, mu in [(x, [0.1, 0.2]), (x, -1), (x, np.nan), (x, "a"), (np.zeros((4, 4)), 1), (3.0, 1), ("a", 1), (x * 1j, 1), ([], 1)]:
        with pytest.raises(ss.InputError):
            ss.project_on_cone(points, mu)
    with pytest.raises(ss.InputError):
        ss.natural_map(x, np.zeros((3, 3)), 1)


def test_kinds_of_exceptions():
    assert issubclass(ss.InputError, ValueError) and issubclass(ss.OutputError, OSError)
    assert issubclass(ss.MissingComponent, ImportError)
    assert ss.InputError.__module__ == "stickslip"
    with pytest.raises(TypeError):
        ss.solve(W, Q, MU, 1e-8)  # options are keywords


def test_arrays_that_were_resized():
    p = ss.Problem(np.eye(3), [-1, 0, 0], [0.5])
    try:
        p.q.resize(1, refcheck=False)
    except ValueError:
        return  # numpy itself refuses
    with pytest.raises(ss.InputError, match="resized"):
        ss.solve(p)


def test_matrices_that_lie():
    class Liar:
        format = "csr"
        shape = (6, 6)
        data, indices, indptr = "a", None, 3

        def tocsr(self):
            return self

    with pytest.raises((ss.InputError, TypeError, ValueError)):
        ss.solve(Liar(), Q, MU)
    Liar.data, Liar.indices, Liar.indptr = np.ones(6), np.arange(6), np.arange(7)
    assert ss.solve(Liar(), Q, MU).converged  # it has what a csr matrix has
    Liar.shape = ("a", 6)
    with pytest.raises((ss.InputError, TypeError, RuntimeError, ValueError)):
        ss.solve(Liar(), Q, MU)


def test_very_large_and_very_small_numbers():
    for scale in (1e-300, 1e300):
        result = ss.solve(np.eye(3) * scale, np.array([-1.0, 0, 0]) * scale, [0.5])
        assert isinstance(result.status, str) and np.isfinite(result.r).all()
