"""Answers: the same from every form and format, and what a result says of itself."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
import stickslip as ss
from conftest import manufactured

# The condition of W is below 10, so that an error of 1e-12 leaves impulses within 1e-9.
TIGHT, CLOSE = 1e-12, 1e-9


def formats(W, d):
    dense = W.toarray()
    yield "csr", W
    yield "csc", W.tocsc()
    yield "coo", W.tocoo()
    yield "bsr", sp.bsr_matrix(W, blocksize=(d, d))
    yield "bsr of 1×1", sp.bsr_matrix(W, blocksize=(1, 1))
    yield "dok", W.todok()
    yield "lil", W.tolil()
    yield "csr_array", sp.csr_array(W)
    yield "dense", dense
    yield "Fortran order", np.asfortranarray(dense)
    yield "strided", np.kron(dense, np.ones((2, 2)))[::2, ::2]
    yield "backwards", dense[::-1, ::-1].copy()[::-1, ::-1]
    yield "nested lists", dense.tolist()
    wide = sp.csr_matrix(W)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    yield "int64", wide
    blocks = sp.bsr_matrix(W, blocksize=(d, d))
    blocks.indices, blocks.indptr = blocks.indices.astype(np.int64), blocks.indptr.astype(np.int64)
    yield "bsr int64", blocks


def test_every_format_gives_the_same_problem(case):
    W, q, mu, r = case
    d = r.shape[1]
    expected = ss.Problem(W, q, mu).W.toarray()
    np.testing.assert_array_equal(expected, W.toarray())
    for name, matrix in formats(W, d):
        problem = ss.Problem(matrix, q, mu)
        np.testing.assert_array_equal(problem.W.toarray(), expected, err_msg=name)
        result = ss.solve(matrix, q, mu, tolerance=TIGHT)
        assert result.converged, name
        np.testing.assert_allclose(result.r, r, atol=CLOSE, err_msg=name)


def test_unsorted_and_duplicate_entries_add_up(case):
    W, q, mu, r = case
    d = r.shape[1]
    rng = np.random.default_rng(5)
    coo = W.tocoo()
    order = rng.permutation(coo.nnz)
    rows, columns, values = coo.row[order], coo.col[order], coo.data[order]
    doubled = sp.coo_matrix((np.tile(values / 2, 2), (np.tile(rows, 2), np.tile(columns, 2))), shape=W.shape)
    starts = np.concatenate([[0], np.cumsum(np.bincount(doubled.row, minlength=W.shape[0]))]).astype(np.int32)
    by_row = np.argsort(doubled.row, kind="stable")
    csr = sp.csr_matrix((doubled.data[by_row], doubled.col[by_row], starts), shape=W.shape)
    assert not csr.has_sorted_indices
    by_column = np.argsort(doubled.col, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(doubled.col, minlength=W.shape[0]))]).astype(np.int32)
    csc = sp.csc_matrix((doubled.data[by_column], doubled.row[by_column], ends), shape=W.shape)
    bsr = sp.bsr_matrix(W, blocksize=(d, d))
    falling = np.concatenate([np.arange(a, b)[::-1] for a, b in zip(bsr.indptr[:-1], bsr.indptr[1:])])
    falling = np.repeat(falling, 2)  # each block twice, by halves
    twice = sp.bsr_matrix((bsr.data[falling] / 2, bsr.indices[falling], 2 * bsr.indptr), shape=W.shape)
    np.testing.assert_allclose(ss.Problem(csr, q, mu).W.toarray(), W.toarray(), rtol=1e-15)
    np.testing.assert_allclose(ss.Problem(csc, q, mu).W.toarray(), W.toarray(), rtol=1e-15)
    np.testing.assert_array_equal(ss.Problem(twice, q, mu).W.toarray(), W.toarray())
    np.testing.assert_allclose(ss.solve(csr, q, mu, tolerance=TIGHT).r, r, atol=CLOSE)


def test_input_is_neither_changed_nor_needed_later(case):
    W, q, mu, r = case
    matrix = sp.bsr_matrix(W, blocksize=(r.shape[1],) * 2)
    for array in (matrix.data, matrix.indices, matrix.indptr, q, mu):
        array.flags.writeable = False
    problem = ss.Problem(matrix, q, mu)
    del matrix
    np.testing.assert_allclose(ss.solve(problem, tolerance=TIGHT).r, r, atol=CLOSE)


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8, np.uint16, bool, np.longdouble, ">f8"])
def test_other_numbers(dtype):
    W, q = np.eye(3, dtype=dtype), np.array([-1, 0, 0]).astype(np.float64)
    assert ss.solve(W, q, [0.5]).r.tolist() == [[1.0, 0.0, 0.0]]


def test_global_form():
    p = ss.generate("stack")
    assert p.form == "global"
    by_parts = ss.solve(M=p.M, H=p.H, f=p.f, w=p.w, mu=p.mu, tolerance=1e-10)
    dense = ss.solve(M=p.M.toarray(), H=p.H.tocsc(), f=p.f, w=p.w, mu=p.mu, tolerance=1e-10)
    whole = ss.solve(p, tolerance=1e-10)
    for result in (by_parts, dense, whole):
        assert result.converged
        assert result.v.shape == (p.degrees_of_freedom,)
        # M v = H r + f to the rounding of a factorisation
        np.testing.assert_allclose(p.M @ result.v, p.H @ result.r.ravel() + p.f, atol=1e-9 * np.abs(p.f).max())
    np.testing.assert_array_equal(by_parts.r, whole.r)
    reduced = p.reduce()
    assert reduced.form == "reduced" and reduced.degrees_of_freedom == p.degrees_of_freedom
    np.testing.assert_allclose(reduced.W @ whole.r.ravel() + reduced.q, whole.u.ravel(), atol=1e-9)


def test_global_form_without_w_and_with_one_mu():
    # A unit mass that slides: u = v, f = M v⁻ + gravity.
    result = ss.solve(M=np.eye(3), H=np.eye(3), f=[-1, 2, 0], mu=0.5, dimension=3)
    np.testing.assert_allclose(result.v, [0, 1.5, 0], atol=1e-8)


def test_bilateral_constraints():
    # Two masses in one dimension of the plane problem, bound to each other; the first is pushed into the ground.
    M = np.diag([1.0, 1.0, 1.0])
    H = np.array([[1.0, 0], [0, 1.0], [0, 0]])
    G = np.array([[1.0], [0], [-1.0]])
    result = ss.solve(M=M, H=H, f=[-1.0, 0, -3.0], w=[0, 0], mu=[0.3], G=G, b=[0.0], tolerance=1e-12)
    np.testing.assert_allclose(result.v, 0, atol=1e-10)
    np.testing.assert_allclose(result.r, [[4.0, 0.0]], atol=1e-10)
    np.testing.assert_allclose(np.abs(result.multipliers), [3.0], atol=1e-10)


def test_result(wall):
    result = ss.solve(wall, history=True, explain=True)
    n, d = wall.contacts, wall.dimension
    assert result.r.shape == result.u.shape == (n, d)
    assert result.contact_status.shape == (n,) and result.contact_status.dtype == np.uint8
    counts = [int((result.contact_status == k).sum()) for k in (ss.OPEN, ss.STICK, ss.SLIP)]
    assert counts == [result.open, result.stick, result.slip] and sum(counts) == n
    assert result.status == "converged" and result.converged and bool(result)
    assert 0 <= result.error <= result.tolerance == 1e-8
    assert result.seconds > 0 and result.message == ""
    assert result.history.dtype.names == ("iteration", "seconds", "error")
    assert result.history["error"][-1] == pytest.approx(result.error)
    assert (np.diff(result.history["iteration"]) >= 0).all()
    assert result.explanation and all(isinstance(line, str) for line in result.explanation)
    assert str(result).startswith("converged in") and "contacts" in str(result) and repr(result) == str(result)
    assert result.as_dict()["status"] == "converged"
    assert sum(v for k, v in result.timing.items() if k != "total") <= result.timing["total"] * 1.001


def test_arrays_outlive_the_result(wall):
    r = ss.solve(wall).r
    history = ss.solve(wall, history=True).history
    again = ss.solve(wall).r
    np.testing.assert_array_equal(r, again)
    assert history["error"][-1] <= 1e-8


def test_unsolved_is_a_status():
    p = ss.generate("wall", size=400, load=0.2)
    result = ss.solve(p, solver="gs", max_iterations=3)
    assert result.status == "iteration_limit" and not result.converged and result.worst_contacts
    assert ss.solve(p, solver="gs", time_limit=1e-3).status in ("time_limit", "converged")
    none = ss.solve(ss.generate("infeasible"))
    assert none.status == "infeasible"
    assert none.certificate.shape == none.r.shape
    assert ss.check_certificate(ss.generate("infeasible"), none)["proves_infeasible"]


def test_guess(case):
    W, q, mu, r = case
    exact = ss.solve(W, q, mu, guess=r, tolerance=1e-10)
    assert exact.iterations == 0
    cold = ss.solve(W, q, mu, tolerance=1e-10)
    assert ss.solve(W, q, mu, guess=cold, tolerance=1e-10).iterations == 0
    assert ss.solve(W, q, mu, guess=cold.r.ravel().tolist(), tolerance=1e-10).iterations == 0


def test_solver_options_by_keyword():
    p = ss.generate("incline")
    assert ss.solve(p, solver="gs", relaxation=0.9).solver == "gs(relaxation=0.9)"
    assert ss.solve(p, solver="NSGS-AC(order=shuffled)", seed=7).solver == "NSGS-AC(order=shuffled, seed=7)"
    assert ss.Solver("gs()", relaxation=0.5).composition == "gs(relaxation=0.5)"
    assert ss.Solver("gs", local="exact").label == "gs(local=exact)"
    with pytest.raises(ss.InputError, match="relaxation"):
        ss.solve(p, solver="gs", relaxatoin=0.9)


def test_kept_solver():
    p = ss.generate("incline", angle=20)
    solver = ss.Solver("auto")
    for k in range(5):
        p.f[:] = p.f * 1.1
        np.testing.assert_array_equal(solver.solve(p).r, ss.solve(p).r)
    assert "auto" in repr(solver)


def test_problem_arrays_are_taken_over():
    p = ss.Problem(np.eye(3), [-1, 0, 0], [0.5])
    p.q[0] = -2
    assert ss.solve(p).r[0, 0] == 2
    p.set_q([-3, 0, 0])
    assert p.q[0] == -3 and ss.solve(p).r[0, 0] == 3
    p.q = [-4, 0, 0]
    assert ss.solve(p).r[0, 0] == 4
    p.mu[:] = 0
    p.q[1] = 1
    assert ss.solve(p).r[0].tolist() == [4, 0, 0]
    p.q[2] = np.nan
    with pytest.raises(ss.InputError, match="q"):
        ss.solve(p)
    p.q[2] = 0
    p.mu[:] = -1
    with pytest.raises(ss.InputError, match="mu"):
        ss.check(p, [0, 0, 0])
    with pytest.raises(ss.InputError, match="expected 3"):
        p.set_q([1, 2])


def test_problem_matrices_are_read_only(wall):
    for matrix in (wall.M, wall.H, wall.reduce().W):
        with pytest.raises(ValueError):
            matrix.data[0] = 1
    M = wall.M
    del wall  # the arrays keep the memory
    assert np.isfinite(M.data).all()


def test_problem_values(wall):
    values = wall.M.data * 2
    wall.set_M_values(values)
    np.testing.assert_array_equal(wall.M.data, values)
    with pytest.raises(ss.InputError):
        wall.set_M_values(values[:-1])
    with pytest.raises(ss.InputError):
        wall.set_H_values(np.full(len(wall.H.data), np.nan))


def test_problem_of_the_other_form(wall):
    with pytest.raises(AttributeError, match="reduce"):
        wall.W
    assert not hasattr(wall, "q") and hasattr(wall, "f")
    assert not hasattr(wall.reduce(), "M")


def test_copies_and_pickles(wall):
    other = ss.Problem(wall, title="other")
    other.f[:] = 0
    assert wall.f.any() and other.title == "other"
    for p in (wall, wall.reduce(), ss.Problem(*manufactured(4, 2)[:3])):
        again = pickle.loads(pickle.dumps(p))
        assert again.title == p.title and again.dimension == p.dimension
        np.testing.assert_array_equal(ss.solve(again).r, ss.solve(p).r)


def test_no_contacts():
    result = ss.solve(np.zeros((0, 0)), [], [])
    assert result.converged and result.r.shape == (0, 3)
    assert ss.solve(sp.csr_matrix((0, 0)), [], [], dimension=2).r.shape == (0, 2)
    assert ss.solve([], [], []).converged


def test_statistics(wall):
    figures = wall.statistics()
    assert figures["contacts"] == wall.contacts and figures["degrees_of_freedom"] == wall.degrees_of_freedom
    assert 0 < figures["rank_ratio"] <= 1
