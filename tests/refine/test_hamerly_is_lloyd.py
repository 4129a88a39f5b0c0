"""The accelerated assigners give Lloyd's labels, bit for bit, at every iteration.

The data are chosen against the bounds: ties, duplicates, offsets, huge and tiny spreads side by
side, squares that underflow, centres that start on top of each other or far from every row.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from side_by_side import FORMS, KINDS, rows, runs

from sskmeans import SSKMeans
from sskmeans.refine import ALGORITHMS


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_step_by_step(kind, form):
    steps = relocations = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        size = 1 if form.startswith("csr") else 3  # far-off CSR rows are slow in NumPy
        n, d = size * int(rng.integers(30, 100)), int(rng.choice([1, 2, 5, 17]))
        k, known = size * int(rng.integers(1, 8)), int(rng.integers(0, 4))
        X = rows(kind, rng, n, d)
        y = np.where(rng.random(n) < 0.2, rng.integers(known, size=n), -1) if known else None
        start = X[rng.integers(n, size=max(k, known))]  # some start on top of each other
        if seed % 3 == 0:
            start[-1] += 10 * np.abs(X).max()  # and some far from every row: they run empty
        weights = None if seed % 2 else rng.random(n) * rng.integers(0, 3, size=n) + (y is not None)
        supervision = ("clamp", "seed", "freeze")[seed % 3]
        done = runs(FORMS[form](X), y, start, supervision, weights)
        steps, relocations = steps + done[0], relocations + done[1]
    assert steps > 30
    assert relocations > 0


@pytest.mark.parametrize("form", ["float64", "float32", "csr"])
@pytest.mark.parametrize("seed", range(3))
def test_step_by_step_where_most_rows_are_skipped(seed, form):
    rng = np.random.default_rng(seed)
    X = rows("clumps", rng, 2000, 5)
    steps, _ = runs(FORMS[form](X), None, X[rng.integers(2000, size=25)])
    assert steps > 10


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=4, max_size=30),
    st.integers(2, 6),
    st.sampled_from([1.0, 0.1, 2.0**-540, 1e-23]),
    st.sampled_from([np.float32, np.float64]),
    st.randoms(use_true_random=False),
)
def test_rows_and_centres_on_a_grid(points, k, unit, dtype, choose):
    X = np.array([*points, (50, 50), (51, 50)], dtype=float) * unit
    X[-2:] /= unit  # so that the spread is not refused
    start = X[choose.choices(range(len(X)), k=k)]
    y = np.array([choose.choice([-1, -1, 0, 1]) for _ in X])
    runs(X.astype(dtype), y, start.astype(dtype), choose.choice(["clamp", "seed", "freeze"]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_halfway_between_centres_on_a_line(dtype):
    """There the triangle inequality is tight, and only rounding decides."""
    for seed in range(300):
        rng = np.random.default_rng(seed)
        X = (rng.integers(-30, 30, size=(int(rng.integers(10, 60)), 1)) * 0.1).astype(dtype)
        X = X + dtype(rng.choice([0.0, 0.3, 1e3]))
        runs(X, None, X[rng.integers(len(X), size=int(rng.integers(2, 7)))])


def test_a_row_given_to_an_empty_slot_may_go_back():
    """Its bounds knew nothing of its first centre as one of the others."""
    jitter = np.linspace(0, 1, 200)
    X = np.concatenate([[0.0, 10.0], -30 - jitter[:16], 100 + jitter])[:, None]
    weights = np.concatenate([[18.0, 1e5], np.ones(216)])
    start = np.array([[10.0], [100.0], [1e6]])
    y = np.full(len(X), -1)
    codes = [
        SSKMeans(3, init=start, algorithm=name, max_iter=m, tol=0)
        .fit(X, y, sample_weight=weights)
        .codes_[0]
        for name in ALGORITHMS
        for m in (1, 2, 3)
    ]
    assert codes == [2, 0, 0] * len(ALGORITHMS)
    assert runs(X, y, start, weights=weights)[1] == 1


@pytest.mark.filterwarnings("ignore::sskmeans.errors.FewerClustersWarning")  # cut short
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("seed", range(3))
def test_through_the_estimator_iteration_by_iteration(seed, dtype, metric):
    rng = np.random.default_rng(seed)
    X = rows("clumps", rng, 300, 3).astype(dtype)
    y = np.where(rng.random(300) < 0.1, rng.integers(2, size=300), -1)
    start, seen = X[rng.integers(300, size=9)], []
    for max_iter in range(1, 12):
        fits = [
            SSKMeans(
                9, init=start, metric=metric, algorithm=name, max_iter=max_iter, tol=0, n_init=1
            ).fit(X, y)
            for name in ALGORITHMS
        ]
        for one, other in pairwise(fits):
            assert one.codes_.tobytes() == other.codes_.tobytes()
            assert one.cluster_centers_.tobytes() == other.cluster_centers_.tobytes()
            assert one.inertia_ == other.inertia_
            assert one.n_iter_ == other.n_iter_
        seen.append(fits[0].n_iter_)
    assert seen[:3] == [1, 2, 3]
