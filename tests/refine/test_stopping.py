"""When the loop stops, and that its answer holds together wherever it does.

Iterations are counted as scikit-learn counts them. Labels are those of the returned centres and
the cost is that of both, also when `max_iter` or `tol` cuts the run short.
"""

import math

import numpy as np
import pytest
from sklearn.cluster import KMeans

from sskmeans import SSKMeans

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def overlapping(seed, n=300, k=7):
    rng = np.random.default_rng(seed)
    X = 2 * rng.normal(size=(k, 3))[rng.integers(k, size=n)] + rng.normal(size=(n, 3))
    return X, X[rng.choice(n, size=k, replace=False)], rng.random(n) + 0.1


@pytest.mark.parametrize("algorithm", ["lloyd", "elkan", "auto"])
@pytest.mark.parametrize("tol", [0.0, 1e-6, 1e-4, 1e-3, 1e-2, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_iterations_are_counted_as_scikit_learn_counts_them(seed, tol, algorithm):
    X, start, _ = overlapping(seed)
    theirs = KMeans(7, init=start, n_init=1, tol=tol, algorithm="lloyd").fit(X)
    ours = SSKMeans(7, init=start, tol=tol, algorithm=algorithm).fit(X)
    assert ours.n_iter_ == theirs.n_iter_
    assert ours.labels_.tolist() == theirs.labels_.tolist()
    # scikit-learn shifts X to its mean and back and expands its squares: some tens of roundings.
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=0, atol=1e-13)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-13)


@pytest.mark.parametrize("max_iter", [1, 2, 3, 5, 300])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_max_iter_stops_where_scikit_learn_stops(seed, weighted, max_iter):
    X, start, weights = overlapping(seed)
    weights = weights if weighted else None
    how = {"init": start, "n_init": 1, "tol": 0, "max_iter": max_iter}
    theirs = KMeans(7, **how).fit(X, sample_weight=weights)
    ours = SSKMeans(7, **how).fit(X, sample_weight=weights)
    assert ours.n_iter_ == theirs.n_iter_ <= max_iter
    assert ours.labels_.tolist() == theirs.labels_.tolist()
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=0, atol=1e-13)


@pytest.mark.parametrize("algorithm", ["lloyd", "auto"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("supervision", ["clamp", "seed", "freeze"])
@pytest.mark.parametrize("stop", [{"max_iter": 1}, {"max_iter": 3}, {"tol": 0.1}, {"tol": 1e3}])
@pytest.mark.parametrize("seed", range(3))
def test_labels_centres_and_cost_belong_together(seed, stop, supervision, dtype, algorithm):
    X, start, weights = overlapping(seed)
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(len(X)) < 0.2, rng.integers(2, size=len(X)), -1)
    X, how = X.astype(dtype), {"supervision": supervision, "algorithm": algorithm, **stop}
    model = SSKMeans(7, init=start.astype(dtype), **how).fit(X, y, sample_weight=weights)
    free = np.full(len(X), True) if supervision == "seed" else y == -1
    assert model.labels_[free].tolist() == model.predict(X[free]).tolist()
    assert model.labels_[~free].tolist() == y[~free].tolist()
    steps = X.astype(np.float64) - model.cluster_centers_[model.codes_].astype(np.float64)
    cost = math.fsum(weights * (steps**2).sum(axis=1))
    assert model.inertia_ == pytest.approx(cost, rel=len(X) * 2.0**-52)  # differences in float64


@pytest.mark.parametrize("unit", [2.0**-30, 2.0**20])
def test_tol_is_relative_to_the_variance_of_the_columns(unit):
    X, start, _ = overlapping(0)
    counts = {SSKMeans(7, init=start * u, tol=1e-3).fit(X * u).n_iter_ for u in (1, unit)}
    assert counts == {SSKMeans(7, init=start, tol=1e-3).fit(X).n_iter_}


def test_tol_counts_rows_by_their_weight():
    X, start, _ = overlapping(1)
    weights = np.random.default_rng(1).integers(1, 5, size=len(X))
    X[np.argmax(weights)] += 200  # its variance is that of the columns
    for tol in (1e-2, 1e-3, 1e-4, 1e-5):
        weighted = SSKMeans(7, init=start, tol=tol).fit(X, sample_weight=weights)
        repeated = SSKMeans(7, init=start, tol=tol).fit(np.repeat(X, weights, axis=0))
        assert weighted.n_iter_ == repeated.n_iter_


def test_tol_zero_rests_where_no_row_moves():
    X, start, _ = overlapping(2)
    model = SSKMeans(7, init=start, tol=0).fit(X)
    again = SSKMeans(7, init=model.cluster_centers_, tol=0).fit(X)
    assert again.n_iter_ == 1  # the centres stay where they are, to the last bit
    assert again.cluster_centers_.tobytes() == model.cluster_centers_.tobytes()
    assert again.labels_.tolist() == model.labels_.tolist()
