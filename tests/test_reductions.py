"""Where one problem is another in disguise, the answers agree bit for bit.

No labels is plain k-means, however it is said; complete labels leave nothing to do; the methods of
the literature are two knobs of one estimator.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.cluster import KMeans

from sskmeans import SSKMeans, ss_kmeans_plusplus
from sskmeans.points import LocalPoints
from sskmeans.seeding import SEEDERS

INITS = ["k-means++", "greedy-k-means++", "random"]
SUPERVISIONS = ["clamp", "seed", "freeze"]
FORMS = [np.asarray, lambda X: X.astype(np.float32), sparse.csr_array]


def clumps(seed, n=120, k=4):
    """Integer rows in clumps, so that means of four or eight rows are exact; classes; weights."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    X = np.round(40 * rng.normal(size=(k, 3))[truth] + 20 * rng.normal(size=(n, 3)))
    return X, truth, rng.random(n) + 0.1


def same(one, other):
    """Two fits whose every number has the same bits."""
    assert one.cluster_centers_.tobytes() == other.cluster_centers_.tobytes()
    assert one.codes_.tobytes() == other.codes_.tobytes()
    assert one.inertia_ == other.inertia_
    assert one.n_iter_ == other.n_iter_
    assert all((one.history_[name] == other.history_[name]).all() for name in one.history_)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize("seed", range(3))
def test_every_way_to_say_that_nothing_is_labelled(seed, init, form):
    X, _, weights = clumps(seed)
    plain = SSKMeans(5, init=init, random_state=seed, n_init=2).fit(form(X), None, weights)
    nothing = [
        np.full(120, -1),
        np.full(120, -1.0),
        np.full(120, np.nan),
        [None] * 120,
        np.array([None] * 60 + [np.nan] * 60, dtype=object),
        pd.Series([pd.NA] * 120, dtype="Int64"),
        pd.Categorical([None] * 120, categories=["a", "b"]),
    ]
    for y in nothing:
        for supervision in SUPERVISIONS:
            model = SSKMeans(
                5, init=init, supervision=supervision, random_state=seed, n_init=2
            ).fit(form(X), y, weights)
            same(model, plain)
            assert model.labels_.tolist() == plain.labels_.tolist()
            assert model.classes_.tolist() == [0, 1, 2, 3, 4]
            assert not model.is_known_.any()


@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize("seed", range(3))
def test_without_fixed_centres_each_law_is_the_plain_one_by_the_same_code(seed, init):
    X, _, weights = clumps(seed)
    rng = np.random.RandomState(seed)
    picks = SEEDERS[init](LocalPoints(X, None, weights), np.empty((0, 3)), 5, rng).positions
    from_rows = SSKMeans(5, init=X[picks]).fit(X, sample_weight=weights)
    model = SSKMeans(5, init=init, random_state=seed, n_init=1)
    same(model.fit(X, np.full(120, -1), weights), from_rows)


@pytest.mark.parametrize("supervision", SUPERVISIONS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(3))
def test_the_estimator_starts_where_the_public_seeding_does(seed, form, supervision):
    X, truth, weights = clumps(seed)
    y = np.where((np.arange(120) % 5 == 0) & (truth < 2), truth, -1)
    start, _ = ss_kmeans_plusplus(form(X), y, 6, sample_weight=weights, random_state=seed)
    how = {"supervision": supervision}
    same(
        SSKMeans(6, random_state=seed, **how).fit(form(X), y, weights),
        SSKMeans(6, init=start, **how).fit(form(X), y, weights),
    )


