"""Given centres are where a run starts, in the order of `classes_`, whichever way they are given.

`history_["cost"][0]` is the cost of the start: every unlabelled row at its nearest centre, every
labelled row at the centre of its class. Here it is computed again from the centres themselves.
"""

import numpy as np
import pytest

from sskmeans import SSKMeans
from sskmeans.errors import FewerClustersWarning

SEEDS = range(4)
CLASSES = ["b", "new-0", "new-1", "z"]  # "b" and "z" have labels


def rows(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3)) + rng.normal(size=(4, 3))[rng.integers(4, size=60)] * 4
    y = np.full(60, None, dtype=object)
    y[:4], y[4:9] = "b", "z"
    return X, y, rng.normal(size=(4, 3)) * 4


def start_cost(X, y, centres):
    squares = ((X[:, None] - centres) ** 2).sum(axis=2)
    cost = squares[y == None].min(axis=1).sum()  # noqa: E711 - asked of every row
    return cost + sum(squares[y == name, CLASSES.index(name)].sum() for name in ("b", "z"))


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("as_callable", [False, True])
def test_a_row_for_each_class_places_known_classes_too(seed, as_callable):
    X, y, centres = rows(seed)
    init = (lambda X, n_clusters, random_state: centres) if as_callable else centres
    model = SSKMeans(4, init=init, n_init=1).fit(X, y)
    assert model.classes_.tolist() == CLASSES
    # 1e-12: sums of 60 x 3 squares in float64, in two orders
    assert model.history_["cost"][0] == pytest.approx(start_cost(X, y, centres), rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("as_callable", [False, True])
def test_a_row_for_each_new_class_leaves_known_classes_at_their_means(seed, as_callable):
    X, y, centres = rows(seed)
    given = centres[1:3]
    init = (lambda X, n_clusters, random_state: given) if as_callable else given
    model = SSKMeans(4, init=init, n_init=1).fit(X, y)
    centres[0], centres[3] = X[:4].mean(axis=0), X[4:9].mean(axis=0)
    assert model.history_["cost"][0] == pytest.approx(start_cost(X, y, centres), rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_under_cosine_only_the_direction_of_a_given_centre_counts(seed):
    X, y, centres = rows(seed)
    model = SSKMeans(4, init=7.0 * centres, metric="cosine").fit(X, y)
    wanted = start_cost(unit(X), y, unit(centres))
    assert model.history_["cost"][0] == pytest.approx(wanted, rel=1e-12)


def test_a_callable_is_told_what_it_needs():
    X, y, centres = rows(0)
    heard = []

    def init(rows, n_clusters, random_state):
        heard.append((np.array_equal(rows, X), n_clusters, random_state.random() >= 0))
        return centres

    SSKMeans(4, init=init, n_init=3).fit(X, y)
    assert heard == [(True, 4, True)] * 3


@pytest.mark.parametrize("init", ["k-means++", "greedy-k-means++", "random"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_start_from_fewer_distinct_rows_than_clusters_warns_and_goes_on(init, seed):
    X = np.repeat([[0.0], [5.0]], 6, axis=0)
    with pytest.warns(FewerClustersWarning, match="distinct"):
        model = SSKMeans(4, init=init, n_init=1, random_state=seed).fit(X)
    assert model.inertia_ == 0.0
    assert len(model.cluster_centers_) == 4


def test_one_weight_for_all_rows_is_every_row_s_weight():
    X, y, centres = rows(1)
    one = SSKMeans(4, init=centres).fit(X, y, sample_weight=2.0)
    each = SSKMeans(4, init=centres).fit(X, y, sample_weight=np.full(60, 2.0))
    assert np.array_equal(one.cluster_centers_, each.cluster_centers_)
    assert one.inertia_ == each.inertia_
