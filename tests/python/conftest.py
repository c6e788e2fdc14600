"""What the tests of the Python module share."""

import numpy as np
import pytest
import scipy.sparse as sp
import stickslip as ss


def manufactured(contacts, d=3, seed=1):
    """W, q, mu, r with a known solution: r and u obey Coulomb's law contact by contact, q = u − W r. W couples neighbours; it is positive
    definite, so that r is the only solution for small mu."""
    random = np.random.default_rng(seed)
    n = contacts * d
    W = sp.lil_matrix((n, n))
    for i in range(contacts):
        A = random.standard_normal((d, d))
        W[i * d : (i + 1) * d, i * d : (i + 1) * d] = A @ A.T + 4 * d * np.eye(d)
        if i + 1 < contacts:
            B = random.standard_normal((d, d))
            W[i * d : (i + 1) * d, (i + 1) * d : (i + 2) * d] = B
            W[(i + 1) * d : (i + 2) * d, i * d : (i + 1) * d] = B.T
    W = sp.csr_matrix(W)
    mu = np.full(contacts, 0.1)
    r, u = np.zeros((contacts, d)), np.zeros((contacts, d))
    for i in range(contacts):
        kind = i % 3
        if kind == 0:  # open
            u[i, 0] = 1 + random.random()
        elif kind == 1:  # stick, inside the cone
            r[i, 0] = 1 + random.random()
        else:  # slip
            t = random.standard_normal(d - 1)
            t /= np.linalg.norm(t)
            r[i, 0] = 1 + random.random()
            r[i, 1:] = -mu[i] * r[i, 0] * t
            u[i, 1:] = random.random() * t
    q = u.ravel() - W @ r.ravel()
    return W, q, mu, r


@pytest.fixture(params=[2, 3])
def case(request):
    return manufactured(12, request.param)


@pytest.fixture
def wall():
    return ss.generate("wall", size=200, load=0.2)


def hard_problem():
    """One on which sweeps go on for as long as anybody waits."""
    return ss.generate("wall", size=2000, load=0.2)
