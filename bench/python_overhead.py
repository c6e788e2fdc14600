"""What Python costs: loops over small problems beside the same in C++, and one large matrix.

    PYTHONPATH=build/release/python python3 bench/python_overhead.py build/release/bench/bench_python_loop [BLOCKS]

Small: 1,000 problems of 10 contacts with a kept Solver, microseconds of the processor a problem, the least of several rounds, Python and C++ by turns.
Large: solve on a scipy matrix with BLOCKS blocks (1e6): what is not the solver's own time as a share of a solve by sweeps to 1e-8, and the peak of
memory beyond the input, in copies of the input.
"""

import json
import subprocess
import sys
import time

import numpy as np
import scipy.sparse as sp
import stickslip as ss

ROUNDS = 11


def least(round_, count):
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        round_()
        best = min(best, time.process_time() - start)
    return 1e6 * best / count


def small(program, count=1000, contacts=10):
    problems = [ss.generate("manufactured", size=contacts, seed=k + 1) for k in range(count)]
    arrays = [(p.W, np.array(p.q), np.array(p.mu)) for p in problems]
    problems = [ss.Problem(W, q, mu) for W, q, mu in arrays]
    solver, one = ss.Solver("auto"), ss.Problem(*arrays[0])

    def solving():
        for p in problems:
            solver.solve(p)

    def other_numbers():
        for _, q, _ in arrays:
            one.set_q(q)
            solver.solve(one)

    def making():
        for W, q, mu in arrays:
            solver.solve(ss.Problem(W, q, mu))

    ratios = {"solve": [], "set_q": [], "make": []}
    for _ in range(3):
        cpp = json.loads(subprocess.run([program, str(count), str(contacts)], capture_output=True, text=True, check=True).stdout)
        ours = {"solve": least(solving, count), "set_q": least(other_numbers, count), "make": least(making, count)}
        for name in ratios:
            ratios[name].append((ours[name] / cpp[name], ours[name], cpp[name]))
    for name, rows in ratios.items():
        ratio, python, other = sorted(rows)[1]
        print(f"{name:<6} {python:8.2f} µs in Python, {other:8.2f} µs in C++: {ratio:.2f}")


def band(blocks, half=5):
    """A symmetric W with 2·half + 1 blocks a row, diagonally dominant."""
    n = blocks // (2 * half + 1)
    random = np.random.default_rng(1)
    offsets = np.arange(-half, half + 1)
    columns = np.arange(n)[:, None] + offsets[None, :]
    keep = (columns >= 0) & (columns < n)
    rows = np.repeat(np.arange(n), keep.sum(axis=1))
    columns = columns[keep]
    data = np.empty((len(columns), 3, 3))
    # A block is a number of its pair of contacts times one matrix, so that W is symmetric.
    pair = np.abs(rows - columns)
    data[:] = -0.1 * (random.standard_normal(half + 1)[pair] ** 2)[:, None, None] * np.array([[1, 0.1, 0], [0.1, 1, 0.1], [0, 0.1, 1]])
    data[pair == 0] = 0
    # Barely dominant, so that sweeps go on for long.
    weight = np.bincount(rows, np.abs(data).sum(axis=2).max(axis=1), minlength=n)
    data[pair == 0] = 1.001 * weight.max() * np.eye(3)
    starts = np.concatenate([[0], np.cumsum(keep.sum(axis=1))])
    return sp.bsr_matrix((data, columns.astype(np.int32), starts.astype(np.int32)), shape=(3 * n, 3 * n)), n


PEAK = """
import re, sys
sys.path[:0] = {path!r}
from python_overhead import band
import numpy as np, stickslip as ss
def memory(what): return 1024 * int(re.search(what + r":\\s+(\\d+)", open("/proc/self/status").read()).group(1))
W, n = band({blocks})
W = W.asformat({form!r})
size = W.data.nbytes + W.indices.nbytes + W.indptr.nbytes
q, mu = np.tile([-1.0, 0.3, 0.1], n), np.full(n, 0.5)
ss.solve(np.eye(3), [-1, 0, 0], [0.5])
open("/proc/self/clear_refs", "w").write("5")  # the peak begins here
before = memory("VmRSS")
p = ss.Problem(W, q, mu)
print((memory("VmHWM") - before) / size)
"""


def large(blocks):
    W, n = band(blocks)
    q, mu = np.tile([-1.0, 0.3, 0.1], n), np.full(n, 0.5)
    print(f"\n{W.nnz // 9} blocks, {n} contacts")
    for form in ("bsr", "csr", "csc"):
        matrix = W.asformat(form)
        outside, inside = float("inf"), float("inf")
        for _ in range(ROUNDS):
            start = time.process_time()
            problem = ss.Problem(matrix, q, mu)
            outside = min(outside, time.process_time() - start)
        for _ in range(3):
            start = time.process_time()
            result = ss.solve(problem, solver="gs", tolerance=1e-8)
            inside = min(inside, time.process_time() - start)
        script = PEAK.format(path=sys.path, blocks=blocks, form=form)
        peak = float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
        print(f"{form}: {outside:.3f} s beside {inside:.3f} s of {result.iterations} sweeps: {100 * outside / inside:.1f} %; "
              f"peak memory {peak:.2f} copies of the input")


if __name__ == "__main__":
    small(sys.argv[1])
    large(int(float(sys.argv[2])) if len(sys.argv) > 2 else 1_000_000)
