"""The three kinds of supervision, and the ways to say where the centres start.

`clamp` keeps labelled rows in their class; `seed` lets them go after the start; `freeze` keeps the
centres of known classes where they are. An array gives all centres, or those of the classes that
nobody labelled; a callable is asked for either.
"""

import numpy as np
import pytest
from scipy import sparse

from sskmeans import SSKMeans
from sskmeans.errors import ParameterError

SUPERVISIONS = ["clamp", "seed", "freeze"]
every_metric = pytest.mark.parametrize("metric", ["euclidean", "cosine"])


def partly_labelled(seed, dtype=np.float64):
    """Four clumps; rows of the first two are labelled 10 and 20, one in five of them wrongly."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(4, size=100)
    X = 8 * rng.normal(size=(4, 3))[truth] + rng.normal(size=(100, 3))
    said = np.where(rng.random(100) < 0.2, 1 - truth, truth)
    y = np.where((truth < 2) & (rng.random(100) < 0.6), 10 * (said + 1), -1)
    return X.astype(dtype), y


@every_metric
@pytest.mark.parametrize("seed", range(5))
def test_clamp_keeps_every_label_and_seed_lets_wrong_ones_go(seed, metric):
    X, y = partly_labelled(seed)
    told = y != -1
    fits = {
        how: SSKMeans(4, supervision=how, metric=metric, random_state=seed).fit(X, y)
        for how in SUPERVISIONS
    }
    for how in ("clamp", "freeze"):
        assert fits[how].labels_[told].tolist() == y[told].tolist()
    seeded = fits["seed"]
    assert seeded.labels_.tolist() == seeded.predict(X).tolist()
    assert (seeded.labels_[told] != y[told]).any()
    for model in fits.values():
        assert model.is_known_.tolist() == [False, False, True, True]
        assert model.classes_.tolist() == [0, 1, 10, 20]


@every_metric
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("seed", range(3))
def test_freeze_leaves_the_centres_of_known_classes_at_their_labelled_means(
    seed, form, dtype, metric
):
    X, y = partly_labelled(seed, dtype)
    # Where a fit to the labelled rows alone has its centres: complete labels, nothing to find.
    means = SSKMeans(2, metric=metric, supervision="freeze").fit(form(X[y != -1]), y[y != -1])
    model = SSKMeans(4, metric=metric, supervision="freeze", random_state=seed).fit(form(X), y)
    assert model.n_iter_ > 1
    assert model.cluster_centers_[2:].tobytes() == means.cluster_centers_.tobytes()


@every_metric
@pytest.mark.parametrize("seed", range(3))
def test_freeze_leaves_given_centres_of_known_classes_where_they_are_given(seed, metric):
    X, y = partly_labelled(seed)
    start = np.concatenate([X[:2], 3 * np.eye(3)[:2]])
    model = SSKMeans(4, init=start, metric=metric, supervision="freeze", tol=0).fit(X, y)
    unit = 3.0 if metric == "cosine" else 1.0
    assert (model.cluster_centers_[2:] == start[2:] / unit).all()
    assert model.labels_[y != -1].tolist() == y[y != -1].tolist()


@pytest.mark.parametrize("supervision", SUPERVISIONS)
@pytest.mark.parametrize("seed", range(3))
def test_an_array_of_k_rows_is_used_whole_in_the_order_of_the_classes(seed, supervision):
    X, y = partly_labelled(seed)
    start = X[np.random.default_rng(seed).choice(100, size=4, replace=False)]
    model = SSKMeans(4, init=start, supervision=supervision).fit(X, y)
    free = (y == -1) | (supervision == "seed")
    D2 = ((X[:, None] - start) ** 2).sum(axis=-1)
    slots = np.where(free, D2.argmin(axis=1), np.searchsorted([0, 1, 10, 20], y))
    cost = D2[np.arange(100), slots].sum()  # known classes too start where the array says
    assert model.history_["cost"][0] == pytest.approx(cost, rel=1e-12)  # a sum of 100


@pytest.mark.parametrize("supervision", SUPERVISIONS)
@pytest.mark.parametrize("seed", range(3))
def test_fewer_rows_fill_the_classes_without_labels_in_order(seed, supervision):
    X, y = partly_labelled(seed)
    new = X[np.random.default_rng(seed).choice(100, size=2, replace=False)]
    means = [X[y == 10].mean(axis=0), X[y == 20].mean(axis=0)]
    short = SSKMeans(4, init=new, supervision=supervision, tol=0).fit(X, y)
    whole = SSKMeans(4, init=[*new, *means], supervision=supervision, tol=0).fit(X, y)
    assert short.labels_.tolist() == whole.labels_.tolist()
    assert short.history_["cost"] == pytest.approx(whole.history_["cost"], rel=1e-12)
    # The first row belongs to class 0, the second to class 1: swapped, so are their names.
    other = SSKMeans(4, init=new[::-1], supervision=supervision, tol=0).fit(X, y)
    swap = {0: 1, 1: 0, 10: 10, 20: 20}
    assert [swap[label] for label in other.labels_.tolist()] == short.labels_.tolist()


def test_an_array_of_another_size_is_refused_with_both_that_would_do():
    X, y = partly_labelled(0)
    for rows in (1, 3, 5):
        with pytest.raises(ParameterError, match=r"must have 4 rows.*or 2: one for each class"):
            SSKMeans(4, init=X[:rows]).fit(X, y)


@pytest.mark.parametrize("rows", [2, 4])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_a_callable_is_asked_with_rows_number_and_stream(form, rows):
    X, y = partly_labelled(0)
    asked = []

    def start(X, n_clusters, random_state):
        asked.append((X, n_clusters, random_state))
        return np.asarray(X[:rows].todense() if sparse.issparse(X) else X[:rows])

    rng = np.random.RandomState(0)
    model = SSKMeans(4, init=start, random_state=rng, n_init=3).fit(form(X), y)
    assert len(asked) == 3
    for given, n_clusters, stream in asked:
        assert type(given) is type(form(X))
        assert given.shape == X.shape
        assert n_clusters == 4
        assert stream is rng
    same = SSKMeans(4, init=X[:rows]).fit(form(X), y)
    assert model.cluster_centers_.tobytes() == same.cluster_centers_.tobytes()


def test_a_callable_that_draws_gives_several_runs_of_which_the_best_is_kept():
    X, y = partly_labelled(1)

    def draw(X, n_clusters, random_state):
        return X[random_state.choice(len(X), size=n_clusters, replace=False)]

    best = SSKMeans(4, init=draw, n_init=10, random_state=0).fit(X, y).inertia_
    rng = np.random.RandomState(0)
    singly = [
        SSKMeans(4, init=draw, n_init=1, random_state=rng).fit(X, y).inertia_ for _ in range(10)
    ]
    assert best == min(singly)


@pytest.mark.parametrize("supervision", SUPERVISIONS)
def test_a_start_that_is_given_is_not_written_to(supervision):
    X, y = partly_labelled(2)
    start, kept = X[:4].copy(), X[:4].copy()
    start.flags.writeable = False
    SSKMeans(4, init=start, supervision=supervision).fit(X, y)
    assert (start == kept).all()
