"""Runs of several assigners on one problem, held to each other step by step.

All are driven by the same loop, and what each says is written down: the centres it is asked about,
its labels, and the labels that the loop left it with when an empty slot was filled.
"""

import numpy as np
from scipy import sparse

from sskmeans.prepare import prepare
from sskmeans.problem import build_problem
from sskmeans.refine import refine
from sskmeans.refine.coarse import CoarseRows
from sskmeans.refine.exhaustive import Exhaustive
from sskmeans.refine.hamerly import Hamerly


def with_coarse(points, centres):
    """Hamerly's filter with coarse distances behind it, whether they pay or not."""
    dense = points.n and not sparse.issparse(points.X)
    coarse = CoarseRows(points, centres) if dense else None
    return Hamerly(points, centres, coarse if coarse and coarse.usable else None)


ACCELERATED = {"hamerly": Hamerly, "coarse": with_coarse}


class Recorded:
    """An assigner that writes down what it is asked and what it answers."""

    def __init__(self, assigner):
        self.assigner, self.record, self.relocations = assigner, [], 0

    @property
    def labels(self):
        return self.assigner.labels

    def assign(self, centres):
        answer = self.assigner.assign(centres)
        moved = answer.moved.tobytes(), answer.left.tobytes()
        self.record.append((centres.tobytes(), self.labels.tobytes(), moved))
        return answer

    def follow(self, steps):
        parts = [self.labels, *steps]
        self.record.append(tuple(part.tobytes() for part in parts))
        self.assigner.follow(steps)

    def forget(self):
        self.relocations += 1
        self.assigner.forget()


def runs(X, y, start, supervision="clamp", weights=None, max_iter=60):
    """The record of each assigner on one problem; the answers must be the same too."""
    ready = prepare(X, y, weights, len(start))
    problem = build_problem(ready.rows, ready.labels, ready.given, supervision, False)
    records, answers, relocations = {}, {}, 0
    start = start.astype(ready.rows.dtype)
    for name, assigner in {"lloyd": Exhaustive, **ACCELERATED}.items():
        recorded = Recorded(assigner(problem.points, start))
        found = refine(problem, start.copy(), recorded, max_iter, 0.0, False)
        records[name] = recorded.record
        answers[name] = found.centres.tobytes(), found.labels.tobytes(), found.cost, found.n_iter
        relocations = recorded.relocations
    for name in ACCELERATED:
        assert len(records[name]) == len(records["lloyd"])
        for step, (ours, lloyds) in enumerate(zip(records[name], records["lloyd"], strict=True)):
            assert ours == lloyds, f"{name} leaves Lloyd at step {step}"
        assert answers[name] == answers["lloyd"]
    return len(records["lloyd"]), relocations


def rows(kind, rng, n, d):
    X = rng.normal(size=(n, d))
    if kind == "clumps":
        return 5 * rng.normal(size=(8, d))[rng.integers(8, size=n)] + 0.3 * X
    if kind == "integer grid":
        return rng.integers(0, 4, size=(n, d)).astype(float)
    if kind == "duplicates":
        return X[rng.integers(n // 5, size=n)]
    if kind == "1e8 away":
        return X + 1e8
    if kind == "two blobs 1e9 apart":
        return X + 1e9 * rng.integers(2, size=(n, 1))
    if kind == "columns of all sizes":
        return X * 10.0 ** rng.integers(-15, 16, size=d)
    if kind == "one row 1e12 away":
        X[n // 2] = 1e12
    if kind == "sparse":
        return X * (rng.random((n, d)) < 0.2)
    if kind == "squares underflow":  # in float32 at 1e-23, in float64 at 1e-162
        return X * 10.0 ** rng.choice([-162, -161, -24, -23, -22, 0], size=(n, 1))
    return X


KINDS = ["plain", "clumps", "integer grid", "duplicates", "1e8 away", "two blobs 1e9 apart"]
KINDS += ["columns of all sizes", "one row 1e12 away", "sparse", "squares underflow"]
FORMS = {
    "float64": np.asarray,
    "float32": lambda X: X.astype(np.float32),
    "csr": sparse.csr_array,
    "csr float32": lambda X: sparse.csr_array(X.astype(np.float32)),
}
