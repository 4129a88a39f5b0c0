"""A weight is a number of copies, fractions and none included.

In means, costs, the tolerance and draws; never in which centre is nearest. (That draws follow
weights is tested against enumerated laws in `seeding`.)
"""

import math

import numpy as np
import pytest
from scipy import sparse

from sskmeans import SSKMeans, ss_kmeans_plusplus

SUPERVISIONS = ["clamp", "seed", "freeze"]
every_supervision = pytest.mark.parametrize("supervision", SUPERVISIONS)
every_metric = pytest.mark.parametrize("metric", ["euclidean", "cosine"])
every_seed = pytest.mark.parametrize("seed", range(4))
N, K = 90, 5


def weighted(seed, least=0):
    """Rows, labels of two classes, small whole weights, a start of rows that count."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(K, size=N)
    X = 3 * rng.normal(size=(K, 3))[truth] + rng.normal(size=(N, 3))
    weights = rng.integers(least, 5, size=N)
    y = np.where((rng.random(N) < 0.4) & (truth < 2), truth, -1)
    weights[[np.flatnonzero(y == label)[0] for label in (0, 1)]] = 2
    start = X[rng.choice(np.flatnonzero(weights), size=K, replace=False)]
    return X, y, weights, start


def agree(one, other):
    """Centres and cost to the rounding of sums of 5 N numbers."""
    error = 5 * N * 2.0**-52
    scale = np.abs(other.cluster_centers_).max()
    np.testing.assert_allclose(
        one.cluster_centers_, other.cluster_centers_, rtol=0, atol=error * scale
    )
    assert one.inertia_ == pytest.approx(other.inertia_, rel=error)


@every_metric
@every_supervision
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@every_seed
def test_a_weight_is_a_number_of_copies(seed, form, supervision, metric):
    X, y, weights, start = weighted(seed)
    how = {"init": start, "supervision": supervision, "metric": metric}
    model = SSKMeans(K, **how).fit(form(X), y, sample_weight=weights)
    copies = np.repeat(np.arange(N), weights)
    repeated = SSKMeans(K, **how).fit(form(X[copies]), y[copies])
    assert repeated.labels_.tolist() == model.labels_[copies].tolist()
    assert repeated.n_iter_ == model.n_iter_  # the tolerance counts copies too
    agree(repeated, model)


@every_metric
@every_supervision
@every_seed
def test_a_row_without_weight_is_labelled_and_has_no_influence(seed, supervision, metric):
    X, y, weights, start = weighted(seed)
    weights[np.argsort(-np.abs(X).sum(axis=1))[:10]] = 0  # those at the rim have most influence
    weights[[np.flatnonzero(y == label)[0] for label in (0, 1)]] = 2
    how = {"init": start, "supervision": supervision, "metric": metric}
    model = SSKMeans(K, **how).fit(X, y, sample_weight=weights)
    counts = weights > 0
    without = SSKMeans(K, **how).fit(X[counts], y[counts], sample_weight=weights[counts])
    assert without.labels_.tolist() == model.labels_[counts].tolist()
    agree(without, model)
    free = ~counts & ((y == -1) | (supervision == "seed"))
    assert model.labels_[free].tolist() == model.predict(X[free]).tolist()


@every_metric
@pytest.mark.parametrize("init", ["k-means++", "greedy-k-means++", "random"])
@every_seed
def test_the_unit_of_weight_does_not_matter(seed, init, metric):
    X, y, weights, _ = weighted(seed)
    how = {"init": init, "metric": metric, "random_state": seed, "n_init": 2}
    model = SSKMeans(K, **how).fit(X, y, sample_weight=weights)
    for unit in (2.0**-40, 2.0**100):
        other = SSKMeans(K, **how).fit(X, y, sample_weight=weights * unit)
        assert other.codes_.tobytes() == model.codes_.tobytes()
        assert other.cluster_centers_.tobytes() == model.cluster_centers_.tobytes()
        assert other.inertia_ == model.inertia_ * unit
        assert other.n_iter_ == model.n_iter_


@pytest.mark.parametrize("init", ["k-means++", "greedy-k-means++", "random"])
@every_supervision
@every_seed
def test_equal_weights_are_no_weights(seed, supervision, init):
    X, y, _, _ = weighted(seed)
    how = {"init": init, "supervision": supervision, "random_state": seed, "n_init": 1}
    plain = SSKMeans(K, **how).fit(X, y)
    for weights in (np.ones(N), [1] * N, 1.0):
        model = SSKMeans(K, **how).fit(X, y, sample_weight=weights)
        assert model.codes_.tobytes() == plain.codes_.tobytes()
        assert model.cluster_centers_.tobytes() == plain.cluster_centers_.tobytes()
        assert model.inertia_ == plain.inertia_


@pytest.mark.parametrize("init", ["k-means++", "greedy-k-means++", "random"])
@pytest.mark.parametrize("seed", range(10))
def test_no_centre_starts_at_a_row_without_weight(seed, init):
    X, y, weights, _ = weighted(seed)
    weights[::2] *= y[::2] != -1
    first = SSKMeans(K, init=init, random_state=seed, n_init=1, max_iter=1)
    first.fit(X, y, sample_weight=weights)
    counts = weights > 0
    assert np.isin(first.labels_[counts], first.labels_).all()
    assert len(set(first.labels_[counts].tolist())) == K
    indices = ss_kmeans_plusplus(X, y, K, sample_weight=weights, random_state=seed)[1]
    assert counts[indices[indices >= 0]].all()


@every_seed
def test_score_and_inertia_count_weights(seed):
    X, _, weights, start = weighted(seed)
    model = SSKMeans(K, init=start).fit(X, sample_weight=weights)
    copies = np.repeat(np.arange(N), weights)
    assert -model.score(X, sample_weight=weights) == pytest.approx(model.inertia_, rel=N * 2.0**-52)
    assert model.score(X[copies]) == pytest.approx(-model.inertia_, rel=5 * N * 2.0**-52)
    steps = X - model.cluster_centers_[model.codes_]
    cost = math.fsum(weights * (steps**2).sum(axis=1))
    assert model.inertia_ == pytest.approx(cost, rel=N * 2.0**-52)


@pytest.mark.parametrize("seed", range(2))
def test_many_fractions_of_weight_far_from_the_origin_leave_the_mean_right(seed):
    """The sum of the weights must be as good as the sum of the rows: the mean is their ratio."""
    rng = np.random.default_rng(seed)
    X, weights = 1e8 + rng.normal(size=(200_000, 1)), rng.random(200_000)
    model = SSKMeans(1, init=X[:1]).fit(X, sample_weight=weights)
    mean = 1e8 + math.fsum(weights * (X[:, 0] - 1e8)) / math.fsum(weights)
    assert abs(model.cluster_centers_[0, 0] - mean) <= 2 * np.spacing(1e8)
