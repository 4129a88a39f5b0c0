"""The loop in one call gives what the long loop gives: the same bits, iteration by iteration."""

import numpy as np
import pytest
from scipy import sparse

from sskmeans import SSKMeans, kernels
from sskmeans.kernels import reference
from sskmeans.kernels.types import Held, Outcome
from sskmeans.refine import is_tiny
from sskmeans.refine.tiny import refine_tiny


def small(seed, dtype):
    """Rows in clumps, some alike, and a start that now and then leaves a cluster empty."""
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(20, 200)), int(rng.integers(1, 20)), int(rng.integers(1, 9))
    X = 2 * rng.normal(size=(k, d))[rng.integers(k, size=n)] + rng.normal(size=(n, d))
    X = np.round(X, 1) if seed % 3 == 0 else X
    start = X[rng.permutation(n)[:k]].copy()
    if seed % 5 == 0:
        start[-1] += 100
    y = np.where(rng.random(n) < 0.3, rng.integers(k, size=n), -1) if seed % 2 else None
    return X.astype(dtype), y, start.astype(dtype)


def assert_same(how, X, y, start, weights=None):
    plain, quick = (
        SSKMeans(len(start), init=start, algorithm=name, **how).fit(X, y, sample_weight=weights)
        for name in ("lloyd", "auto")
    )
    np.testing.assert_array_equal(quick.labels_, plain.labels_)
    np.testing.assert_array_equal(quick.cluster_centers_, plain.cluster_centers_)
    assert quick.inertia_ == plain.inertia_
    assert quick.n_iter_ == plain.n_iter_
    for name in ("moved", "distances"):
        np.testing.assert_array_equal(quick.history_[name], plain.history_[name])
        assert quick.history_[name].dtype == plain.history_[name].dtype
    np.testing.assert_allclose(quick.history_["cost"], plain.history_["cost"], rtol=1e-9)


@pytest.mark.filterwarnings("ignore::sskmeans.errors.SSKMeansWarning")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("supervision", ["clamp", "seed", "freeze"])
@pytest.mark.parametrize("stop", [{"tol": 0}, {"tol": 1e-2}, {"max_iter": 1}, {"max_iter": 3}])
def test_as_the_long_loop(stop, supervision, dtype):
    for seed in range(30):
        X, y, start = small(seed, dtype)
        assert_same({"supervision": supervision, **stop}, X, y, start)


def test_tables_at_the_edge_and_any_number_of_iterations():
    for k, n, d in ((2, 17_000, 2), (3, 11_000, 3), (2, 16_000, 2), (1, 30_000, 1)):
        X = np.random.default_rng(k).normal(size=(n, d))
        X[0] = 1e15
        assert_same({"tol": 0}, X, None, X[:k])
    assert_same({"max_iter": 10**20}, X[:100], None, X[:3])


@pytest.mark.filterwarnings("ignore::sskmeans.errors.SSKMeansWarning")
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("weighted", [False, True])
def test_what_is_left_to_the_long_loop(weighted, form, metric):
    for seed in range(5):
        X, y, start = small(seed, np.float64)
        weights = np.random.default_rng(seed).random(len(X)) if weighted else None
        assert_same({"metric": metric}, form(X), y, start, weights)


def spied(monkeypatch):
    found = []

    def spy(*arguments):
        found.append(refine_tiny(*arguments))
        return found[-1]

    monkeypatch.setattr("sskmeans.clustering.refine_tiny", spy)
    return found


def test_it_is_taken_where_the_table_is_tiny_and_nothing_runs_empty(monkeypatch):
    found = spied(monkeypatch)
    X = np.random.default_rng(0).normal(size=(100, 3))
    SSKMeans(3, random_state=0).fit(X)
    SSKMeans(3, random_state=0).fit(X, np.where(np.arange(100) < 5, 1, -1))
    assert all(one is not None for one in found)
    assert len(found) == 2
    SSKMeans(2, init=np.array([X[0], X[0] + 1e3])).fit(X)  # the second has no rows at first
    assert found.pop() is None
    for how in ({"algorithm": "lloyd"}, {"verbose": 1}):
        SSKMeans(3, random_state=0, **how).fit(X)
    wide = np.random.default_rng(0).normal(size=(3000, 50))
    SSKMeans(3, random_state=0).fit(wide)
    assert len(found) == 2


@pytest.mark.skipif(kernels.backend().name != "native", reason="only the reference is here")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("chosen", [False, True])
def test_the_native_loop_is_the_references(chosen, held, dtype):
    outcomes = set()
    for seed in range(30):
        X, _, start = small(seed, dtype)
        rng = np.random.default_rng(seed)
        (k, d), rows = start.shape, rng.permutation(len(X))[::2] if chosen else None
        given = None
        if held:
            totals = np.stack([5 * rng.normal(size=(k, d)), np.zeros((k, d))])
            mass = rng.integers(0, 3, size=k).astype(float)
            slots = np.flatnonzero(mass)
            totals[:, mass == 0] = 0
            given = Held(totals, mass, totals[0, slots] / mass[slots, None], slots)
        tol, most = float(rng.choice([0, 1.0])), int(rng.choice([2, 50]))
        ours, theirs = (
            backend.lloyd(X, rows, start, given, tol, most) for backend in (kernels, reference)
        )
        assert ours.outcome == theirs.outcome
        outcomes.add(ours.outcome)
        assert ours.moves == theirs.moves
        np.testing.assert_array_equal(ours.labels, theirs.labels)
        np.testing.assert_allclose(ours.costs, theirs.costs, rtol=1e-5)
        if ours.outcome is not Outcome.ran_empty:
            np.testing.assert_allclose(ours.centres, theirs.centres, rtol=1e-5, atol=1e-5)
    assert outcomes == set(Outcome)


def test_what_is_tiny():
    from sskmeans.points import LocalPoints

    assert is_tiny(LocalPoints(np.zeros((150, 4))), 3)
    assert not is_tiny(LocalPoints(np.zeros((20_000, 64))), 3)
