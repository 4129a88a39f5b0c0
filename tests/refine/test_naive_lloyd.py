"""The fit is semi-supervised Lloyd as the papers tell it.

Against a naive version written from the definition: same labels, same number of iterations, same
centres and cost to the rounding of float64, under every supervision, metric, form and algorithm.
"""

import numpy as np
import pytest
from naive_lloyd import naive_lloyd
from scipy import sparse

from sskmeans import SSKMeans

N, D, K = 120, 3, 6


def partly_labelled(seed):
    """Overlapping clumps; classes 0, 2 and 5 have labels, a few of them wrong; random weights."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(K, size=N)
    X = 2 * rng.normal(size=(K, D))[truth] + rng.normal(size=(N, D)) + 1.0
    noisy = np.where(rng.random(N) < 0.1, rng.choice([0, 2, 5], size=N), truth)
    y = np.where((rng.random(N) < 0.3) & np.isin(noisy, [0, 2, 5]), noisy, -1)
    start = X[rng.choice(N, size=K, replace=False)]
    return X, y, start, rng.random(N) * (rng.random(N) < 0.9)


def agrees(model, oracle):
    labels, centres, cost, n_iter = oracle
    assert model.labels_.tolist() == labels.tolist()
    assert model.n_iter_ == n_iter
    # Means and sums of N numbers: N roundings at most; centres are of the size of X.
    error = N * np.finfo(np.float64).eps
    np.testing.assert_allclose(model.cluster_centers_, centres, rtol=error, atol=10 * error)
    assert model.inertia_ == pytest.approx(cost, rel=D * error)


@pytest.mark.parametrize("algorithm", ["lloyd", "auto"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("supervision", ["clamp", "seed", "freeze"])
@pytest.mark.parametrize("seed", range(5))
def test_every_supervision_metric_and_weighting(seed, supervision, metric, weighted, algorithm):
    X, y, start, weights = partly_labelled(seed)
    weights = weights if weighted else None
    how = {"supervision": supervision, "metric": metric, "algorithm": algorithm, "init": start}
    model = SSKMeans(K, tol=0, **how).fit(X, y, sample_weight=weights)
    agrees(model, naive_lloyd(X, y, start, supervision, weights, metric == "cosine"))


@pytest.mark.parametrize("supervision", ["clamp", "seed", "freeze"])
@pytest.mark.parametrize("seed", range(5))
def test_every_iteration_on_the_way(seed, supervision):
    X, y, start, weights = partly_labelled(seed)
    for max_iter in range(1, 9):
        how = {"supervision": supervision, "init": start, "max_iter": max_iter, "tol": 0}
        model = SSKMeans(K, **how).fit(X, y, sample_weight=weights)
        agrees(model, naive_lloyd(X, y, start, supervision, weights, max_iter=max_iter))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("seed", range(2))
def test_counts_of_which_many_move(seed, form):
    """Sums of whole numbers are kept up by adding and taking away, and often come to nothing."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(rng.gamma(0.3, size=(12, 150))[rng.integers(12, size=9000)]).astype(float)
    start = X[rng.choice(9000, size=8, replace=False)]
    for max_iter in (2, 3, 4, 6, 10):
        model = SSKMeans(8, init=start, tol=0, max_iter=max_iter).fit(form(X))
        labels, centres, cost, n_iter = naive_lloyd(
            X, np.full(9000, -1), start, "clamp", max_iter=max_iter
        )
        assert model.n_iter_ == n_iter
        np.testing.assert_array_equal(model.codes_, labels)
        np.testing.assert_allclose(model.cluster_centers_, centres, rtol=1e-12, atol=1e-12)
        assert model.inertia_ == pytest.approx(cost, rel=1e-12)


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, np.asfortranarray])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("seed", range(3))
def test_sparse_and_fortran_rows(seed, metric, form):
    X, y, start, weights = partly_labelled(seed)
    X = np.where(np.abs(X) > 1, X, 0.0)
    X[:, 0] += 0.5  # no row of zeros: they have no direction
    model = SSKMeans(K, init=start, metric=metric, tol=0).fit(form(X), y, sample_weight=weights)
    agrees(model, naive_lloyd(X, y, start, "clamp", weights, metric == "cosine"))


@pytest.mark.parametrize("seed", range(3))
def test_without_labels(seed):
    X, _, start, weights = partly_labelled(seed)
    model = SSKMeans(K, init=start, tol=0).fit(X, sample_weight=weights)
    agrees(model, naive_lloyd(X, np.full(N, -1), start, "clamp", weights))


@pytest.mark.parametrize("supervision", ["clamp", "seed", "freeze"])
@pytest.mark.parametrize("seed", range(5))
def test_the_start_is_the_class_means_and_the_rows_given_for_the_others(seed, supervision):
    X, y, start, weights = partly_labelled(seed)
    weights[np.isin(y, [0, 2, 5])] += 0.1  # no class without weight
    whole = start.copy()
    for j in (0, 2, 5):
        whole[j] = np.average(X[y == j], axis=0, weights=weights[y == j])
    model = SSKMeans(K, init=start[[1, 3, 4]], supervision=supervision, tol=0)
    agrees(model.fit(X, y, sample_weight=weights), naive_lloyd(X, y, whole, supervision, weights))