@pytest.mark.parametrize("supervision", SUPERVISIONS)
@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize("seed", range(3))
def test_every_class_labelled_leaves_nothing_to_chance(seed, init, supervision):
    """The laws of seeding, the runs and the stream all cease to matter."""
    X, truth, weights = clumps(seed)
    y = np.where(np.arange(120) < 40, truth, -1)
    rng = np.random.RandomState(7)
    before = rng.get_state()[1].tobytes(), rng.get_state()[2]
    model = SSKMeans(4, init=init, supervision=supervision, random_state=rng, n_init=3)
    model.fit(X, y, weights)
    assert (rng.get_state()[1].tobytes(), rng.get_state()[2]) == before
    same(model, SSKMeans(4, supervision=supervision, random_state=1).fit(X, y, weights))


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("supervision", ["clamp", "freeze"])
@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize("seed", range(3))
def test_complete_labels_come_back_after_one_update(seed, init, supervision, metric):
    X, truth, weights = clumps(seed)
    names = np.array(["ant", "bee", "cat", "dog"])[truth]
    model = SSKMeans(4, init=init, supervision=supervision, metric=metric).fit(X, names, weights)
    assert model.labels_.tolist() == names.tolist()
    assert model.n_iter_ == 1
    if metric == "euclidean":
        for name, centre in zip(model.classes_, model.cluster_centers_, strict=True):
            mean = np.average(X[names == name], axis=0, weights=weights[names == name])
            # NumPy adds 120 products, none above 200.
            np.testing.assert_allclose(centre, mean, rtol=0, atol=120 * 200 * 2.0**-52)


@pytest.mark.parametrize("seed", range(3))
def test_complete_labels_and_any_start_give_the_class_means_too(seed):
    X, truth, _ = clumps(seed)
    from_means = SSKMeans(4).fit(X, truth)
    from_rows = SSKMeans(4, init=X[:4], tol=0).fit(X, truth)
    assert from_rows.cluster_centers_.tobytes() == from_means.cluster_centers_.tobytes()
    assert from_rows.labels_.tolist() == truth.tolist()


@pytest.mark.parametrize("init", ["k-means++", "random"])
@pytest.mark.parametrize("seed", range(3))
def test_seeded_kmeans_is_lloyd_started_at_the_class_means(seed, init):
    X, truth, _ = clumps(seed)
    y = np.full(120, -1)
    for label in range(4):
        y[np.flatnonzero(truth == label)[:8]] = label  # eight rows: the mean is exact
    means = np.array([X[y == label].mean(axis=0) for label in range(4)])
    seeded = SSKMeans(4, supervision="seed", init=init, tol=0).fit(X, y)
    same(seeded, SSKMeans(4, init=means, tol=0).fit(X))
    plain = KMeans(4, init=means, n_init=1, tol=0).fit(X)
    assert seeded.labels_.tolist() == plain.labels_.tolist()
    assert seeded.n_iter_ == plain.n_iter_


@pytest.mark.parametrize("seed", range(3))
def test_constrained_kmeans_starts_at_class_means_and_random_rows(seed):
    X, truth, weights = clumps(seed)
    y = np.where((np.arange(120) % 4 == 0) & (truth < 2), truth, -1)
    free = np.flatnonzero(y == -1)
    rng = np.random.RandomState(seed)
    picks = SEEDERS["random"](LocalPoints(X, free, weights), np.empty((0, 3)), 2, rng).positions
    same(
        SSKMeans(4, init="random", random_state=seed, n_init=1).fit(X, y, weights),
        SSKMeans(4, init=X[free[picks]]).fit(X, y, weights),
    )


@pytest.mark.parametrize("k", [1, 120])
@pytest.mark.parametrize("labelled", [False, True])
def test_one_cluster_and_as_many_as_rows(k, labelled):
    X, _, _ = clumps(0)
    X += np.arange(120)[:, None] * 1000  # no two rows alike
    y = [0, *[-1] * 119] if labelled else None
    model = SSKMeans(k, random_state=0).fit(X, y)
    if k == 1:
        np.testing.assert_allclose(model.cluster_centers_[0], X.mean(axis=0), rtol=1e-14)
        assert set(model.labels_.tolist()) == {0}
    else:
        assert sorted(model.labels_.tolist()) == list(range(120))
        assert model.inertia_ == 0


@pytest.mark.parametrize("supervision", SUPERVISIONS)
def test_a_fit_does_not_remember_the_one_before(supervision):
    X, truth, weights = clumps(0)
    y = np.where(np.arange(120) % 3 == 0, truth, -1)
    fresh = SSKMeans(5, supervision=supervision, random_state=3).fit(X, y, weights)
    used = SSKMeans(5, supervision=supervision, random_state=3).fit(X[::-1] * 7)
    same(used.fit(X, y, weights), fresh)
